/** A page is made in one open of its file, whatever is asked of it. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  notebookView,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
  type View,
  type Workspace,
} from "../../mod.ts";
import { countingFs, type Counts } from "../support/counting_fs.ts";
import { utf16Of } from "../support/encoded.ts";
import { png } from "../support/images.ts";
import { SAMPLE } from "../support/notebooks.ts";

const LINES = Array.from({ length: 4000 }, (_, at) => `line ${at + 1}`);
const TEXT = `${LINES.join("\n")}\n`;
/** The first bytes, by which a binary file or a view is known. */
const HEAD = 8192;

const FILES = {
  "a.txt": TEXT,
  "utf16.txt": utf16Of(`\uFEFF${TEXT}`),
  "giant.txt": `${"0123456789".repeat(100_000)}\nend\n`,
  "no_line.txt": "0123456789".repeat(100_000),
  "bytes.bin": Uint8Array.from({ length: 20_000 }, (_, at) => at),
  "i.png": png(2, 3),
  "b.ipynb": SAMPLE,
  "empty.txt": "",
};

type Name = keyof typeof FILES;

async function openOn(
  views: readonly View[] = [],
): Promise<{ workspace: Workspace; counts: Counts }> {
  const files = Object.entries(FILES).map(([name, content]) =>
    [`/ws/${name}`, { content, mtimeMs: 1 }] as const
  );
  const fs = countingFs(memoryFs(Object.fromEntries(files)));
  const workspace = await openWorkspace("/ws", { fs, views });
  return { workspace, counts: fs.counts };
}

const ONCE = (size: number) => size;
const HEAD_AND_ALL = (size: number) => size + HEAD;
/** Once as UTF-8, by which the encoding is detected, and once in that encoding. */
const TWICE = (size: number) => 2 * size + HEAD;

/** Pages, and the most bytes that each reads of a file of a size. */
const PAGES: readonly (readonly [
  path: Name,
  options: ReadOptions,
  most: (size: number) => number,
])[] = [
  ["a.txt", {}, ONCE],
  ["a.txt", { start: 3000, count: 5 }, ONCE],
  ["a.txt", { count: 5, countLines: true }, ONCE],
  ["a.txt", { tail: 5 }, ONCE],
  ["a.txt", { tail: 5, numbered: false }, ONCE],
  ["a.txt", { tail: 3000, keepEnd: true, maxBytes: 100 }, ONCE],
  ["giant.txt", { tail: 2, keepEnd: true, maxBytes: 2 }, HEAD_AND_ALL],
  ["a.txt", { around: 2000, before: 3, after: 3 }, ONCE],
  ["a.txt", { around: 2000, block: true }, ONCE],
  ["a.txt", { match: "line 77" }, ONCE],
  ["a.txt", { match: "nowhere" }, ONCE],
  ["a.txt", { match: "7$", regex: true, limit: 5, countLines: true }, ONCE],
  ["a.txt", { lines: [5, 3999], after: 1 }, ONCE],
  ["a.txt", { start: 9999 }, ONCE],
  ["a.txt", { start: 3, end: 9, exactRange: true }, ONCE],
  ["a.txt", { maxChars: 500 }, () => 4096],
  ["a.txt", { maxChars: 500, countLines: true }, ONCE],
  ["a.txt", { maxTokens: 100, maxLines: 9, maxBytes: 2000 }, () => 4096],
  ["a.txt", { match: "line", maxChars: 500 }, ONCE],
  ["a.txt", { binary: "refuse-nul" }, ONCE],
  ["a.txt", { binary: "refuse-shown" }, ONCE],
  ["a.txt", { binary: "refuse-invalid" }, ONCE],
  ["a.txt", { escape: true }, ONCE],
  ["utf16.txt", {}, TWICE],
  ["utf16.txt", { tail: 5 }, TWICE],
  ["utf16.txt", { start: 2000, maxChars: 500 }, TWICE],
  ["utf16.txt", { match: "line 77" }, TWICE],
  ["utf16.txt", { countLines: true, count: 5 }, TWICE],
  ["giant.txt", {}, ONCE],
  ["giant.txt", { maxBytes: 1000 }, () => 64 * 1024],
  ["giant.txt", { maxChars: 1000, countLines: true }, HEAD_AND_ALL],
  ["giant.txt", { match: "9", limit: 3 }, ONCE],
  ["giant.txt", { maxLineBytes: 100 }, ONCE],
  ["giant.txt", { start: 1, column: 500_000, width: 50 }, ONCE],
  ["no_line.txt", { tail: 1, maxBytes: 1000 }, HEAD_AND_ALL],
  ["no_line.txt", { tail: 1, maxChars: 1000 }, HEAD_AND_ALL],
  ["bytes.bin", { binary: "bytes" }, ONCE],
  ["bytes.bin", { binary: "bytes", maxBytes: 99 }, ONCE],
  ["empty.txt", { binary: "refuse-shown" }, ONCE],
];

