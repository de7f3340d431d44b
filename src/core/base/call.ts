// Runtime-agnostic.
import { type Awaitable, isPromise } from "./port.ts";
import { ReadFileError } from "./errors.ts";
import { TURN_MS } from "./limits.ts";

/** Goes on with a value: at once if it is there, and else when it comes. */
export function whenThere<T, U>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<U>,
): Awaitable<U> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** Asks for a value; if that fails, now or later, `fail` has the last word. */
export function orElse<T>(
  ask: () => Awaitable<T>,
  fail: (error: unknown) => Awaitable<T>,
): Awaitable<T> {
  try {
    const answer = ask();
    return isPromise(answer) ? answer.catch(fail) : answer;
  } catch (error) {
    return fail(error);
  }
}

/** Repeats a step until it gives a value; only steps that wait cost turns. */
export function untilGiven<T>(
  step: () => Awaitable<T | undefined>,
): Awaitable<T> {
  for (;;) {
    const given = step();
    if (isPromise(given)) return untilGivenLater(given, step);
    if (given !== undefined) return given;
  }
}

async function untilGivenLater<T>(
  waiting: Promise<T | undefined>,
  step: () => Awaitable<T | undefined>,
): Promise<T> {
  let given = await waiting;
  while (given === undefined) given = await step();
  return given;
}

/**
 * Lets the event loop turn if calls may have kept it for long, of which one began
 * at `since`. All calls have its turns together: if each had its own, ten scans
 * at once would keep the loop for ten times as long.
 *
 * Each waits for a turn of its own all the same. At the edge a timer goes with
 * the request that set it, and who waits for another's may wait for ever.
 */
function breathe(since: number): Awaitable<void> {
  const now = performance.now();
  // One call after the other is one work, unless there was time for others between.
  if (since - last > TURN_MS) began = since;
  last = now;
  if (now - began < TURN_MS) return;
  const turn = ended;
  return leaveTurn().then(() => {
    // The first call that asked for the end of a turn and comes back ends it.
    if (turn !== ended) return;
    ended++;
    began = last = performance.now();
  });
}

/** Lets others have a turn of the event loop. */
export type LeaveTurn = () => Promise<void>;

/** Leaves a turn by a timer. A message channel would be faster, but starves timers on Deno and Bun. */
export const leaveByTimer: LeaveTurn = () =>
  new Promise((resolve) => setTimeout(resolve, 0));

/** How a turn is left. It belongs to the event loop, of which a process has one. */
let leaveTurn = leaveByTimer;

/** Sets how a turn is left: a port knows its runtime, and may know a way that takes less time. */
export function offerTurn(leave: LeaveTurn): void {
  leaveTurn = leave;
}

/** How many turns have ended because we left them. */
let ended = 0;
/** When the work began that the loop may not have turned since. */
let began = 0;
/** When a breath was last asked for. */
let last = 0;

/** One call in progress: it can be aborted, and leaves turns to others. */
export class Call {
  /** The path as the caller gave it, for messages. */
  readonly path: string;
  readonly #signal: AbortSignal | undefined;
  readonly #since: number = performance.now();

  /** Constructs a new instance for reading `path`, until `signal` says stop. */
  constructor(path: string, signal?: AbortSignal) {
    // Whoever passes a controller, say, would wait for nothing to stop it.
    if (signal !== undefined && typeof signal?.aborted !== "boolean") {
      const argument = "signal";
      const problem = "must be an AbortSignal";
      throw new ReadFileError("INVALID_ARGUMENT", path, { argument, problem });
    }
    this.path = path;
    this.#signal = signal;
  }

  /** What says stop. */
  get signal(): AbortSignal | undefined {
    return this.#signal;
  }

  /** Throws `ABORTED` once the caller has given up. */
  check(): void {
    if (this.#signal?.aborted) throw this.#aborted();
  }

  /**
   * Waits for a port, but no longer than the caller does.
   *
   * What comes too late is given to `discard`, so that a file that opens after
   * the caller has left is closed all the same.
   */
  wait<T>(value: Awaitable<T>, discard?: (late: T) => void): Awaitable<T> {
    const signal = this.#signal;
    if (signal === undefined) return value;
    if (!isPromise(value)) {
      if (!signal.aborted) return value;
      discard?.(value);
      throw this.#aborted();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(this.#aborted());
        value.then(discard, () => {});
      };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      // The listener goes before the answer does, or one answer could go both ways.
      const stay = () => signal.removeEventListener("abort", leave);
      value.then(stay, stay);
      value.then(resolve, reject);
    });
  }

  /** Lets the event loop turn if calls have kept it for long. */
  breathe(): Awaitable<void> {
    this.check();
    return breathe(this.#since);
  }

  #aborted(): ReadFileError<"ABORTED"> {
    return new ReadFileError("ABORTED", this.path, {});
  }
}

/**
 * Lets so many in at a time; the others wait, first come, first in.
 *
 * Invariant: whoever waits, there is no place free.
 */
export class Turnstile {
  #free: number;
  // Longer lists take their time to drop the first entry; a Set does not.
  readonly #waiting = new Set<() => void>();

  /** Constructs a new instance with that many places. */
  constructor(places: number) {
    this.#free = places;
  }

  /** Takes a place: at once where there is one, without costing a turn. */
  enter(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Gives a place back, to whoever has waited longest. */
  leave(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      return next();
    }
    this.#free++;
  }
}

/** Work that stops after each step, so that others get turns. */
export type Steps<T> = Generator<void, T>;

/** How many lines, or hidden characters, are a step: far less than a turn's work. */
export const STEP = 4096;

/** Does the work, and leaves turns to others while it takes long: what is little is done at once. */
export function takeTurns<T>(work: Steps<T>, call: Call): Awaitable<T> {
  const done = untilGiven(() => {
    const { done, value } = work.next();
    return done ? { value } : whenThere(call.breathe(), () => undefined);
  });
  return whenThere(done, ({ value }) => value);
}

/** Does the work without a stop. */
export function doAtOnce<T>(work: Steps<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
