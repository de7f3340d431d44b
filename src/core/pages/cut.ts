// Runtime-agnostic.
import type { Source } from "../lines/source.ts";
import { decodeLossy } from "../lines/utf8.ts";
import { endingAt, MAX_UNIT_BYTES, unitLength } from "./columns.ts";

/** How much before a cut is looked at: few graphemes are longer. */
const BEFORE_BYTES = 256;
/** How much is looked at for the beginning of one that is. */
const MAX_BEFORE_BYTES = 64 * 1024;
/** How much after a cut decides whether a grapheme goes on. */
const AFTER_BYTES = 64;

/** Some bytes around a cut, and the characters that they are. */
interface Around {
  readonly bytes: Uint8Array;
  /** Where each character begins, from the first that surely begins there. */
  readonly places: readonly number[];
  /** Where it begins in the decoded text. */
  readonly indexes: readonly number[];
  /** Just after the last of them. */
  readonly end: number;
}

/**
 * The best place to cut a line that begins at `from`, and goes on past `limit`:
 * between two graphemes, or else two characters; past one character at least.
 */
export async function cutInside(
  source: Source,
  from: number,
  limit: number,
): Promise<number> {
  const end = Math.min(source.size, limit + AFTER_BYTES);
  for (let before = BEFORE_BYTES;; before *= 4) {
    const begin = Math.max(from, limit - before);
    const isAll = begin === from;
    const around = lookAround(await source.piece(begin, end), isAll);
    const { places, bytes } = around;
    const least = isAll ? 1 : 0;
    const fits = places.findLastIndex((place) => begin + place <= limit);
    const cut = Math.max(fits, least);
    if (cut >= places.length) return begin + around.end;
    const { whole, isSure } = graphemeBefore(around, cut);
    if (!isAll && before < MAX_BEFORE_BYTES) {
      // Flags look like other flags from the middle of one.
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

/** The first place in the middle of a line that surely begins a character. */
function firstUnit(bytes: Uint8Array): number {
  let at = 0;
  // After three bytes that only continue something, the next begins anew.
  while (at < MAX_UNIT_BYTES - 1 && (bytes[at]! & 0xc0) === 0x80) at++;
  return at;
}

/** Whether half a flag begins at `at`: one of the letters that make a flag in pairs. */
function isFlagHalf(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xf0 && bytes[at + 1] === 0x9f &&
    bytes[at + 2] === 0x87 && bytes[at + 3]! >= 0xa6;
}

let graphemes: Intl.Segmenter | undefined;

/**
 * Which character begins the grapheme that `cut` would divide; `cut` itself if it
 * divides none. It is sure to be one whatever comes before, if two others do:
 * the first may be the rest of one, and the second what that joins to it.
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
