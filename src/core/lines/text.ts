// Runtime-agnostic.
import { ReadFileError } from "../base/errors.ts";
import type { Awaitable, FileBytes, FileStat } from "../base/port.ts";
import type { Source } from "./source.ts";
import type { Span } from "./locate.ts";
import { SNIFF_BYTES } from "../base/limits.ts";
import type { ReadPolicy } from "../base/selection.ts";

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const REPLACEMENT = "\uFFFD";

/** Decodes UTF-8; invalid bytes become U+FFFD, a BOM U+FEFF. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** How many bytes are decoded at a time: a few milliseconds' work. */
export const STEP_BYTES = 1024 * 1024;
/** The same for other encodings: ISO-2022-JP may take half a microsecond a byte. */
const STEP_CODEC_BYTES = 16 * 1024;

/** A text, and whether encoding it surely gives its bytes. */
interface Decoded {
  readonly text: string;
  readonly exact: boolean;
}

/** Decodes bytes of any length, and yields between steps. With `strict`, throws `BINARY` if they are not UTF-8. */
export function decodeText(
  source: Source,
  bytes: Uint8Array,
  strict: boolean,
): Awaitable<Decoded> {
  const isShort = source.codec === undefined && bytes.length <= STEP_BYTES;
  return isShort
    ? decodePart(source, bytes, strict)
    : decodeParts(source, bytes, strict);
}

function decodePart(
  source: Source,
  bytes: Uint8Array,
  strict: boolean,
): Decoded {
  const { codec } = source;
  const text = (codec ?? lossy).decode(bytes);
  const exact = !text.includes(REPLACEMENT);
  // On Deno a strict decoder takes seven times as long, so it is used only after a U+FFFD.
  const isLost = strict && !exact && (codec !== undefined || !isUtf8(bytes));
  if (isLost) throw notUtf8(source);
  return { text, exact };
}

async function decodeParts(
  source: Source,
  bytes: Uint8Array,
  strict: boolean,
): Promise<Decoded> {
  const { codec } = source;
  let [text, exact] = ["", true];
  for (let from = 0; from < bytes.length;) {
    if (from > 0) await source.breathe();
    const to = codec?.divide(bytes, from, from + STEP_CODEC_BYTES) ??
      divide(bytes, from + STEP_BYTES);
    const part = decodePart(source, bytes.subarray(from, to), strict);
    text += part.text;
    exact &&= part.exact;
    from = to;
  }
  return { text, exact };
}

/** The last position up to `at` between two characters. */
function divide(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return bytes.length;
  let place = at;
  // A character has at most three continuation bytes.
  while (at - place < 3 && (bytes[place]! & 0xc0) === 0x80) place--;
  return (bytes[place]! & 0xc0) === 0x80 ? at : place;
}

