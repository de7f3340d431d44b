/** What other code adds to `Object.prototype` is no argument and no option of a tool. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  changesBetween,
  createAgentToolkit,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createReadImage,
  createReadSession,
  createToolkitReadFile,
  httpFs,
  isRendered,
  memoryFs,
  notebookView,
  openFile,
  openWorkspace,
  type R2BucketLike,
  r2Fs,
  ReaderMemory,
  readerTools,
  renderPage,
  respond,
  type Tool,
  ToolCatalog,
  type View,
  type Workspace,
} from "../../mod.ts";
import { png } from "../support/images.ts";
import { SAMPLE } from "../support/notebooks.ts";

const fs = memoryFs({
  "/ws/a.txt": "one\ntwo\nthree\nfour\n",
  "/ws/d/b.txt": "five\n",
  "/ws/c.png": png(2, 1),
  "/ws/e.ipynb": SAMPLE,
  "/ws/f.bare": "six\n",
});

/** A view with nothing that it may leave out. */
const BARE: View = {
  name: "bare",
  matches: ({ head }) => head[0] === 0x73,
  open: (file) => ({
    size: file.stat.size,
    read: (buffer, position) => file.read(buffer, position),
  }),
};

type Ask = (workspace: Workspace) => unknown;

/** Calls a tool that is made before anything is polluted, as hosts do. */
const calls =
  (make: (workspace: Workspace) => Tool, args: unknown): Ask => (workspace) => {
    const tool = make(workspace);
    return async () => await respond(tool, args);
  };

const reader = (at: 0 | 1 | 2, args: unknown, session = false): Ask =>
  calls(
    (workspace) =>
      readerTools(workspace, {
        memory: new ReaderMemory(),
        session,
      })[at] as Tool,
    args,
  );

