/** Checks changesBetween() with many random edits, and measures it with large texts. */
import { assertEquals } from "@std/assert";
import { cpuUsage } from "node:process";
import {
  changesBetween,
  changesSince,
  readerTools,
  respond,
} from "../../mod.ts";
import { applied, checkChanges, pageOf, sizeOf } from "../suites/changes.ts";
import { changedCount, versionsOf } from "../suites/changes_since.ts";
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

for (const name of LARGE) {
  const [before, after] = largeTexts(name, 100_000);
  const old = before.join("");
  const workspace = await versionsOf(after.join(""), { old });
  const began = cpuUsage();
  const changes = await changesSince(workspace, "a", "old");
  const compared = cpuUsage(began);
  const [readFile] = readerTools(workspace);
  const { content } = await respond(readFile, { path: "a", changes: "old" });
  const told = cpuUsage(began);
  // Of the processor, since other programs may run.
  const ms = Math.round((compared.user + compared.system) / 1000);
  const more = Math.round((told.user + told.system) / 1000) - ms;
  console.log(
    `since a revision, ${name}: ${ms} ms, ${
      changedCount(changes)
    } lines, minimal ${changes.minimal}; read_file ${more} ms, ${content.length} characters`,
  );
}
