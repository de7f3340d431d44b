/** How the time of some work grows with its size: a ratio, which no slow machine changes. */
import { assert } from "@std/assert";

/** Eight times as much work takes 8 times as long if it is linear, and 64 times if it is square. */
const FACTOR = 8;
const MOST = 32;

/** Fails if the time of `work` grows faster than its size, measured for `size` and an eighth of it. */
export async function assertLinear(
  size: number,
  work: (size: number) => unknown,
): Promise<void> {
  const small = await quickest(() => work(size / FACTOR));
  const large = await quickest(() => work(size));
  // At the edge, the clock stands still while a worker works, or ticks in milliseconds.
  const ratio = large / Math.max(small, 1);
  assert(ratio <= MOST, `${large} ms, and ${small} ms for an eighth`);
}

/** The least of three times, in milliseconds. */
async function quickest(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}
