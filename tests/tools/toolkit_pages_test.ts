import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { CUTS } from "../support/cuts.ts";
import { toolFor } from "../support/toolkit.ts";

const encoder = new TextEncoder();

/** Draws integers below a bound; the same seed gives the same numbers. */
function drawFrom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x9e3779b9) >>> 0;
    let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return Math.floor(((word ^ (word >>> 15)) >>> 0) / 2 ** 32 * bound);
  };
}

for (const most of CUTS) {
  describe(`the toolkit's read_file (reads of ${most})`, () => {
    it("gives windows that, joined by LF, are the normalized file", async () => {
      for (let seed = 1; seed <= 120; seed++) {
        const draw = drawFrom(seed);
        const pieces = ["a", "é", "😀", "\r", "\n", "\r\n", "\uFEFF", "\u2028"];
        const length = draw(40);
        const text = Array.from({ length }, () => pieces[draw(pieces.length)])
          .join("");
        const max_lines = 1 + draw(5);
        const bom = text.startsWith("\uFEFF") ? 1 : 0;
        const whole = text.slice(bom).split(/\r?\n/).join("\n");
        const total = text.split("\n").length - (/(^|\n)$/.test(text) ? 1 : 0);
        const told = `seed ${seed}: ${JSON.stringify(text)} by ${max_lines}`;

        const tool = await toolFor(text, most);
        const contents: string[] = [];
        let returned = 0;
        let start_line: number | null = 1;
        while (start_line !== null) {
          const args = { path: "a.txt", start_line, max_lines };
          const { content, truncated, next_start_line, meta } = await tool.call(
            args,
          );
          contents.push(content);
          returned += meta.returned_line_count;
          assertEquals(meta.line_count, total, told);
          assertEquals(meta.byte_length, encoder.encode(text).length, told);
          assertEquals(truncated, next_start_line !== null, told);
          assert(meta.returned_line_count <= max_lines, told);
          assert(
            next_start_line === null || next_start_line > start_line,
            told,
          );
          start_line = next_start_line;
        }
        assertEquals(contents.join("\n"), whole, told);
        assertEquals(returned, total, told);
        const all = await tool.call({ path: "a.txt", max_lines: 500 });
        assertEquals(all.content, whole, told);
      }
    });
  });
}
