import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  type FileStat,
  openWorkspace,
  type ReadOptions,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { cutFs } from "../../support/cuts.ts";
import {
  linesOfLengths,
  type Pattern,
  patternFs,
} from "../../support/pattern_fs.ts";

const MIB = 1024 * 1024;
const KIB = 1024;

/** A log of 64 MiB, in lines of 64 bytes. */
const LOG: Pattern = {
  block: linesOfLengths(Array.from({ length: KIB }, () => 64)),
  times: KIB,
};
const LOG_LINES = MIB;

/** A page deep in the log. */
const DEEP = { start: 900_001, count: 200 };
const PAGE_BYTES = 200 * 64;

async function openOn(pattern: Pattern) {
  const fs = countingFs(patternFs(pattern));
  const workspace = await openWorkspace("/ws", { fs });
  const bytesOf = async (work: () => Promise<unknown>) => {
    fs.counts.bytes = 0;
    await work();
    return fs.counts.bytes;
  };
  return { workspace, bytesOf };
}

describe("a deep page", () => {
  it("is found by a scan the first time, and by the index afterwards", async () => {
    const { workspace, bytesOf } = await openOn(LOG);
    const first = await bytesOf(() => workspace.read("a", DEEP));
    assert(first >= 900_000 * 64, `${first} bytes`);
    const again = await bytesOf(async () => {
      const { lines, shown } = await workspace.read("a", DEEP);
      assertEquals(shown.start, 900_000 * 64);
      assertEquals([lines.length, lines[0]?.number], [200, 900_001]);
    });
    assert(again <= MIB / 2, `${again} bytes`);
  });
  it("has a next page that costs only its own bytes", async () => {
    const { workspace, bytesOf } = await openOn(LOG);
    const { next } = await workspace.read("a", DEEP);
    const bytes = await bytesOf(async () => {
      const { shown } = await workspace.read("a", next!);
      assertEquals(shown.start, 900_200 * 64);
      assertEquals(shown.end - shown.start, PAGE_BYTES);
    });
    assert(bytes <= 2 * PAGE_BYTES, `${bytes} bytes`);
  });
  it("gives the index places for lines before it", async () => {
    const { workspace, bytesOf } = await openOn(LOG);
    await workspace.read("a", DEEP);
    const bytes = await bytesOf(async () => {
      const { shown } = await workspace.read("a", { start: 12_345, count: 1 });
      assertEquals(shown.start, 12_344 * 64);
    });
    assert(bytes <= MIB / 2, `${bytes} bytes`);
  });
  it("is found by the index in a tool, too", async () => {
    const { workspace, bytesOf } = await openOn(LOG);
    const tool = createCodexReadFile(workspace);
    const { start: offset, count: limit } = DEEP;
    await tool.call({ file_path: "/ws/a", offset, limit });
    const ways = [
      () => tool.call({ file_path: "/ws/a", offset, limit }),
      () => workspace.read("a", DEEP),
    ];
    for (const way of ways) {
      const bytes = await bytesOf(way);
      assert(bytes <= MIB / 2, `${bytes} bytes`);
    }
  });
  it("numbers the last lines without counting again", async () => {
    const { workspace, bytesOf } = await openOn(LOG);
    await workspace.read("a", { tail: 5 });
    for (const tail of [5, 20, 2_000]) {
      const bytes = await bytesOf(async () => {
        const { lines } = await workspace.read("a", { tail });
        assertEquals(lines[0]?.number, LOG_LINES - tail + 1);
        assertEquals(lines.length, tail);
      });
      assert(bytes <= MIB / 2, `${bytes} bytes`);
    }
  });
  it("numbers the last lines from the nearest indexed place", async () => {
    const { workspace, bytesOf } = await openOn(LOG);
    await workspace.read("a", DEEP);
    const bytes = await bytesOf(() => workspace.read("a", { tail: 5 }));
    assert(bytes <= (LOG_LINES - 900_000) * 64 + MIB, `${bytes} bytes`);
  });
  it("gives the total that was counted before", async () => {
    const { workspace, bytesOf } = await openOn(LOG);
    const ask = async (options: ReadOptions) => {
      const { totalLines } = await workspace.read("a", options);
      assertEquals(totalLines, LOG_LINES);
    };
    await ask({ tail: 5 });
    const bytes = await bytesOf(() => ask({ count: 5, countLines: true }));
    assert(bytes <= 128 * KIB, `${bytes} bytes`);
  });
  it("has a total only if that is asked for, whatever was counted before", async () => {
    const { workspace, bytesOf } = await openOn(LOG);
    assertEquals((await workspace.read("a", DEEP)).totalLines, null);
    await workspace.read("a", { start: LOG_LINES + 9 });
    assertEquals((await workspace.read("a", DEEP)).totalLines, null);
    const bytes = await bytesOf(async () => {
      const counted = { ...DEEP, countLines: true };
      assertEquals((await workspace.read("a", counted)).totalLines, LOG_LINES);
    });
    assert(bytes <= MIB / 2, `${bytes} bytes`);
  });
});

