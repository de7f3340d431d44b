import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../../mod.ts";

const BLANKS = 200_000;
const FILE = `  a\n${"\n".repeat(BLANKS)}  b\n`;

/** Reads the last line with `count - 1` lines above it; returns how often the signal was checked. */
async function checksFor(count: number): Promise<number> {
  const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": FILE }) });
  const { signal } = new AbortController();
  let checks = 0;
  Object.defineProperty(signal, "aborted", { get: () => checks++ < 0 });
  const block = { siblings: true, header: false, count };
  const options = { around: BLANKS + 2, block };
  const { lineCount } = await workspace.read("a", options, { signal });
  // Blank lines are shown only if a line above them is.
  assertEquals(lineCount, count > BLANKS ? count : 1);
  return checks;
}

describe("read() of a block", () => {
  it("yields also while it takes blank lines that it has scanned", async () => {
    const [few, all] = [await checksFor(3), await checksFor(BLANKS + 2)];
    assert(all > few * 1.5, `${few} checks to scan, ${all} to take as well`);
  });
});
