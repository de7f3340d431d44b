/** A longer pause between two microtasks shows that the work ran between them. */
const PAUSE_MS = 10;

/** After this many microtasks without such a pause, the work is waiting, as for a timer. */
const IDLE_TICKS = 5000;

/** The limits of work. */
export interface WatchLimits {
  /** How long it may block the event loop. */
  readonly blockMs: number;
  /** When it must end, by the system clock, even if it waits forever. */
  readonly until: number;
}

/**
 * Waits for work that runs in microtasks, 20 ms at a time, like PDF.js. No timer
 * can run meanwhile, so this checks the clock between its steps.
 *
 * @param stop Called if the work exceeds a limit. It must end the work, and returns
 * the error to throw.
 */
export async function watch<T>(
  work: Promise<T>,
  { blockMs, until }: WatchLimits,
  stop: (limit: keyof WatchLimits) => Error,
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
    if (now - start >= blockMs) throw stop("blockMs");
    if (now > until) throw stop("until");
    if (idle < IDLE_TICKS) continue;
    // Only the event loop can continue the work.
    await new Promise((resolve) => setTimeout(resolve));
    start = last = Date.now();
    idle = 0;
  }
  const outcome = await settled;
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
