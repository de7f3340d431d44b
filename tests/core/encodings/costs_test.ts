// Not at the edge: the clock does not advance there.
import { assertEquals, assertLess } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../../mod.ts";

const RUN = "\x1b$B00\x1b(B";
const RUNS = 32_768;

/** The shortest of several times that reading takes. */
async function timeOf(content: string): Promise<number> {
  const fs = memoryFs({ "/a": content });
  const workspace = await openWorkspace("/", { fs });
  const times: number[] = [];
  for (let run = 0; run < 2; run++) {
    const began = performance.now();
    const { encoding } = await workspace.read("a");
    assertEquals(encoding.label, "iso-2022-jp");
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

describe("a line of many runs of ISO-2022-JP", () => {
  it("takes about the time of as many lines", async () => {
    const lines = await timeOf(`${RUN}\n`.repeat(RUNS));
    assertLess(await timeOf(RUN.repeat(RUNS)), 3 * lines);
  });
});

describe("a column far into a line without ASCII", () => {
  it("does not look through a whole block for each character", async () => {
    const COLUMNS = 300_000;
    const timeIn = async (encoding: string, bytes: readonly number[]) => {
      const content = new Uint8Array(COLUMNS * bytes.length);
      for (let at = 0; at < content.length; at += bytes.length) {
        content.set(bytes, at);
      }
      const workspace = await openWorkspace("/", {
        fs: memoryFs({ "/a": content }),
      });
      const times: number[] = [];
      for (let run = 0; run < 3; run++) {
        const began = performance.now();
        const options = { encoding, column: COLUMNS - 9 - run, width: 3 };
        const { lines } = await workspace.read("a", options);
        assertEquals(lines[0]?.text.length, 3);
        times.push(performance.now() - began);
      }
      return Math.min(...times);
    };
    const wide = await timeIn("utf-16le", [0x10, 0x04]);
    assertLess(await timeIn("koi8-r", [0xc1]), 50 * wide);
  });
});
