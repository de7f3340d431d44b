import type { Awaitable } from "./port.ts";
import { ReadFileError } from "./errors.ts";
import { SLICE_MS } from "./limits.ts";

/** Whether a value is a promise; other values are used without `await`, which is faster. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then ===
    "function";
}

/** Yields to the event loop by a timer. A message channel would be faster, but starves timers on Deno and Bun. */
export const yieldByTimer = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 0));

/** The time slice that all calls share. With a slice for each, ten scans at once would block the loop ten times as long. */
export class TimeSlice {
  #yield = yieldByTimer;
  /** Lets calls continue one by one; `undefined` where each waits for its own timer. */
  #gate: Semaphore | undefined;
  /** When the current slice began. */
  #began = 0;
  /** When a call last checked. */
  #last = 0;

  /**
   * Sets how calls yield; each promise of `pause` must settle. Calls then continue one
   * by one, in order: if all continued at once, 64 calls would block the loop for 64
   * steps. By default each call waits for its own timer: at the edge a timer ends with
   * the request that set it, so a call could wait forever for the timer of another.
   */
  yieldBy(pause: typeof yieldByTimer): void {
    this.#yield = pause;
    this.#gate ??= new Semaphore(1);
  }

  /** Yields if calls have blocked the loop for {@linkcode SLICE_MS}; `callBegan` is when this call began. */
  yieldIfDue(callBegan: number): Promise<void> | undefined {
    const now = performance.now();
    // Back-to-back calls share a slice; an idle gap resets it.
    if (callBegan - this.#last > SLICE_MS) this.#began = callBegan;
    this.#last = now;
    return now - this.#began < SLICE_MS ? undefined : this.#wait();
  }

  async #wait(): Promise<void> {
    const gate = this.#gate;
    if (gate === undefined) return await this.#next();
    await gate.acquire();
    if (performance.now() - this.#began >= SLICE_MS) await this.#next();
    gate.release();
  }

  async #next(): Promise<void> {
    const began = this.#began;
    await this.#yield();
    // The first call that continues begins the next slice.
    if (began === this.#began) this.#began = this.#last = performance.now();
  }
}

/** The time slice of the process: it has one event loop, so all its workspaces share one slice. */
export const timeSlice: TimeSlice = new TimeSlice();

/** Waits for a promise until `signal` aborts; a value that arrives later goes to `discard`. */
export function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  discard?: (late: T) => void,
  reason: () => unknown = () => signal.reason,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(reason());
      promise.then(discard, () => {});
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    // Remove the listener first, so that a value is never both used and discarded.
    const removeListener = () => signal.removeEventListener("abort", onAbort);
    promise.then(removeListener, removeListener);
    promise.then(resolve, reject);
  });
}

/** One call in progress: it can be aborted, and yields to the event loop. */
export class Call {
  /** The path as the caller gave it, for messages. */
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  /** The most bytes that it reads of one file; past them, `SCAN_LIMIT`. */
  readonly maxScanBytes: number;
  readonly #began: number = performance.now();

  constructor(path: string, signal?: AbortSignal, maxScanBytes = Infinity) {
    this.path = path;
    this.signal = signal;
    this.maxScanBytes = maxScanBytes;
  }

  /** Throws `ABORTED` if the signal has aborted. */
  check(): void {
    if (this.signal?.aborted) throw this.#aborted();
  }

  /** Waits for a port until the signal aborts; a later answer goes to `discard`, which closes a file. */
  wait<T>(value: Awaitable<T>, discard?: (late: T) => void): Awaitable<T> {
    const { signal } = this;
    if (signal === undefined) return value;
    if (!isPromise(value)) {
      if (!signal.aborted) return value;
      discard?.(value);
      throw this.#aborted();
    }
    return untilAborted(value, signal, discard, () => this.#aborted());
  }

  /** Yields to the event loop if calls have blocked it for long; throws `ABORTED`. */
  yieldIfDue(): Promise<void> | undefined {
    this.check();
    return timeSlice.yieldIfDue(this.#began);
  }

  /** The same where all that is left is work in memory: an abort ends it only if it yields. */
  yieldThenCheck(): Promise<void> | undefined {
    return timeSlice.yieldIfDue(this.#began)?.then(() => this.check());
  }

  #aborted(): ReadFileError {
    return new ReadFileError("ABORTED", this.path, {});
  }
}

/** A counting semaphore: a fixed number of slots, acquired in order. */
export class Semaphore {
  #free: number;
  // A Set drops its first entry in constant time; a long array does not.
  readonly #waiting = new Set<() => void>();

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Acquires a slot: returns `undefined` if one is free, and a promise of one otherwise. */
  acquire(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Passes the slot to the call that has waited longest. */
  release(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      return next();
    }
    this.#free++;
  }
}

/** Work in steps, between which the event loop can run. */
export type Steps<T> = Generator<void, T>;

/** How many lines, or hidden characters, a step takes: far less than a time slice. */
export const STEP_ITEMS = 4096;

/** Does the work, and yields to the event loop between steps if it takes long. */
export function runInSteps<T>(work: Steps<T>, call: Pick<Call, "yieldIfDue">) {
  const { done, value } = work.next();
  return done ? value : runRest(work, call);
}

async function runRest<T>(work: Steps<T>, call: Pick<Call, "yieldIfDue">) {
  for (;;) {
    await call.yieldIfDue();
    const { done, value } = work.next();
    if (done) return value;
  }
}

export function runAtOnce<T>(work: Steps<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
