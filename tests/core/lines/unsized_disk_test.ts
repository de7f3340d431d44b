import { assert, assertMatch } from "@std/assert";
import { existsSync } from "node:fs";
import { describe, it } from "node:test";
import { bunFs, denoFs, openWorkspace, readFile } from "../../../mod.ts";

describe("a file of /proc", { skip: !existsSync("/proc/version") }, () => {
  for (const nonBlocking of [false, true]) {
    it(`is read to its end (nonBlocking: ${nonBlocking})`, async () => {
      const options = { nonBlocking };
      const fs = "Bun" in globalThis ? bunFs(options) : denoFs(options);
      const workspace = await openWorkspace("/proc", { fs });
      const { text } = await readFile(workspace, "version");
      assertMatch(text, /^Linux version .*\n$/);
      const page = await workspace.read("cpuinfo", { count: 2 });
      assert(page.size > 0 && page.lines.length === 2);
    });
  }
});
