// Reads files one after the other; prints how WebAssembly was used.
import process from "node:process";
import { bunFs, denoFs, openWorkspace } from "../../mod.ts";

/** The output of the child. */
export interface Told {
  /** How many modules were compiled. */
  readonly compiled: number;
  /** How many bytes a module scanned. */
  readonly scanned: number;
}

type Scan = (from: number, to: number, ...rest: readonly number[]) => number;

const { Module, Instance } = WebAssembly;
let compiled = 0;
let scanned = 0;

function watched(scan: Scan): Scan {
  return (from, to, ...rest) => {
    scanned += to - from;
    return scan(from, to, ...rest);
  };
}

class WatchedModule extends Module {
  constructor(bytes: BufferSource) {
    super(bytes);
    compiled++;
  }
}

class WatchedInstance {
  readonly exports: Readonly<Record<string, unknown>>;
  constructor(module: WebAssembly.Module) {
    const { exports } = new Instance(module);
    const entries = Object.entries(exports).map(([name, value]) => [
      name,
      // Every exported function of this module is a scan.
      typeof value === "function" ? watched(value as Scan) : value,
    ]);
    this.exports = Object.fromEntries(entries);
  }
}

Object.defineProperty(globalThis, "WebAssembly", {
  value: { Module: WatchedModule, Instance: WatchedInstance },
});

const [root = "", waits = "", ...names] = process.argv.slice(2);
const options = { nonBlocking: waits === "nonBlocking" };
const fs = "Bun" in globalThis ? bunFs(options) : denoFs(options);
const workspace = await openWorkspace(root, { fs });
for (const name of names) {
  await workspace.read(name, { countLines: true });
}
const told: Told = { compiled, scanned };
console.log(JSON.stringify(told));
