/** Makes the calls that look through 10 GiB, and prints what they took. */
import { holdTo, largeFiles, nameOf } from "./size.ts";
import { CASES, LONG_CASES } from "./sizes.ts";

using files = largeFiles();
for (const one of [...CASES, ...LONG_CASES]) {
  const began = performance.now();
  const { grownMib } = await holdTo(one, files.folder);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${seconds.padStart(5)} s ${grownMib} MiB  ${nameOf(one)}`);
}
