// Runtime-agnostic.
import { ReadFileError } from "../base/errors.ts";
import type { FileStat } from "../base/port.ts";
import type { Source } from "./source.ts";
import type { Span } from "./locate.ts";
import { SNIFF_BYTES } from "../base/limits.ts";
import type { ReadPolicy } from "../base/policy.ts";
import { refuseHuge } from "./window.ts";

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const REPLACEMENT = "\uFFFD";

/** Decodes; what is no UTF-8 stands as U+FFFD, a BOM as U+FEFF. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** Whether a text that was decoded has surely lost nothing. */
export function isExact(text: string): boolean {
  return !text.includes(REPLACEMENT);
}

/** Decodes; `undefined` if it is not UTF-8. */
export function decodeStrict(bytes: Uint8Array): string | undefined {
  // On Deno a strict decoder takes seven times as long, so it is asked only in doubt.
  const text = lossy.decode(bytes);
  return isExact(text) || isStrictUtf8(bytes) ? text : undefined;
}

/** Whether the bytes are UTF-8; a character cut short at their end is no fault if more `follow`. */
function isUtf8(
  bytes: Uint8Array,
  { follow }: { readonly follow: boolean },
): boolean {
  return isExact(lossy.decode(bytes)) || isStrictUtf8(bytes, follow);
}

function isStrictUtf8(bytes: Uint8Array, stream = false): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}

/** `BINARY` if the bytes `[position, end)` are not UTF-8. */
export async function checkUtf8(
  source: Source,
  position: number,
  end: number,
): Promise<void> {
  const { kernel, start } = source;
  if (position >= start && end <= source.end) {
    if (kernel.isAscii?.(position - start, end - start)) return;
    if (isUtf8(source.view(position, end), { follow: false })) return;
    throw notUtf8(source);
  }
  const strict = new TextDecoder("utf-8", { fatal: true });
  while (position < end) {
    await source.load(position);
    const to = Math.min(source.end, end);
    try {
      strict.decode(source.view(position, to), { stream: to < end });
    } catch {
      throw notUtf8(source);
    }
    position = to;
  }
}

/** The failure of a file that is no text. */
export function notUtf8({ path }: Source): ReadFileError<"BINARY"> {
  return new ReadFileError("BINARY", path, { sign: "utf-8" });
}

const LF = 0x0a;
const CR = 0x0d;

/** What is left of a span whose long lines were clipped. */
interface Clipped {
  /** The bytes: of each line the first ones, and its ending. */
  readonly bytes: Uint8Array;
  /**
   * The lines, from 0 on, that were clipped just after a CR and end at a bare
   * LF: their bytes look like a CR LF that is not there.
   */
  readonly bare: ReadonlySet<number>;
}

/** Whether a line has more than `keep` bytes before its line feed. */
export function hasLongLine(bytes: Uint8Array, keep: number): boolean {
  let from = 0;
  while (bytes.length - from > keep) {
    // The last line feed within reach: the lines before it are short enough.
    const feed = bytes.lastIndexOf(LF, from + keep);
    if (feed < from) return true;
    from = feed + 1;
  }
  return false;
}

/** Reads a span, keeping of each line its first `keep` bytes and its ending. */
export async function readClipped(
  source: Source,
  span: Span,
  keep: number,
): Promise<Clipped> {
  const kept = new ByteList();
  const bare = new Set<number>();
  let line = 0;
  let length = 0;
  let before = LF;
  for (let position = span.start; position < span.end;) {
    await source.load(position);
    const bytes = source.view(position, Math.min(source.end, span.end));
    for (let from = 0; from < bytes.length;) {
      const feed = bytes.indexOf(LF, from);
      const to = feed < 0 ? bytes.length : feed;
      const left = Math.max(0, keep - length);
      kept.push(bytes.subarray(from, Math.min(to, from + left)));
      length += to - from;
      if (to > from) before = bytes[to - 1]!;
      from = to;
      if (feed < 0) break;
      // A clipped line has lost the first half of its ending, if it had one.
      const isCrLf = before === CR;
      if (length > keep && !isCrLf && kept.last === CR) bare.add(line);
      kept.push(length > keep && isCrLf ? CR_LF : CR_LF.subarray(1));
      line++;
      length = 0;
      before = LF;
      from++;
    }
    position += bytes.length;
  }
  return { bytes: kept.bytes(), bare };
}

const CR_LF = Uint8Array.of(CR, LF);

/** Bytes that come in parts. */
class ByteList {
  #bytes = new Uint8Array(4096);
  #length = 0;

  get last(): number | undefined {
    return this.#length === 0 ? undefined : this.#bytes[this.#length - 1];
  }

  push(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/**
 * The bytes of a file that is not text.
 */
export interface BinaryContent {
  /** Always `"binary"`. */
  readonly kind: "binary";
  /** The path that was asked for, from the root. */
  readonly path: string;
  /** What the file was when it was opened. */
  readonly stat: FileStat;
  /** Its bytes, from the first on. */
  readonly bytes: Uint8Array;
  /** Whether `maxWindowBytes` left some out. */
  readonly cut: boolean;
}

/** The content of a binary file, where the policy wants it as bytes; `BINARY` where it wants none. */
export async function readBinary(
  source: Source,
  { binary = "replace", maxWindowBytes = Infinity }: ReadPolicy,
): Promise<BinaryContent | undefined> {
  if (binary === "replace" || binary === "reject-invalid") return undefined;
  const loading = source.loadHead(SNIFF_BYTES);
  if (loading !== undefined) await loading;
  const { kernel, file: { path, stat }, size } = source;
  const length = Math.min(size, SNIFF_BYTES);
  const hasNul = kernel.hasNul(0, length);
  if (binary === "reject-nul") {
    if (!hasNul) return undefined;
    throw new ReadFileError("BINARY", source.path, { sign: "nul" });
  }
  const isText = !hasNul && (kernel.isAscii?.(0, length) ||
    isUtf8(source.view(0, length), { follow: length < size }));
  if (isText) return undefined;
  const shown = Math.min(size, maxWindowBytes);
  refuseHuge(source, shown);
  const bytes = new Uint8Array(shown);
  await source.copy(bytes, 0);
  return { kind: "binary", path, stat, bytes, cut: shown < size };
}
