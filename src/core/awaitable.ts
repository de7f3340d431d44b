// Runtime-agnostic.
import { type Awaitable, isPromise } from "./port.ts";

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
