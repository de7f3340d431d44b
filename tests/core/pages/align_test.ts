import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { STEP_ITEMS } from "../../../src/core/base/call.ts";
import { align, type OldPlace } from "../../../src/core/pages/align.ts";
import { Random, SEED } from "../../support/random.ts";

const WHOLE: OldPlace = { expected: 0, isStart: true, isEnd: true };

/** Aligns tags; returns the steps, too. */
function alignment(
  old: readonly number[],
  fresh: readonly number[],
  around = WHOLE,
) {
  const work = align(Int32Array.from(old), Int32Array.from(fresh), around);
  for (let steps = 0;; steps++) {
    const { done, value } = work.next();
    if (done) return { ...value, places: [...value.places], steps };
  }
}

describe("align()", () => {
  it("finds unchanged lines among any other lines", () => {
    const cases: readonly (readonly [string, string, readonly number[]])[] = [
      ["abc", "abc", [0, 1, 2]],
      ["abc", "xabc", [1, 2, 3]],
      ["abc", "axc", [0, -1, 2]],
      ["aaa", "aaa", [0, 1, 2]],
      ["abab", "xabab", [1, 2, 3, 4]],
      ["aabaa", "aaxbaa", [0, 1, 3, 4, 5]],
      ["abc", "", [-1, -1, -1]],
      ["", "abc", []],
      ["abcd", "acbd", [0, 1, -1, 3]],
    ];
    const tags = (text: string) => [...text].map((it) => it.charCodeAt(0));
    for (const [old, fresh, places] of cases) {
      const found = alignment(tags(old), tags(fresh)).places;
      const rising = found.filter((place) => place >= 0);
      assertEquals(rising, rising.toSorted((one, two) => one - two), old);
      assertEquals(
        rising.length,
        places.filter((place) => place >= 0).length,
        `${old} ${fresh}: ${found}`,
      );
      for (const [at, place] of found.entries()) {
        if (place >= 0) assertEquals(fresh[place], old[at]);
      }
    }
  });

  it("distinguishes a tag of 24 set bits from the tag of a partial line", () => {
    const { places } = alignment([-1, 0xffffff, 5], [0xffffff, -2, 5]);
    assertEquals(places, [-1, 0, 2]);
  });

  it("works in steps, also for many equal lines", () => {
    const random = new Random(SEED);
    const count = 40 * STEP_ITEMS;
    const unique = Array.from({ length: count }, (_, at) => at);
    const alike = unique.map((at) => at % 3);
    const some = unique.map((at) => at % 500 === 0 ? at : random.below(9));
    const shuffled = unique.toSorted(() => random.below(3) - 1);
    const pairs = [
      ...[[unique, unique], [unique, shuffled], [alike, alike.toReversed()]],
      ...[[some, some.map((tag) => tag < 9 ? 9 - tag : tag)], [unique, []]],
    ];
    for (const [old, fresh] of pairs) {
      const { steps } = alignment(old!, fresh!);
      assert(steps >= count / STEP_ITEMS, `${steps} steps`);
    }
  });
});
