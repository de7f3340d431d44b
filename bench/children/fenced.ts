// Measures a first and a later call with --allow-read=<workspace>.
import { statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createOpenFile, openWorkspace } from "../../mod.ts";
import { CLOCK_GRAIN_MS } from "../../src/core/base/limits.ts";
import { partsOf } from "../port_calls.ts";
import { flatten, readRaw } from "../raw.ts";
import { race } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";

const [root = "", path = ""] = process.argv.slice(2);
const request = { file_path: path, start_line: 101, end_line: 150 };
const buffer = new Uint8Array(8 * 1024);
const tool = createOpenFile(await openWorkspace(root, NO_CACHE));
let other = tool;

// A file that changed just now is proved on every call, so wait.
const { ctimeMs } = statSync(join(root, path));
const left = ctimeMs + CLOCK_GRAIN_MS + 100 - Date.now();
await new Promise((resolve) => setTimeout(resolve, Math.max(0, left)));

const repeated = await race([
  { name: "raw", run: () => readRaw(join(root, path), buffer) },
  { name: "again", run: async () => flatten(await tool.call(request)) },
  ...await partsOf(root, (workspace) => {
    const recorded = createOpenFile(workspace);
    return () => recorded.call(request);
  }),
], { rounds: 20, calls: 50, warm: 40 });
const single = await race([
  {
    name: "first",
    prepare: async () =>
      other = createOpenFile(await openWorkspace(root, NO_CACHE)),
    run: async () => flatten(await other.call(request)),
  },
], { rounds: 200, calls: 1, warm: 20 });

process.stdout.write(JSON.stringify({
  first: single.median("first"),
  again: repeated.median("again"),
  raw: repeated.median("raw"),
  port: repeated.median("port"),
  work: repeated.median("work"),
}));
