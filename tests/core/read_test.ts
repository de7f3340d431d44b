import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  type ReadOptions,
} from "../../mod.ts";
import { cutFs, CUTS } from "../support/cuts.ts";
import {
  actual,
  expected,
  type PlainOptions,
  toBinary,
  toBytes,
} from "../support/naive.ts";
import { Random, SEED } from "../support/random.ts";
import { shareOf, some } from "../support/share.ts";

function fsOf(file: string, most: number): FsPort {
  return cutFs(memoryFs({ "/ws/a.txt": toBytes(file) }), most);
}

const BYTES = ["a", "\n", "\r", "\0", "\xc3", "\xa9", "\xff", " ", "\t"];
const TEXT = ["a", "\n", "\r", "\r\n", "\xc3\xa9", " ", "bcd", "\xef\xbb\xbf"];

function randomFile(random: Random): string {
  const alphabet = random.pick([BYTES, TEXT, ["a", "\n"], ["a", "\r\n", "\n"]]);
  const length = random.below(24);
  return Array.from({ length }, () => random.pick(alphabet)).join("");
}

/** Draws which lines to show. */
function randomLines(random: Random): PlainOptions {
  const [start, count] = [random.from(1, 9), random.from(1, 9)];
  return random.pick<PlainOptions>([
    {},
    { start, count },
    { start, count: random.pick([1, 2 ** 53 - 1]) },
    { start, end: start + count },
    { start, end: start + count, exactRange: true },
    { tail: count },
    { tail: count, keepEnd: true },
    { tail: count, numbered: random.below(2) === 0 },
  ]);
}

const BINARY = [
  "text",
  "refuse-nul",
  "refuse-shown",
  "refuse-invalid",
  "bytes",
] as const;

function randomLimits(random: Random): PlainOptions {
  const limit = (least: number) =>
    random.below(3) === 0 ? random.from(least, 24) : Infinity;
  return {
    binary: random.pick(BINARY),
    maxFileBytes: random.below(4) === 0 ? limit(0) : Infinity,
    maxBytes: limit(1),
    maxLines: random.below(2) === 0 ? limit(1) : Infinity,
    maxScanBytes: limit(0),
    maxLineBytes: random.below(2) === 0 ? limit(1) : Infinity,
    ...random.pick<PlainOptions>([
      {},
      { countLines: true },
      { countLines: false },
      { countLines: random.below(24) },
    ]),
  };
}

/** The number of random files for each size of reads. */
const FILES = some(1000, 600);

describe("read() gives the same lines as splitting the whole file", () => {
  for (const most of shareOf(CUTS)) {
    it(`of ${FILES} small files, in reads of ${most}`, async () => {
      const random = new Random(SEED);
      for (let index = 0; index < FILES; index++) {
        const file = randomFile(random);
        const fs = fsOf(file, most);
        for (let round = 0; round < 15; round++) {
          const limits = round === 0 ? {} : randomLimits(random);
          const options = { ...randomLines(random), ...limits };
          assertEquals(
            await actual(fs, options as ReadOptions),
            expected(file, options),
            JSON.stringify({ SEED, file, options }),
          );
        }
      }
    });
  }
  for (const longest of shareOf([3, 400, 90_000, 400_000])) {
    it(`of a file larger than a chunk, its lines up to ${longest} bytes`, async () => {
      const random = new Random(SEED + longest);
      const lines: string[] = [];
      for (let size = 0; size < 500_000; size += lines.at(-1)!.length) {
        const text = "\xc3\xa9a".repeat(random.below(longest) / 3);
        lines.push(text + random.pick(["\n", "\r\n", "\r\r\n"]));
      }
      const file = lines.join("");
      const count = random.from(1, lines.length);
      for (
        const asked of [
          { tail: count, keepEnd: true },
          { tail: count },
          { start: lines.length, count: 2 },
          { start: random.from(1, lines.length), count },
        ] as const
      ) {
        const options = {
          ...asked,
          binary: random.pick(BINARY),
          countLines: random.below(2) === 0,
          maxBytes: random.pick([Infinity, 300_000]),
          maxLineBytes: random.pick([Infinity, 70_000, 10]),
        };
        const wanted = JSON.stringify(expected(file, options));
        for (const most of [4093, ...CUTS.slice(-1), Infinity]) {
          const got = await actual(fsOf(file, most), options);
          const what = { SEED, longest, most, options };
          // The texts are too long for the message of assertEquals().
          assert(JSON.stringify(got) === wanted, JSON.stringify(what));
        }
      }
    });
  }
  for (const longest of shareOf([3, 400, 90_000])) {
    it(`of a file that is read repeatedly, its lines up to ${longest} bytes`, async () => {
      const random = new Random(SEED - longest);
      const lines: string[] = [];
      for (let size = 0; size < 900_000; size += lines.at(-1)!.length) {
        const text = "a".repeat(random.below(longest));
        lines.push(text + random.pick(["\n", "\r\n"]));
      }
      const file = lines.join("");
      const ends = lines.map((line) => line.length);
      for (let at = 1; at < ends.length; at++) ends[at]! += ends[at - 1]!;
      // The file is at rest, so that reads use the index of earlier ones.
      const entry = { content: toBytes(file), mtimeMs: 1 };
      for (const most of [4093, ...CUTS.slice(-1), Infinity]) {
        const fs = cutFs(memoryFs({ "/ws/a.txt": entry }), most);
        const workspace = await openWorkspace("/ws", { fs });
        for (let round = 0; round < 60; round++) {
          const start = random.from(1, lines.length);
          const count = random.pick([1, 2, 50]);
          const countLines = random.below(3) === 0;
          const asked = random.pick<PlainOptions>([
            { start, count },
            { start, count },
            { tail: count, keepEnd: true },
          ]);
          const what = { SEED, longest, most, round, asked, countLines };
          const options = { ...asked, countLines } as ReadOptions;
          const page = await workspace.read("a.txt", options);
          const first = asked.tail === undefined
            ? start - 1
            : Math.max(0, lines.length - count);
          const end = Math.min(lines.length, first + count);
          assertEquals(page.shown, {
            start: ends[first - 1] ?? 0,
            end: ends[end - 1],
          }, JSON.stringify(what));
          const { totalLines, lineCount } = page;
          assertEquals(lineCount, end - first, JSON.stringify(what));
          if (!countLines && totalLines === null) continue;
          assertEquals(totalLines, lines.length, JSON.stringify(what));
          assertEquals(page.lines[0]?.number, first + 1, JSON.stringify(what));
        }
      }
    });
  }
});

