import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { rangeOf, showBlock, sketch } from "../support/codex.ts";
import { CUTS } from "../support/cuts.ts";
import { BLOCKS, CONTRACT_BLOCKS } from "../support/codex_blocks.ts";
describe("codex read_file indentation", () => {
  for (const most of CUTS) {
    for (
      const { claim, file, args, lines } of [...CONTRACT_BLOCKS, ...BLOCKS]
    ) {
      for (const original of [false, true]) {
        const profile = original ? ", in the original profile" : "";
        it(`${claim}${profile} (reads of ${most})`, async () => {
          // Both profiles have these arguments.
          const given = { include_siblings: true, ...args };
          const content = await showBlock(sketch(file), given, {
            most,
            original,
          });
          assertEquals(rangeOf(content), lines);
        });
      }
    }
  }

  it("includes all siblings by default, and none in the original profile", async () => {
    const file = sketch("0 4 8 4 4 8 4 0");
    const args = { anchor_line: 3, max_levels: 1 };
    assertEquals(rangeOf(await showBlock(file, args)), "2-7");
    const original = await showBlock(file, args, { original: true });
    assertEquals(rangeOf(original), "2-4");
  });

  it("includes the header by default, in both profiles", async () => {
    const file = sketch("0 c0 0 4 0");
    const args = { anchor_line: 4, max_levels: 1, include_siblings: false };
    for (const original of [false, true]) {
      const content = await showBlock(file, args, { original });
      assertEquals(rangeOf(content), "2-5");
    }
  });
});
