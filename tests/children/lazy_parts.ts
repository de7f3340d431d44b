// Uses each part of the library that is loaded late, while no file can be opened
// and again after that; prints the outcomes.
import { Buffer } from "node:buffer";
import { closeSync, openSync } from "node:fs";
import process from "node:process";
import { gzipSync } from "node:zlib";
import {
  createReadImage,
  gunzipView,
  hostFs,
  httpFs,
  memoryFs,
  notebookView,
  openWorkspace,
  readFile,
  type Selection,
} from "../../mod.ts";
import { utf16Of } from "../support/encoded.ts";
import { png } from "../support/images.ts";
import { SAMPLE } from "../support/notebooks.ts";

const fs = memoryFs({
  "/ws/a.txt": "one\n  two\n",
  "/ws/b.txt": "\0\0\0\0",
  "/ws/b.ipynb": JSON.stringify(SAMPLE),
  "/ws/b.txt.gz": gzipSync(Buffer.from("one\n")),
  "/ws/c.txt": utf16Of("one\ntwo\n"),
  "/ws/empty.txt": "",
  "/ws/i.png": png(1, 1),
});
// The disk of the runtime, whose parts load late.
hostFs();
const workspace = await openWorkspace("/ws", { fs });
const views = [gunzipView(), notebookView()];
const viewed = await openWorkspace("/ws", { fs, views });
const fetch = () => Promise.resolve(new Response(null, { status: 404 }));
const distant = await openWorkspace("/", { fs: httpFs("http://x", { fetch }) });
const { receipt } = await workspace.read("a.txt");
const paths = [{ path: "a.txt" }];
const image = createReadImage(workspace);

const BLOCK: Selection = {
  ...{ kind: "block", anchor: 2, count: 9, maxLevels: 0 },
  ...{ siblings: false, header: false },
};

const USES: Readonly<Record<string, () => Promise<unknown>>> = {
  list: () => workspace.list("."),
  quote: () => workspace.quote("a.txt"),
  tokens: () => workspace.read("a.txt", { maxTokens: 100 }),
  readMany: () => workspace.readMany(paths),
  readAround: () => workspace.readAround([{ path: "a.txt", line: 1 }]),
  recheck: () => workspace.recheck("a.txt", receipt!),
  since: () => workspace.read("a.txt", { since: receipt! }),
  readImage: () => workspace.readImage("i.png"),
  imageTool: () => image.call({ path: "i.png" }),
  view: () => viewed.read("a.txt"),
  gunzip: () => viewed.read("b.txt.gz"),
  notebook: () => viewed.read("b.ipynb"),
  unsized: () => workspace.read("empty.txt"),
  block: () => readFile(workspace, "a.txt", BLOCK),
  match: () => workspace.read("a.txt", { match: "two" }),
  binary: () => workspace.read("b.txt").catch(unless("BINARY")),
  charset: () => workspace.read("c.txt", { encoding: "utf-16le" }),
  detect: () => workspace.read("c.txt"),
  decoded: () =>
    workspace.read("c.txt", { match: "two", encoding: "utf-16le" }),
  http: () => readFile(distant, "a.txt").catch(unless("NOT_FOUND")),
};

/** Ignores the failure that the file has anyway. */
function unless(usual: string) {
  return (error: { readonly code: string }) => {
    if (error.code !== usual) throw error;
  };
}

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