describe("read() gives pages", () => {
  for (const most of CUTS) {
    it(`that continue to the end, in reads of ${most}`, async () => {
      const random = new Random(SEED + 2);
      for (let index = 0; index < 60; index++) {
        const file = randomFile(random);
        const workspace = await openWorkspace("/ws", { fs: fsOf(file, most) });
        const count = random.from(1, 3);
        const maxBytes = random.pick([Infinity, 24]);
        let joined = "";
        const options: ReadOptions = { count, maxBytes };
        for await (const page of workspace.pages("a.txt", options)) {
          assertEquals(page.shown.start, joined.length);
          joined += toBinary(page.bytes());
          const isEnd = page.next === null;
          assert(isEnd || page.shown.end > page.shown.start, `${SEED}`);
        }
        assertEquals(joined, file, `${SEED}`);
      }
    });
    it(`of whole lines also for blocks, in reads of ${most}`, async () => {
      const random = new Random(SEED + 3);
      const alphabet = ["a", "b", " ", "\t", "\n", "\n", "\r\n", "#", "\xc3"];
      for (let index = 0; index < 200; index++) {
        const length = random.from(1, 40);
        const file = Array.from({ length }, () => random.pick(alphabet))
          .join("");
        const lines = file.match(/[^\n]*\n|[^\n]+/g) ?? [];
        const most = random.from(1, 9);
        const options: ReadOptions = {
          around: random.from(1, lines.length),
          block: {
            levels: random.below(3),
            siblings: random.below(2) === 0,
            header: random.below(2) === 0,
            count: most,
          },
        };
        const workspace = await openWorkspace("/ws", { fs: fsOf(file, most) });
        const page = await workspace.read("a.txt", options);
        const what = JSON.stringify({ SEED, file, options });
        const { lineCount, shown } = page;
        assertEquals(page.next, null, what);
        // The block of a blank line may have no lines.
        const start = page.lines[0]?.number ?? 1;
        assert(lineCount <= most, what);
        const wanted = lines.slice(start - 1, start - 1 + lineCount).join("");
        assertEquals(toBinary(page.bytes()), wanted, what);
        assertEquals(page.lines.length, lineCount, what);
        if (lineCount === 0) continue;
        const before = lines.slice(0, start - 1).join("");
        assertEquals(shown.start, before.length, what);
      }
    });
  }
  it("with the requested path, and the size and the mtime of the file", async () => {
    const fs = memoryFs({
      "/ws/a.txt": { content: "1\n", mtimeMs: 5 },
      "/ws/b": { link: "a.txt" },
    });
    const workspace = await openWorkspace("/ws", { fs });
    const { path, size, mtimeMs } = await workspace.read("./x/..//b");
    assertEquals([path, size, mtimeMs], ["b", 2, 5]);
  });
});
