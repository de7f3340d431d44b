// Runtime-agnostic.
import type { KeptLines, NewLines } from "./delta.ts";

/** How many runs of lines are named; for the others, only their number is given. */
const MAX_NAMED = 10;

/** Writes which lines a reader has from an earlier page. */
export function writeKept(hunks: readonly (KeptLines | NewLines)[]): string {
  const runs = hunks.filter((hunk) => "kept" in hunk);
  if (runs.length === 0) return "None of the lines were shown before";
  const named = runs.slice(0, MAX_NAMED).map(({ start, kept: [from, to] }) => {
    const now = rangeOf(start, start + to - from);
    return start === from ? now : `${now} (then ${rangeOf(from, to)})`;
  });
  const more = runs.length - named.length;
  if (more > 0) named.push(`and ${more} more runs`);
  return `Shown before, and unchanged: lines ${named.join(", ")}`;
}

/** Writes a range of lines. */
export function rangeOf(from: number, to: number): string {
  if (from === to) return `${from}`;
  return from < 0 ? `${from} to ${to}` : `${from}-${to}`;
}
