/** Pages of files whose times prove nothing: what they cost, and which changes they notice. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { oneFileFs } from "../../support/one_file_fs.ts";
import { Random } from "../../support/random.ts";

const KIB = 1024;
/** How many bytes each page may read again, besides those of the page before. */
const BLOCK = 4 * KIB;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A text with lines of 1 to 120 bytes. */
function textOf(bytes: number, seed: number): string {
  const random = new Random(seed);
  let text = "";
  while (text.length < bytes) {
    const length = random.below(120);
    text += `${text.length}:${"x".repeat(length)}\n`;
  }
  return text;
}

/** An mtime and a ctime. */
type Times = readonly [number | null, number | null];

/** How often the bytes of a page are read, at most: to show them, to compare them with the next page, and once more if another write may leave the same times. */
const readsOf = ([mtimeMs]: Times) => mtimeMs === null ? 2 : 3;

/** Files whose times prove nothing. */
const TIMES: Readonly<Record<string, () => Times>> = {
  "without a time": () => [null, null],
  "just written": () => [Date.now() + 1e6, Date.now() + 1e6],
  "without a ctime": () => [1_000, null],
};

async function openOn(text: string, [mtimeMs, ctimeMs]: Times) {
  const fs = oneFileFs();
  fs.content = encoder.encode(text);
  Object.assign(fs, { mtimeMs, ctimeMs });
  const counted = countingFs(fs as FsPort);
  const workspace = await openWorkspace("/ws", { fs: counted });
  return { fs, workspace, counts: counted.counts };
}

const WALKS: readonly ReadOptions[] = [
  { count: 200 },
  { count: 1 * KIB },
  { maxBytes: 16 * KIB },
  { maxBytes: 100 * KIB },
  { count: 500, maxBytes: 20 * KIB },
  { start: 1000, count: 300 },
  { start: 50, end: 9000, maxBytes: 30 * KIB },
];

describe("pages of a file", () => {
  const text = textOf(1024 * KIB, 1);
  for (const [why, times] of Object.entries(TIMES)) {
    for (const options of WALKS) {
      it(`${why} with ${JSON.stringify(options)} cost at most ${readsOf(times())} times their bytes`, async () => {
        const { workspace, counts } = await openOn(text, times());
        let pages = 0;
        let end = 0;
        let shown = "";
        for await (const page of workspace.pages("a", options)) {
          pages++;
          end = page.shown.end;
          shown += decoder.decode(page.bytes());
        }
        assert(text.includes(shown) && pages > 5, `${pages} pages`);
        const most = readsOf(times()) * end + pages * BLOCK;
        assert(counts.bytes <= most, `${counts.bytes} of ${most}`);
      });
    }
    it(`${why}, with hits, begin the search where the last one ended`, async () => {
      const { workspace, counts } = await openOn(text, times());
      let hits = 0;
      const options = { match: "7:", maxBytes: 10 * KIB };
      for await (const page of workspace.pages("a", options)) {
        hits += page.hits!.lines.length;
        // Later pages do not count the rest.
        if (page.next?.etag !== undefined) counts.bytes = 0;
      }
      assertEquals(
        hits,
        text.split("\n").filter((line) => line.includes("7:")).length,
      );
      assert(counts.bytes <= 200 * KIB, `${counts.bytes} bytes`);
    });
  }
  it("of one line cost at most twice their bytes", async () => {
    const line = "é".repeat(256 * KIB);
    const { workspace, counts } = await openOn(line, [null, null]);
    let pages = 0;
    for await (const _ of workspace.pages("a", { width: 9000 })) pages++;
    const most = 2 * 512 * KIB + pages * BLOCK;
    assert(counts.bytes <= most, `${counts.bytes} of ${most}`);
  });
});

/** Where the pages of a walk end, and a changed text. */
const WALK = { maxBytes: 8 * KIB };
const TEXT = textOf(64 * KIB, 2);

/** Replaces the text at a position. */
const put = (at: number, other: string) => (text: string) =>
  text.slice(0, at) + other + text.slice(at + other.length);

/** Reads five pages of a file, changes it, and reads the sixth one. */
async function readSixth(
  times: Times,
  change: (text: string) => string,
  options: ReadOptions = WALK,
) {
  const { fs, workspace } = await openOn(TEXT, times);
  let page = await workspace.read("a", options);
  for (let at = 1; at < 5; at++) page = await workspace.read("a", page.next!);
  const content = change(TEXT);
  fs.content = encoder.encode(content);
  const { shown: { end } } = page;
  return {
    end,
    content,
    sixth: workspace.read("a", page.next!),
    workspace,
    page,
  };
}

