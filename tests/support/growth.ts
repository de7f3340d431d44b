/** How the time of work grows with its size: a ratio, which does not depend on the machine. */
import { assert } from "@std/assert";

/** Eight times as much work takes 8 times as long if it is linear, and 64 times if it is quadratic. */
const FACTOR = 8;
const MOST = 32;
/** Other work on the machine only makes a time longer, so the least of several is used. */
const TRIES = 8;

/** Fails if the time of `work` grows faster than its size, measured for `size` and an eighth of it. */
export async function assertLinear(
  size: number,
  work: (size: number) => unknown,
): Promise<void> {
  let [small, large] = [Infinity, Infinity];
  for (let round = 0; round < TRIES; round++) {
    small = Math.min(small, await timeOf(() => work(size / FACTOR)));
    large = Math.min(large, await timeOf(() => work(size)));
    // At the edge, the clock stands still while a worker works, or ticks in milliseconds.
    if (large / Math.max(small, 1) <= MOST) return;
  }
  assert(false, `${large} ms, and ${small} ms for an eighth`);
}

/** How long `work` takes, in milliseconds. */
async function timeOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
