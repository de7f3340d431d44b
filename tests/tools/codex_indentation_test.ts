import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { rangeOf, show, showBlock } from "../support/codex.ts";
import { CUTS } from "../support/cuts.ts";

const alone = { include_siblings: false };

/** Each of these characters alone makes a line blank. */
const WHITE_SPACE = [
  ..."\t\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000",
  ...Array.from({ length: 11 }, (_, at) => String.fromCharCode(0x2000 + at)),
];

/** Characters that look like white space but do not count as such, although JavaScript trims some of them. */
const NO_WHITE_SPACE = [
  ..."\u200b\ufeff\u180e\x1c\x1d\x1e\x1f\x00\u200c\u2060",
];

const nameOf = (character: string) =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

describe("codex read_file indentation", () => {
  for (const most of CUTS) {
    it(`numbers and cuts lines as in a slice (reads of ${most})`, async () => {
      const content = `a\r\n    ${"é".repeat(300)}\n\n\tb`;
      const block = await showBlock(content, {}, { most });
      assertEquals(block, await show(content, {}, { most }));
      assertEquals(block.split("\n").length, 4);
    });

    it(`shows a blank anchor untrimmed if the limit is 1 (reads of ${most})`, async () => {
      const one = { anchor_line: 2, limit: 1 };
      assertEquals(await showBlock("a\n  \nb\n", one, { most }), "L2:   ");
    });

    it(`shows a blank line untrimmed if it is the only line of the file (reads of ${most})`, async () => {
      assertEquals(await showBlock("  \n", {}, { most }), "L1:   ");
    });

    it(`shows no lines if all lines are blank, without an error (reads of ${most})`, async () => {
      assertEquals(await showBlock("\n \n\t\n", {}, { most }), "");
    });

    it(`counts a tab as up to four columns (reads of ${most})`, async () => {
      // The anchor is at column 10, not at 8, so that the minimum indentation is 6.
      const content = "x\n      a\n  \t\tb\n     c\n";
      const args = { anchor_line: 3, max_levels: 1 };
      assertEquals(rangeOf(await showBlock(content, args, { most })), "2-3");
    });

    it(`counts only spaces and tabs as indentation (reads of ${most})`, async () => {
      // The minimum indentation is 4, and the last line is at column 2.
      const content = "    \u00a0 a\n        b\n  \u00a0   c\n";
      const args = { anchor_line: 2, max_levels: 1 };
      assertEquals(rangeOf(await showBlock(content, args, { most })), "1-2");
    });

    for (const character of WHITE_SPACE) {
      it(`treats ${nameOf(character)} as blank (reads of ${most})`, async () => {
        const content = `a\n${character.repeat(2)}\nb\n`;
        const args = { anchor_line: 1, limit: 2 };
        assertEquals(await showBlock(content, args, { most }), "L1: a");
      });
    }

    for (const character of NO_WHITE_SPACE) {
      it(`does not treat ${nameOf(character)} as blank (reads of ${most})`, async () => {
        const content = `a\n${character}\nb\n`;
        const args = { anchor_line: 1, limit: 2 };
        const block = await showBlock(content, args, { most });
        assertEquals(block, `L1: a\nL2: ${character}`);
      });
    }

    for (const line of ["# x", "#", "// x", "-- x", "--", "#!x", "\u3000#"]) {
      it(`treats ${JSON.stringify(line)} as a comment (reads of ${most})`, async () => {
        const content = `x\n${line}\ndef\n  a\nend\n`;
        const args = { anchor_line: 4, max_levels: 1, ...alone };
        const range = rangeOf(await showBlock(content, args, { most }));
        assertEquals(range, "2-5");
      });
    }

    for (const line of ["/ x", "- x", "/* x", "%", ";", "x # y", "\ufeff#"]) {
      it(`does not treat ${JSON.stringify(line)} as a comment (reads of ${most})`, async () => {
        const content = `x\n${line}\ndef\n  a\nend\n`;
        const args = { anchor_line: 4, max_levels: 1, ...alone };
        const range = rangeOf(await showBlock(content, args, { most }));
        assertEquals(range, "3-5");
      });
    }

    // Long indentations are read in pieces, and a cut can be inside a character.
    for (const length of [4091, 4092, 4093, 4094, 4095, 4096]) {
      const lead = `\u00a0${" ".repeat(length)}`;

      it(`treats ${length} spaces and a space of three bytes as blank (reads of ${most})`, async () => {
        const args = { anchor_line: 1, limit: 2 };
        const content = `a\n${lead}\u3000\nb\n`;
        assertEquals(await showBlock(content, args, { most }), "L1: a");
      });

      it(`recognizes a comment after ${length} spaces (reads of ${most})`, async () => {
        const content = `x\n${lead}//\ndef\n  a\nend\n`;
        const args = { anchor_line: 4, max_levels: 1, ...alone };
        const range = rangeOf(await showBlock(content, args, { most }));
        assertEquals(range, "2-5");
      });
    }

    it(`recognizes blank lines and comments by their whole text (reads of ${most})`, async () => {
      const far = " ".repeat(9000);
      const content = `x\n${far}\n${far}# c\n${far}d\n`;
      const args = { anchor_line: 4, max_levels: 0, include_siblings: true };
      const lines = await showBlock(content, args, { most });
      assertEquals(rangeOf(lines), "1-4");
      const one = { ...args, limit: 3 };
      // The blank line is added third, and trimmed.
      assertEquals(rangeOf(await showBlock(content, one, { most })), "3-4");
    });
  }
});