/** Pages of a notebook, which a view may show. */
const VIEWED: readonly ReadOptions[] = [
  {},
  { view: "cells" },
  { tail: 2 },
  { match: "a", maxChars: 500 },
  { countLines: true, count: 1 },
  { view: "raw", count: 1 },
  { view: "raw", binary: "refuse-nul" },
];

/** Reads that fail. */
const REFUSED: readonly (readonly [
  path: Name,
  options: ReadOptions,
  code: string,
])[] = [
  ["bytes.bin", { binary: "refuse-nul" }, "BINARY"],
  ["bytes.bin", { binary: "refuse-shown", maxChars: 500 }, "BINARY"],
  ["bytes.bin", { binary: "refuse-invalid" }, "BINARY"],
  ["i.png", { binary: "refuse-shown" }, "BINARY"],
  ["a.txt", { maxFileBytes: 99 }, "TOO_LARGE"],
  ["a.txt", { start: 3999, maxScanBytes: 99 }, "SCAN_LIMIT"],
  ["a.txt", { start: 1, end: 9999, exactRange: true }, "RANGE_OUT_OF_BOUNDS"],
];

describe("a page is made in one open", () => {
  for (const [path, options, most] of PAGES) {
    it(`of ${path} with ${JSON.stringify(options)}`, async () => {
      const { workspace, counts } = await openOn();
      const { size } = await workspace.read(path, options);
      const { open, opened, bytes } = counts;
      assertEquals({ open, opened }, { open: 0, opened: 1 });
      assert(bytes <= most(size), `${bytes} bytes of ${size}`);
    });
  }
  for (const options of VIEWED) {
    it(`of a notebook with ${JSON.stringify(options)}`, async () => {
      const { workspace, counts } = await openOn([notebookView()]);
      const page = await workspace.read("b.ipynb", options);
      assertEquals(page.view, options.view === "raw" ? null : "cells");
      assertEquals(counts.opened, 1);
    });
  }
});

describe("the pages of a file take one open each", () => {
  for (const path of ["a.txt", "utf16.txt", "giant.txt"] as const) {
    it(path, async () => {
      const { workspace, counts } = await openOn();
      const options = { maxChars: 20_000, countLines: true };
      let pages = 0;
      for await (const _ of workspace.pages(path, options)) pages++;
      assert(pages > 1);
      assertEquals(counts.opened, pages);
    });
  }
});

describe("a refusal takes one open", () => {
  for (const [path, options, code] of REFUSED) {
    it(`${code} of ${path} with ${JSON.stringify(options)}`, async () => {
      const { workspace, counts } = await openOn();
      const error = await assertRejects(
        () => workspace.read(path, options),
        ReadFileError,
      );
      const { open, opened } = counts;
      assertEquals([error.code, open, opened], [code, 0, 1]);
    });
  }
});
