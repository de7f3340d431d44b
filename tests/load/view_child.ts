// Reads a page through a view or a decoder; prints its answer and the memory it used.
import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import process from "node:process";
import {
  gunzipView,
  notebookView,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { legacyDetector } from "../../detect/mod.ts";
import { pdfView } from "../../pdf/mod.ts";

/** The output of the child. */
export interface ViewTold {
  /** The first line of the page, or the error code. */
  readonly answer: string;
  /** How many MiB the peak memory grew, compared with a small file of the same kind. */
  readonly grownMib: number;
}

const [root = "", file = "", small = "", options = "{}"] = process.argv
  .slice(2);
const workspace = await openWorkspace(root, {
  views: [notebookView(), gunzipView(), pdfView()],
  detect: legacyDetector(),
});

await answerTo(small);
const before = peakMib();
const answer = await answerTo(file);
const told: ViewTold = {
  answer,
  grownMib: Math.round(peakMib() - before),
};
console.log(JSON.stringify(told));

async function answerTo(path: string): Promise<string> {
  try {
    const { view, lines, inexact } = await workspace.read(
      path,
      JSON.parse(options),
    );
    assertEquals(inexact, []);
    return `${view}: ${lines[0]?.text}`;
  } catch (error) {
    if (error instanceof ReadFileError) return error.code;
    throw error;
  }
}

/** The peak memory of this process: `maxRSS` would include the parent's. */
function peakMib(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}
