/** Divides many cases of pure code between the runtimes: the gate runs in all of them, and their answers are the same. */
const RUNTIMES = ["Deno", "Bun"];

/** Whether all cases are tried in each runtime, and more of those at random: `deno task test:full`. */
export const IS_FULL: boolean = (globalThis as Environment).process?.env
  .READ_FILE_TESTS === "full";

/** The part of a runtime that says what is asked for; the edge has none. */
interface Environment {
  readonly process?: { readonly env: Readonly<Record<string, string>> };
}

/** The cases that this runtime tries: every second one, and at the edge every fourth, which Deno has as well. */
export function shareOf<Case>(cases: Iterable<Case>): Case[] {
  const all = Array.from(cases);
  if (IS_FULL) return all;
  const mine = RUNTIMES.findIndex((name) => name in globalThis);
  const [first, step] = mine < 0
    ? [0, 2 * RUNTIMES.length]
    : [mine, RUNTIMES.length];
  return all.filter((_, at) => at % step === first);
}

/** How many cases are drawn at random: a part of all, if there is more to run. */
export function some(all: number, part: number): number {
  return IS_FULL ? all : part;
}
