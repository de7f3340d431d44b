/** A clock that a test sets: how long work takes then depends on no machine. */

/**
 * Runs `work` on a clock that moves only when it is read, by `stepMs`. With the
 * length of a time slice each check is due; with 0, none is.
 */
export async function withClock<T>(
  stepMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const real = performance.now.bind(performance);
  let now = real();
  performance.now = () => now += stepMs;
  try {
    return await work();
  } finally {
    // A clock never goes back: the process keeps times that it took from it.
    const ahead = Math.max(0, now - real());
    performance.now = () => real() + ahead;
  }
}
