import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileStat,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
} from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { cutFs, CUTS } from "../support/cuts.ts";
import { longLineFs } from "../support/long_line_fs.ts";
import { actual, toBinary } from "../support/naive.ts";
import { type Pattern, patternFs } from "../support/pattern_fs.ts";

const KIB = 1024;

describe("read() clips lines", () => {
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
        const page = await workspace.read("a.txt", { maxLineBytes });
        assertEquals(toBinary(page.bytes()), bytes);
        assertEquals(page.lines.map(({ text }) => text), texts);
        const ending = /^[^]*?(\r?\n)?$/;
        assertEquals(
          page.lines.map(({ ending }) => ending),
          file.match(/[^\n]*\n|[^\n]+/g)!.map((line) =>
            ending.exec(line)![1] ?? ""
          ),
        );
        const clipped = page.inexact.filter(({ reason }) =>
          reason === "clipped"
        );
        assertEquals(clipped.length > 0, bytes !== file);
        assertEquals(page.shown, { start: 0, end: file.length });
      }
    });
  }
});

describe("read() reads", () => {
  async function bytesRead(
    file: string,
    options: ReadOptions,
  ): Promise<number> {
    const fs = countingFs(memoryFs({ "/ws/a.txt": file }));
    await actual(fs, options);
    assertEquals(fs.counts.open, 0);
    return fs.counts.bytes;
  }
  const line = "x".repeat(99) + "\n";
  const large = line.repeat(20_000);

  it("one chunk for lines at the beginning", async () => {
    const lines = { start: 3, count: 3 } as const;
    assertEquals(await bytesRead(large, lines), 64 * KIB);
  });
  it("at most one chunk for lines at the end, and less for few", async () => {
    const few = await bytesRead(large, { tail: 3, numbered: false });
    const more = await bytesRead(large, { tail: 300, numbered: false });
    assert(few < more && more <= 64 * KIB, `${few} and ${more} bytes`);
  });
  it("each byte once if nothing is counted", async () => {
    assertEquals(await bytesRead(large, {}), large.length);
  });
  it("at most maxScanBytes", async () => {
    const maxScanBytes = 300 * KIB;
    const asked: readonly ReadOptions[] = [
      { start: 15_000, count: 1 },
      { start: 15_000, count: 1, countLines: true },
    ];
    for (const options of asked) {
      const count = await bytesRead(large, { ...options, maxScanBytes });
      assert(count >= maxScanBytes && count <= maxScanBytes + 256 * KIB);
    }
    // The total is not counted either, if that would take more.
    const few = { start: 3, count: 3, countLines: true, maxScanBytes };
    assertEquals(await bytesRead(large, few), 64 * KIB);
  });
  it("no file larger than maxFileBytes", async () => {
    assertEquals(await bytesRead(large, { maxFileBytes: 9 }), 0);
  });
  it("in growing chunks, in a long scan", async () => {
    const fs = countingFs(memoryFs({ "/ws/a.txt": large }));
    const lines = { start: 20_000, count: 1 } as const;
    await actual(fs, lines);
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
    const { text, size } = await workspace.read("a.txt");
    assertEquals([text, size], ["1\n", 2]);
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

describe("read() refuses", () => {
  const fs = memoryFs({ "/ws/a.txt": { content: "1\n2\n", mtimeMs: 1 } });

  it("a file that became shorter with CHANGED", async () => {
    const longer = changing(
      fs,
      (stat, asked) => asked === 1 ? { ...stat, size: 9 } : stat,
    );
    const shrank = { error: "CHANGED", details: { how: "shrank" } };
    // One read lacks bytes; the other reads all of them, and then checks the stat.
    assertEquals(await actual(longer, {}), shrank);
    const head = { start: 1, count: 1 } as const;
    assertEquals(await actual(longer, head), shrank);
  });
  it("a file that ends before its size with CHANGED", async () => {
    const lying = changing(fs, (stat) => ({ ...stat, size: 9 }));
    for (const options of [{}, { tail: 1 }]) {
      assertEquals(await actual(lying, options), {
        error: "CHANGED",
        details: { how: "shrank" },
      });
    }
  });
  it("a file that was overwritten with CHANGED", async () => {
    const later = changing(fs, (stat, asked) => ({ ...stat, mtimeMs: asked }));
    assertEquals(await actual(later, {}), {
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
    assertEquals((await workspace.read("a.txt")).text, "1\n2\n");
  });
  const wrong: readonly (readonly [ReadOptions, string])[] = [
    [
      { maxFileBytes: -1 },
      "maxFileBytes must be a whole number from 0 on, not -1",
    ],
    [
      { maxScanBytes: NaN },
      "maxScanBytes must be a whole number from 0 on, not NaN",
    ],
    [
      { maxBytes: 0.5 },
      "maxBytes must be a whole number from 1 on, not 0.5",
    ],
    [{ maxLines: 0 }, "maxLines must be a whole number from 1 on, not 0"],
    [{ maxChars: 0 }, "maxChars must be a whole number from 1 on, not 0"],
    [{ maxTokens: 0 }, "maxTokens must be a whole number from 1 on, not 0"],
    [
      { maxLineBytes: 0 },
      "maxLineBytes must be a whole number from 1 on, not 0",
    ],
    [
      { maxLineBytes: -Infinity },
      "maxLineBytes must be a whole number from 1 on, not -Infinity",
    ],
    [{ start: 0 }, "start must be a whole number from 1 on, not 0"],
    [{ count: 0 }, "count must be a whole number from 1 on, not 0"],
    [{ start: 1.5 }, "start must be a whole number from 1 on, not 1.5"],
    [
      { start: Infinity },
      "start must be a whole number from 1 on, not Infinity",
    ],
    [{ tail: -1 }, "tail must be a whole number from 1 on, not -1"],
    [
      { around: 0, block: true },
      "around must be a whole number from 1 on, not 0",
    ],
    [
      { around: 1, block: { count: 2 ** 53 } },
      "count must be a whole number from 1 on, not 9007199254740992",
    ],
    [
      { around: 1, block: { levels: -1 } },
      "levels must be a whole number from 0 on, not -1",
    ],
    [
      { countLines: -1 },
      "countLines must be true or false, or a number of bytes, not -1",
    ],
    [
      { binary: "refuse" as "text" },
      'binary must be one of "text", "refuse-nul", "refuse-shown", "refuse-invalid", "bytes", not "refuse"',
    ],
  ];
  for (const [options, problem] of wrong) {
    it(`options without a call: ${problem}`, async () => {
      const counting = countingFs(fs);
      const workspace = await openWorkspace("/ws", { fs: counting });
      const { calls } = counting.counts;
      const error = await assertRejects(
        () => workspace.read("a.txt", options),
        ReadFileError,
      );
      assertEquals(error.message, `Cannot read "a.txt": ${problem}`);
      assertEquals(counting.counts.calls, calls);
    });
  }
});

describe("read() of more than a string can contain", () => {
  const MIB = 1024 * KIB;

  it("is TOO_LARGE for 257 MiB of bytes, before they are copied", async () => {
    const zeros: Pattern = { block: new Uint8Array(MIB), times: 257 };
    const fs = countingFs(patternFs(zeros));
    const workspace = await openWorkspace("/ws", { fs });
    const error = await assertRejects(
      () => workspace.read("a", { binary: "bytes" }),
      ReadFileError,
      "its 269484032 bytes exceed the limit of 268435456 bytes",
    );
    assertEquals(error.code, "TOO_LARGE");
    assert(fs.counts.bytes <= 64 * KIB, `${fs.counts.bytes} bytes`);
  });
  it("shows 256 MiB of text, and then the rest", async () => {
    const fs = longLineFs(256 * MIB + 9);
    const workspace = await openWorkspace("/ws", { fs });
    const { shown, next } = await workspace.read("a");
    assertEquals(shown, { start: 0, end: 256 * MIB });
    const rest = await workspace.read("a", next!);
    assertEquals(rest.text, "678901234\n");
    assertEquals(rest.next, null);
  });
});
