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
  // At the edge, the clock stands still while a worker works, or ticks in milliseconds.
  await assertTimes(MOST, () => work(size), () => work(size / FACTOR), 1);
}

/** Fails if `work` takes more than `most` times as long as `usual`, or as `leastMs` if that is more. */
export async function assertTimes(
  most: number,
  work: () => unknown,
  usual: () => unknown,
  leastMs = 0,
): Promise<void> {
  let [took, usually] = [Infinity, Infinity];
  // The first time is that of code which is not compiled yet.
  await usual();
  for (let round = 0; round < TRIES; round++) {
    usually = Math.min(usually, await timeOf(usual));
    took = Math.min(took, await timeOf(work));
    if (took <= most * Math.max(usually, leastMs)) return;
  }
  assert(false, `${took} ms, more than ${most} times ${usually} ms`);
}

/** How long `work` takes, in milliseconds. */
async function timeOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
