/** An event loop under the control of a test, so that times and turns do not depend on the machine. */

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

/** How often the real loop turns before a turn of the controlled one: streams and answers arrive meanwhile. */
const REAL_TURNS = 4;

/** The clock and the timers of a loop. */
export class EventLoop {
  /** The time, which only work and timers advance. It begins at the real one, since the process remembers earlier times, and is a whole number, since sums of fractions are rounded. */
  now: number = Math.ceil(performance.now());
  /** How many turns of the loop have ended. */
  turns = 0;
  readonly #timers = new Map<number, Timer>();
  #count = 0;

  /** Works for a time, in which nothing else can run. */
  work(ms: number): void {
    this.now += ms;
  }

  readonly setTimeout = (fire: () => void, ms = 0): number => {
    const id = ++this.#count;
    this.#timers.set(id, { due: this.now + Math.max(1, ms), fire });
    return id;
  };

  readonly clearTimeout = (id: unknown): void => {
    this.#timers.delete(Number(id));
  };

  /** Ends a turn: the clock goes on to the next timer, and all timers that are due fire. */
  turn(): void {
    this.turns++;
    const dues = [...this.#timers.values()].map(({ due }) => due);
    this.now = Math.max(this.now, Math.min(...dues, Infinity));
    for (const [id, { due, fire }] of [...this.#timers]) {
      if (due > this.now || !this.#timers.delete(id)) continue;
      fire();
    }
  }

  get isIdle(): boolean {
    return this.#timers.size === 0;
  }
}

/** Runs `run` on such a loop. A turn ends once nothing more can run without its timers. */
export async function inEventLoop<T>(
  run: (loop: EventLoop) => Promise<T>,
): Promise<T> {
  const loop = new EventLoop();
  const { setTimeout, clearTimeout } = globalThis;
  const real = performance.now.bind(performance);
  const realDate = Date.now;
  const epoch = Math.round(Date.now() - loop.now);
  performance.now = () => loop.now;
  Date.now = () => epoch + loop.now;
  globalThis.setTimeout = Object.assign(loop.setTimeout, setTimeout);
  globalThis.clearTimeout = loop.clearTimeout;
  try {
    let ended = false;
    const running = run(loop).finally(() => ended = true);
    running.catch(() => {});
    while (!ended) {
      for (let turn = 0; turn < REAL_TURNS && !ended; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      if (!ended && !loop.isIdle) loop.turn();
    }
    return await running;
  } finally {
    globalThis.setTimeout = setTimeout;
    globalThis.clearTimeout = clearTimeout;
    Date.now = realDate;
    // The clock must not go back.
    const ahead = Math.max(0, loop.now - real());
    performance.now = () => real() + ahead;
  }
}
