// Not at the edge: the clock does not advance while a worker runs.
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../../mod.ts";

const BLOCK = Uint8Array.from(
  { length: 65_536 },
  (_, at) => at * at % 7 < 3 ? 0x61 : 0x62,
);

/** A line of 1 TiB, so that a search ends only when it is aborted. */
function endlessLineFs(): FsPort {
  const fs = memoryFs({ "/a": "" });
  return {
    ...fs,
    async open(path) {
      const handle = await fs.open(path);
      return {
        ...handle,
        stat: async () => ({ ...await handle.stat(), size: 1024 ** 4 }),
        read(buffer) {
          for (let at = 0; at < buffer.length; at += BLOCK.length) {
            buffer.set(BLOCK.subarray(0, buffer.length - at), at);
          }
          return buffer.length;
        },
      };
    },
  };
}

describe("workspace.read() with a match", () => {
  for (const match of ["(a+)+$", "(a|b)*a(a|b){14}$", "((a|b)*b){9}c"]) {
    it(`yields to the timer that aborts it: ${match}`, async () => {
      const workspace = await openWorkspace("/", { fs: endlessLineFs() });
      const ender = new AbortController();
      setTimeout(() => ender.abort(), 20);
      const { signal } = ender;
      const error = await assertRejects(
        () => workspace.read("a", { match, regex: true }, { signal }),
        ReadFileError,
      );
      assertEquals(error.code, "ABORTED");
    });
  }
});
