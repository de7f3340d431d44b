import { ReadFileError } from "../base/errors.ts";
import type { Charset } from "./codec.ts";
import { plainBytes } from "./scan.ts";
import type { Source } from "./source.ts";
import { decodeLossy, endingAt } from "./text.ts";

const CR = 0x0d;

/** The most bytes of a character of UTF-8. */
export const MAX_CHAR_BYTES = 4;

/** The most bytes of a line ending: CR LF in UTF-16. */
const MAX_ENDING_BYTES = 4;

/** How many bytes are checked at a time: a character beyond ASCII slows only its own block. */
const BLOCK_BYTES = 16 * 1024;

/** The characters of UTF-8. */
const UTF_8_CHARSET = {
  maxCharLength: MAX_CHAR_BYTES,
  hasAscii: true,
  endingAt,
  charLength: utf8Length,
  columnsOf: () => 1,
  decode: decodeLossy,
} as const satisfies Partial<Charset>;

/** The characters of the encoding of a file. */
export function charsetIn(
  { codec }: Source,
): Pick<Charset, keyof typeof UTF_8_CHARSET> {
  return codec ?? UTF_8_CHARSET;
}

/** Where {@linkcode skipColumns} stopped. */
interface Skipped {
  /** A position between two characters. */
  readonly position: number;
  /** How many columns it skipped. */
  readonly columns: number;
  /** Whether the line ends there. */
  readonly ended: boolean;
}

/**
 * Skips at most `columns` columns from `position` on, within the line, and no
 * byte from `until` on. With `takesOne`, skips at least one character, even if it
 * has more columns.
 */
export async function skipColumns(
  source: Source,
  position: number,
  columns: number,
  { takesOne = false, until = source.size } = {},
): Promise<Skipped> {
  const { size, codec } = source;
  const charset = charsetIn(source);
  const { maxCharLength, hasAscii } = charset;
  let passed = 0;
  while (passed < columns && position < until) {
    const loading = source.load(position, maxCharLength);
    if (loading !== undefined) await loading;
    const { start, end } = source;
    // The end of the buffer may cut its last character.
    const whole = end === size ? end : end - maxCharLength + 1;
    const stop = Math.min(whole, position + BLOCK_BYTES, until);
    if (hasAscii) {
      const to = Math.min(stop, position + columns - passed);
      const plain = plainBytes(source, position, to);
      position += plain;
      passed += plain;
    }
    const bytes = source.view(start, end);
    let at = position - start;
    while (passed < columns && at < stop - start) {
      // No byte of a line ending is above CR.
      const isInside = hasAscii && bytes[at]! > CR;
      if (isInside && bytes[at]! < 0x80) {
        at++;
        passed++;
        continue;
      }
      if (!isInside && charset.endingAt(bytes, at) > 0) {
        return { position: start + at, columns: passed, ended: true };
      }
      // A direct call: `charset.charLength()` takes twice as long once several encodings
      // were read.
      const length = codec?.charLength(bytes, at) ?? utf8Length(bytes, at);
      if (length > MAX_CHAR_BYTES) refuseLong(charset, source, length);
      const more = codec?.columnsOf(bytes, at, length) ?? 1;
      const isOver = passed + more > columns && !(takesOne && passed === 0);
      if (isOver || start + at + length > until) {
        return { position: start + at, columns: passed, ended: false };
      }
      at += length;
      passed += more;
    }
    position = start + at;
    const yielding = source.yieldIfDue();
    if (yielding !== undefined) await yielding;
  }
  const rest = await source.piece(position, position + MAX_ENDING_BYTES);
  const ended = rest.length === 0 || charset.endingAt(rest, 0) > 0;
  return { position, columns: passed, ended };
}

/** Refuses an indivisible run of characters that is too long. */
export function refuseLong(
  { maxCharLength }: Pick<Charset, "maxCharLength">,
  { path }: Source,
  length: number,
): void {
  if (length < maxCharLength || length <= MAX_CHAR_BYTES) return;
  const facts = { what: "line", size: length, limit: maxCharLength } as const;
  throw new ReadFileError("TOO_LARGE", path, facts);
}

/** Whether bytes of whole characters end with a line feed. */
export function endsWithFeed(source: Source, bytes: Uint8Array): boolean {
  const { feedLength } = source;
  const at = bytes.length - feedLength;
  return charsetIn(source).endingAt(bytes, at) === feedLength;
}

/** How many bytes the character of UTF-8 at `at` has; invalid bytes count as the decoder groups them into U+FFFD. */
export function utf8Length(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0xc2 || first > 0xf4) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // Some second bytes would make an overlong form, a surrogate, or too large a number.
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 1;
  for (let seen = 2; seen < length; seen++) {
    if (((bytes[at + seen] ?? 0) & 0xc0) !== 0x80) return seen;
  }
  return length;
}

