import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type BinaryPolicy,
  type FsPort,
  memoryFs,
  openWorkspace,
  readFile,
  type ReadPolicy,
  type Selection,
  type TextWindow,
} from "../../mod.ts";
import { cutFs, CUTS } from "../support/cuts.ts";
import {
  actual,
  expected,
  type PlainSelection,
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

function randomSelection(random: Random): PlainSelection {
  const [start, count] = [random.from(1, 9), random.from(1, 9)];
  return random.pick<PlainSelection>([
    { kind: "all" },
    { kind: "lines", start, count },
    { kind: "lines", start, count: random.pick([1, 2 ** 53 - 1]) },
    { kind: "tail", count },
  ]);
}

const BINARY: readonly BinaryPolicy[] = [
  "replace",
  "reject-nul",
  "reject-invalid",
  "bytes",
];

function randomPolicy(random: Random): ReadPolicy {
  const limit = (least: number) =>
    random.below(3) === 0 ? random.from(least, 24) : Infinity;
  return {
    binary: random.pick(BINARY),
    maxFileBytes: random.below(4) === 0 ? limit(0) : Infinity,
    maxWindowBytes: limit(0),
    maxScanBytes: limit(0),
    maxLineBytes: random.below(2) === 0 ? limit(1) : Infinity,
    countAll: random.below(2) === 0,
    exactRange: random.below(4) === 0,
  };
}

/** The number of random files for each size of reads. */
const FILES = some(1000, 600);

describe("readFile() gives the same lines as splitting the whole file", () => {
  for (const most of shareOf(CUTS)) {
    it(`of ${FILES} small files, in reads of ${most}`, async () => {
      const random = new Random(SEED);
      for (let index = 0; index < FILES; index++) {
        const file = randomFile(random);
        const fs = fsOf(file, most);
        for (let round = 0; round < 15; round++) {
          const selection = randomSelection(random);
          const policy = round === 0 ? {} : randomPolicy(random);
          assertEquals(
            await actual(fs, selection, policy),
            expected(file, selection, policy),
            JSON.stringify({ SEED, file, selection, policy }),
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
        const selection of [
          { kind: "tail", count },
          { kind: "lines", start: lines.length, count: 2 },
          { kind: "lines", start: random.from(1, lines.length), count },
        ] as const
      ) {
        const policy = {
          binary: random.pick(BINARY),
          countAll: random.below(2) === 0,
          maxWindowBytes: random.pick([Infinity, 300_000]),
          maxLineBytes: random.pick([Infinity, 70_000, 10]),
        };
        const wanted = JSON.stringify(expected(file, selection, policy));
        for (const most of [4093, ...CUTS.slice(-1), Infinity]) {
          const got = await actual(fsOf(file, most), selection, policy);
          const what = { SEED, longest, most, selection, policy };
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
          const countAll = random.below(3) === 0;
          const selection = random.pick<PlainSelection>([
            { kind: "lines", start, count },
            { kind: "lines", start, count },
            { kind: "tail", count },
          ]);
          const what = { SEED, longest, most, round, selection, countAll };
          const window = await readFile(workspace, "a.txt", selection, {
            countAll,
          });
          const first = selection.kind === "tail"
            ? Math.max(0, lines.length - count)
            : start - 1;
          const end = Math.min(lines.length, first + count);
          assertEquals(window.span, {
            start: ends[first - 1] ?? 0,
            end: ends[end - 1],
          }, JSON.stringify(what));
          const { totalLines, lineCount } = window;
          assertEquals(lineCount, end - first, JSON.stringify(what));
          if (!countAll && totalLines === null) continue;
          assertEquals(totalLines, lines.length, JSON.stringify(what));
          assertEquals(window.start, first + 1, JSON.stringify(what));
        }
      }
    });
  }
});

describe("readFile() gives windows", () => {
  for (const most of CUTS) {
    it(`that continue to the end, in reads of ${most}`, async () => {
      const random = new Random(SEED + 2);
      for (let index = 0; index < 60; index++) {
        const file = randomFile(random);
        const workspace = await openWorkspace("/ws", { fs: fsOf(file, most) });
        const count = random.from(1, 3);
        const maxWindowBytes = random.pick([Infinity, 24]);
        let joined = "";
        for (let start: number | null = 1; start !== null;) {
          const selection: Selection = { kind: "lines", start, count };
          const window: TextWindow = await readFile(
            workspace,
            "a.txt",
            selection,
            { maxWindowBytes },
          );
          assert(window.next === null || window.next > start);
          assertEquals(window.span.start, joined.length);
          joined += String.fromCharCode(...window.bytes);
          start = window.next;
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
        const selection: Selection = {
          kind: "block",
          anchor: random.from(1, lines.length),
          maxLevels: random.below(3),
          siblings: random.below(2) === 0,
          header: random.below(2) === 0,
          count: random.from(1, 9),
        };
        const workspace = await openWorkspace("/ws", { fs: fsOf(file, most) });
        const window = await readFile(workspace, "a.txt", selection);
        const what = JSON.stringify({ SEED, file, selection });
        const { start, lineCount, span } = window;
        assert(start !== null && lineCount <= selection.count, what);
        const before = lines.slice(0, start - 1).join("");
        const shown = lines.slice(start - 1, start - 1 + lineCount).join("");
        assertEquals(span.start, before.length, what);
        assertEquals(String.fromCharCode(...window.bytes), shown, what);
        assertEquals(window.lines.length, lineCount, what);
        const end = span.end === file.length ? null : start + lineCount;
        assertEquals(window.next, end, what);
      }
    });
  }
  it("with the requested path and the stat of the file", async () => {
    const fs = memoryFs({
      "/ws/a.txt": { content: "1\n", mtimeMs: 5 },
      "/ws/b": { link: "a.txt" },
    });
    const workspace = await openWorkspace("/ws", { fs });
    const { path, stat } = await readFile(workspace, "./x/..//b");
    assertEquals([path, stat.size, stat.mtimeMs], ["b", 2, 5]);
  });
});