describe("a change between pages of a file", () => {
  for (const [why, times] of Object.entries(TIMES)) {
    const noticed:
      readonly (readonly [string, (text: string) => string, string])[] = [
        ["of the page before", put(40 * KIB - 200, "X"), "rewritten"],
        ["that moves the page before", (text) => `new\n${text}`, "grew"],
        [
          "of the page before, of a file that grew",
          (text) => `${put(39 * KIB, "X")(text)}new\n`,
          "grew",
        ],
        ["that cuts the end", (text) => text.slice(0, -9), "shrank"],
      ];
    for (const [what, change, how] of noticed) {
      it(`${why}, ${what}, is noticed at once`, async () => {
        const { sixth } = await readSixth(times(), change);
        const error = await assertRejects(() => sixth, ReadFileError);
        assert(error.is("CHANGED"), error.message);
        assertEquals(error.details.how, how);
      });
    }
    const lost: readonly (readonly [string, (text: string) => string])[] = [
      ["of a page before that one", put(100, "X")],
      [
        "of a page before that one, of a file that grew",
        (text) => `${put(100, "X")(text)}new\n`,
      ],
      ["that divides a line before that page", put(9, "\n")],
      ["after the page before", put(60 * KIB, "X")],
    ];
    for (const [what, change] of lost) {
      it(`${why}, ${what}, does not move the next page`, async () => {
        const { end, content, sixth } = await readSixth(times(), change);
        const page = await sixth;
        const { shown, lines } = page;
        assertEquals(shown.start, end);
        const bytes = decoder.decode(page.bytes());
        assertEquals(bytes, content.slice(shown.start, shown.end));
        assertEquals(lines[0]?.column, 1);
      });
    }
  }
  it("that divides a line is noticed if the page before begins in the first 4 KiB", async () => {
    for (const [start, isNoticed] of [[40, true], [200, false]] as const) {
      const { fs, workspace } = await openOn(TEXT, [null, null]);
      const { next, shown } = await workspace.read("a", { start, count: 100 });
      assertEquals(shown.start <= 4 * KIB, isNoticed, `${shown.start}`);
      fs.content = encoder.encode(put(5, "\n")(TEXT));
      const reading = workspace.read("a", next!);
      if (isNoticed) {
        const error = await assertRejects(() => reading, ReadFileError);
        assert(error.is("CHANGED"), error.message);
      } else assertEquals((await reading).shown.start, shown.end);
    }
  });
  it("of a character before the first column is noticed in the first 4 KiB", async () => {
    const text = "a".repeat(64 * KIB);
    const { fs, workspace } = await openOn(text, [null, null]);
    const { next } = await workspace.read("a", { column: 101, width: 8 * KIB });
    fs.content = encoder.encode(`é${text.slice(2)}`);
    const error = await assertRejects(
      () => workspace.read("a", next!),
      ReadFileError,
    );
    assert(error.is("CHANGED"), error.message);
  });
  it("is not assumed if the call leaves out the encoding", async () => {
    const text = Array.from({ length: 99 }, (_, at) => `${at}: \u0a0a\n`).join(
      "",
    );
    const { fs, workspace } = await openOn("", [null, null]);
    fs.content = new Uint8Array(
      Uint16Array.from(`\ufeff${text}`, (unit) => unit.charCodeAt(0)).buffer,
    );
    const { next } = await workspace.read("a", { start: 20, count: 9 });
    const { start, etag, encoding } = next!;
    assertEquals(encoding, "utf-16le");
    const { lines } = await workspace.read("a", {
      start: start!,
      etag: etag!,
      count: 1,
    });
    assertEquals(lines[0]?.text, "28: \u0a0a");
  });
  it("is noticed by a page that jumps, if it changed the page before", async () => {
    for (const [at, isNoticed] of [[100, false], [39 * KIB, true]] as const) {
      const { sixth, workspace, page } = await readSixth(
        [null, null],
        put(at, "X"),
      );
      await sixth.catch(() => {});
      const jump = { start: 3, count: 2, etag: page.etag };
      const reading = workspace.read("a", jump);
      if (isNoticed) await assertRejects(() => reading, ReadFileError);
      else {assertEquals((await reading).lines.map(({ number }) => number), [
          3,
          4,
        ]);}
    }
  });
});

describe("wrong numbers of a page that continues another", () => {
  /** A file of 2 MiB, at rest after a line feed was added near its beginning. */
  async function withWrongNumbers() {
    const text = "123456\n".repeat(300 * KIB);
    const { fs, workspace } = await openOn(text, [1_000, Date.now()]);
    const first = await workspace.read("a", { start: 5000, count: 1000 });
    fs.content = encoder.encode(put(2, "\n")(text));
    fs.ctimeMs = 1_000;
    return { workspace, first, total: 300 * KIB + 1 };
  }
  it("do not become those of other readers", async () => {
    const { workspace, first, total } = await withWrongNumbers();
    for (let next = first.next; next !== null;) {
      ({ next } = await workspace.read("a", { ...next, count: 50_000 }));
    }
    const { lines, totalLines } = await workspace.read("a", { tail: 1 });
    assertEquals([lines[0]!.number, totalLines], [total, total]);
    const page = await workspace.read("a", { start: 200_000, count: 1 });
    assertEquals(page.shown.start, 7 * (200_000 - 2));
  });
  it("are noticed at the end of the file, if its lines were counted", async () => {
    const { workspace, first, total } = await withWrongNumbers();
    const { totalLines } = await workspace.read("a", { tail: 1 });
    assertEquals(totalLines, total);
    const error = await assertRejects(async () => {
      for (let next = first.next; next !== null;) {
        ({ next } = await workspace.read("a", { ...next, count: 50_000 }));
      }
    }, ReadFileError);
    assert(error.is("CHANGED"), error.message);
  });
  it("do not make a page of the cache begin elsewhere", async () => {
    const { fs, workspace } = await openOn(TEXT, [1_000, Date.now()]);
    const first = await workspace.read("a", { start: 200, count: 100 });
    fs.content = encoder.encode(put(9, "\n")(TEXT));
    fs.ctimeMs = 1_000;
    const { etag, ...rest } = first.next!;
    const other = await workspace.read("a", rest);
    const page = await workspace.read("a", { ...rest, etag: etag! });
    assertEquals(page.shown.start, first.shown.end);
    assert(other.shown.start < page.shown.start);
  });
});
