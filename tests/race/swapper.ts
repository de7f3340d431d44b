/**
 * The attacker, in Bun: swaps two names as fast as it can.
 *
 * Usage: `swapper.ts NAME OTHER SECONDS`. It prints `ready`, ends with its
 * standard input or after SECONDS, and prints how many swaps it made.
 */
import process from "node:process";

/** The part of `bun:ffi` that is used; Deno has no types for it. */
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

const [name = "", other = "", seconds = ""] = process.argv.slice(2);
const { dlopen, ptr } = await import(["bun", "ffi"].join(":")) as Ffi;
const { symbols: { renameat2 } } = dlopen("libc.so.6", {
  renameat2: { args: ["i32", "ptr", "i32", "ptr", "u32"], returns: "i32" },
});
const [one, two] = [name, other].map((path) =>
  new TextEncoder().encode(`${path}\0`)
);

let told = false;
process.stdin.on("end", () => told = true).resume();
console.log("ready");

const began = performance.now();
const end = began + Number(seconds) * 1000;
let swaps = 0;
while (!told && performance.now() < end) {
  // An even number of swaps restores the original state.
  for (let i = 0; i < SWAPS_AT_A_TIME; i++) {
    const failed = renameat2!(
      AT_FDCWD,
      ptr(one!),
      AT_FDCWD,
      ptr(two!),
      RENAME_EXCHANGE,
    );
    if (failed) throw new Error(`Cannot exchange ${name} and ${other}`);
  }
  swaps += SWAPS_AT_A_TIME;
  // Standard input is only read between turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(Math.round(swaps / (performance.now() - began) * 1000));
process.exit(0);
