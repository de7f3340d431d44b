// Runtime-agnostic.
import { untilGiven, whenThere } from "../awaitable.ts";
import type { Call } from "../call.ts";
import type { Awaitable } from "../port.ts";

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
