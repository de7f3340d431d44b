/** A clock that a test sets, so that times do not depend on the machine. */

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
    // The clock must not go back, since the process keeps earlier times.
    const ahead = Math.max(0, now - real());
    performance.now = () => real() + ahead;
  }
}
