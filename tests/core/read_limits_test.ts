import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileContent,
  type FileStat,
  type FsPort,
  memoryFs,
  openWorkspace,
  readFile,
  ReadFileError,
  type ReadPolicy,
  type Selection,
} from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { cutFs, CUTS } from "../support/cuts.ts";
import { ENDLESS_LINE_BYTES, endlessFs } from "../support/endless_fs.ts";
import { actual } from "../support/naive.ts";

describe("readFile() clips lines", () => {
  const clips: readonly (readonly [string, number, string, string[]])[] = [
    ["abcdef\r\ngh", 3, "abc\r\ngh", ["abc", "gh"]],
    ["abc\r\n", 3, "abc\r\n", ["abc"]],
    ["ab\r\r\n", 2, "ab\r\n", ["ab"]],
    ["ab\r\r\n", 3, "ab\r\r\n", ["ab\r"]],
    ["a\rbc\nd\n", 2, "a\r\nd\n", ["a\r", "d"]],
    ["a\rbc", 2, "a\r", ["a\r"]],
    ["abc\n\nabc", 1, "a\n\na", ["a", "", "a"]],
    ["\r\r\r\r\n", 1, "\r\r\n", ["\r"]],
  ];
  for (const [file, maxLineBytes, bytes, texts] of clips) {
    it(`of ${JSON.stringify(file)} to ${maxLineBytes}, and keeps their endings`, async () => {
      for (const most of CUTS) {
        const workspace = await openWorkspace("/ws", {
          fs: cutFs(memoryFs({ "/ws/a.txt": file }), most),
        });
        const window = await readFile(workspace, "a.txt", { kind: "all" }, {
          maxLineBytes,
        });
        assertEquals(String.fromCharCode(...window.bytes), bytes);
        assertEquals(window.lines.map(({ text }) => text), texts);
        const ending = /^[^]*?(\r?\n)?$/;
        assertEquals(
          window.lines.map(({ ending }) => ending),
          file.match(/[^\n]*\n|[^\n]+/g)!.map((line) =>
            ending.exec(line)![1] ?? ""
          ),
        );
        assertEquals(window.clipped, bytes !== file);
        assertEquals(window.span, { start: 0, end: file.length });
      }
    });
  }
});

describe("readFile() reads", () => {
  async function bytesRead(
    file: string,
    selection: Selection,
    policy: ReadPolicy = {},
  ): Promise<number> {
    const fs = countingFs(memoryFs({ "/ws/a.txt": file }));
    await actual(fs, selection, policy);
    assertEquals(fs.counts.open, 0);
    return fs.counts.bytes;
  }
  const line = "x".repeat(99) + "\n";
  const large = line.repeat(20_000);
  const KIB = 1024;

  it("one chunk for lines at the beginning", async () => {
    const lines = { kind: "lines", start: 3, count: 3 } as const;
    assertEquals(await bytesRead(large, lines), 64 * KIB);
  });
  it("at most one chunk for lines at the end, and less for few", async () => {
    const few = await bytesRead(large, { kind: "tail", count: 3 });
    const more = await bytesRead(large, { kind: "tail", count: 300 });
    assert(few < more && more <= 64 * KIB, `${few} and ${more} bytes`);
  });
  it("each byte once if nothing is counted", async () => {
    assertEquals(await bytesRead(large, { kind: "all" }), large.length);
  });
  it("at most maxScanBytes", async () => {
    const lines = { kind: "lines", start: 15_000, count: 1 } as const;
    const maxScanBytes = 300 * KIB;
    const count = await bytesRead(large, lines, { maxScanBytes });
    assert(count >= maxScanBytes && count <= maxScanBytes + 256 * KIB);
  });
  it("no file larger than maxFileBytes", async () => {
    assertEquals(
      await bytesRead(large, { kind: "all" }, { maxFileBytes: 9 }),
      0,
    );
  });
  it("in growing chunks, in a long scan", async () => {
    const fs = countingFs(memoryFs({ "/ws/a.txt": large }));
    const lines = { kind: "lines", start: 20_000, count: 1 } as const;
    await actual(fs, lines, {});
    assert(fs.counts.reads <= 10, `${fs.counts.reads}`);
  });
  it("no bytes that are appended during the read", async () => {
    const fs = memoryFs({ "/ws/a.txt": "1\n2\n" });
    const workspace = await openWorkspace("/ws", {
      fs: changing(
        fs,
        (stat, asked) => asked === 1 ? { ...stat, size: 2 } : stat,
      ),
    });
    const window = await readFile(workspace, "a.txt");
    assertEquals([window.text, window.stat.size], ["1\n", 2]);
  });
});

/** A port on which the stat of an open file changes with each call. */
function changing(
  fs: FsPort,
  change: (stat: FileStat, asked: number) => FileStat,
): FsPort {
  return {
    ...fs,
    async open(path) {
      const handle = await fs.open(path);
      let asked = 0;
      const stat = async () => change(await handle.stat(), ++asked);
      return { ...handle, stat };
    },
  };
}

