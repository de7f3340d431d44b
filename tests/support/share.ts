/** Divides the cases of pure code among the runtimes, since the gate runs all of them. */
const RUNTIMES = ["Deno", "Bun"];

/** Whether each runtime runs all cases, and more random ones: `deno task test:full`. */
export const IS_FULL: boolean = (globalThis as Environment).process?.env
  .READ_FILE_TESTS === "full";

/** The environment variables, which the edge does not have. */
interface Environment {
  readonly process?: { readonly env: Readonly<Record<string, string>> };
}

/** The cases of this runtime: every second one. The edge repeats every fourth one, half of Deno's. */
export function shareOf<Case>(cases: Iterable<Case>): Case[] {
  const all = Array.from(cases);
  if (IS_FULL) return all;
  const mine = RUNTIMES.findIndex((name) => name in globalThis);
  const [first, step] = mine < 0
    ? [0, 2 * RUNTIMES.length]
    : [mine, RUNTIMES.length];
  return all.filter((_, at) => at % step === first);
}

/** The number of random cases: `part`, or `all` in `deno task test:full`. */
export function some(all: number, part: number): number {
  return IS_FULL ? all : part;
}
