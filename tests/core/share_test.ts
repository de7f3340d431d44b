import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { runAtOnce } from "../../src/core/base/call.ts";
import { share, shareAmounts } from "../../src/core/share.ts";
import { Random, SEED } from "../support/random.ts";

describe("share()", () => {
  const cases: readonly (readonly [
    readonly number[],
    number,
    number,
    readonly (number | null)[],
  ])[] = [
    [[], 9, 1, []],
    [[5], 9, 1, [5]],
    [[5], 5, 1, [5]],
    [[6], 5, 1, [5]],
    [[0, 0], 5, 4, [0, 0]],
    // Smaller parts get all, and the others equal shares of the rest.
    [[900, 20, 0, 9000, 110], 500, 1, [185, 20, 0, 185, 110]],
    [[10, 10, 10], 20, 1, [6, 6, 6]],
    [[3, 9, 9], 20, 1, [3, 8, 8]],
    [[Infinity, 4], 20, 1, [16, 4]],
    // The last ones get nothing if the shares would be too small.
    [[10, 10, 10], 8, 4, [4, 4, null]],
    [[10, 10, 10], 3, 4, [null, null, null]],
    [[4, 4, 1], 5, 4, [4, null, 1]],
    [[4, 1, 1, 1, 1, 1], 6, 5, [4, 1, 1, null, null, null]],
    [[10, 1, 10], 6, 4, [5, 1, null]],
    [[1, 1, 1], 2, 4, [1, 1, null]],
    // What a part that is left out leaves makes others whole.
    [[6, 6, 6], 14, 5, [6, 6, null]],
  ];
  for (const [needs, limit, least, shares] of cases) {
    it(`of ${limit} among [${needs}], at least ${least}, is [${shares.map(String)}]`, () => {
      assertEquals(share(needs, limit, least), shares);
    });
  }
  it("is fair: no part gets more at the cost of a smaller share", () => {
    const random = new Random(SEED);
    for (let run = 0; run < 2_000; run++) {
      const most = random.pick([5, 50, 500]);
      const needs = Array.from(
        { length: random.below(12) },
        () => random.below(most),
      );
      const limit = random.below(most * 6);
      const least = random.from(1, 9);
      const shares = share(needs, limit, least);
      const facts = JSON.stringify([needs, limit, least, shares]);
      const given = shares.map((share) => share ?? 0);
      const sum = given.reduce((sum, share) => sum + share, 0);
      assert(sum <= limit, facts);
      const cut = shares.filter((share, at) =>
        share !== null && share < needs[at]!
      );
      // Those that are cut have equal shares, of at least the least, and no other has more.
      for (const share of cut) {
        assert(share! >= least && share === cut[0], facts);
        assert(given.every((other) => other <= share!), facts);
      }
      // Nothing is left that another part could have.
      if (cut.length > 0) assert(limit - sum < cut.length, facts);
      if (needs.reduce((sum, need) => sum + need, 0) <= limit) {
        assertEquals(shares, needs, facts);
      }
    }
  });
});

describe("shareAmounts()", () => {
  const least = { bytes: 2, chars: 20 };
  const need = (bytes: number, chars: number) => ({ bytes, chars });
  const cases: readonly (readonly [
    string,
    readonly { readonly bytes: number; readonly chars: number }[],
    { readonly bytes: number; readonly chars: number },
    readonly ({ readonly bytes: number; readonly chars: number } | null)[],
  ])[] = [
    [
      "gives all parts what they need",
      [need(5, 50), need(7, 70)],
      need(12, 120),
      [
        need(5, 50),
        need(7, 70),
      ],
    ],
    [
      "gives a part that is cut more of the next unit",
      [need(5, 50), need(9, 90)],
      need(12, 140),
      [
        need(5, 50),
        need(7, 90),
      ],
    ],
    [
      "leaves a part out of all units",
      [need(5, 50), need(2, 90)],
      need(3, 140),
      [
        null,
        need(2, 90),
      ],
    ],
    [
      "leaves what a part does not get to the others",
      [need(9, 9), need(9, 150)],
      need(3, 99),
      [
        need(3, 29),
        null,
      ],
    ],
  ];
  for (const [what, needs, limits, shares] of cases) {
    it(what, () => {
      assertEquals(runAtOnce(shareAmounts(needs, limits, least)), shares);
    });
  }
});
