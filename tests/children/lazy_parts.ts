// Uses each part of the library that is loaded late, while no file can be opened
// and again after that; prints the outcomes.
import { Buffer } from "node:buffer";
import { closeSync, openSync } from "node:fs";
import process from "node:process";
import { gzipSync } from "node:zlib";
import {
  gunzipView,
  hostFs,
  memoryFs,
  notebookView,
  openWorkspace,
} from "../../mod.ts";
import { utf16Of } from "../support/encoded.ts";
import { SAMPLE } from "../support/notebooks.ts";
import { makeSignalPipe } from "../support/signals.ts";

makeSignalPipe();
const fs = memoryFs({
  "/ws/b.ipynb": SAMPLE,
  "/ws/b.txt.gz": gzipSync(Buffer.from("one\n")),
  "/ws/c.txt": utf16Of("one\ntwo\n"),
});
// The disk of the runtime, whose parts load late.
hostFs();
const workspace = await openWorkspace("/ws", { fs });
const views = [gunzipView(), notebookView()];
const viewed = await openWorkspace("/ws", { fs, views });

const USES: Readonly<Record<string, () => Promise<unknown>>> = {
  gunzip: () => viewed.read("b.txt.gz"),
  notebook: () => viewed.read("b.ipynb"),
  charset: () => workspace.read("c.txt", { encoding: "utf-16le" }),
  detect: () => workspace.read("c.txt"),
  decoded: () =>
    workspace.read("c.txt", { match: "two", encoding: "utf-16le" }),
};

async function outcomes() {
  const told: Record<string, string> = {};
  for (const [name, use] of Object.entries(USES)) {
    told[name] = await use().then(() => "ok", ({ code }) => String(code));
  }
  return told;
}

const open: number[] = [];
try {
  for (;;) open.push(openSync(process.execPath, "r"));
} catch {
  // No file can be opened now.
}
const meanwhile = await outcomes();
for (const fd of open) closeSync(fd);
console.log(JSON.stringify({ meanwhile, after: await outcomes() }));
