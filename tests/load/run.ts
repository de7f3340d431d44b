/** Makes the calls that scan 10 GiB, and prints the memory that they use. */
import { holdTo, largeFiles, nameOf } from "./size.ts";
import { CASES, LONG_CASES } from "./sizes.ts";
import { holdViewTo, viewCases, writeViewed } from "./views.ts";

using files = largeFiles();
for (const one of [...CASES, ...LONG_CASES]) {
  const began = performance.now();
  const { grownMib } = await holdTo(one, files.folder);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${seconds.padStart(5)} s ${grownMib} MiB  ${nameOf(one)}`);
}

const SIZES = { cells: 1_000_000, bombMib: 200, logLines: 10_000_000 };
await writeViewed(files.folder, SIZES);
for (const one of viewCases(SIZES)) {
  const began = performance.now();
  const { grownMib } = holdViewTo(one, files.folder);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${seconds.padStart(5)} s ${grownMib} MiB  ${one.file}`);
}
