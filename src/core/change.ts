// Runtime-agnostic.
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
