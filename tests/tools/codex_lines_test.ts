import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { show } from "../support/codex.ts";
import { CUTS } from "../support/cuts.ts";

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "string" ? [...new TextEncoder().encode(part)] : part
    ),
  );

const A = (count: number) => "a".repeat(count);

interface LineCase {
  readonly claim: string;
  readonly content: string | Uint8Array;
  readonly args?: object;
  readonly shown: string;
  /** What the original profile shows, if different. */
  readonly original?: string;
}

const CASES: readonly LineCase[] = [
  {
    claim: "numbers lines from 1, without padding or a final newline",
    content: "a\nb\n",
    shown: "L1: a\nL2: b",
  },
  {
    claim: "shows an empty line with the space after its number",
    content: "a\n\nb\n",
    shown: "L1: a\nL2: \nL3: b",
  },
  {
    claim: "counts a last line without an ending",
    content: "a\nb",
    shown: "L1: a\nL2: b",
  },
  {
    claim: "shows a file of one newline as one empty line",
    content: "\n",
    shown: "L1: ",
  },
  {
    claim: "begins at the offset and ends at the limit",
    content: "1\n2\n3\n4\n5\n",
    args: { offset: 2, limit: 3 },
    shown: "L2: 2\nL3: 3\nL4: 4",
  },
  {
    claim: "shows the existing lines if the limit exceeds the file",
    content: "1\n2\n3\n",
    args: { offset: 3, limit: 5 },
    shown: "L3: 3",
  },
  {
    claim: "treats CR LF as one ending",
    content: "a\r\nb\r\n",
    shown: "L1: a\nL2: b",
  },
  {
    claim: "drops only one CR before the LF",
    content: "a\r\r\n\r\r\nb\n",
    shown: "L1: a\r\nL2: \r\nL3: b",
  },
  {
    claim: "keeps the CR of a last line without LF",
    content: "a\nx\r",
    shown: "L1: a\nL2: x\r",
  },
  {
    claim: "treats no other character as a line ending",
    content: "a\rb\u2028c\u2029d\u0085e\vf\fg\n",
    shown: "L1: a\rb\u2028c\u2029d\u0085e\vf\fg",
  },
  {
    claim: "shows NUL and control characters unchanged",
    content: "a\0b\x1b[0m\x07\n",
    shown: "L1: a\0b\x1b[0m\x07",
  },
  {
    claim: "keeps a BOM on any line",
    content: "\uFEFFa\n\uFEFFb\n",
    shown: "L1: \uFEFFa\nL2: \uFEFFb",
  },
  {
    claim:
      "decodes each line separately, with U+FFFD for bytes that are not UTF-8",
    content: bytes([0xff], "\n", [0xe2, 0x82], "\n", [0xac], "\n", [
      0xf0,
      0x9f,
      0x92,
    ]),
    shown: "L1: \uFFFD\nL2: \uFFFD\nL3: \uFFFD\nL4: \uFFFD",
  },
  {
    claim: "shows one U+FFFD for each maximal part, like WHATWG decoding",
    content: bytes([0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xf4, 0x90], "\n"),
    shown: `L1: ${"\uFFFD".repeat(7)}`,
  },
  {
    claim: "does not change a line of 500 bytes",
    content: `${A(500)}\nb`,
    shown: `L1: ${A(500)}\nL2: b`,
  },
  {
    claim: "cuts a line of 501 bytes to 500, without a marker",
    content: `${A(501)}\nb`,
    shown: `L1: ${A(500)}\nL2: b`,
  },
  {
    claim: "also cuts a last line without an ending",
    content: A(900),
    shown: `L1: ${A(500)}`,
  },
  {
    claim: "does not count the line number",
    content: `${"\n".repeat(9)}${A(500)}\n`,
    args: { offset: 10 },
    shown: `L10: ${A(500)}`,
  },
  {
    claim: "does not count the ending",
    content: `${A(500)}\r\n${A(500)}\n`,
    shown: `L1: ${A(500)}\nL2: ${A(500)}`,
  },
  {
    claim: "shows a letter of two bytes that ends at byte 500",
    content: `${A(498)}éé\n`,
    shown: `L1: ${A(498)}é`,
  },
  {
    claim: "omits a letter of two bytes that ends at byte 501",
    content: `${A(499)}é\n`,
    shown: `L1: ${A(499)}`,
  },
  {
    claim: "omits an emoji that ends after byte 500, and all text after it",
    content: `${A(497)}💩a\n`,
    shown: `L1: ${A(497)}`,
  },
  {
    claim: "shows an emoji that ends at byte 500",
    content: `${A(496)}💩💩\n`,
    shown: `L1: ${A(496)}💩`,
  },
  {
    claim: "counts U+FFFD as three bytes",
    content: bytes(new Array(167).fill(0xff), "\n"),
    shown: `L1: ${"\uFFFD".repeat(166)}`,
  },
  {
    claim: "counts U+FFFD as three bytes if it replaces three bytes",
    content: bytes(A(497), [0xf0, 0x9f, 0x92], "b\n"),
    shown: `L1: ${A(497)}\uFFFD`,
  },
  {
    claim: "does not treat a letter after the cut as invalid",
    content: bytes(A(499), "a💩\n"),
    shown: `L1: ${A(500)}`,
  },
  {
    claim: "keeps an inner CR at the cut, and drops the CR of the ending",
    content: `${A(499)}\rb\r\n${A(499)}\r\n${A(503)}\r\n`,
    shown: `L1: ${A(499)}\r\nL2: ${A(499)}\nL3: ${A(500)}`,
  },
  {
    claim: "expands tabs to the next multiple of four columns",
    content: "\tx\na\tb\nabc\td\nabcd\te\n\t\tf\n",
    shown: "L1:     x\nL2: a   b\nL3: abc d\nL4: abcd    e\nL5:         f",
    original: "L1: \tx\nL2: a\tb\nL3: abc\td\nL4: abcd\te\nL5: \t\tf",
  },
  {
    claim: "counts columns in code points",
    content: "é\ta\n💩\tb\n\u0301\u0301\u0301\tc\n",
    shown: "L1: é   a\nL2: 💩   b\nL3: \u0301\u0301\u0301 c",
    original: "L1: é\ta\nL2: 💩\tb\nL3: \u0301\u0301\u0301\tc",
  },
  {
    claim: "counts columns separately in each line",
    content: "ab\n\tc\n",
    shown: "L1: ab\nL2:     c",
    original: "L1: ab\nL2: \tc",
  },
  {
    claim: "expands tabs before the cut",
    content: `${"\t".repeat(125)}x\n${A(498)}\tb\n`,
    shown: `L1: ${" ".repeat(500)}\nL2: ${A(498)}  `,
    original: `L1: ${"\t".repeat(125)}x\nL2: ${A(498)}\tb`,
  },
  {
    claim: "shows at most 500 bytes of a line of tabs",
    content: "\t".repeat(600),
    shown: `L1: ${" ".repeat(500)}`,
    original: `L1: ${"\t".repeat(500)}`,
  },
];

describe("codex read_file lines", () => {
  for (const { claim, content, args = {}, shown, original = shown } of CASES) {
    for (const most of CUTS) {
      it(`${claim} (reads of ${most})`, async () => {
        assertEquals(await show(content, args, { most }), shown);
      });
      it(`${claim}, in the original profile (reads of ${most})`, async () => {
        const setting = { most, original: true };
        assertEquals(await show(content, args, setting), original);
      });
    }
  }

  it("shows 2000 lines without a limit, of any total size", async () => {
    const lines = (await show(`${A(600)}\n`.repeat(2001))).split("\n");
    assertEquals(lines.length, 2000);
    assertEquals(lines.at(-1), `L2000: ${A(500)}`);
  });
});
