// Prints how long the first read of a revision takes in a fresh process, and how much of the processor.
import process from "node:process";
import { openWorkspace } from "../../../mod.ts";
import { gitFs } from "../../../git/mod.ts";

const [repository = "", rev = "", path = ""] = process.argv.slice(2);
/** The output of the child. */
export interface ColdTold {
  readonly ms: number;
  readonly cpuMs: number;
}

const used = process.cpuUsage();
const began = performance.now();
const fs = await gitFs({ repository, rev });
const workspace = await openWorkspace("/", { fs });
const file = await workspace.open(path);
await file.read(new Uint8Array(64 * 1024), 0);
await file.close();
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(used);
const told: ColdTold = { ms, cpuMs: (user + system) / 1000 };
console.log(JSON.stringify(told));
