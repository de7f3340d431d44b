/** How running time grows with size: a ratio, which does not depend on the machine. */
import { assert } from "@std/assert";

/** For 8 times the size, linear work takes 8 times as long, and quadratic work 64 times. */
const FACTOR = 8;
const MOST = 32;
/** How often a time is measured. The shortest is used: other work on the machine only adds time. */
const TRIES = 8;

/** Fails if the time of `work` grows faster than its size, measured for `size` and an eighth of it. */
export async function assertLinear(
  size: number,
  work: (size: number) => unknown,
): Promise<void> {
  // At the edge, the clock stands still while code runs, or has a resolution of milliseconds.
  await assertTimes(MOST, () => work(size), () => work(size / FACTOR), 1);
}

/** Fails if `work` takes more than `most` times as long as the longer of `usual` and `leastMs`. */
export async function assertTimes(
  most: number,
  work: () => unknown,
  usual: () => unknown,
  leastMs = 0,
): Promise<void> {
  let [took, usually] = [Infinity, Infinity];
  // Discard the first time: the code is not compiled yet.
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
  const began = now();
  await work();
  return now() - began;
}

interface Host {
  readonly process?: {
    cpuUsage?(): { readonly user: number; readonly system: number };
  };
}

/** The time of the processor, which other work on the machine does not take; at the edge, that of the clock. */
function now(): number {
  const usage = (globalThis as Host).process?.cpuUsage?.();
  return usage === undefined
    ? performance.now()
    : (usage.user + usage.system) / 1000;
}
