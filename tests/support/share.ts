/** Divides the cases of pure code among the runtimes, since the gate runs all of them. */
import { SEED } from "./random.ts";

const RUNTIMES = ["Deno", "Bun"];

/** Whether each runtime runs all cases, and more random ones: `deno task test:full`. */
export const IS_FULL: boolean = (globalThis as Environment).process?.env
  .READ_FILE_TESTS === "full";

/** The environment variables, which the edge does not have. */
interface Environment {
  readonly process?: { readonly env: Readonly<Record<string, string>> };
}

/** The index of this runtime; -1 at the edge. */
const MINE = RUNTIMES.findIndex((name) => name in globalThis);

/** This runtime runs one case of so many. */
const STEP = MINE < 0 ? 2 * RUNTIMES.length : RUNTIMES.length;

/** The cases of this runtime: every second one. The edge repeats every fourth one, half of Deno's. */
export function shareOf<Case>(cases: Iterable<Case>): Case[] {
  const all = Array.from(cases);
  if (IS_FULL) return all;
  const first = Math.max(0, MINE);
  return all.filter((_, at) => at % STEP === first);
}

/** How fast-check draws the cases of a property. */
export interface Draws {
  readonly seed: number;
  readonly numRuns: number;
}

/** Random cases: each runtime draws other ones, its share of `part`; in `deno task test:full` all draw the same `all`. */
export function draws(all: number, part: number): Draws {
  return IS_FULL
    ? { seed: SEED, numRuns: all }
    : { seed: SEED + 1 + MINE, numRuns: Math.ceil(part / STEP) };
}

/** The number of random cases: `part`, or `all` in `deno task test:full`. */
export function some(all: number, part: number): number {
  return IS_FULL ? all : part;
}
