/** Divides cases of pure code between the runtimes, since the gate runs in both. */
const RUNTIMES = ["Deno", "Bun"];

/** The cases that this runtime tries: all of them at the edge, and every second one elsewhere. */
export function shareOf<Case>(cases: Iterable<Case>): Case[] {
  const mine = RUNTIMES.findIndex((name) => name in globalThis);
  return Array.from(cases).filter((_, at) =>
    mine < 0 || at % RUNTIMES.length === mine
  );
}
