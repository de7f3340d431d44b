// Runtime-agnostic.

/** The longest pause between two microtasks while no other work is done. */
const PAUSE_MS = 10;

/** How many microtasks without other work mean that the work waits for the event loop. */
const IDLE_TICKS = 5000;

/**
 * Waits for work that runs in microtasks, 20 ms at a time, as that of PDF.js
 * does. No timer runs meanwhile, so this looks at the clock between its steps.
 *
 * @param stop Called if the work keeps the event loop from running for
 * `limitMs`; must end the work, and make the failure to throw.
 */
export async function watch<T>(
  work: Promise<T>,
  limitMs: number,
  stop: () => Error,
): Promise<T> {
  let isOver = false;
  const settled = (async () => {
    const [outcome] = await Promise.allSettled([work]);
    isOver = true;
    return outcome;
  })();
  let start = Date.now();
  let last = start;
  let idle = 0;
  while (!isOver) {
    await undefined;
    const now = Date.now();
    idle = now - last > PAUSE_MS ? 0 : idle + 1;
    last = now;
    if (now - start >= limitMs) throw stop();
    if (idle < IDLE_TICKS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    start = last = Date.now();
    idle = 0;
  }
  const outcome = await settled;
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
