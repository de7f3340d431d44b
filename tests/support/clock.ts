/** A clock under the control of a test, so that times do not depend on the machine. */

/**
 * Runs `work` on a clock that advances by `stepMs` whenever it is read. With the
 * length of a time slice, every check yields; with 0, no check does. A function is
 * called whenever the clock is read, and says by how much it advances.
 */
export async function withClock<T>(
  step: number | (() => number),
  work: () => Promise<T>,
): Promise<T> {
  const real = performance.now.bind(performance);
  let now = real();
  const stepMs = typeof step === "number" ? () => step : step;
  performance.now = () => now += stepMs();
  try {
    return await work();
  } finally {
    // The clock must not go back: the process remembers earlier times.
    const ahead = Math.max(0, now - real());
    performance.now = () => real() + ahead;
  }
}
