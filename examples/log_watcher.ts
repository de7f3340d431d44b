// Follows a log: each read shows what was written since the last receipt.
import { openWorkspace, type Page } from "@agent-tools/read-file";
import { simulateLog } from "./log.ts";

await using log = await simulateLog();
const workspace = await openWorkspace(log.folder);
let last: Page | undefined;

// A watcher waits for a change of the file; here, each step is one.
for await (const step of log.steps()) {
  const start = await nextLine();
  const page = await workspace.read("app.log", { start });
  console.log(`${step}:`);
  for (const { number, text } of page.lines) console.log(`${number} ${text}`);
  if (page.lines.length > 0) last = page;
}

/** The line after those that were shown, wherever they are now. */
async function nextLine(): Promise<number> {
  if (last === undefined) return 1;
  const next = last.lines.at(-1)!.number + 1;
  const found = await workspace.recheck("app.log", last.receipt);
  if ("same" in found) return next;
  // Old lines were removed above, or others were put there.
  if ("moved" in found) return next + found.moved;
  // The log was started again.
  return 1;
}
