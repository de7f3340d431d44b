/** How many bytes a text of a given size takes. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { codecOf } from "../../../src/core/encodings/codecs.ts";
import {
  placeOf,
  unitsOf,
  utf8BytesOf,
} from "../../../src/core/lines/text_size.ts";
import { Random } from "../../support/random.ts";

/** Bytes of each encoding, in pieces to be joined at random: some are no text. */
const PIECES: Record<string, readonly (readonly number[])[]> = {
  shift_jis: [[0x88, 0xa0], [0xb1], [0x95, 0x5c], [0x61], [0x20], [0x81]],
  "euc-jp": [[0xb0, 0xa1], [0x8f, 0xb0, 0xa1], [0x8e, 0xb1], [0x61], [0x8f]],
  gb18030: [[0xb0, 0xa1], [0x90, 0x30, 0x81, 0x30], [0x61], [0x20], [0x81]],
  // U+00CA and U+0304 are one character of Big5.
  big5: [[0xa4, 0xa4], [0x88, 0x62], [0xa4, 0xe5], [0x61], [0x20], [0xff]],
  "euc-kr": [[0xb0, 0xa1], [0xc7, 0xd1], [0x61], [0x20], [0xff]],
  "koi8-r": [[0xc1], [0x61]],
  "utf-16le": [[0x3c, 0x6c], [0x3d, 0xd8, 0x00, 0xde], [0x61, 0], [0x3d, 0xd8]],
  "utf-16be": [[0x6c, 0x3c], [0xd8, 0x3d, 0xde, 0x00], [0, 0x61], [0xd8, 0x3d]],
  "iso-2022-jp": [[0x1b, 0x24, 0x42, 0x30, 0x21, 0x1b, 0x28, 0x42], [0x61]],
};

describe("the bytes of a text of a given size", () => {
  for (const [label, pieces] of Object.entries(PIECES)) {
    it(`are as many characters as fit: ${label}`, () => {
      const random = new Random(27);
      const codec = codecOf(label)!;
      for (let round = 0; round < 40; round++) {
        const bytes = Uint8Array.from(
          Array.from({ length: random.from(1, 60) }, () => random.pick(pieces))
            .flat(),
        );
        const measure = random.pick([unitsOf, utf8BytesOf]);
        /** Where each character ends, and the size of the text up to there. */
        const ends = [{ place: 0, size: 0 }];
        while (ends.at(-1)!.place < bytes.length) {
          const { place: from, size } = ends.at(-1)!;
          const place = codec.divide(bytes, from, from + 1);
          const own = measure(codec.decode(bytes.subarray(from, place)));
          ends.push({ place, size: size + own });
        }
        const most = random.from(0, ends.at(-1)!.size + 1);
        const wanted = ends.findLast(({ size }) => size <= most);
        assertEquals(placeOf(codec, bytes, most, measure), wanted, `${bytes}`);
      }
    });
  }
});
