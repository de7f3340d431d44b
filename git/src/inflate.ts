import { pipeline, Readable } from "node:stream";
import { constants, createInflate, inflateSync } from "node:zlib";

/** What `inflateSync()` gives with `info`; the types of Node.js lack it. */
interface Inflated {
  readonly buffer: Uint8Array;
  /** How much of the input was used. */
  readonly engine: { readonly bytesWritten: number };
}

/** How a compressed stream fails. */
export type StreamFault =
  /** The input ends before the stream does. */
  | "short"
  /** The stream is broken, or is not as long as it must be. */
  | "broken";

/**
 * Inflates the stream at the beginning of `input`, which must have exactly `size`
 * bytes; a bomb stops at that size. Returns how much of the input was used.
 */
export function inflate(
  input: Uint8Array,
  size: number,
): { readonly bytes: Uint8Array; readonly used: number } | StreamFault {
  try {
    const options = {
      info: true,
      maxOutputLength: Math.max(1, size),
      // One more than fits, so that a whole object takes one buffer.
      chunkSize: Math.max(64, size + 1),
    };
    // Cast, since the types do not know what `info` gives.
    const { buffer, engine } = inflateSync(
      input,
      options,
    ) as unknown as Inflated;
    if (buffer.length !== size) return "broken";
    return { bytes: buffer, used: engine.bytesWritten };
  } catch (error) {
    return codeOf(error) === "Z_BUF_ERROR" ? "short" : "broken";
  }
}

/** The most bytes of a compressed stream that are read to find its first bytes. */
const HEAD_INPUT = [512, 8192];

/** The first `count` bytes of the stream at the beginning of `input`; fewer if it ends there. */
export function inflateHead(
  input: Uint8Array,
  count: number,
): Uint8Array | "broken" {
  let head: Uint8Array = new Uint8Array(0);
  for (const most of HEAD_INPUT) {
    try {
      head = inflateSync(input.subarray(0, most), {
        finishFlush: constants.Z_SYNC_FLUSH,
      });
    } catch {
      return "broken";
    }
    if (head.length >= count || input.length <= most) break;
  }
  return head.subarray(0, count);
}

/** The most bytes of input that a stream of `size` bytes usually takes, however it was compressed. */
export function mostInput(size: number): number {
  return size + Math.ceil(size / 8) + Math.ceil(size / 64) + 64;
}

const CHUNK_BYTES = 16 * 1024;

/** Inflates a stream of any size a part at a time; what follows it is ignored. Throws if it is broken. */
export async function* inflateParts(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const source = Readable.from(input, { highWaterMark: 2 });
  const inflater = createInflate({ chunkSize: CHUNK_BYTES });
  // The loop sees the failure; without a callback it would be thrown twice.
  pipeline(source, inflater, () => {});
  try {
    for await (const part of inflater) yield part;
  } finally {
    source.destroy();
    inflater.destroy();
  }
}

/** Joins the parts of an object; `undefined` if they are not `size` bytes, or are broken. */
export async function joinParts(
  parts: AsyncIterable<Uint8Array>,
  size: number,
): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  try {
    for await (const part of parts) {
      if (filled + part.length > size) return undefined;
      bytes.set(part, filled);
      filled += part.length;
    }
  } catch (error) {
    // A failure of zlib; those of the file have their own class.
    if (isZlibError(error)) return undefined;
    throw error;
  }
  return filled === size ? bytes : undefined;
}

/** Whether a failure is of the compressed data. */
export function isZlibError(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === "string" && code.startsWith("Z_");
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null)?.code;
}
