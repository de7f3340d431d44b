/** How long the characters of encodings are, by their first bytes. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { codecOf } from "../../../src/core/encodings/codecs.ts";
import { placeOf, unitsOf } from "../../../src/core/lines/decoded.ts";

const LABELS = [
  ...["shift_jis", "euc-jp", "gbk", "gb18030", "big5", "euc-kr"],
  ...["windows-1252", "koi8-r", "utf-16le", "utf-16be"],
];

/** Later bytes of characters, at the edges of their ranges. */
const LATER = [0x30, 0x39, 0x40, 0x7e, 0x80, 0xa1, 0xc0, 0xfe];

/** The bytes of characters that the runtime decodes, each as one code point. */
function* charactersOf(label: string): Generator<number[]> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  const isOne = (bytes: readonly number[]) => {
    try {
      return Array.from(decoder.decode(Uint8Array.from(bytes))).length === 1;
    } catch {
      return false;
    }
  };
  for (let first = 0; first < 256; first++) {
    if (isOne([first])) yield [first];
    for (const second of isOne([first]) ? [] : LATER) {
      const two = [first, second];
      if (isOne(two)) yield two;
      for (const third of isOne(two) ? [] : LATER) {
        const three = [...two, third];
        if (isOne(three)) yield three;
        else if (isOne([...three, 0x30])) yield [...three, 0x30];
        else if (isOne([...three, 0xdc])) yield [...three, 0xdc];
      }
    }
  }
}

describe("the length of a character", () => {
  for (const label of LABELS) {
    it(`is known by its first bytes: ${label}`, () => {
      const { lengthAt } = codecOf(label)!;
      let count = 0;
      for (const character of charactersOf(label)) {
        const bytes = Uint8Array.from([...character, 0x41, 0x41]);
        assertEquals(lengthAt!(bytes, 0), character.length, `${character}`);
        count++;
      }
      assert(count > 200, `${count}`);
    });
  }

  it("does not matter where it is not known: two code points, and invalid bytes", () => {
    const big5 = codecOf("big5")!;
    // U+00CA and U+0304 are one character of Big5.
    const two = Uint8Array.of(0x88, 0x62, 0x41, 0x42);
    assertEquals(big5.decode(two), "\u00ca\u0304AB");
    assertEquals(placeOf(big5, two, 3, unitsOf), { place: 3, size: 3 });
    const jis = codecOf("shift_jis")!;
    const invalid = Uint8Array.of(0x41, 0x81, 0x20, 0x42, 0x42);
    assertEquals(placeOf(jis, invalid, 3, unitsOf), { place: 3, size: 3 });
  });
});
