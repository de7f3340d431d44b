/** Pages of files without reliable times: what they cost, and which changes they notice. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  openWorkspace,
  type PageOptions,
  ReadFileError,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { oneFileFs } from "../../support/one_file_fs.ts";
import { Random } from "../../support/random.ts";

const KIB = 1024;
/** How many bytes each page may read again, at most. */
const BLOCK = 4 * KIB;
const encoder = new TextEncoder();

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

/** Files without a reliable time. */
const TIMES: Readonly<Record<string, () => number | null>> = {
  "without a time": () => null,
  "just written": () => Date.now() + 1e6,
};

async function openOn(text: string, mtimeMs: number | null) {
  const fs = oneFileFs();
  fs.content = encoder.encode(text);
  fs.mtimeMs = mtimeMs;
  const counted = countingFs(fs as FsPort);
  const workspace = await openWorkspace("/ws", { fs: counted });
  return { fs, workspace, counts: counted.counts };
}

const WALKS: readonly PageOptions[] = [
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
  for (const [why, time] of Object.entries(TIMES)) {
    for (const options of WALKS) {
      it(`${why} with ${JSON.stringify(options)} cost at most twice their bytes`, async () => {
        const { workspace, counts } = await openOn(text, time());
        let pages = 0;
        let end = 0;
        let shown = "";
        for await (const page of workspace.pages("a", options)) {
          pages++;
          end = page.shown.end;
          shown += new TextDecoder().decode(page.bytes());
        }
        assert(text.includes(shown) && pages > 5, `${pages} pages`);
        const most = 2 * end + pages * BLOCK;
        assert(counts.bytes <= most, `${counts.bytes} of ${most}`);
      });
    }
  }
  it("of one line cost at most twice their bytes", async () => {
    const { workspace, counts } = await openOn("é".repeat(256 * KIB), null);
    let pages = 0;
    for await (const _ of workspace.pages("a", { width: 9000 })) pages++;
    const most = 2 * 512 * KIB + pages * BLOCK;
    assert(counts.bytes <= most, `${counts.bytes} of ${most}`);
  });
});

/** Reads on after a change; returns which page failed, the number of pages, and the reason. */
async function failsAt(
  options: PageOptions,
  after: number,
  change: (text: string) => string,
): Promise<readonly [number, number, string]> {
  const text = textOf(64 * KIB, 2);
  const { fs, workspace } = await openOn(text, null);
  const total = Array.fromAsync(workspace.pages("a", options));
  const { length } = await total;
  let page = 0;
  const error = await assertRejects(async () => {
    for (let next: PageOptions | null = options; next !== null; page++) {
      if (page === after) fs.content = encoder.encode(change(text));
      ({ next } = await workspace.read("a", next));
    }
  }, ReadFileError);
  assert(error.is("CHANGED"), error.message);
  return [page, length, error.details.how];
}

/** Replaces the text at a position. */
const put = (at: number, other: string) => (text: string) =>
  text.slice(0, at) + other + text.slice(at + other.length);

describe("a change between pages of a file without a time", () => {
  const walk = { maxBytes: 8 * KIB };
  it("of bytes shown long ago is noticed by the last page at the latest", async () => {
    const [page, pages, how] = await failsAt(walk, 5, put(100, "X"));
    assertEquals([page, how], [pages - 1, "rewritten"]);
  });
  it("of the last shown bytes is noticed at once", async () => {
    const [page, , how] = await failsAt(walk, 5, put(40 * KIB - 200, "X"));
    assertEquals([page, how], [5, "rewritten"]);
  });
  it("that moves the shown bytes is noticed at once", async () => {
    const [page, , how] = await failsAt(walk, 5, (text) => `new\n${text}`);
    assertEquals([page, how], [5, "grew"]);
  });
  it("that divides a line before the first page is noticed", async () => {
    const from = { start: 200, maxBytes: 8 * KIB };
    const [page, pages, how] = await failsAt(from, 4, put(5, "\n"));
    assertEquals([page, how], [pages - 1, "rewritten"]);
  });
  it("of a character before the first column is noticed", async () => {
    const { fs, workspace } = await openOn("a".repeat(64 * KIB), null);
    const start = { column: 101, width: 8 * KIB };
    let { next } = await workspace.read("a", start);
    fs.content = encoder.encode(`é${"a".repeat(64 * KIB - 2)}`);
    const error = await assertRejects(async () => {
      while (next !== null) ({ next } = await workspace.read("a", next));
    }, ReadFileError);
    assert(error.is("CHANGED"), error.message);
  });
  it("is noticed even if the file came to rest meanwhile", async () => {
    const { fs, workspace } = await openOn(textOf(64 * KIB, 3), 1_000);
    fs.ctimeMs = Date.now();
    let page = await workspace.read("a", walk);
    for (let at = 0; at < 3; at++) page = await workspace.read("a", page.next!);
    fs.content[100] = 0x21;
    fs.ctimeMs = 1_000;
    const error = await assertRejects(async () => {
      for (let next = page.next; next !== null;) {
        ({ next } = await workspace.read("a", next));
      }
    }, ReadFileError);
    assert(error.is("CHANGED"), error.message);
  });
  it("is noticed even if the last page was cached by another reader", async () => {
    const { fs, workspace } = await openOn(textOf(16 * KIB, 5), 1_000);
    fs.ctimeMs = Date.now();
    const { next } = await workspace.read("a", { count: 150 });
    assert(next !== null);
    const rest = { start: next.start!, end: 9_999 };
    fs.content[100] = 0x21;
    fs.ctimeMs = 1_000;
    await workspace.read("a", rest);
    const error = await assertRejects(
      () => workspace.read("a", { ...rest, etag: next.etag! }),
      ReadFileError,
    );
    assert(error.is("CHANGED"), error.message);
  });
  it("is noticed at once by a page that jumps", async () => {
    const { fs, workspace } = await openOn(textOf(64 * KIB, 4), null);
    let page = await workspace.read("a", walk);
    for (let at = 0; at < 3; at++) page = await workspace.read("a", page.next!);
    fs.content[100] = 0x21;
    const jump = { start: 3, count: 2, etag: page.etag };
    const error = await assertRejects(
      () => workspace.read("a", jump),
      ReadFileError,
    );
    assert(error.is("CHANGED"), error.message);
  });
});
