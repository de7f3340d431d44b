/**
 * The attacker, in Bun: swaps two names as fast as it can. At the pace `turns`, it
 * also swaps rarely and briefly, so that most calls of the victim meet the real
 * tree.
 *
 * Usage: `swapper.ts NAME OTHER PACE SECONDS`. It prints `ready`, ends at the end
 * of its standard input or after SECONDS, and prints the number of swaps.
 */
import process from "node:process";

/** The used part of `bun:ffi`, for which Deno has no types. */
interface Ffi {
  ptr(bytes: Uint8Array): number;
  dlopen(library: string, symbols: Record<string, unknown>): {
    readonly symbols: Readonly<
      Record<string, (...args: readonly number[]) => number>
    >;
  };
}

const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;
const SWAPS_AT_A_TIME = 2048;
const RARE_SWAPS = 64;
/** The longest pauses of rare swaps, while swapped and while not. */
const AWAY_MS = 0.1;
const BACK_MS = 1;

const [name = "", other = "", pace = "", seconds = ""] = process.argv.slice(2);
const rareSwaps = pace === "turns" ? RARE_SWAPS : 0;
const { dlopen, ptr } = await import(["bun", "ffi"].join(":")) as Ffi;
const { symbols: { renameat2 } } = dlopen("libc.so.6", {
  renameat2: { args: ["i32", "ptr", "i32", "ptr", "u32"], returns: "i32" },
});
const [one, two] = [name, other].map((path) =>
  new TextEncoder().encode(`${path}\0`)
);

function exchange(): void {
  const [from, to] = [ptr(one!), ptr(two!)];
  const failed = renameat2!(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE);
  if (failed) throw new Error(`Cannot exchange ${name} and ${other}`);
}

/** Waits for a random time in a busy loop: a timer would take at least a millisecond. */
function pause(most: number): void {
  const end = performance.now() + Math.random() * most;
  while (performance.now() < end);
}

let told = false;
process.stdin.on("end", () => told = true).resume();
console.log("ready");

const began = performance.now();
const end = began + Number(seconds) * 1000;
let swaps = 0;
while (!told && performance.now() < end) {
  // An even number of swaps restores the original state.
  for (let i = 0; i < SWAPS_AT_A_TIME; i++) exchange();
  for (let i = 0; i < rareSwaps; i++) {
    exchange();
    pause(i % 2 === 0 ? AWAY_MS : BACK_MS);
  }
  swaps += SWAPS_AT_A_TIME + rareSwaps;
  // Standard input is read only between turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(Math.round(swaps / (performance.now() - began) * 1000));
process.exit(0);
