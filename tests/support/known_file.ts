/** Facts of a file, computed by slow and simple code. */
import { assert } from "@std/assert";
import type { ReadOptions } from "../../mod.ts";

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const SIGN = "\uFFFD";
const LF = 0x0a;

/** A part of a file, and the line and column at which it begins. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

/** The characters and lines of a file, found with a decoder. */
export class KnownFile {
  readonly bytes: Uint8Array;
  readonly size: number;
  /** The whole file as text. */
  readonly text: string;
  /** For each byte, the index in the text of the character that begins there; -1 if none does. */
  readonly index: Int32Array;
  /** For each byte, how many characters before it are not UTF-8. */
  readonly broken: Int32Array;
  /** The positions at which lines begin. */
  readonly starts: readonly number[];

  /** The encoding, if it is not UTF-8. */
  readonly encoding: string | undefined;

  constructor(bytes: Uint8Array, encoding?: string) {
    const decoder = encoding === undefined
      ? lossy
      : new TextDecoder(encoding, { ignoreBOM: true });
    this.bytes = bytes;
    this.encoding = encoding;
    this.size = bytes.length;
    // A line feed is appended, so that the end of the file decodes like any other
    // position; but in GB18030, a decoder gives one U+FFFD for a cut character.
    const isAsIs = /^(?:utf-16|gb)/.test(encoding ?? "utf-16");
    this.text = isAsIs
      ? decoder.decode(bytes)
      : decoder.decode(Uint8Array.of(...bytes, LF)).slice(0, -1);
    this.index = new Int32Array(bytes.length + 1).fill(-1);
    this.broken = new Int32Array(bytes.length + 1);
    let [position, index, broken] = [0, 0, 0];
    for (const character of this.text) {
      this.index[position] = index;
      const length = encoding === undefined
        ? lengthAt(bytes, position, character)
        : unitAt(decoder, bytes, position);
      const isLegal = encoding === undefined && isSign(bytes, position);
      if (character === SIGN && !isLegal) broken++;
      // This also sets positions inside the character; only its end is used.
      this.broken.fill(broken, position + 1, position + length + 1);
      position += length;
      index += character.length;
    }
    assert(position === bytes.length, "the characters do not make up the file");
    this.index[position] = index;
    const starts = bytes.length === 0 ? [] : [0];
    let before = "";
    for (let at = 0; at < bytes.length; at++) {
      const index = this.index[at]!;
      if (index < 0) continue;
      if (before === "\n") starts.push(at);
      before = this.text[index]!;
    }
    this.starts = starts;
  }

  /** How many lines the file has. */
  get lines(): number {
    return this.starts.length;
  }

  /** Whether the bytes `[start, end)` are UTF-8. */
  isUtf8(start: number, end: number): boolean {
    return this.broken[start] === this.broken[end];
  }

  /** The position after line `line` and its ending. */
  endOf(line: number): number {
    return this.starts[line] ?? this.size;
  }

  /** The part that the options select, or would select, up to the end of the last page. */
  asked(options: ReadOptions): Part {
    const { size, lines } = this;
    const { tail, around, before = 10, after = 10, count } = options;
    const { start = 1, end = Infinity, column = 1 } = options;
    if (tail !== undefined) {
      const line = Math.max(1, lines - tail + 1);
      return { start: this.starts[line - 1] ?? 0, end: size, line, column: 1 };
    }
    const first = around === undefined ? start : Math.max(1, around - before);
    const last = around === undefined ? end : around + after;
    const to = count === undefined && last < lines ? this.endOf(last) : size;
    const from = this.starts[first - 1];
    if (from === undefined || (around ?? 1) > lines) {
      return { start: size, end: size, line: first, column: 1 };
    }
    let [position, at] = [from, 1];
    while (at < column && position < size && !this.#ends(position)) {
      do position++; while (this.index[position] === -1);
      at++;
    }
    return { start: position, end: to, line: first, column: at };
  }

  #ends(position: number): boolean {
    return /^\r?\n/.test(this.text.slice(this.index[position]).slice(0, 2));
  }
}

/** The length of the character at `position`, found with a decoder. */
function lengthAt(
  bytes: Uint8Array,
  position: number,
  character: string,
): number {
  const point = character.codePointAt(0)!;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  if (character !== SIGN || isSign(bytes, position)) {
    return point < 0x10000 ? 3 : 4;
  }
  // U+FFFD ends where the following bytes decode the same on their own.
  for (let length = 1;; length++) {
    const next = position + length;
    const after = bytes.subarray(next, next + 4);
    const both = bytes.subarray(position, next + 4);
    if (SIGN + lossy.decode(after) === lossy.decode(both)) return length;
  }
}

/** The length of the character at `position`: a decoder that gets one byte at a time returns text after it. */
function unitAt(
  decoder: TextDecoder,
  bytes: Uint8Array,
  position: number,
): number {
  const { encoding } = decoder;
  const left = bytes.length - position;
  if (encoding.startsWith("utf-16")) {
    const one = decoder.decode(bytes.subarray(position, position + 4));
    // At the end, half a surrogate pair followed by half a unit gives one U+FFFD.
    if (left < 4) return one.length === 1 ? left : 2;
    return one.codePointAt(0)! > 0xffff ? 4 : 2;
  }
  const fresh = new TextDecoder(encoding, { ignoreBOM: true });
  for (let length = 1;; length++) {
    if (length > left && encoding.startsWith("gb")) return left;
    const byte = bytes[position + length - 1] ?? LF;
    const text = fresh.decode(Uint8Array.of(byte), { stream: true });
    const [first, ...rest] = text;
    if (first === undefined) continue;
    if (first !== SIGN || rest.length === 0) return length;
    // After an invalid byte, the following bytes are decoded again.
    return encoding.startsWith("gb") ? 1 : length - rest.length;
  }
}

function isSign(bytes: Uint8Array, position: number): boolean {
  return bytes[position] === 0xef && bytes[position + 1] === 0xbf &&
    bytes[position + 2] === 0xbd;
}
