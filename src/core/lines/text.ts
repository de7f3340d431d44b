import { ReadFileError } from "../base/errors.ts";
import type { FileBytes } from "../base/port.ts";
import type { Codec, FileEncoding } from "./codec.ts";
import type { LocateOptions } from "./locate.ts";
import type { Source } from "./source.ts";
import type { Span } from "./locate.ts";
import { seek } from "./seek.ts";
import { SNIFF_BYTES } from "../base/limits.ts";
import { decodeLossy, endingAt, UTF_8_CODEC } from "./utf8.ts";

const REPLACEMENT = "\uFFFD";

/** How many bytes are decoded at a time: a few milliseconds' work. */
export const STEP_BYTES = 1024 * 1024;
/** The same for other encodings: some take a tenth of a microsecond a byte. */
const STEP_CODEC_BYTES = 16 * 1024;

/**
 * Decodes bytes of any length, and yields between steps; `exact` says that encoding
 * the text gives the bytes. With `strict`, throws `BINARY` for undecodable bytes.
 */
export async function decodeText(
  source: Source,
  bytes: Uint8Array,
  strict: boolean,
): Promise<{ readonly text: string; readonly exact: boolean }> {
  const { codec = UTF_8_CODEC, encoding } = source;
  const step = codec === UTF_8_CODEC ? STEP_BYTES : STEP_CODEC_BYTES;
  let text = "";
  let exact = true;
  for (let from = 0; from < bytes.length;) {
    if (from > 0) await source.yieldIfDue();
    const to = codec.divide(bytes, from, from + step);
    const part = bytes.subarray(from, to);
    const decoded = codec.decode(part);
    const isExact = !decoded.includes(REPLACEMENT);
    // On Deno a strict decoder takes seven times as long, so it is used only after a U+FFFD.
    if (strict && !isExact && isLossy(decoded, part, encoding)) {
      throw new ReadFileError("BINARY", source.path, NOT_UTF_8);
    }
    text += decoded;
    exact &&= isExact;
    from = to;
  }
  return { text, exact };
}

/** Whether bytes are UTF-8; unless they are `whole`, the last character may be cut. */
export function isUtf8(bytes: Uint8Array, whole = true): boolean {
  if (!decodeLossy(bytes).includes(REPLACEMENT)) return true;
  try {
    const strict = new TextDecoder("utf-8", { fatal: true });
    strict.decode(bytes, { stream: !whole });
    return true;
  } catch {
    return false;
  }
}

/** The encodings that have bytes for U+FFFD. */
const HAS_REPLACEMENT = /^(?:utf-|gb)/;

/** Whether a text has U+FFFD for bytes that cannot be decoded. */
export function isLossy(
  text: string,
  bytes: Uint8Array,
  { label }: FileEncoding,
): boolean {
  if (!text.includes(REPLACEMENT)) return false;
  if (!HAS_REPLACEMENT.test(label)) return true;
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}

/** Throws `BINARY` if the bytes `[position, end)` are not UTF-8. */
export async function checkUtf8(
  source: Source,
  position: number,
  end: number,
): Promise<void> {
  const { kernel, start, codec } = source;
  // In other encodings, only the shown bytes are checked.
  if (codec !== undefined) return;
  if (position >= start && end <= source.end) {
    if (kernel.isAscii?.(position - start, end - start)) return;
    if (isUtf8(source.view(position, end))) return;
    throw new ReadFileError("BINARY", source.path, NOT_UTF_8);
  }
  const strict = new TextDecoder("utf-8", { fatal: true });
  while (position < end) {
    await source.load(position);
    const to = Math.min(source.end, end);
    try {
      strict.decode(source.view(position, to), { stream: to < end });
    } catch {
      throw new ReadFileError("BINARY", source.path, NOT_UTF_8);
    }
    position = to;
  }
}

const NOT_UTF_8 = { sign: "utf-8" } as const;

const LF = 0x0a;
const CR = 0x0d;

/** A span whose long lines were clipped. */
interface Clipped {
  /** The first bytes of each line, and its ending. */
  readonly bytes: FileBytes;
  /** The clipped lines, in order. */
  readonly clips: readonly Clip[];
}

/** A line whose end was left out. */
export interface Clip {
  /** Its index among the lines of the span. */
  readonly index: number;
  /** How many bytes were left out. */
  readonly left: number;
  /** Whether it ends with LF alone, though its shown text ends with CR: it only seems to end with CR LF. */
  readonly isLfOnly: boolean;
}

/** Whether a line has more than `keep` bytes before its line feed. */
export function hasLongLine(bytes: Uint8Array, keep: number): boolean {
  return bytes.length - endOfShortLines(bytes, keep) > keep;
}

