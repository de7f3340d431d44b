import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { applyDelta, Segments } from "../../git/src/delta.ts";
import {
  copyStep,
  deltaOf,
  insertStep,
  joined,
} from "../support/git_repository.ts";
import { Random, SEED } from "../support/random.ts";

/** A delta with random instructions for a base of some size, and the size of its result. */
function randomDelta(random: Random, baseSize: number) {
  const steps: Uint8Array[] = [];
  let size = 0;
  for (let left = 1 + random.below(12); left > 0; left--) {
    const isCopy = baseSize > 0 && random.below(3) > 0;
    const from = random.below(Math.max(1, baseSize));
    const length = isCopy
      ? 1 + random.below(Math.min(300, baseSize - from))
      : 1 + random.below(20);
    const words = Uint8Array.from({ length }, () => random.below(256));
    steps.push(isCopy ? copyStep(from, length) : insertStep(words));
    size += length;
  }
  return { delta: deltaOf(baseSize, size, ...steps), size };
}

/** The whole of a file that is given in segments. */
function partsOf({ list }: Segments, base: Uint8Array): Uint8Array {
  return joined(
    ...list.map(({ from, length, literal = base }) =>
      literal.subarray(from, from + length)
    ),
  );
}

describe("a chain of deltas", () => {
  it("gives the same file in parts as one after the other", () => {
    const random = new Random(SEED);
    for (let round = 0; round < 300; round++) {
      const base = Uint8Array.from(
        { length: 1 + random.below(2000) },
        () => random.below(256),
      );
      let whole = base;
      const deltas: Uint8Array[] = [];
      for (let left = 1 + random.below(6); left > 0; left--) {
        const { delta } = randomDelta(random, whole.length);
        whole = new Uint8Array(applyDelta(whole, delta));
        deltas.unshift(delta);
      }
      const [last, ...below] = deltas.map((delta) => Segments.ofDelta(delta));
      const all = [...below, Segments.all(base.length)];
      const segments = all.reduce((upper, next) => upper.over(next), last!);
      assertEquals(segments.size, whole.length);
      assertEquals(partsOf(segments, base), whole);
      for (const { start } of segments.list) {
        assertEquals(segments.list[segments.indexAt(start)]!.start, start);
      }
    }
  });
});
