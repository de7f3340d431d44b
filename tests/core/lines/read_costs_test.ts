import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  openWorkspace,
  readFile,
  type ReadPolicy,
  type Selection,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { linesOfLengths, patternFs } from "../../support/pattern_fs.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** The cost of a read of a file of `size` bytes, in lines of 64 bytes. */
async function costOf(
  size: number,
  selection: Selection,
  policy?: ReadPolicy,
) {
  const block = linesOfLengths(Array.from({ length: 16 }, () => 64));
  const fs = countingFs(patternFs({ block, times: size / KIB }));
  const workspace = await openWorkspace("/ws", { fs });
  const window = await readFile(workspace, "a", selection, policy);
  const { reads, bytes } = fs.counts;
  return { reads, bytes, window };
}

describe("a file of at most 64 KiB is read in one call, for any selection", () => {
  const wanted: readonly (readonly [Selection, ReadPolicy])[] = [
    [{ kind: "all" }, {}],
    [{ kind: "all" }, { binary: "reject-invalid", countAll: true }],
    [{ kind: "all" }, { binary: "reject-nul" }],
    [{ kind: "all" }, { binary: "bytes" }],
    [{ kind: "lines", start: 9, count: 4 }, {}],
    [{ kind: "lines", start: 9, count: 4 }, { binary: "reject-invalid" }],
    [{ kind: "lines", start: 9, count: 4 }, { countAll: true }],
    [{ kind: "tail", count: 3 }, {}],
    [{ kind: "tail", count: 3 }, { countAll: true }],
  ];
  for (const [selection, policy] of wanted) {
    it(JSON.stringify([selection, policy]), async () => {
      for (const size of [KIB, 8 * KIB, 64 * KIB]) {
        const { reads, bytes } = await costOf(size, selection, policy);
        assertEquals({ reads, bytes }, { reads: 1, bytes: size });
      }
    });
  }
});

describe("a large file is read only as far as necessary", () => {
  const SIZE = 64 * MIB;

  it("it ends the scan after the first lines", async () => {
    const first = { kind: "lines", start: 1, count: 20 } as const;
    const { bytes, window } = await costOf(SIZE, first);
    assert(bytes <= 64 * KIB, `${bytes} bytes`);
    assertEquals([window.kind, window.bytes.length], ["text", 20 * 64]);
    assert(window.kind === "text" && window.totalLines === null);
  });
  it("it ends the scan after lines in the middle", async () => {
    const start = 32 * MIB / 64;
    const { bytes } = await costOf(SIZE, { kind: "lines", start, count: 20 });
    // The lines are read again if the buffer dropped their beginning.
    const most = 32 * MIB + 256 * KIB + 20 * 64;
    assert(bytes <= most, `${bytes} bytes`);
  });
  it("it finds the last lines from the end", async () => {
    const last = { kind: "tail", count: 20 } as const;
    const { bytes, reads, window } = await costOf(SIZE, last);
    assert(bytes <= 128 * KIB && reads <= 2, `${bytes} bytes, ${reads} reads`);
    assert(window.kind === "text" && window.start === null);
  });
  it("it numbers the last lines on request, reading each byte once", async () => {
    const last = { kind: "tail", count: 20 } as const;
    const { bytes, window } = await costOf(SIZE, last, { countAll: true });
    assert(bytes <= SIZE + 128 * KIB, `${bytes} bytes`);
    assert(window.kind === "text" && window.start === SIZE / 64 - 19);
  });
  it("it counts the total on request, reading each byte once and the lines again", async () => {
    const first = { kind: "lines", start: 1, count: 20 } as const;
    const { bytes, window } = await costOf(SIZE, first, { countAll: true });
    assert(bytes <= SIZE + 20 * 64, `${bytes} bytes`);
    assert(window.kind === "text" && window.totalLines === SIZE / 64);
  });
});
