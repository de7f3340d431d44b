// A played model makes these calls, one after the other, and prints what it is handed.
import { openWorkspace, readerTools } from "@agent-tools/read-file";

/** The calls that each example makes: a page, another tool's name, a number in quotes, a wrong type, no path, a failure, an image. */
export const CALLS: readonly Readonly<Record<string, unknown>>[] = [
  { path: "add.ts", start: 2, count: 2 },
  { path: "app.log", offset: 2 },
  { path: "add.ts", start: "2", end: null },
  { path: "add.ts", start: [2] },
  { file_path: "add.ts" },
  { path: "ad.ts" },
  { path: "dot.gif" },
];

/** The tools of each example. */
export async function makeTools() {
  const files = new URL("files", import.meta.url).pathname;
  return readerTools(await openWorkspace(files));
}

/** Prints what the model was handed for a call, as one line. */
export function print(told: unknown): void {
  console.log(JSON.stringify(told));
}
