// Not at the edge: it takes several seconds.
import { describe, it } from "node:test";
import type { ReadOptions } from "../../../mod.ts";
import { DirectPages } from "../../support/direct_pages.ts";
import { KnownFile } from "../../support/known_file.ts";
import { checkWalk } from "../../support/page_checks.ts";
import { shareOf } from "../../support/share.ts";

/** The options of each read. The longest files use two of them in turn. */
const OPTIONS: readonly ReadOptions[] = [
  { count: 1 },
  { maxBytes: 2 },
  { maxBytes: 3 },
  { width: 1 },
  { width: 2 },
  {},
  { count: 2, maxBytes: 5 },
  { maxBytes: 1 },
  { tail: 1 },
  { tail: 2, maxBytes: 3 },
  { tail: 1, numbered: false },
  { around: 2, before: 1, after: 0 },
  { start: 2, column: 2, count: 1 },
  { column: 3, width: 1, end: 2 },
];

/** For each encoding, the bytes that are special in it, and the length of the longest files. Long files use only the first bytes. */
const ENCODINGS: Readonly<Record<string, readonly [number[], number]>> = {
  // LF, CR, surrogate halves, and a character whose halves are line feeds.
  "utf-16le": [[0x0a, 0x00, 0xd8, 0xdc, 0x0d, 0x61], 6],
  "utf-16be": [[0x0a, 0x00, 0xd8, 0xdc, 0x0d, 0x61], 6],
  // Lead bytes, ASCII trail bytes, a katakana, invalid bytes.
  "shift_jis": [[0x0a, 0x83, 0x5c, 0xfd, 0x85, 0x0d, 0xb1], 5],
  // Lead bytes, trail bytes, invalid bytes. Not digits: a decoder gives several
  // characters at once for those that complete no character.
  "gb18030": [[0x0a, 0x81, 0xfe, 0x41, 0x0d, 0xff], 5],
  "euc-jp": [[0x0a, 0x0d, 0xa4, 0x8f, 0x8e, 0x41], 4],
  "big5": [[0x0a, 0x0d, 0x88, 0xa4, 0x41, 0x80], 4],
  "euc-kr": [[0x0a, 0x0d, 0xb0, 0xa1, 0x41, 0xff], 4],
  "windows-1253": [[0x0a, 0x0d, 0xd2, 0xe1, 0x41], 4],
};

function* stringsOf(
  length: number,
  alphabet: readonly number[],
): Generator<readonly number[]> {
  if (length === 0) return yield [];
  for (const rest of stringsOf(length - 1, alphabet)) {
    for (const byte of alphabet) yield [...rest, byte];
  }
}

/** From this length on, files use fewer kinds of bytes; from one byte less on, each file is read with two of the options. */
const LONG = 5;
const FEWER = 4;

/** Each encoding with each length of files. */
const CASES = Object.entries(ENCODINGS).flatMap(
  ([encoding, [alphabet, longest]]) =>
    Array.from(
      { length: longest + 1 },
      (_, length) => ({ encoding, alphabet, length }),
    ),
);

describe("the pages of a file in another encoding restore it", () => {
  for (const { encoding, alphabet, length } of shareOf(CASES)) {
    it(`for all files of ${length} bytes in ${encoding}`, async () => {
      const pages = new DirectPages();
      const read = (options: ReadOptions) => pages.read(options);
      let turn = 0;
      const some = length < LONG ? alphabet : alphabet.slice(0, FEWER);
      for (const bytes of stringsOf(length, some)) {
        pages.content = Uint8Array.from(bytes);
        const file = new KnownFile(pages.content, encoding);
        const tried = length < LONG - 1
          ? OPTIONS
          : [turn, turn + 5].map((at) => OPTIONS[at % OPTIONS.length]!);
        for (const options of tried) {
          await checkWalk({ read, file, options: { ...options, encoding } });
        }
        turn++;
      }
    });
  }
});
