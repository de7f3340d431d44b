import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { CUTS } from "../support/cuts.ts";
import { forgeFor, linesOf, outcome } from "../support/forge.ts";
import { expectRange, expectTail, inWords } from "../support/forge_oracle.ts";
import { Random, SEED } from "../support/random.ts";

describe("Read limits", () => {
  for (const most of CUTS) {
    it(`agree with a naive reader (reads of ${most})`, async () => {
      const random = new Random(SEED + most);
      for (let round = 0; round < 600; round++) {
        const letters = ["a", "b", "\n", "\n", "\r\n", "aaaa"];
        let content = "";
        for (let left = random.below(14); left > 0; left--) {
          content += random.pick(letters);
        }
        const limits = {
          shown: 1 + random.below(16),
          scanned: 1 + random.below(24),
        };
        const start = 1 + random.below(8);
        const count = 1 + random.below(8);
        const isTail = random.below(2) === 0;
        const args = isTail
          ? { tail: count }
          : { start_line: start, limit: count };
        const expected = isTail
          ? expectTail(content, count, limits)
          : expectRange(content, start, start + count - 1, limits);
        const config = {
          max_file_read_bytes: limits.shown,
          max_scan_bytes: limits.scanned,
        };
        const actual = await outcome(content, args, { most, config });
        const words = inWords(expected, content, isTail);
        const seed = JSON.stringify({ content, args, limits });
        assertEquals(actual, words, seed);
      }
    });
  }
});

describe("Read pages", () => {
  for (const most of CUTS) {
    it(`show every line once by following next_start_line (reads of ${most})`, async () => {
      const random = new Random(SEED + most);
      for (let round = 0; round < 40; round++) {
        let content = "";
        for (let left = random.below(40); left > 0; left--) {
          content += random.pick(["a", "bb\n", "\n", "ccc\r\n", "é"]);
        }
        const longest = Math.max(
          1,
          ...linesOf(content).map((line) => 2 * line.length),
        );
        const config = {
          max_file_read_bytes: longest,
          show_line_numbers: false,
        };
        const tool = await forgeFor(content, { most, config });
        let shown = "";
        for (let start: number | null = 1; start !== null;) {
          const output = await tool.call({ path: "a.txt", start_line: start });
          assert(
            output.next_start_line === null || output.next_start_line > start,
          );
          assertEquals(output.truncated, output.next_start_line !== null);
          shown += output.text;
          start = output.next_start_line;
        }
        assertEquals(shown, content);
      }
    });
  }
});
