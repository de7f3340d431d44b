// Does the work of a row several times, and prints the peak memory.
import { join } from "node:path";
import process from "node:process";
import {
  createCodexReadFile,
  createOpenFile,
  createToolkitReadFile,
  openWorkspace,
  type Workspace,
} from "../../mod.ts";
import { pageCalls } from "../tools.ts";
import { peakBytes } from "./peak.ts";
import { NO_CACHE } from "../no_cache.ts";

interface Facts {
  readonly root: string;
  readonly log: string;
  readonly deep: number;
  readonly small: string;
  readonly whole: string;
  readonly code: string;
}

const [task = "", json = ""] = process.argv.slice(2);
const facts: Facts = JSON.parse(json);
const { root, log, deep, small, whole, code } = facts;

const work: Readonly<
  Record<string, (workspace: Workspace) => Promise<unknown>>
> = {
  import: () => Promise.resolve(),
  count: (workspace) =>
    workspace.read(log, { start: 1, count: 1, countLines: true }),
  page: (workspace) => workspace.read(log, { start: deep, count: 20 }),
  tail: (workspace) => workspace.read(log, { tail: 20, numbered: false }),
  async small(workspace) {
    const page = { root, path: small, start: 101, end: 150 };
    for (const { call } of pageCalls(workspace, page)) await call();
  },
  async whole(workspace) {
    const request = { path: whole, max_lines: 500 };
    await createToolkitReadFile(workspace).call(request);
    await createOpenFile(workspace).call({ file_path: whole });
  },
  block: (workspace) =>
    createCodexReadFile(workspace).call({
      file_path: join(root, code),
      offset: 25_020,
      mode: "indentation",
      indentation: { max_levels: 2 },
    }),
};

const workspace = await openWorkspace(root, NO_CACHE);
for (let time = 0; time < 3; time++) await work[task]!(workspace);
process.stdout.write(String(peakBytes()));
