import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace, type ReadOptions } from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { linesOfLengths, patternFs } from "../../support/pattern_fs.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** The cost of a read of a file of `size` bytes, in lines of 64 bytes. */
async function costOf(size: number, options: ReadOptions) {
  const block = linesOfLengths(Array.from({ length: 16 }, () => 64));
  const fs = countingFs(patternFs({ block, times: size / KIB }));
  const workspace = await openWorkspace("/ws", { fs });
  const page = await workspace.read("a", options);
  const { reads, bytes } = fs.counts;
  return { reads, bytes, page };
}

describe("a file of at most 64 KiB is read in one call, whatever is asked", () => {
  const wanted: readonly ReadOptions[] = [
    {},
    { binary: "refuse-invalid", countLines: true },
    { binary: "refuse-nul" },
    { binary: "refuse-shown" },
    { binary: "bytes" },
    { start: 9, count: 4 },
    { start: 9, count: 4, binary: "refuse-invalid" },
    { start: 9, count: 4, countLines: true },
    { start: 9, column: 3, width: 4 },
    { around: 9 },
    { tail: 3 },
    { tail: 3, numbered: false },
    { tail: 3, keepEnd: true, maxBytes: 100 },
  ];
  for (const options of wanted) {
    it(JSON.stringify(options), async () => {
      for (const size of [KIB, 8 * KIB, 64 * KIB]) {
        const { reads, bytes } = await costOf(size, options);
        assertEquals({ reads, bytes }, { reads: 1, bytes: size });
      }
    });
  }
});

describe("a limit of the page bounds what is read of a file", () => {
  const limits: readonly ReadOptions[] = [
    { maxBytes: 1000 },
    { maxChars: 1000 },
    { maxTokens: 100 },
    { maxLines: 10 },
    { count: 10, maxBytes: 1000 },
    { start: 300, column: 20, maxBytes: 20 },
  ];
  for (const options of limits) {
    it(JSON.stringify(options), async () => {
      for (const size of [64 * KIB, 64 * MIB]) {
        const { reads, bytes } = await costOf(size, options);
        assertEquals(reads, 1);
        assert(bytes <= 64 * KIB, `${bytes} bytes`);
      }
    });
  }
});

describe("a large file is read only as far as necessary", () => {
  const SIZE = 64 * MIB;

  it("it ends the scan after the first lines", async () => {
    const { bytes, page } = await costOf(SIZE, { start: 1, count: 20 });
    assert(bytes <= 64 * KIB, `${bytes} bytes`);
    assertEquals(page.bytes().length, 20 * 64);
    assertEquals(page.totalLines, null);
  });
  it("it ends the scan after lines in the middle", async () => {
    const start = 32 * MIB / 64;
    const { bytes } = await costOf(SIZE, { start, count: 20 });
    // The lines are read again if the buffer dropped their beginning.
    const most = 32 * MIB + 256 * KIB + 20 * 64;
    assert(bytes <= most, `${bytes} bytes`);
  });
  it("it finds the last lines from the end", async () => {
    const last = { tail: 20, numbered: false };
    const { bytes, reads, page } = await costOf(SIZE, last);
    assert(bytes <= 128 * KIB && reads <= 2, `${bytes} bytes, ${reads} reads`);
    assertEquals([page.lines[0]?.number, page.totalLines], [-20, null]);
  });
  it("it numbers the last lines, reading each byte once", async () => {
    const { bytes, page } = await costOf(SIZE, { tail: 20 });
    assert(bytes <= SIZE + 128 * KIB, `${bytes} bytes`);
    assertEquals(page.lines[0]?.number, SIZE / 64 - 19);
  });
  it("it counts the total on request, reading each byte once and the lines again", async () => {
    const first = { start: 1, count: 20, countLines: true };
    const { bytes, page } = await costOf(SIZE, first);
    assert(bytes <= SIZE + 20 * 64, `${bytes} bytes`);
    assertEquals(page.totalLines, SIZE / 64);
  });
  it("it counts the total up to the size of the file that is given", async () => {
    const first = { start: 1, count: 20 };
    const equal = await costOf(SIZE, { ...first, countLines: SIZE });
    assertEquals(equal.page.totalLines, SIZE / 64);
    const less = await costOf(SIZE, { ...first, countLines: SIZE - 1 });
    assert(less.bytes <= 64 * KIB, `${less.bytes} bytes`);
    assertEquals(less.page.totalLines, null);
  });
});
