// Runtime-agnostic.
import type { Source } from "../source.ts";

/** How far a walk over the columns of a line came. */
export interface Stride {
  /** The byte where it stopped: never inside a character. */
  readonly position: number;
  /** The columns it passed. */
  readonly columns: number;
  /** Whether it stopped before the line's ending, or at the end of the file. */
  readonly ended: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

/** The most bytes of one character. */
const MAX_UNIT_BYTES = 4;

/** Goes on from `position` past at most `columns` characters of the same line. */
export async function stride(
  source: Source,
  position: number,
  columns: number,
): Promise<Stride> {
  const { size } = source;
  let passed = 0;
  while (passed < columns && position < size) {
    await source.load(position);
    const whole = source.end === size ||
      source.end - position >= MAX_UNIT_BYTES;
    // What the chunk's end cuts in half is looked at by itself.
    const bytes = whole
      ? source.view(position, source.end)
      : await source.piece(position, Math.min(size, position + MAX_UNIT_BYTES));
    const last = position + bytes.length === size
      ? bytes.length
      : bytes.length - MAX_UNIT_BYTES + 1;
    let at = 0;
    while (at < last && passed < columns) {
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

/**
 * The bytes of the character at `at`: one that a decoder makes one code point of,
 * be it U+FFFD for as much of a broken one as belongs together.
 */
export function unitLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0xc2 || first > 0xf4) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // Some second bytes would spell what a shorter form, or none, can spell.
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 1;
  for (let seen = 2; seen < length; seen++) {
    if (!continues(bytes[at + seen])) return seen;
  }
  return length;
}

function continues(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** How many characters there are in `bytes`. */
export function countUnits(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; count++) at += unitLength(bytes, at);
  return count;
}

/** How much before a cut is looked at: no ordinary grapheme is longer. */
const BEFORE_BYTES = 256;
/** How much after a cut decides whether a grapheme goes on. */
const AFTER_BYTES = 64;

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
let graphemes: Intl.Segmenter | undefined;

/**
 * The best place to cut a line that begins at `from`, and goes on past `limit`:
 * between two graphemes, or else two characters; past one character at least.
 */
export async function cutInside(
  source: Source,
  from: number,
  limit: number,
): Promise<number> {
  const begin = Math.max(from, limit - BEFORE_BYTES);
  const end = Math.min(source.size, limit + AFTER_BYTES);
  const bytes = await source.piece(begin, end);
  let at = begin === from ? 0 : firstUnit(bytes);
  const places: number[] = [];
  while (at < bytes.length) {
    places.push(at);
    at += endingAt(bytes, at) || unitLength(bytes, at);
  }
  const least = begin === from ? 1 : 0;
  const fits = places.findLastIndex((place) => begin + place <= limit);
  const whole = graphemeStart(bytes, places, Math.max(fits, least));
  const chosen = whole > least ? whole : Math.max(fits, least);
  return begin + (places[chosen] ?? at);
}

/** The first place in the middle of a line that surely begins a character. */
function firstUnit(bytes: Uint8Array): number {
  let at = 0;
  // After three bytes that only continue something, the next begins anew.
  while (at < MAX_UNIT_BYTES - 1 && continues(bytes[at])) at++;
  return at;
}

/** The index in `places` where the grapheme begins that the cut would divide. */
function graphemeStart(
  bytes: Uint8Array,
  places: readonly number[],
  cut: number,
): number {
  if (cut >= places.length) return cut;
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const origin = places[0]!;
  const lengthTo = (place: number) =>
    lossy.decode(bytes.subarray(origin, place)).length;
  const text = lossy.decode(bytes.subarray(origin));
  const index = lengthTo(places[cut]!);
  const start = graphemes.segment(text).containing(index)?.index ?? index;
  let found = cut;
  while (found > 0 && lengthTo(places[found]!) > start) found--;
  return found;
}
