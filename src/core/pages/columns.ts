// Runtime-agnostic.
import type { Stride } from "../lines/codec.ts";
import { seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { plainBytes } from "../lines/scan.ts";
import { decodeLossy } from "../lines/text.ts";

const LF = 0x0a;
const CR = 0x0d;

/** The most bytes of one character. */
export const MAX_UNIT_BYTES = 4;

/** How many bytes the kernel checks at a time: a character beyond ASCII slows only its own block. */
const BLOCK_BYTES = 16 * 1024;

/**
 * Scans from `position` past at most `columns` characters of the same line.
 * With `isGoing`, past at least one, where one counts as several columns.
 */
export async function stride(
  source: Source,
  position: number,
  columns: number,
  isGoing = false,
): Promise<Stride> {
  const { size, codec } = source;
  if (codec !== undefined) {
    return await codec.stride(source, position, columns, isGoing);
  }
  let passed = 0;
  while (passed < columns && position < size) {
    const loading = source.load(position);
    if (loading !== undefined) await loading;
    const whole = source.end === size ||
      source.end - position >= MAX_UNIT_BYTES;
    // Load a character separately if the end of the chunk may cut it.
    const bytes = whole
      ? source.view(position, source.end)
      : await source.piece(position, Math.min(size, position + MAX_UNIT_BYTES));
    const last = position + bytes.length === size
      ? bytes.length
      : bytes.length - MAX_UNIT_BYTES + 1;
    let at = 0;
    let block = 0;
    while (at < last && passed < columns) {
      if (whole && at >= block) {
        block = Math.min(last, at + BLOCK_BYTES, at + columns - passed);
        const plain = plainBytes(source, position + at, position + block);
        at += plain;
        passed += plain;
        if (plain > 0) continue;
      }
      if (bytes[at]! > CR && bytes[at]! < 0x80) {
        at++;
        passed++;
        continue;
      }
      if (endingAt(bytes, at) > 0) {
        return { position: position + at, columns: passed, ended: true };
      }
      at += unitLength(bytes, at);
      passed++;
    }
    position += at;
  }
  const rest = await source.piece(position, Math.min(size, position + 2));
  const ended = rest.length === 0 || endingAt(rest, 0) > 0;
  return { position, columns: passed, ended };
}

/** How many bytes the line ending at `at` has; 0 if there is none. */
export function endingAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LF) return 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0;
}

/** How many bytes the character at `at` has; invalid bytes count as the decoder groups them into U+FFFD. */
export function unitLength(bytes: Uint8Array, at: number): number {
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

/** Counts the characters in `bytes`. */
export async function countUnits(
  source: Source,
  bytes: Uint8Array,
): Promise<number> {
  const { codec } = source;
  if (codec !== undefined) return await codec.countUnits(source, bytes);
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    at += unitLength(bytes, at);
    if (++count % STEP_UNITS === 0) await source.breathe();
  }
  return count;
}

/** How many characters are counted between two checks of the time slice. */
const STEP_UNITS = 1024 * 1024;

/** How many bytes before a cut are read at first; few graphemes are longer. */
const BEFORE_BYTES = 256;
/** The most bytes that are read before a cut, for longer graphemes. */
const MAX_BEFORE_BYTES = 64 * 1024;
/** How many bytes after a cut are read, for the rest of a grapheme. */
const AFTER_BYTES = 64;

/** Some bytes around a cut, and their characters. */
interface Around {
  readonly bytes: Uint8Array;
  /** Where each character begins. */
  readonly places: readonly number[];
  /** Where each character begins in the decoded text. */
  readonly indexes: readonly number[];
  /** The end of the last character. */
  readonly end: number;
}

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
  const { codec } = source;
  if (codec !== undefined) return await codec.cutInside(source, from, limit);
  const end = Math.min(source.size, limit + AFTER_BYTES);
  for (let before = BEFORE_BYTES;; before *= 4) {
    const begin = Math.max(from, limit - before);
    const isAll = begin === from;
    const around = lookAround(await source.piece(begin, end), isAll);
    const { places, bytes } = around;
    const fits = places.findLastIndex((place) => begin + place <= limit);
    const cut = Math.max(fits, isAll ? 1 : 0);
    if (cut >= places.length) return begin + around.end;
    const { whole, isSure } = graphemeBefore(around, cut);
    if (!isAll && before < MAX_BEFORE_BYTES) {
      // In a row of flags, the pairs of letters depend on all letters before.
      if (!isSure || isFlagHalf(bytes, places[0]!)) continue;
    }
    return begin + places[whole > 0 ? whole : cut]!;
  }
}

function lookAround(bytes: Uint8Array, isBeginning: boolean): Around {
  const places: number[] = [];
  const indexes: number[] = [];
  let at = isBeginning ? 0 : firstUnit(bytes);
  for (let index = 0; at < bytes.length;) {
    places.push(at);
    indexes.push(index);
    const ending = endingAt(bytes, at);
    const length = ending || unitLength(bytes, at);
    index += ending || (length === MAX_UNIT_BYTES ? 2 : 1);
    at += length;
  }
  return { bytes, places, indexes, end: at };
}

/** The first position where a character begins. */
function firstUnit(bytes: Uint8Array): number {
  let at = 0;
  // A character has at most three continuation bytes.
  while (at < MAX_UNIT_BYTES - 1 && (bytes[at]! & 0xc0) === 0x80) at++;
  return at;
}

/** Whether a regional indicator begins at `at`: two of them are a flag. */
function isFlagHalf(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xf0 && bytes[at + 1] === 0x9f &&
    bytes[at + 2] === 0x87 && bytes[at + 3]! >= 0xa6;
}

let graphemes: Intl.Segmenter | undefined;

/**
 * The beginning of the grapheme that `cut` would divide; `cut` itself if it
 * does not divide any. The result is sure if two graphemes precede it: the
 * first may be cut, and the second may join to it.
 */
function graphemeBefore(
  { bytes, places, indexes, end }: Around,
  cut: number,
): { readonly whole: number; readonly isSure: boolean } {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const text = decodeLossy(bytes.subarray(places[0]!, end));
  const segments = graphemes.segment(text);
  const start = segments.containing(indexes[cut]!)?.index ?? 0;
  const isSure = start > (segments.containing(0)?.segment.length ?? 0);
  let whole = cut;
  while (whole > 0 && indexes[whole]! > start) whole--;
  return { whole, isSure };
}

/** Finds where a number of lines from `position` on end; not after `limit`. */
export async function linesBelow(
  source: Source,
  position: number,
  count: number,
  limit: number,
): Promise<{ readonly end: number; readonly lines: number }> {
  const { size } = source;
  const most = Math.min(size, limit);
  if (count === 0 || position >= most) return { end: position, lines: 0 };
  const reach = await seek(source, position, count, most);
  const isOpen = reach.passed < count && most === size && reach.last < size;
  return isOpen
    ? { end: size, lines: reach.passed + 1 }
    : { end: reach.last, lines: reach.passed };
}

/** Finds the last character of a line that begins up to `target`, and how many characters precede it. */
export async function columnsUpTo(
  source: Source,
  from: number,
  target: number,
): Promise<{ readonly position: number; readonly columns: number }> {
  let position = from;
  let columns = 0;
  while (position < target) {
    // A character has at most four bytes.
    const least = Math.max(1, Math.floor((target - position) / 4));
    const way = await stride(source, position, least);
    if (way.position > target || way.columns === 0) break;
    position = way.position;
    columns += way.columns;
  }
  return { position, columns };
}
