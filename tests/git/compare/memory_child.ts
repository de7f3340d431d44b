// Reads a large file of a revision, forwards and from its end; prints the memory that it took.
import { readFileSync } from "node:fs";
import process from "node:process";
import { openWorkspace } from "../../../mod.ts";
import { gitFs } from "../../../git/mod.ts";

/** The output of the child. */
export interface MemoryTold {
  readonly size: number;
  /** How many MiB the peak memory grew. */
  readonly grownMib: number;
  /** How long opening took, which checks the hash. */
  readonly openMs: number;
  readonly readMs: number;
}

const [repository = "", rev = "", path = "", small = ""] = process.argv.slice(
  2,
);
const fs = await gitFs({ repository, rev });
const workspace = await openWorkspace("/", { fs });
await (await workspace.open(small)).close();
const before = peakMib();
const began = performance.now();
const file = await workspace.open(path);
const opened = performance.now();
const { size } = file.stat;
const buffer = new Uint8Array(256 * 1024);
let at = 0;
while (at < size) at += await file.read(buffer, at);
for (let end = size; end > size - 4_000_000; end -= buffer.length) {
  await file.read(buffer, Math.max(0, end - buffer.length));
}
await file.close();
const told: MemoryTold = {
  size: at,
  grownMib: Math.round(peakMib() - before),
  openMs: Math.round(opened - began),
  readMs: Math.round(performance.now() - opened),
};
console.log(JSON.stringify(told));

/** The peak memory of this process: `maxRSS` would include the parent's. */
function peakMib(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}
