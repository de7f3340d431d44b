/** Runs the oracle tests of receipts and deltas with many edits. */
import { checkScripts } from "../suites/receipts.ts";

const count = Number(Deno.args[0] ?? 100_000);
await checkScripts(count);
console.log(`${count} random edits: 0 false same, 0 false moved`);