/** Whether bytes are UTF-8; unless they are `whole`, the last character may be cut. */
export function isUtf8(bytes: Uint8Array, whole = true): boolean {
  if (!lossy.decode(bytes).includes(REPLACEMENT)) return true;
  try {
    const strict = new TextDecoder("utf-8", { fatal: true });
    strict.decode(bytes, { stream: !whole });
    return true;
  } catch {
    return false;
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

function notUtf8({ path }: Source): ReadFileError<"BINARY"> {
  return new ReadFileError("BINARY", path, { sign: "utf-8" });
}

const LF = 0x0a;
const CR = 0x0d;

/** A span whose long lines were clipped. */
export interface Clipped {
  /** The first bytes of each line, and its ending. */
  readonly bytes: FileBytes;
  /** The indexes of lines that were clipped just after a CR and end with a bare LF: they only seem to end with CR LF. */
  readonly bare: ReadonlySet<number>;
}

/** Whether a line has more than `keep` bytes before its line feed. */
export function hasLongLine(bytes: Uint8Array, keep: number): boolean {
  return bytes.length - endOfShort(bytes, 0, keep) > keep;
}

/** Where the lines from `from` on end that have at most `keep` bytes each. */
function endOfShort(bytes: Uint8Array, from: number, keep: number): number {
  while (bytes.length - from > keep) {
    // All lines up to the last line feed within `keep` bytes are short enough.
    const feed = bytes.lastIndexOf(LF, from + keep);
    if (feed < from) return from;
    from = feed + 1;
  }
  return Math.max(from, bytes.lastIndexOf(LF) + 1);
}

/** Reads a span, keeping of each line its first `keep` bytes and its ending. */
export async function readClipped(
  source: Source,
  span: Span,
  keep: number,
): Promise<Clipped> {
  if (source.codec !== undefined) {
    return await source.codec.readClipped(source, span, keep);
  }
  const kept = new ByteList();
  const bare = new Set<number>();
  let line = 0;
  let length = 0;
  let before = LF;
  for (let position = span.start; position < span.end;) {
    await source.load(position);
    const { kernel, start } = source;
    const bytes = source.view(position, Math.min(source.end, span.end));
    for (let from = 0; from < bytes.length;) {
      const short = length === 0 ? endOfShort(bytes, from, keep) : from;
      if (short > from) {
        const base = position - start;
        kept.push(bytes.subarray(from, short));
        line += kernel.count(base + from, base + short);
        from = short;
        continue;
      }
      const feed = bytes.indexOf(LF, from);
      const to = feed < 0 ? bytes.length : feed;
      const left = Math.max(0, keep - length);
      kept.push(bytes.subarray(from, Math.min(to, from + left)));
      length += to - from;
      if (to > from) before = bytes[to - 1]!;
      from = to;
      if (feed < 0) break;
      // The CR of the ending of a clipped line was left out.
      const isCrLf = before === CR;
      if (length > keep && !isCrLf && kept.last === CR) bare.add(line);
      kept.push(length > keep && isCrLf ? CR_LF : CR_LF.subarray(1));
      line++;
      length = 0;
      before = LF;
      from++;
    }
    source.refuseHuge(kept.length);
    position += bytes.length;
  }
  return { bytes: await kept.joined(source), bare };
}

const CR_LF = Uint8Array.of(CR, LF);

/** Collects bytes in blocks: a single array would be copied as it grows. */
export class ByteList {
  readonly #full: Uint8Array[] = [];
  #block = new Uint8Array(4096);
  #used = 0;
  #before = 0;

  get length(): number {
    return this.#before + this.#used;
  }

  get last(): number | undefined {
    return this.length === 0 ? undefined : this.#block[this.#used - 1];
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
      await source.breathe();
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

/** The bytes of a file that is not text. */
export interface BinaryContent {
  /** Always `"binary"`. */
  readonly kind: "binary";
  /** The path that was asked for, from the root. */
  readonly path: string;
  /** What the file was when it was opened. */
  readonly stat: FileStat;
  /** Its bytes, from the first on. */
  readonly bytes: FileBytes;
  /** Whether `maxWindowBytes` left bytes out. */
  readonly cut: boolean;
}

/** Reads the bytes of a binary file, if the policy asks for bytes; throws `BINARY` if it rejects binary files. */
export function readBinary(
  source: Source,
  policy: ReadPolicy,
): Awaitable<BinaryContent | undefined> {
  const { binary = "replace" } = policy;
  const isShown = binary === "replace" || binary === "reject-invalid";
  return isShown ? undefined : sniff(source, policy);
}

/** The same for a policy that treats binary files by their first bytes. */
async function sniff(
  source: Source,
  { binary, maxWindowBytes = Infinity }: ReadPolicy,
): Promise<BinaryContent | undefined> {
  const { kernel, file: { path, stat }, size, codec } = source;
  const head = await source.piece(0, Math.min(size, SNIFF_BYTES));
  const hasNul = codec?.decode(head).includes("\0") ?? head.includes(0);
  // In other encodings, only a NUL is a sign of a binary file.
  if (binary === "reject-nul" || codec !== undefined) {
    if (!hasNul) return undefined;
    throw new ReadFileError("BINARY", source.path, { sign: "nul" });
  }
  const isText = !hasNul && (kernel.isAscii?.(0, head.length) ||
    isUtf8(head, head.length === size));
  if (isText) return undefined;
  const shown = Math.min(size, maxWindowBytes);
  const bytes = await source.copyOf(0, shown);
  return { kind: "binary", path, stat, bytes, cut: shown < size };
}
