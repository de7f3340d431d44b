import type { Codec } from "./codec.ts";
import {
  columnsOf,
  placeOf,
  refuseLong,
  skipText,
  unitsOf,
} from "./text_size.ts";
import { plainBytes } from "./scan.ts";
import type { Source } from "./source.ts";
import { endingAt, MAX_CHAR_BYTES, utf8Length, UTF_8_CODEC } from "./utf8.ts";

const CR = 0x0d;

/** The most bytes of a line ending. */
const MAX_ENDING_BYTES = 2;

/** How many bytes are checked at a time: a character beyond ASCII slows only its own block. */
const BLOCK_BYTES = 16 * 1024;

/** Where {@linkcode skipColumns} stopped. */
interface SkippedColumns {
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
): Promise<SkippedColumns> {
  const { size, codec } = source;
  if (codec !== undefined) {
    const options = { takesOne, until };
    const skipped = await skipText(source, codec, position, columns, options);
    return { ...skipped, columns: skipped.size };
  }
  let passed = 0;
  while (passed < columns && position < until) {
    const loading = source.load(position, MAX_CHAR_BYTES);
    if (loading !== undefined) await loading;
    const { start, end } = source;
    // The end of the buffer may cut its last character.
    const whole = end === size ? end : end - MAX_CHAR_BYTES + 1;
    const stop = Math.min(whole, position + BLOCK_BYTES, until);
    const to = Math.min(stop, position + columns - passed);
    const plain = plainBytes(source, position, to);
    position += plain;
    passed += plain;
    const bytes = source.view(start, end);
    let at = position - start;
    while (passed < columns && at < stop - start) {
      // No byte of a line ending is above CR.
      const isInside = bytes[at]! > CR;
      if (isInside && bytes[at]! < 0x80) {
        at++;
        passed++;
        continue;
      }
      if (!isInside && endingAt(bytes, at) > 0) {
        return { position: start + at, columns: passed, ended: true };
      }
      const length = utf8Length(bytes, at);
      if (start + at + length > until) {
        return { position: start + at, columns: passed, ended: false };
      }
      at += length;
      passed++;
    }
    position = start + at;
    const yielding = source.yieldIfDue();
    if (yielding !== undefined) await yielding;
  }
  const rest = await source.piece(position, position + MAX_ENDING_BYTES);
  const ended = rest.length === 0 || endingAt(rest, 0) > 0;
  return { position, columns: passed, ended };
}

/** How many bytes the line ending at `at` has; 0 if no line ends there. */
export function endingIn(
  { codec }: Source,
  bytes: Uint8Array,
  at: number,
): number {
  return (codec ?? UTF_8_CODEC).endingAt(bytes, at);
}

/** Whether bytes of whole characters end with a line feed. */
export function endsWithFeed(source: Source, bytes: Uint8Array): boolean {
  const { feedLength } = source;
  const at = bytes.length - feedLength;
  return endingIn(source, bytes, at) === feedLength;
}

/** Counts the columns of `bytes`. */
export async function countColumns(
  source: Source,
  bytes: Uint8Array,
): Promise<number> {
  const { codec = UTF_8_CODEC } = source;
  let count = 0;
  for (let from = 0; from < bytes.length;) {
    const to = codec.divide(bytes, from, from + BLOCK_BYTES);
    count += columnsOf(codec.decode(bytes.subarray(from, to)));
    from = to;
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
  const { codec = UTF_8_CODEC } = source;
  const after = Math.max(AFTER_BYTES, codec.maxCharLength);
  for (let before = BEFORE_BYTES;; before *= 4) {
    const begin = limit - before <= from
      ? from
      : await boundaryNear(source, from, limit - before);
    /** Whether the bytes begin where the line does. */
    const isAll = begin === from;
    const bytes = await source.piece(begin, limit + after);
    const chars = charsOf(source, codec, bytes, limit - begin);
    // The first character of the line is never cut off.
    if (chars.cut > limit - begin && !isAll) return begin;
    if (chars.cut >= bytes.length) return begin + bytes.length;
    const { start, isSure } = graphemeAt(chars.text, chars.index);
    if (!isAll && !isSure && before < MAX_BEFORE_BYTES) continue;
    // A grapheme that the bytes begin with may be longer, and is cut.
    const whole = start === chars.index ? chars.cut : chars.placeOf(start);
    return begin + (whole > 0 ? whole : chars.cut);
  }
}

/** Bytes as text; where to cut them: the last place up to a limit between two characters, or the end of the first one; and the index of that in the text. */
function charsOf(
  source: Source,
  codec: Codec,
  bytes: Uint8Array,
  limit: number,
) {
  const { feedLength } = codec;
  let cut = codec.divide(bytes, 0, limit);
  refuseLong(codec, source, cut);
  // A line ending is not divided.
  const isInside = codec.endingAt(bytes, cut - feedLength) > feedLength;
  if (isInside) cut += cut > feedLength ? -feedLength : feedLength;
  return {
    text: codec.decode(bytes),
    cut,
    index: codec.decode(bytes.subarray(0, cut)).length,
    placeOf: (index: number) => placeOf(codec, bytes, index, unitsOf).place,
  };
}

/** The boundary between two characters near `limit`: in UTF-8 the first from `limit` on, otherwise the last up to it. `from` is another boundary before it. */
async function boundaryNear(
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
  // so the characters are passed from the last known boundary on.
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
