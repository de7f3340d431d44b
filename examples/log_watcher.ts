// Follows a log: each read shows what was written since the last one.
import {
  changesBetween,
  openWorkspace,
  type Page,
  type PageLine,
  ReadFileError,
} from "@agent-tools/read-file";
import { simulateLog } from "./log.ts";

await using log = await simulateLog();
const workspace = await openWorkspace(log.folder);
/** The lines of the log that were seen, and the etag of the last page. */
let seen: readonly PageLine[] = [];
let etag: string | undefined;

// A watcher waits for a change of the file; here, each step is one.
for await (const step of log.steps()) {
  console.log(`${step}:`);
  for (const { number, text } of await newLines()) {
    console.log(`${number} ${text}`);
  }
}

async function newLines(): Promise<readonly PageLine[]> {
  const page = await goOn();
  if (page !== undefined) {
    seen = [...seen, ...page.lines];
    etag = page.etag;
    return page.lines;
  }
  // Old lines were removed or changed, or the log was started again.
  const whole = await workspace.read("app.log");
  const { hunks } = changesBetween({ lines: seen }, whole);
  seen = whole.lines;
  etag = whole.etag;
  return hunks.flatMap((hunk) => "gone" in hunk ? hunk.lines : []);
}

/** Reads on after the last page, unless what it showed has changed. */
async function goOn(): Promise<Page | undefined> {
  if (etag === undefined) return undefined;
  try {
    const start = (seen.at(-1)?.number ?? 0) + 1;
    return await workspace.read("app.log", { start, etag });
  } catch (error) {
    if (error instanceof ReadFileError && error.is("CHANGED")) return undefined;
    throw error;
  }
}
