/** What other code adds to `Object.prototype` is no option of a call. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  type ReadFields,
  respond,
  type Workspace,
} from "../../mod.ts";

const TEXT = "one\ntwo\nthree\nfour\n";
const fs = memoryFs({ "/ws/a.txt": TEXT });

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
  open_file: (workspace) =>
    respond(createOpenFile(workspace), { file_path: "a.txt" }),
  read_file: (workspace) =>
    respond(createToolkitReadFile(workspace), { path: "a.txt" }),
  Read: (workspace) =>
    respond(createForgeRead(workspace), { path: "a.txt", start_line: 1 }),
};

const POLLUTION: ReadFields = {
  start: 3,
  count: 1,
  column: 2,
  tail: 1,
  match: "two",
  maxBytes: 2,
  maxLines: 1,
  encoding: "utf-16le",
  binary: "bytes",
  view: "cells",
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
