/** Checks changesBetween() with many random edits, and measures it with large texts. */
import { assertEquals } from "@std/assert";
import { changesBetween } from "../../mod.ts";
import { applied, checkChanges, pageOf, sizeOf } from "../suites/changes.ts";
import { LARGE, largeTexts } from "../support/large_texts.ts";

const count = Number(Deno.args[0] ?? 100_000);
console.log(`${count} random edits:`, checkChanges(count));
for (const name of LARGE) {
  const [before, after] = largeTexts(name, 100_000);
  const [from, to] = [pageOf(before), pageOf(after)];
  const began = performance.now();
  const changes = changesBetween(from, to);
  const ms = Math.round(performance.now() - began);
  assertEquals(applied(from, changes), to.lines);
  console.log(
    `${name}: ${ms} ms, ${sizeOf(changes)} lines, minimal ${changes.minimal}`,
  );
}
