// Not at the edge: the clock does not advance there.
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../../mod.ts";
import { assertTimes } from "../../support/growth.ts";

const RUN = "\x1b$B00\x1b(B";
const RUNS = 32_768;

async function read(content: string): Promise<void> {
  const fs = memoryFs({ "/a": content });
  const workspace = await openWorkspace("/", { fs });
  const { encoding } = await workspace.read("a");
  assertEquals(encoding.label, "iso-2022-jp");
}

describe("a line of many runs of ISO-2022-JP", () => {
  it("takes about the time of as many lines", async () => {
    const lines = `${RUN}\n`.repeat(RUNS);
    const line = RUN.repeat(RUNS);
    await assertTimes(3, () => read(line), () => read(lines));
  });
});

describe("a column far into a line without ASCII", () => {
  it("does not look through a whole block for each character", async () => {
    const COLUMNS = 300_000;
    const readIn = async (encoding: string, bytes: readonly number[]) => {
      const content = new Uint8Array(COLUMNS * bytes.length);
      for (let at = 0; at < content.length; at += bytes.length) {
        content.set(bytes, at);
      }
      const workspace = await openWorkspace("/", {
        fs: memoryFs({ "/a": content }),
      });
      let run = 0;
      return async () => {
        const options = { encoding, column: COLUMNS - 9 - run++, width: 3 };
        const { lines } = await workspace.read("a", options);
        assertEquals(lines[0]?.text.length, 3);
      };
    };
    const wide = await readIn("utf-16le", [0x10, 0x04]);
    await assertTimes(50, await readIn("koi8-r", [0xc1]), wide);
  });
});