describe("a file that may change without a trace is scanned again", () => {
  const facts: readonly (readonly [string, () => Partial<FileStat>])[] = [
    ["without an mtime", () => ({ mtimeMs: null })],
    ["without an identity", () => ({ id: null })],
    ["changed just now", () => ({ mtimeMs: Date.now() })],
    ["renamed just now", () => ({ ctimeMs: Date.now() })],
    ["changed in the future", () => {
      const mtimeMs = Date.now() + 1e9;
      return { mtimeMs, ctimeMs: mtimeMs };
    }],
    [
      "changed in the future according to mtime, and just now according to ctime",
      () => {
        const now = Date.now();
        return { mtimeMs: now + 1e9, ctimeMs: now };
      },
    ],
    ["changed in the future, without a ctime", () => {
      return { mtimeMs: Date.now() + 1e9, ctimeMs: null };
    }],
  ];
  for (const [what, now] of facts) {
    it(what, async () => {
      const block = LOG.block;
      const { workspace, bytesOf } = await openOn({
        block,
        times: 64,
        facts: now(),
      });
      const page = { start: 60_001, count: 1 };
      await workspace.read("a", page);
      const again = await bytesOf(() => workspace.read("a", page));
      assert(again >= 60_000 * 64, `${again} bytes`);
    });
  }
});

describe("pages of 200 lines read each byte at most twice", () => {
  const files: Readonly<Record<string, readonly number[]>> = {
    "lines of 3 bytes": [3],
    "lines of 16 bytes": [16],
    "lines of 40 to 180 bytes": Array.from(
      { length: 997 },
      (_, at) => 40 + at * 7919 % 141,
    ),
    "lines of 1,500 bytes": [1_500],
    "lines of 8,000 bytes": [8_000],
    "pages of 1 KiB and 64 KiB alternately": [
      ...Array.from({ length: 200 }, () => 5),
      ...Array.from({ length: 200 }, () => 330),
    ],
    "pages of 1,000 and 40,200 bytes alternately": [
      ...Array.from({ length: 200 }, () => 5),
      ...Array.from({ length: 200 }, () => 201),
    ],
    "pages of 64 KiB, 1 KiB and 2 KiB alternately": [
      ...Array.from({ length: 200 }, () => 330),
      ...Array.from({ length: 200 }, () => 5),
      ...Array.from({ length: 200 }, () => 10),
    ],
  };
  for (const [what, lengths] of Object.entries(files)) {
    it(what, async () => {
      const block = linesOfLengths(lengths);
      // A few pages are enough: the cost of a page is constant.
      const page = block.length / lengths.length * 200;
      const size = Math.min(32 * MIB, page * 3_000);
      const times = Math.ceil(size / block.length);
      const { workspace, bytesOf } = await openOn({ block, times });
      let end = 0;
      const bytes = await bytesOf(async () => {
        for await (const { shown } of workspace.pages("a", { count: 200 })) {
          assertEquals(shown.start, end);
          end = shown.end;
        }
      });
      assertEquals(end, block.length * times);
      const ratio = (bytes / end).toFixed(2);
      assert(bytes <= 2 * end, `${ratio} times`);
    });
  }
  it("even with short reads", async () => {
    const block = linesOfLengths([100]);
    const fs = countingFs(cutFs(patternFs({ block, times: 40_000 }), 4_099));
    const workspace = await openWorkspace("/ws", { fs });
    let end = 0;
    const options: ReadOptions = { count: 200 };
    for await (const page of workspace.pages("a", options)) {
      end = page.shown.end;
    }
    assertEquals(end, 4_000_000);
    assert(fs.counts.bytes <= 2 * end, `${fs.counts.bytes} bytes`);
  });
});
