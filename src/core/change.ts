// Runtime-agnostic.
import { CLOCK_GRAIN_MS } from "./limits.ts";
import type { FileStat } from "./port.ts";

/** How a file differs from what it was, as far as its size and its times tell. */
export type Change = "same" | "shrank" | "larger" | "rewritten" | "touched";

/** Compares what a file was with what it is. */
export function changeOf(before: FileStat, now: FileStat): Change {
  if (now.size < before.size) return "shrank";
  if (now.size > before.size) return "larger";
  // Even what is no number is the same as itself.
  if (!Object.is(now.mtimeMs, before.mtimeMs)) return "rewritten";
  return Object.is(now.ctimeMs, before.ctimeMs) ? "same" : "touched";
}

/**
 * Whether every later change of a file must be seen from its times: not if it has
 * none, nor if it has changed within the clock's grain before `now`, so that
 * another change would leave it the same ones. `now` is from before `stat`.
 */
export function isAtRest(
  { mtimeMs, ctimeMs }: FileStat,
  now: number,
): boolean {
  // What is no date, such as an infinite one, proves nothing either.
  if (mtimeMs === null || !Number.isSafeInteger(Math.trunc(mtimeMs))) {
    return false;
  }
  // A time to come was set by someone, and a change would set another. When it
  // was set tells whether that would be seen.
  const changedMs = mtimeMs > now
    ? ctimeMs ?? mtimeMs
    : Math.max(mtimeMs, ctimeMs ?? mtimeMs);
  return now - changedMs > CLOCK_GRAIN_MS;
}