/** Each door, up to the call itself. */
const DOORS: Readonly<Record<string, Ask>> = {
  "read_file": reader(0, { path: "a.txt" }),
  "read_file of lines": reader(0, { path: "a.txt:2-3" }),
  "read_file of two parts": reader(0, { path: "a.txt:1,3" }),
  "read_file in a session": reader(0, { path: "a.txt" }, true),
  "read_file that is cut": reader(0, { path: "a.txt", maxChars: 60 }),
  "read_file of an image": reader(0, { path: "c.png" }),
  "read_file without arguments": reader(0, {}),
  "read_files": reader(1, { files: ["a.txt", { path: "d/b.txt" }] }),
  "read_files by another name": reader(1, { paths: ["a.txt"] }),
  "read_files without arguments": reader(1, {}),
  "list_directory": reader(2, {}),
  "list_directory of a directory": reader(2, { path: "d" }),
  "Codex": calls(createCodexReadFile, { file_path: "/ws/a.txt" }),
  "Codex, a block": calls(createCodexReadFile, {
    file_path: "/ws/a.txt",
    mode: "indentation",
  }),
  "Forge": calls(createForgeRead, { path: "a.txt" }),
  "open_file": calls(createOpenFile, { file_path: "a.txt" }),
  "toolkit": calls(createToolkitReadFile, { path: "a.txt" }),
  "toolkit, leniently": (workspace) => async () => {
    const tool = createToolkitReadFile(workspace);
    return await respond(tool, { path: "a.txt" }, { lenient: true });
  },
  "read_image": calls(createReadImage, { path: "c.png" }),
  "the toolkit's readFile": (workspace) => async () => {
    const toolkit = await createAgentToolkit({ workspace });
    return [
      await toolkit.readFile("a.txt", {}),
      await toolkit.openFile("a.txt", {}),
      await toolkit.invoke("open_file", { file_path: "a.txt" }),
    ];
  },
  "ToolCatalog": (workspace) => async () =>
    await ToolCatalog.read_file.handler({ workspace }, "a.txt", {}),
  "openFile": (workspace) => async () => await openFile(workspace, "a.txt", {}),
  "openWorkspace": () => async () => {
    const invalid = memoryFs({ "/ws/a.txt": Uint8Array.of(0x61, 0xff, 0x0a) });
    const opened = await openWorkspace("/ws", { fs: invalid });
    const { text, encoding } = await opened.read("a.txt");
    return [text, encoding, await outcomeOf(() => opened.at("HEAD"))];
  },
  "views": () => async () => {
    const views = [notebookView(), BARE];
    const viewing = await openWorkspace("/ws", { fs, views });
    const paths = ["e.ipynb", "f.bare"];
    const answers = [
      ...await Promise.all(paths.map((path) => viewing.read(path))),
      ...await viewing.readMany(paths.map((path) => ({ path }))),
      await outcomeOf(() => viewing.read("f.bare", { pages: "1" })),
    ];
    return answers.map((answer) => JSON.stringify(answer));
  },
  "stores": () => async () => {
    const found = { key: "a.txt", size: 5, etag: "e", uploaded: new Date(0) };
    const bytes = new TextEncoder().encode("abcd\n");
    const body = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes);
          controller.close();
        },
      });
    const bucket: R2BucketLike = {
      head: (key) => Promise.resolve(key === "a.txt" ? found : null),
      get: (key) =>
        Promise.resolve(key === "a.txt" ? { ...found, body: body() } : null),
    };
    const answer = (isHead: boolean) =>
      new Response(isHead ? null : bytes, {
        headers: { etag: '"1"', "content-length": "5" },
      });
    const answered = { HEAD: answer(true), GET: answer(false) };
    const http = httpFs("https://x.example/", {
      fetch: (_, init) =>
        Promise.resolve(answered[init?.method === "HEAD" ? "HEAD" : "GET"]),
    });
    const texts: unknown[] = [];
    for (const fs of [r2Fs(bucket), http]) {
      const opened = await openWorkspace("/", { fs });
      texts.push((await opened.read("a.txt")).text);
    }
    return texts;
  },
  "list": (workspace) => async () => await workspace.list("."),
  "readMany": (workspace) => async () => {
    const answers = await workspace.readMany([{ path: "a.txt" }, {
      glob: "*.txt",
    }]);
    return answers.map((answer) => JSON.stringify(answer));
  },
  "readImage": (workspace) => async () => await workspace.readImage("c.png"),
  "session": (workspace) => async () => {
    const session = createReadSession();
    const page = await workspace.read("a.txt");
    return [session.answer(page), session.answer(page)];
  },
  "session of an edited file": () => async () => {
    const session = createReadSession();
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at} of some`);
    const answers: unknown[] = [];
    for (const text of [lines, lines.with(5, "new"), lines.toSpliced(9, 2)]) {
      const edited = memoryFs({ "/ws/a.txt": text.join("\n") });
      const opened = await openWorkspace("/ws", { fs: edited });
      answers.push(session.answer(await opened.read("a.txt")));
    }
    return answers;
  },
  "rendering": (workspace) => async () => {
    const page = await workspace.read("a.txt", { count: 2 });
    const text = renderPage(page);
    const rest = await workspace.read("a.txt", page.next!);
    return [text, isRendered(text), JSON.stringify(changesBetween(page, rest))];
  },
};

const ADDED: Readonly<Record<string, unknown>> = {
  absolute_path: "d/b.txt",
  after: 1,
  around: 2,
  base: "d",
  before: 1,
  binary: "bytes",
  block: true,
  close: "x",
  code: "x",
  column: 2,
  context: 1,
  count: 1,
  countLines: 1,
  countTokens: () => 1,
  defaultPolicy: "deny",
  denied: "hide",
  deny: ["**"],
  depth: 5,
  detect: () => Promise.resolve({ label: "utf-16le" }),
  encoding: "utf-16le",
  end: 2,
  end_line: 2,
  escape: true,
  etag: "abcdefgh",
  etags: "full",
  exactRange: true,
  execution_count: 7,
  file: "d/b.txt",
  file_path: "/ws/d/b.txt",
  files: ["d/b.txt"],
  glob: "*.png",
  gone: [],
  head: 1,
  hint: "x",
  ignoreCase: true,
  isEncoded: true,
  isOpened: true,
  indentation: { anchor_line: 2 },
  items: { type: "string" },
  keepEnd: true,
  kind: "x",
  lacks: ["links"],
  lenient: true,
  limit: 1,
  lines: [2],
  match: "two",
  maxBytes: 2,
  maxChars: 50,
  maxFileBytes: 1,
  maxLineBytes: 1,
  maxLines: 1,
  maxScanBytes: 1,
  // Of a wrong type, since a number would be taken.
  maxTokens: "x",
  max_lines: 1,
  maximum: 1,
  memory: new ReaderMemory(),
  mode: "indentation",
  next: { start: 9 },
  note: () => {},
  notes: ["x"],
  numbered: false,
  offset: 2,
  paged: true,
  pages: "1",
  path: "d/b.txt",
  problem: "x",
  policy: { defaultPolicy: "deny" },
  refresh: true,
  revisions: { open: () => fs },
  regex: true,
  range: "x",
  session: true,
  show_line_numbers: true,
  skip: 1,
  special: "x",
  // workerd makes none while modules are loaded.
  get signal() {
    return AbortSignal.abort();
  },
  start: 2,
  start_line: 2,
  tail: 1,
  times: true,
  tool: "x",
  tools: { read_file: "deny", open_file: "deny", Read: "deny" },
  views: [],
  view: "raw",
  wholeLines: true,
  width: 1,
};

/** What a call gives, also if it fails. */
async function outcomeOf(ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    return String(error);
  }
}

describe("an argument that Object.prototype has", () => {
  for (const [door, make] of Object.entries(DOORS)) {
    it(`is not one of ${door}`, async () => {
      const changed: string[] = [];
      for (const [name, value] of Object.entries(ADDED)) {
        const open = () => openWorkspace("/ws", { fs, cacheBytes: 0 });
        const ask = () => make(workspace) as () => unknown;
        let workspace = await open();
        const expected = await ask()();
        workspace = await open();
        const asked = ask();
        const property = { value, configurable: true, writable: true };
        Object.defineProperty(Object.prototype, name, property);
        let found: unknown;
        try {
          found = await outcomeOf(asked);
        } finally {
          Reflect.deleteProperty(Object.prototype, name);
        }
        if (JSON.stringify(found) === JSON.stringify(expected)) continue;
        changed.push(`${name}: ${JSON.stringify(found)}`.slice(0, 300));
      }
      assertEquals(changed, []);
    });
  }
});
