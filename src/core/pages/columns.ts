// Runtime-agnostic.
import type { Stride } from "../lines/codec.ts";
import type { Source } from "../lines/source.ts";
import { plainBytes } from "../lines/scan.ts";
import { decodeLossy } from "../lines/text.ts";

const LF = 0x0a;
const CR = 0x0d;

/** The most bytes of one character. */
export const MAX_UNIT_BYTES = 4;

/** How many bytes the kernel checks at a time: one odd character slows only its own block. */
const BLOCK_BYTES = 16 * 1024;

/**
 * Scans on from `position` past at most `columns` characters of the same line.
 * `isGoing`: past one at least, where one counts as several.
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
    // A character that the end of the chunk may cut is loaded separately.
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

/** The bytes of the line ending at `at`, or 0 if there is none. */
export function endingAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LF) return 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0;
}

/** The bytes of the character at `at`: those of which a decoder makes one code point, U+FFFD included. */
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

/** How many characters are counted between two looks at the clock. */
const STEP_UNITS = 1024 * 1024;

/** How much is read before a cut; few graphemes are longer. */
const BEFORE_BYTES = 256;
/** The most that is read before a cut, for longer ones. */
const MAX_BEFORE_BYTES = 64 * 1024;
/** How much is read after a cut, for the rest of a grapheme. */
const AFTER_BYTES = 64;

/** Some bytes around a cut, and their characters. */
interface Around {
  readonly bytes: Uint8Array;
  /** Where each character begins. */
  readonly places: readonly number[];
  /** Where each begins in the decoded text. */
  readonly indexes: readonly number[];
  /** Just after the last of them. */
  readonly end: number;
}

/**
 * The best place up to `limit` to cut a line that begins at `from`: between two
 * graphemes, or else two characters; after one character at least.
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
      // In a row of flags it depends on all the letters before which pair up.
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

/** The first place that begins a character, whatever comes before. */
function firstUnit(bytes: Uint8Array): number {
  let at = 0;
  // No character has more than three continuation bytes.
  while (at < MAX_UNIT_BYTES - 1 && (bytes[at]! & 0xc0) === 0x80) at++;
  return at;
}

/** Whether one of the letters that make a flag in pairs begins at `at`. */
function isFlagHalf(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xf0 && bytes[at + 1] === 0x9f &&
    bytes[at + 2] === 0x87 && bytes[at + 3]! >= 0xa6;
}

let graphemes: Intl.Segmenter | undefined;

/**
 * The character that begins the grapheme that `cut` would divide; `cut` itself if
 * it divides none. It is sure if two graphemes precede it: the first may be cut,
 * and the second may join to it.
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
