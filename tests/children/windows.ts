/** Makes the ports of a disk, as on another system: `windows.ts node|deno|none win32|darwin DIR`. */
import process from "node:process";
import * as reader from "../../mod.ts";

const [, , sign, system, folder = ""] = process.argv;

// One sign at a time: each must be enough.
if (sign === "node") {
  Object.defineProperty(process, "platform", { value: system });
} else if (sign === "deno") {
  // `Deno.build` is frozen.
  const { Deno: deno } = globalThis as unknown as { Deno: object };
  const os = system === "win32" ? "windows" : system;
  const faked = Object.create(deno, { build: { value: { os } } });
  Object.defineProperty(globalThis, "Deno", { value: faked });
}

const PORTS = {
  denoFs: reader.denoFs,
  bunFs: reader.bunFs,
  nodeFs: reader.nodeFs,
  hostFs: reader.hostFs,
};

/** What a call gives, or its code. */
async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
}

const outcomes: Record<string, unknown> = {};
for (const [name, make] of Object.entries(PORTS)) {
  for (const nonBlocking of [false, true]) {
    const fs = make({ nonBlocking });
    const { spelling } = fs;
    // The disk is one of Linux, so a port of Windows finds nothing on it.
    const lstat = await outcomeOf(async () =>
      (await fs.lstat(`${folder}/a.txt`)).id
    );
    const fstat = await outcomeOf(async () => {
      const handle = await fs.open(`${folder}/a.txt`);
      const { id, size, mtimeMs } = await handle.stat();
      await handle.close();
      return { id, size, mtimeMs };
    });
    const read = await outcomeOf(async () => {
      const workspace = await reader.openWorkspace(folder, { fs });
      return (await workspace.read("a.txt")).lines[0]?.text;
    });
    outcomes[`${name}, ${nonBlocking}`] = { spelling, lstat, fstat, read };
  }
}
console.log(JSON.stringify(outcomes));
