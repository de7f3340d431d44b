/** Random files that are hard to cut: with long characters, invalid bytes, and all line endings. */
import type { Random } from "./random.ts";

const encoder = new TextEncoder();

/** Characters of one or more code points, and line endings. */
const TEXTS: readonly string[] = [
  "a",
  "word ",
  "\t",
  "é",
  "ß",
  "漢字",
  "😀",
  "👩‍👩‍👧‍👦",
  "👍🏽",
  "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  "🇦🇹",
  "🇧🇪🇯🇵",
  "🇸",
  "각",
  "\u1112\u1161\u11ab",
  "\u1100\u1161",
  "e\u0301",
  "o\u0308\u0323\u0301",
  "क्षि",
  "\u0600٣",
  "\u200d",
  "\u0301",
  "\ufeff",
  "\ufffd",
  "\0",
  "\u2028",
];

/** Invalid bytes. */
const BROKEN: readonly (readonly number[])[] = [
  [0xff],
  [0xa9],
  [0xc3],
  [0xc0, 0xaf],
  [0xe6, 0xbc],
  [0xe0, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f, 0x98],
  [0xf0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80],
];

const ENDINGS: readonly string[] = ["\n", "\r\n", "\r", "\n\n", "\r\r\n"];

/** How to draw a file. */
export interface Recipe {
  /** The approximate size in bytes. */
  readonly bytes: number;
  /** One in this many pieces ends a line. */
  readonly endings: number;
  /** One in this many pieces is invalid; 0 for none. */
  readonly broken: number;
}

/** Draws a file from few kinds of pieces, so that equal pieces are often adjacent. */
export function hardRandomFile(random: Random, recipe: Recipe): Uint8Array {
  const { bytes, endings, broken } = recipe;
  const texts = Array.from({ length: 4 }, () => random.pick(TEXTS))
    .map((text) => encoder.encode(text));
  const ends = ENDINGS.map((ending) => encoder.encode(ending));
  const pieces: (Uint8Array | readonly number[])[] = [];
  for (let length = 0; length < bytes;) {
    const piece = random.below(endings) === 0
      ? random.pick(ends)
      : broken > 0 && random.below(broken) === 0
      ? random.pick(BROKEN)
      : random.pick(texts);
    pieces.push(piece);
    length += piece.length;
  }
  const file = new Uint8Array(
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const piece of pieces) {
    file.set(piece, at);
    at += piece.length;
  }
  return file;
}