describe("readFile() refuses", () => {
  const fs = memoryFs({ "/ws/a.txt": { content: "1\n2\n", mtimeMs: 1 } });

  it("a file that became shorter with CHANGED", async () => {
    const longer = changing(
      fs,
      (stat, asked) => asked === 1 ? { ...stat, size: 9 } : stat,
    );
    const shrank = { error: "CHANGED", details: { how: "shrank" } };
    // One read lacks bytes; the other reads all of them, and then checks the stat.
    assertEquals(await actual(longer, { kind: "all" }, {}), shrank);
    const head = { kind: "lines", start: 1, count: 1 } as const;
    assertEquals(await actual(longer, head, {}), shrank);
  });
  it("a file that ends before its size with CHANGED", async () => {
    const lying = changing(fs, (stat) => ({ ...stat, size: 9 }));
    for (
      const selection of [{ kind: "all" }, { kind: "tail", count: 1 }] as const
    ) {
      assertEquals(await actual(lying, selection, {}), {
        error: "CHANGED",
        details: { how: "shrank" },
      });
    }
  });
  it("a file that was overwritten with CHANGED", async () => {
    const later = changing(fs, (stat, asked) => ({ ...stat, mtimeMs: asked }));
    assertEquals(await actual(later, { kind: "all" }, {}), {
      error: "CHANGED",
      details: { how: "rewritten" },
    });
  });
  it("no file that only grew", async () => {
    const grown = changing(
      fs,
      (stat, asked) => asked === 1 ? stat : { ...stat, size: 9, mtimeMs: 2 },
    );
    const workspace = await openWorkspace("/ws", { fs: grown });
    assertEquals((await readFile(workspace, "a.txt")).text, "1\n2\n");
  });
  const limits: readonly (readonly [ReadPolicy, string])[] = [
    [
      { maxFileBytes: -1 },
      "maxFileBytes must be a whole number from 0 on, not -1",
    ],
    [
      { maxScanBytes: NaN },
      "maxScanBytes must be a whole number from 0 on, not NaN",
    ],
    [
      { maxWindowBytes: 0.5 },
      "maxWindowBytes must be a whole number from 0 on, not 0.5",
    ],
    [
      { maxLineBytes: 0 },
      "maxLineBytes must be a whole number from 1 on, not 0",
    ],
    [
      { maxLineBytes: -Infinity },
      "maxLineBytes must be a whole number from 1 on, not -Infinity",
    ],
  ];
  for (const [policy, problem] of limits) {
    it(`a policy without a call: ${problem}`, async () => {
      const counting = countingFs(fs);
      const workspace = await openWorkspace("/ws", { fs: counting });
      const { calls } = counting.counts;
      const read = (): Promise<FileContent> =>
        readFile(workspace, "a.txt", { kind: "all" }, policy);
      await assertRejects(
        read,
        ReadFileError,
        `Cannot read "a.txt": ${problem}`,
      );
      assertEquals(counting.counts.calls, calls);
    });
  }
  const block = {
    kind: "block",
    anchor: 1,
    maxLevels: 0,
    siblings: true,
    header: true,
    count: 1,
  } as const;
  const selections: readonly (readonly [Selection, string])[] = [
    [
      { kind: "lines", start: 0, count: 1 },
      "start must be a whole number from 1 on, not 0",
    ],
    [
      { kind: "lines", start: 1, count: 0 },
      "count must be a whole number from 1 on, not 0",
    ],
    [
      { kind: "lines", start: 1.5, count: 1 },
      "start must be a whole number from 1 on, not 1.5",
    ],
    [
      { kind: "lines", start: Infinity, count: 1 },
      "start must be a whole number from 1 on, not Infinity",
    ],
    [
      { kind: "tail", count: -1 },
      "count must be a whole number from 1 on, not -1",
    ],
    [{ ...block, anchor: 0 }, "anchor must be a whole number from 1 on, not 0"],
    [
      { ...block, count: 2 ** 53 },
      "count must be a whole number from 1 on, not 9007199254740992",
    ],
    [
      { ...block, maxLevels: -1 },
      "maxLevels must be a whole number from 0 on, not -1",
    ],
  ];
  for (const [selection, problem] of selections) {
    it(`a ${selection.kind} selection: ${problem}`, async () => {
      const workspace = await openWorkspace("/ws", { fs });
      await assertRejects(
        () => readFile(workspace, "a.txt", selection),
        ReadFileError,
        `Cannot read "a.txt": ${problem}`,
      );
    });
  }
});

describe("readFile() of more than a string can contain", () => {
  it("is TOO_LARGE for 257 MiB of text, before a byte is copied", async () => {
    const fs = countingFs(endlessFs(257 * 1024 * 1024 / ENDLESS_LINE_BYTES));
    const workspace = await openWorkspace("/ws", { fs });
    const error = await assertRejects(
      () => readFile(workspace, "big.txt"),
      ReadFileError,
      "its 269484032 bytes exceed the limit of 268435456 bytes",
    );
    assertEquals([error.code, fs.counts.bytes], ["TOO_LARGE", 0]);
  });
});