/** Where the leading lines end that have at most `keep` bytes each. */
function endOfShortLines(bytes: Uint8Array, keep: number): number {
  let from = 0;
  while (bytes.length - from > keep) {
    // All lines up to the last line feed within `keep` bytes are short enough.
    const feed = bytes.lastIndexOf(LF, from + keep);
    if (feed < from) return from;
    from = feed + 1;
  }
  return Math.max(from, bytes.lastIndexOf(LF) + 1);
}

/** Where UTF-8 is clipped: between any two bytes. */
const UTF_8_BYTES = {
  maxCharLength: 0,
  endingAt,
  divide: ({ length }, _, limit) => Math.min(length, limit),
  decode: decodeLossy,
} satisfies Partial<Codec>;

/** Reads a span; of each line, keeps its ending and its first `keep` bytes, or as many whole characters of another encoding. */
export async function readClipped(
  source: Source,
  span: Span,
  keep: number,
): Promise<Clipped> {
  const { codec = UTF_8_BYTES, feedLength } = source;
  const kept = new ByteList();
  const clips: Clip[] = [];
  let line = 0;
  for (let at = span.start; at < span.end;) {
    const loading = source.load(at) ?? source.yieldIfDue();
    if (loading !== undefined) await loading;
    const { kernel, start } = source;
    const held = source.view(at, Math.min(source.end, span.end));
    const short = feedLength === 1 ? endOfShortLines(held, keep) : 0;
    if (short > 0) {
      kept.push(held.subarray(0, short));
      line += kernel.count(at - start, at - start + short);
      at += short;
    } else {
      const { position: end } = await seek(source, at, 1, span.end);
      const isHeld = at >= source.start && end <= source.end;
      const tailStart = Math.max(at, end - 2 * feedLength);
      const tail = isHeld
        ? source.view(tailStart, end)
        : await source.copyOf(tailStart, end);
      let ending = 0;
      // The file may end inside a code unit.
      if (end % feedLength === 0) {
        ending = codec.endingAt(tail, 0) ||
          codec.endingAt(tail, tail.length - feedLength);
      }
      const textEnd = end - ending;
      const most = Math.min(textEnd, at + keep + codec.maxCharLength);
      const piece = isHeld
        ? source.view(at, most)
        : await source.copyOf(at, most);
      const whole = codec.divide(piece, 0, keep);
      // A first character that is too long is left out.
      const head = piece.subarray(0, whole > keep ? 0 : whole);
      const last = head.subarray(-feedLength);
      const left = textEnd - at - head.length;
      const endsWithCr = last.includes(CR) && codec.decode(last) === "\r";
      const isLfOnly = ending === feedLength && endsWithCr;
      if (left > 0) clips.push({ index: line, left, isLfOnly });
      kept.push(head);
      kept.push(tail.subarray(tail.length - ending));
      line++;
      at = end;
    }
    source.refuseHuge(kept.length);
  }
  return { bytes: await kept.joined(source), clips };
}

/** Collects bytes in blocks: a single array would be copied as it grows. */
class ByteList {
  readonly #full: Uint8Array[] = [];
  #block = new Uint8Array(4096);
  #used = 0;
  #before = 0;

  get length(): number {
    return this.#before + this.#used;
  }

  push(part: Uint8Array): void {
    if (part.length === 0) return;
    if (part.length > this.#block.length - this.#used) {
      this.#full.push(this.#block.subarray(0, this.#used));
      this.#before += this.#used;
      const size = Math.min(STEP_BYTES, this.#block.length * 2);
      this.#block = new Uint8Array(Math.max(size, part.length));
      this.#used = 0;
    }
    this.#block.set(part, this.#used);
    this.#used += part.length;
  }

  async joined(source: Source): Promise<FileBytes> {
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const part of [...this.#full, this.#block.subarray(0, this.#used)]) {
      bytes.set(part, at);
      at += part.length;
      await source.yieldIfDue();
    }
    return bytes;
  }
}

/** Joins arrays of bytes. */
export function joinBytes(parts: readonly Uint8Array[]): FileBytes {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * Checks whether a file is binary, by its first bytes: returns the first bytes of
 * a binary file if the options ask for bytes, and throws `BINARY` if they refuse it.
 */
export async function readBinary(
  source: Source,
  { binary, maxBytes = Infinity, mostShown = Infinity }: LocateOptions,
): Promise<FileBytes | undefined> {
  const { kernel, size, codec } = source;
  const head = await source.piece(0, SNIFF_BYTES);
  const hasNul = codec?.decode(head).includes("\0") ??
    kernel.has(0, head.length, 0);
  // In other encodings, only a NUL is a sign of a binary file.
  if (binary !== "bytes" || codec !== undefined) {
    if (!hasNul) return undefined;
    throw new ReadFileError("BINARY", source.path, { sign: "nul" });
  }
  const isText = !hasNul && (kernel.isAscii?.(0, head.length) ||
    isUtf8(head, head.length === size));
  const most = Math.min(size, maxBytes, mostShown);
  return isText ? undefined : await source.copyOf(0, most);
}
