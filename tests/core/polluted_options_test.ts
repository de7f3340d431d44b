// Not at the edge: the objects of workerd inherit from Object.prototype, too.
/** What other code adds to `Object.prototype` is no option of a call. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  readerTools,
  type ReadFields,
  respond,
  type Workspace,
} from "../../mod.ts";

const TEXT = "one\ntwo\nthree\nfour\n";
const CODE = "def f():\n  if x:\n    y()\n\n    z()\ng()\n";
const fs = memoryFs({ "/ws/a.txt": TEXT, "/ws/b.py": CODE, "/ws/c.txt": TEXT });

/** Calls one of the reader's tools. */
const reader = (at: 0 | 1 | 2, args: object) => (workspace: Workspace) =>
  respond(readerTools(workspace, { etags: "full" })[at], args);

/** Each way to the text of a file. */
const DOORS: Readonly<Record<string, (workspace: Workspace) => unknown>> = {
  read: async (workspace) => (await workspace.read("a.txt")).text,
  "read with limits": async (workspace) =>
    (await workspace.read("a.txt", { maxBytes: 50, maxChars: 500 })).text,
  async pages(workspace) {
    const texts: string[] = [];
    for await (const { text } of workspace.pages("a.txt", { count: 2 })) {
      texts.push(text);
    }
    return texts;
  },
  async readMany(workspace) {
    const [answer] = await workspace.readMany([{ path: "a.txt" }]);
    return answer?.kind === "page" ? answer.page.text : answer;
  },
  block: async (workspace) =>
    (await workspace.read("b.py", { around: 3, block: true })).text,
  async hits(workspace) {
    const page = await workspace.read("a.txt", { match: "o" });
    return [page.text, page.hits];
  },
  "the reader's file": reader(0, { path: "a.txt" }),
  "its lines": reader(0, { path: "a.txt", start: 2, maxChars: 5000 }),
  "its hits": reader(0, { path: "a.txt", match: "o" }),
  "its search": reader(0, { path: ".", match: "o" }),
  "its files": reader(1, { files: [{ path: "a.txt" }, { path: "b.py" }] }),
  "its directory": reader(2, { path: "." }),
  async "arguments of wrong types"(workspace) {
    const { text } = await respond(createOpenFile(workspace), {
      file_path: "a.txt",
      start_line: "2",
    });
    return text;
  },
  open_file: (workspace) =>
    respond(createOpenFile(workspace), { file_path: "a.txt" }),
  read_file: (workspace) =>
    respond(createToolkitReadFile(workspace), { path: "a.txt" }),
  Read: (workspace) =>
    respond(createForgeRead(workspace), { path: "a.txt", start_line: 1 }),
};

const POLLUTION: ReadFields & Readonly<Record<string, unknown>> = {
  start: 3,
  end: 3,
  count: 1,
  column: 2,
  width: 1,
  tail: 1,
  around: 1,
  match: "two",
  regex: true,
  ignoreCase: true,
  lines: [1],
  limit: 1,
  before: 1,
  after: 1,
  block: true,
  levels: 0,
  siblings: true,
  header: false,
  maxBytes: 2,
  maxLines: 1,
  maxChars: 9,
  maxTokens: 9,
  maxFileBytes: 1,
  maxScanBytes: 1,
  maxLineBytes: 1,
  countLines: false,
  escape: true,
  encoding: "utf-16le",
  etag: "x",
  binary: "bytes",
  view: "cells",
  pages: "1",
  // Of tools, searches, listings and the inner limits of a text.
  glob: "*.py",
  ignored: true,
  from: "b.py",
  depth: 3,
  times: true,
  lenient: true,
  policy: { allowTools: [] },
  signal: { aborted: true },
  chars: 9,
  bytes: 9,
  tokens: 9,
  fileBytes: 3,
  path: "c.txt",
  tool: "x",
  next: null,
  notes: ["x"],
  changes: "HEAD",
  refresh: true,
  // Of the rules of options.
  length: 1,
  least: 5,
  most: 1,
  unlimited: true,
};

describe("a polluted Object.prototype", () => {
  for (const [name, value] of Object.entries(POLLUTION)) {
    for (const [door, ask] of Object.entries(DOORS)) {
      it(`changes nothing: ${name}, ${door}`, async () => {
        const workspace = await openWorkspace("/ws", { fs, cacheBytes: 0 });
        const expected = await ask(workspace);
        const polluted = Object.prototype as Record<string, unknown>;
        let found: unknown;
        try {
          polluted[name] = value;
          found = await ask(workspace);
        } finally {
          delete polluted[name];
        }
        assertEquals(found, expected);
      });
    }
  }
});