/** Counts the columns of `bytes`. */
export async function countColumns(
  source: Source,
  bytes: Uint8Array,
): Promise<number> {
  const { codec } = source;
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    const stop = Math.min(bytes.length, at + BLOCK_BYTES);
    while (at < stop) {
      const length = codec?.charLength(bytes, at) ?? utf8Length(bytes, at);
      count += codec?.columnsOf(bytes, at, length) ?? 1;
      at += length;
    }
    await source.yieldIfDue();
  }
  return count;
}

/** How many bytes before a cut are read at first; few graphemes are longer. */
const BEFORE_BYTES = 256;
/** The most bytes that are read before a cut, for longer graphemes. */
const MAX_BEFORE_BYTES = 64 * 1024;
/** How many bytes after a cut are read, for the rest of a grapheme. */
const AFTER_BYTES = 64;

/**
 * Finds the last position up to `limit` to cut a line that begins at `from`:
 * between two graphemes, or else between two characters, after at least one
 * character.
 */
export async function cutInside(
  source: Source,
  from: number,
  limit: number,
): Promise<number> {
  const charset = charsetIn(source);
  const end = limit + Math.max(AFTER_BYTES, charset.maxCharLength);
  for (let before = BEFORE_BYTES;; before *= 4) {
    /** Whether the bytes begin where the line does. */
    const isAll = limit - before <= from;
    const begin = isAll
      ? from
      : await boundaryNear(source, from, limit - before);
    const bytes = await source.piece(begin, end);
    const { places, indexes } = charsIn(source, bytes, limit - begin);
    const fits = places.findLastIndex((place) => begin + place <= limit);
    // The first character of the line is never cut off.
    const cut = Math.max(fits, isAll ? 1 : 0);
    if (cut >= places.length) return begin + bytes.length;
    const text = charset.decode(bytes);
    const { start, isSure } = graphemeAt(text, indexes[cut]!);
    if (!isAll && !isSure && before < MAX_BEFORE_BYTES) continue;
    // A grapheme that the bytes begin with may be longer, and is cut.
    const whole = indexes.findLastIndex((index) => index <= start);
    return begin + places[whole > 0 ? whole : cut]!;
  }
}

/** Where each character begins, in the bytes and in their text. Refuses a character that is too long and begins before `limit`. */
function charsIn(
  source: Source,
  bytes: Uint8Array,
  limit: number,
): { readonly places: number[]; readonly indexes: number[] } {
  const { codec } = source;
  const charset = charsetIn(source);
  const places: number[] = [];
  const indexes: number[] = [];
  let index = 0;
  for (let at = 0; at < bytes.length;) {
    places.push(at);
    indexes.push(index);
    const ending = charset.endingAt(bytes, at);
    const length = ending || charset.charLength(bytes, at);
    if (at < limit) refuseLong(charset, source, length);
    // Four bytes of UTF-8 decode to a surrogate pair.
    index += codec?.decode(bytes.subarray(at, at + length)).length ??
      (ending || (length === MAX_CHAR_BYTES ? 2 : 1));
    at += length;
  }
  return { places, indexes };
}

/** The boundary between two characters near `limit`: in UTF-8 the first from `limit` on, otherwise the last up to it. `from` is another boundary before it. */
export async function boundaryNear(
  source: Source,
  from: number,
  limit: number,
): Promise<number> {
  if (source.codec === undefined) {
    const bytes = await source.piece(limit, limit + MAX_CHAR_BYTES - 1);
    // A character has at most three continuation bytes.
    const first = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
    return limit + (first < 0 ? bytes.length : first);
  }
  // In other encodings a byte alone does not show whether a character begins there,
  // so the characters are passed one by one.
  const { position } = await skipColumns(source, from, Infinity, {
    until: limit,
  });
  return position;
}

let graphemes: Intl.Segmenter | undefined;

/** Where the grapheme begins that holds `index`. That is sure if two graphemes precede it: the text may begin inside a grapheme, and then the first two may be one. In a row of flags, the pairs of letters depend on all letters before. */
export function graphemeAt(
  text: string,
  index: number,
): { readonly start: number; readonly isSure: boolean } {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const segments = graphemes.segment(text);
  const start = segments.containing(index)?.index ?? 0;
  const isFlag = /^[\u{1f1e6}-\u{1f1ff}]/u.test(text);
  const isSure = !isFlag &&
    start > (segments.containing(0)?.segment.length ?? 0);
  return { start, isSure };
}
