/** How often the reader's tools open a file. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  type FsPort,
  gunzipView,
  memoryFs,
  notebookView,
  openWorkspace,
  type ReaderOptions,
  readerTools,
} from "../../../mod.ts";
import { gzip } from "../../support/gzip.ts";
import { avif, png } from "../../support/images.ts";
import { SAMPLE } from "../../support/notebooks.ts";

const linesTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

const utf16 = (text: string) =>
  new Uint8Array(
    Uint16Array.from(`\ufeff${text}`, (unit) => unit.charCodeAt(0)).buffer,
  );

const FILES = {
  "/ws/small.txt": linesTo(3),
  "/ws/empty.txt": "",
  "/ws/large.txt": linesTo(200_000),
  "/ws/giant.txt": "x".repeat(3_000_000),
  "/ws/cjk.txt": "\u4e2d\u6587\n".repeat(40_000),
  "/ws/utf16.txt": utf16(linesTo(5000)),
  "/ws/sjis.txt": Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 0x0a),
  "/ws/bad.txt": Uint8Array.of(0x61, 0xff, 0x0a),
  "/ws/book.ipynb": SAMPLE,
  "/ws/broken.ipynb": SAMPLE.slice(0, -2),
  "/ws/log.gz": await gzip(linesTo(4000)),
  "/ws/app.db": `SQLite format 3\0${"\0".repeat(9000)}`,
  "/ws/late.bin": `${linesTo(9000)}\0\n`,
  "/ws/a.png": png(64, 48),
  "/ws/half.png": png(64, 48).slice(0, 40),
  "/ws/new.avif": avif(64, 48),
  "/ws/link": { link: "small.txt" },
  "/ws/dir/b.txt": "b\n",
  "/ws/.env": "KEY=1",
  "/ws/odd": linesTo(9),
  "/ws/odd:7": linesTo(9),
};

/** The tools over these files, and how often each file was opened. */
async function setUp(options?: ReaderOptions) {
  const fs = memoryFs(FILES);
  const opened: string[] = [];
  const counting: FsPort = {
    ...fs,
    open(path, signal) {
      opened.push(path.slice("/ws/".length));
      return fs.open(path, signal);
    },
  };
  const workspace = await openWorkspace("/ws", {
    fs: counting,
    views: [notebookView(), gunzipView()],
    deny: [".env"],
  });
  return { tools: readerTools(workspace, options), opened };
}

/** Calls of `read_file` for one file, and the code of the failure if it is to fail. */
const ONCE: readonly (readonly [string, object, code?: string])[] = [
  ["small.txt", {}],
  ["link", {}],
  ["empty.txt", {}],
  ["large.txt", {}],
  ["large.txt", { maxChars: 1000 }],
  ["large.txt", { maxChars: 1 }],
  ["large.txt", { maxTokens: 50 }],
  ["large.txt", { start: 150_000 }],
  ["large.txt", { start: 150_000, maxChars: 300 }],
  ["large.txt", { start: 300_000 }],
  ["large.txt", { tail: 5 }],
  ["large.txt", { tail: 5, numbered: false }],
  ["large.txt", { tail: 5000 }],
  ["large.txt", { around: 100_000 }],
  ["large.txt", { match: "line 1999" }],
  ["large.txt", { match: "9", maxChars: 2000 }],
  ["large.txt", { match: "^line 7$", regex: true, before: 2, after: 2 }],
  ["large.txt", { match: "LINE 12345", ignoreCase: true, count: 3 }],
  ["large.txt", { match: "nowhere" }],
  ["giant.txt", {}],
  ["giant.txt", { column: 1_000_000 }],
  ["giant.txt", { match: "x" }],
  ["cjk.txt", {}],
  ["utf16.txt", {}],
  ["utf16.txt", { tail: 3 }],
  ["utf16.txt", { start: 4000, maxChars: 500 }],
  ["utf16.txt", { match: "line 77" }],
  ["sjis.txt", { encoding: "shift_jis" }],
  ["bad.txt", { escape: true }],
  ["book.ipynb", {}],
  ["book.ipynb", { start: 3, count: 2 }],
  ["book.ipynb", { view: "raw" }],
  ["log.gz", { maxChars: 500 }],
  ["log.gz", { tail: 3 }],
  ["log.gz", { match: "line 39" }],
  ["late.bin", {}],
  ["app.db", {}, "BINARY"],
  ["app.db", { tail: 3 }, "BINARY"],
  ["app.db", { match: "x" }, "BINARY"],
  ["log.gz", { view: "raw" }, "BINARY"],
  ["broken.ipynb", {}, "UNREADABLE"],
];

