import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  readerTools,
  type Tool,
} from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";

const line = (number: number) => `line ${number} of many, and some words\n`;
const LINES = Array.from({ length: 9000 }, (_, at) => line(at + 1)).join("");
const FILES = {
  "/ws/small.txt": "one\ntwo\nthree\n",
  "/ws/many.txt": LINES,
  "/ws/giant.txt": `${"x".repeat(300_000)}\nshort\n`,
  "/ws/ends_long.txt": `short\n${"x".repeat(300_000)}`,
  "/ws/wide.txt": new Uint8Array(
    Uint16Array.from(
      `\uFEFF${LINES.slice(0, 1000)}`,
      (char) => char.charCodeAt(0),
    ).buffer,
  ),
  "/ws/lossy.txt": new Uint8Array([0x61, 0xff, 0x0a]),
  "/ws/dot.gif": "GIF89a\0",
  "/ws/empty.txt": "",
  "/ws/large.txt": LINES.repeat(8),
  "/ws/a.ipynb":
    '{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x", "outputs": []}]}',
};

/** Calls, and how many opens each takes; one, except where the reason says why. */
const CALLS: readonly (readonly [
  tool: string,
  args: Record<string, unknown>,
  opens?: number,
  why?: string,
])[] = [
  ["codex", { file_path: "/ws/small.txt" }],
  ["codex", { file_path: "/ws/many.txt" }],
  ["codex", { file_path: "/ws/many.txt", offset: 8000, limit: 5 }],
  ["codex", { file_path: "/ws/small.txt", offset: 9 }],
  ["codex", { file_path: "/ws/giant.txt" }],
  ["codex", { file_path: "/ws/lossy.txt" }],
  ["codex", { file_path: "/ws/many.txt", mode: "indentation", offset: 40 }],
  ["codex", { file_path: "/ws/small.txt", mode: "indentation", offset: 9 }],
  ["toolkit", { path: "small.txt" }],
  ["toolkit", { path: "many.txt" }],
  ["toolkit", { path: "many.txt", start_line: 9999 }],
  ["toolkit", { path: "many.txt", match: "77", after: 1 }],
  ["toolkit", { path: "giant.txt", match: "x" }],
  ["toolkit", { path: "dot.gif" }],
  ["toolkit", { path: "large.txt" }],
  ["open_file", { file_path: "small.txt" }],
  ["open_file", { file_path: "small.txt", start_line: 2, end_line: 3 }],
  ["open_file", { file_path: "small.txt", start_line: 2, end_line: 9 }],
  ["open_file", { file_path: "small.txt", start_line: 3, end_line: 2 }],
  ["open_file", { file_path: "many.txt", start_line: 50, context: 4 }],
  ["open_file", { file_path: "lossy.txt" }],
  ["open_file", { file_path: "large.txt" }],
  ["forge", { path: "small.txt" }],
  ["forge", { path: "many.txt" }],
  ["forge", { path: "many.txt", start_line: 2 }],
  ["forge", { path: "many.txt", head: 5 }],
  ["forge", { path: "many.txt", tail: 3 }],
  ["forge", { path: "many.txt", tail: 8999 }],
  ["forge", { path: "dot.gif" }],
  ["forge", { path: "dot.gif", head: 1 }],
  ["forge", { path: "lossy.txt" }],
  ["forge", { path: "empty.txt", head: 1 }],
  ["forge", { path: "large.txt", start_line: 70_000 }],
  [
    "forge",
    { path: "giant.txt", start_line: 1 },
    2,
    "where the line after a line that is too long begins, only the rest of that line tells",
  ],
  ["forge", { path: "giant.txt", tail: 2 }],
  [
    "forge",
    { path: "ends_long.txt", tail: 2 },
    2,
    "the number of the line before a last line that is too long is only known when all lines are counted",
  ],
  ["codex", { file_path: "/ws/wide.txt" }],
  ["toolkit", { path: "wide.txt" }],
  ["open_file", { file_path: "wide.txt" }],
  ["forge", { path: "wide.txt" }],
  ["reader", { path: "small.txt" }],
  ["reader", { path: "many.txt" }],
  ["reader", { path: "many.txt", start: 5000, count: 10, maxChars: 300 }],
  ["reader", { path: "many.txt", tail: 20 }],
  ["reader", { path: "many.txt", match: "77" }],
  ["reader", { path: "giant.txt" }],
  ["reader", { path: "giant.txt", match: "x" }],
  ["reader", { path: "many.txt", maxTokens: 100 }],
  ["reader", { path: "wide.txt" }],
  ["reader", { path: "a.ipynb" }],
  ["reader", { path: "empty.txt" }],
  ["reader", { path: "small.txt", start: 99 }],
  ["reader", { path: "lossy.txt" }],
  [
    "reader",
    { path: "dot.gif" },
    2,
    "an image is known only by its bytes, and then read whole",
  ],
  [
    "files",
    { files: [{ path: "small.txt" }, { path: "many.txt" }] },
    2,
    "one for each file",
  ],
];

describe("a call of a tool opens its file once", () => {
  for (const [name, args, opens = 1, why = ""] of CALLS) {
    it(`${name} ${JSON.stringify(args)}${why && `: ${opens}, since ${why}`}`, async () => {
      const fs = countingFs(memoryFs(FILES));
      const workspace = await openWorkspace("/ws", { fs });
      const [reader, files] = readerTools(workspace);
      const tools: Readonly<Record<string, Tool>> = {
        codex: createCodexReadFile(workspace),
        toolkit: createToolkitReadFile(workspace, { find: true }),
        forge: createForgeRead(workspace),
        open_file: createOpenFile(workspace, { context: 0 }),
        reader: reader!,
        files: files!,
      };
      await callTool(tools[name]!, args);
      assertEquals(fs.counts.opened, opens);
      assertEquals(fs.counts.open, 0);
    });
  }
});
