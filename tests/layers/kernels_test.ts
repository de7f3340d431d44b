import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type FsPort, memoryFs, openWorkspace } from "../../mod.ts";
import { mountFs, overlayFs } from "../../layers/mod.ts";
import { KernelPool, withKernels } from "../../src/core/lines/scan.ts";

/** A file larger than one chunk. */
const LARGE = "line\n".repeat(100_000);

describe("the kernels of a port", () => {
  const layers: Readonly<Record<string, (base: FsPort) => FsPort>> = {
    "mountFs()": (base) => mountFs({ "/": memoryFs({}), "/ws": base }),
    "overlayFs()": (base) => overlayFs(base, new Map()),
  };
  for (const [name, over] of Object.entries(layers)) {
    it(`scan files that are read through ${name}`, async () => {
      let made = 0;
      const kernels = new KernelPool(() => {
        made++;
        return undefined;
      });
      const base = withKernels(memoryFs({ "/ws/a": LARGE }), kernels);
      const workspace = await openWorkspace("/ws", { fs: over(base) });
      assertEquals((await workspace.read("a")).text, LARGE);
      assertEquals(made, 1);
    });
  }
});