describe("a call of read_file", () => {
  for (const [path, args, wanted] of ONCE) {
    const shown = JSON.stringify(args);
    it(`opens ${path} once: ${shown}${wanted ? `, ${wanted}` : ""}`, async () => {
      const { tools: [tool], opened } = await setUp();
      const { error } = await callTool(tool, { path, ...args });
      assertEquals(error?.code, wanted);
      assertEquals(opened.length, 1);
    });
  }

  it("opens a file once for each page that follows", async () => {
    const { tools: [tool], opened } = await setUp();
    let calls = 0;
    let next: unknown = { path: "utf16.txt", maxChars: 9000 };
    while (next !== null) {
      const { output } = await callTool(tool, next);
      next = output?.facts.next;
      calls++;
    }
    assert(calls > 5, `${calls} calls`);
    assertEquals(opened.length, calls);
  });

  it("opens a file once in a session, whatever is left out", async () => {
    const { tools: [tool], opened } = await setUp({ session: true });
    for (const args of [{ end: 50 }, { end: 90 }, { end: 50 }]) {
      await callTool(tool, { path: "large.txt", ...args });
    }
    assertEquals(opened.length, 3);
  });

  it("opens a file once if its path names lines, whichever file is meant", async () => {
    for (
      const [path, opened] of [
        ["small.txt:1-2", "small.txt"],
        ["small.txt#L2", "small.txt"],
        ["link:2", "small.txt"],
        ["odd:7", "odd:7"],
        ["odd:7:1-", "odd:7"],
        ["none:7", undefined],
        [".env:7", undefined],
        ["dir:7", undefined],
      ] as const
    ) {
      const { tools, opened: all } = await setUp();
      await callTool(tools[0], { path });
      await callTool(tools[1], { files: [path] });
      const own = all.filter((name) => name !== "dir/b.txt");
      const wanted = opened === undefined ? [] : [opened, opened];
      assertEquals(own, wanted, path);
    }
  });

  it("opens a file for each part that its path names", async () => {
    const { tools: [tool], opened } = await setUp();
    await callTool(tool, { path: "large.txt:1-2,5-6,/line 9$/" });
    assertEquals(opened, Array(3).fill("large.txt"));
  });

  it("opens an image twice: only the refusal as text says that it is one", async () => {
    const images = ["a.png", "half.png", "new.avif"];
    for (const path of images) {
      const { tools: [tool], opened } = await setUp();
      await callTool(tool, { path });
      assertEquals(opened, [path, path]);
    }
  });

  it("does not open what is no file, or may not be read", async () => {
    for (
      const [path, code] of [
        ["none.txt", "NOT_FOUND"],
        ["dir", "NOT_A_FILE"],
        [".env", "POLICY_DENIED"],
        ["../x", "OUTSIDE_WORKSPACE"],
        ["", "INVALID_ARGUMENT"],
      ] as const
    ) {
      const { tools: [tool], opened } = await setUp();
      const { error } = await callTool(tool, { path });
      // Names that a hint suggests are opened, to be sure that they are files.
      assertEquals([error?.code, opened.includes(path)], [code, false]);
    }
  });
});

describe("a call of read_files", () => {
  it("opens each file once, whatever its share is", async () => {
    const files = ["small.txt", "large.txt", "utf16.txt", "book.ipynb"];
    for (const maxChars of [20_000, 5000, 1500, 1]) {
      const { tools: [, tool], opened } = await setUp();
      const { output } = await callTool(tool, { files, maxChars });
      assert(output !== undefined);
      assertEquals(opened.toSorted(), files.toSorted());
    }
  });

  it("opens a file once if it cannot be shown", async () => {
    const { tools: [, tool], opened } = await setUp();
    await callTool(tool, { files: ["app.db", "a.png", "none.txt"] });
    assertEquals(opened.toSorted(), ["a.png", "app.db"]);
  });
});

describe("a call of list_directory", () => {
  it("opens no file", async () => {
    const { tools: [, , tool], opened } = await setUp();
    const { output } = await callTool(tool, { depth: 2 });
    assert(output !== undefined);
    assertEquals(opened, []);
  });
});
