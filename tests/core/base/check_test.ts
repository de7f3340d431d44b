/**
 * Tests every export with options: each refuses unknown names, and options that
 * are not a plain object.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { gif } from "../../support/images.ts";
import * as library from "../../../mod.ts";
import {
  type AgentToolkit,
  bunFs,
  callTool,
  changesSince,
  createAgentToolkit,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createReadImage,
  createReadSession,
  createSecureTool,
  createToolkitReadFile,
  definitions,
  denoFs,
  gunzipView,
  httpFs,
  memoryFs,
  nodeFs,
  openFile,
  openWorkspace,
  type Page,
  r2Fs,
  ReaderMemory,
  readerTools,
  ReadFileError,
  renderChanges,
  renderPage,
  respond,
  type Tool,
  ToolCatalog,
  type ToolReply,
  type ToolResult,
  type Workspace,
} from "../../../mod.ts";

const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n", "/repo/a.gif": gif(1, 1) });
let workspace: Workspace;
let page: Page;
let kit: AgentToolkit;
let signal: AbortSignal;

/** Makes the values for the cases, inside a test: at the edge, a controller belongs to a request. */
async function setUp(): Promise<void> {
  ({ signal } = new AbortController());
  const revisions = { open: () => fs };
  workspace ??= await openWorkspace("/repo", { fs, revisions });
  page ??= await workspace.read("a.txt");
  kit ??= await createAgentToolkit({ workspace });
}

const metadata = { name: "probe", isWriteOp: false, description: "Probes." };

/** A call, and options for it. */
interface Case {
  /** Valid options. */
  readonly good: () => Readonly<Record<string, unknown>>;
  readonly ask: (options: never) => unknown;
  /** The name of the export. */
  readonly of: string;
  /** The one wrong shape that it takes. */
  readonly takes?: string;
}

/** Throws the error of a result. */
async function told(
  result: Promise<ToolResult | ToolReply>,
): Promise<unknown> {
  const given = await result;
  if ("ok" in given) {
    if (!given.ok) throw new Refused(given.content);
  } else if (given.status !== "success") {
    assertEquals(given.error.code, "INVALID_ARGUMENT");
    throw new Refused(given.error.message.replace("INVALID_ARGUMENT: ", ""));
  }
  return given;
}

class Refused extends Error {}

const bucket = { head: () => null, get: () => null } as never;

const CASES: Readonly<Record<string, Case>> = {
  "openWorkspace()": {
    of: "openWorkspace",
    good: () => ({ fs, deny: ["*.key"], denied: "hide", signal, views: [] }),
    ask: (options) => openWorkspace("/repo", options),
  },
  "openFile()": {
    of: "openFile",
    good: () => ({ maxFileBytes: 1_000, signal }),
    ask: (options) => openFile(workspace, "a.txt", {}, options),
  },
  "a session's answer": {
    of: "createReadSession",
    good: () => ({ path: "b", hint: "Ask again." }),
    ask: (options) => createReadSession().answer(page, options),
  },
  "gunzipView()": {
    of: "gunzipView",
    good: () => ({ maxBytes: 1, maxRatio: 2 }),
    ask: (options) => gunzipView(options),
  },
  "narrow()": {
    of: "Workspace",
    good: () => ({ root: ".", deny: ["*.key"], denied: "hide", signal }),
    ask: (options) => workspace.narrow(options),
  },
  "open()": {
    of: "Workspace",
    good: () => ({ signal }),
    ask: async (options) => (await workspace.open("a.txt", options)).close(),
  },
  "realPath()": {
    of: "Workspace",
    good: () => ({ signal }),
    ask: (options) => workspace.realPath("a.txt", options),
  },
  "read()": {
    of: "Workspace",
    good: () => ({ start: 1, end: 2, maxBytes: 99, column: 1, escape: true }),
    ask: (options) => workspace.read("a.txt", options),
  },
  "the context of read()": {
    of: "Workspace",
    good: () => ({ signal, countTokens: ({ length }: string) => length }),
    ask: (context) => workspace.read("a.txt", {}, context),
  },
  "readImage()": {
    of: "Workspace",
    good: () => ({ maxBytes: 99 }),
    ask: (options) => workspace.readImage("a.gif", options),
  },
  "the limits of readImage()": {
    of: "Workspace",
    good: () => ({ signal }),
    ask: (options) => workspace.readImage("a.gif", {}, options),
  },
  "pages()": {
    of: "Workspace",
    good: () => ({ tail: 2, numbered: true }),
    ask: (options) => workspace.pages("a.txt", options).next(),
  },
  "the context of pages()": {
    of: "Workspace",
    good: () => ({ signal }),
    ask: (context) => workspace.pages("a.txt", {}, context).next(),
  },
  "readMany()": {
    of: "Workspace",
    good: () => ({ maxBytes: 99, maxChars: 999, maxTokens: 99, maxFiles: 9 }),
    ask: (options) => workspace.readMany([{ path: "a.txt" }], options),
  },
  "the context of readMany()": {
    of: "Workspace",
    good: () => ({ signal }),
    ask: (context) => workspace.readMany([{ path: "a.txt" }], {}, context),
  },
  "a request of readMany()": {
    of: "Workspace",
    good: () => ({ path: "a.txt", around: 1, before: 1, after: 1 }),
    async ask(options) {
      const [answer] = await workspace.readMany([options]);
      if (answer?.kind === "error") throw answer.error;
    },
  },
  "changesSince()": {
    of: "changesSince",
    good: () => ({ start: 1, end: 2, encoding: "utf-8", maxFileBytes: 9 }),
    ask: (options) => changesSince(workspace, "a.txt", "HEAD", options),
  },
  "renderChanges()": {
    of: "renderChanges",
    good: () => ({ context: 1, path: "b", tool: "x", notes: ["a"] }),
    ask: async (options) =>
      renderChanges(await changesSince(workspace, "a.txt", "HEAD"), options),
  },
  "the limits of a page": {
    of: "Workspace",
    good: () => ({
      maxFileBytes: 9,
      maxScanBytes: 9,
      maxLineBytes: 9,
      maxLines: 9,
      maxChars: 999,
      maxTokens: 99,
      binary: "bytes",
      countLines: true,
    }),
    ask: (options) => workspace.read("a.txt", options),
  },
  "the end of a file": {
    of: "Workspace",
    good: () => ({ tail: 3, keepEnd: true, maxBytes: 9 }),
    ask: (options) => workspace.read("a.txt", options),
  },
  "a block": {
    of: "Workspace",
    good: () => ({ levels: 2, siblings: true, header: false, count: 9 }),
    ask: (block) => workspace.read("a.txt", { around: 1, block }),
    takes: "true",
  },
  "createCodexReadFile()": {
    of: "createCodexReadFile",
    good: () => ({ original: true }),
    ask: (options) => createCodexReadFile(workspace, options),
  },
  "createToolkitReadFile()": {
    of: "createToolkitReadFile",
    good: () => ({}),
    ask: (options) => createToolkitReadFile(workspace, options),
  },
  "createForgeRead()": {
    of: "createForgeRead",
    good: () => ({ max_scan_bytes: 9, show_line_numbers: false }),
    ask: (options) => createForgeRead(workspace, options),
  },
  "createOpenFile()": {
    of: "createOpenFile",
    good: () => ({ maxFileBytes: 9 }),
    ask: (options) => createOpenFile(workspace, options),
  },
  "readerTools()": {
    of: "readerTools",
    good: () => ({
      maxChars: 20_000,
      maxAnswerBytes: 40_000,
      maxAnswerLines: 500,
      maxCountedBytes: 9_999,
      encoding: "utf-8",
      session: true,
      etags: "short",
      memory: new ReaderMemory(),
      paged: true,
    }),
    ask: (options) => readerTools(workspace, options),
  },
  "the hints of readerTools()": {
    of: "readerTools",
    good: () => ({ scan: "ask", pdf: "ask" }),
    ask: (hints) => readerTools(workspace, { hints }),
  },
  "createReadImage()": {
    of: "createReadImage",
    good: () => ({ maxBytes: 9, maxSide: 9 }),
    ask: (options) => createReadImage(workspace, options),
  },
  ...Object.fromEntries(
    ([
      [createCodexReadFile, { file_path: "/repo/a.txt" }],
      [createToolkitReadFile, { path: "a.txt" }],
      [createForgeRead, { path: "a.txt" }],
      [createOpenFile, { file_path: "a.txt" }],
    ] as const).map(([make, args]): [string, Case] => [
      `call() of ${make.name}'s tool`,
      {
        of: make.name,
        good: () => ({ signal }),
        ask: (options) => (make(workspace) as Tool).call(args, options),
      },
    ]),
  ),
  "respond()": {
    of: "respond",
    good: () => ({ signal, lenient: true, policy: {} }),
    ask: (options) =>
      told(respond(createOpenFile(workspace), { file_path: "a.txt" }, options)),
  },
  "callTool()": {
    of: "callTool",
    good: () => ({ signal, lenient: true, policy: {} }),
    async ask(options) {
      const args = { file_path: "a.txt" };
      const { error } = await callTool(
        createOpenFile(workspace),
        args,
        options,
      );
      if (error !== undefined) throw error;
    },
  },
  "the policy of callTool()": {
    of: "callTool",
    good: () => ({ tools: { open_file: "allow" }, defaultPolicy: "deny" }),
    async ask(policy) {
      const args = { file_path: "a.txt" };
      const tool = createOpenFile(workspace);
      const { error } = await callTool(tool, args, { policy });
      if (error !== undefined) throw error;
    },
  },
  "createAgentToolkit()": {
    of: "createAgentToolkit",
    good: () => ({
      workspaceRoot: "/repo",
      fs,
      policy: {},
      tools: [createOpenFile],
    }),
    ask: (options) => createAgentToolkit(options),
  },
  "the policy of a toolkit": {
    of: "createAgentToolkit",
    good: () => ({ tools: { open_file: "deny" }, defaultPolicy: "deny" }),
    ask: (policy) => createAgentToolkit({ workspace, policy }),
  },
  "the tools of a policy": {
    of: "createAgentToolkit",
    good: () => ({ read_file: "deny", open_file: "deny" }),
    ask: (tools) => createAgentToolkit({ workspace, policy: { tools } }),
  },
  "readFile() of a toolkit": {
    of: "createAgentToolkit",
    good: () => ({ start_line: 1, max_lines: 2 }),
    ask: (range) => told(kit.readFile("a.txt", range)),
  },
  "openFile() of a toolkit": {
    of: "createAgentToolkit",
    good: () => ({ start: 1, end: 2 }),
    ask: (range) => told(kit.openFile("a.txt", range)),
  },
  ...Object.fromEntries(
    ([
      ["readFile", (options) => kit.readFile("a.txt", {}, options)],
      ["openFile", (options) => kit.openFile("a.txt", {}, options)],
      ["invoke", (options) => kit.invoke("read_file", PATH, options)],
      ["respond", (options) => kit.respond("read_file", PATH, options)],
      ["tools.read_file", (options) => kit.tools.read_file(PATH, options)],
    ] as readonly [string, (options: never) => Promise<ToolResult>][]).map((
      [name, ask],
    ): [string, Case] => [
      `the options of ${name}() of a toolkit`,
      {
        of: "createAgentToolkit",
        good: () => ({ signal, lenient: false }),
        ask: (options) => told(ask(options)),
      },
    ]),
  ),
  "the metadata of createSecureTool()": {
    of: "createSecureTool",
    good: () => metadata,
    ask: (given) => createSecureTool(given, () => 1),
  },
  "createSecureTool()": {
    of: "createSecureTool",
    good: () => ({ check: () => {}, resolve: "real" }),
    ask: (options) => createSecureTool(metadata, () => 1, options),
  },
  "a context of ToolCatalog": {
    of: "ToolCatalog",
    good: () => ({ workspace, policy: {}, signal }),
    ask: (context) => told(ToolCatalog.read_file.handler(context, "a.txt")),
  },
  "the policy of a context": {
    of: "ToolCatalog",
    good: () => ({ tools: { read_file: "allow" }, defaultPolicy: "deny" }),
    ask: (policy) =>
      told(ToolCatalog.read_file.handler({ workspace, policy }, "a.txt")),
  },
  "the range of ToolCatalog.read_file": {
    of: "ToolCatalog",
    good: () => ({ start_line: 1, max_lines: 1 }),
    ask: (range) =>
      told(ToolCatalog.read_file.handler({ workspace }, "a.txt", range)),
  },
  "httpFs()": {
    of: "httpFs",
    good: () => ({ fetch, headers: {}, timeoutMs: 5, attempts: 1 }),
    ask: (options) => httpFs("http://x", options),
  },
  "r2Fs()": {
    of: "r2Fs",
    good: () => ({ prefix: "logs" }),
    ask: (options) => r2Fs(bucket, options),
  },
  "renderPage()": {
    of: "renderPage",
    good: () => ({ path: "a", tool: "read", next: null, notes: [] }),
    ask: async (options) => renderPage(await workspace.read("a.txt"), options),
  },
  ...Object.fromEntries(
    [denoFs, bunFs, nodeFs].map((make): [string, Case] => [
      `${make.name}()`,
      {
        of: make.name,
        good: () => ({ nonBlocking: true }),
        ask: (options) => make(options),
      },
    ]),
  ),
};

const PATH = { path: "a.txt" };

/** Exports without options; their arguments have other tests. */
const WITHOUT_OPTIONS: readonly string[] = [
  "OpenedFile",
  "OpenFileError",
  "Page",
  "ReadRoots",
  "ReaderMemory",
  "ReadFileError",
  "ToolkitReadFileError",
  "boundTokens",
  "changesBetween",
  "definitions",
  "escapeHidden",
  "hostFs",
  "imagePart",
  "isRendered",
  "memoryFs",
  "notebookView",
  "parseForgeConfig",
  "unescapeHidden",
  "visibleJson",
];

/** The options of a disk can be tested only where the runtime has a disk. */
function isOutOfReach(name: string): boolean {
  if (!/^(deno|bun|node)Fs\(\)$/.test(name)) return false;
  try {
    return denoFs() === undefined;
  } catch {
    return true;
  }
}

/** A value with the same properties that is not a plain object. */
class Instance {
  constructor(properties: object) {
    Object.assign(this, properties);
  }
}

/** Values that could pass as empty options. */
function wrongShapes(good: object): Readonly<Record<string, unknown>> {
  return {
    "a map": new Map(Object.entries(good)),
    "a set": new Set(Object.keys(good)),
    "an array": [],
    "an array of options": [good],
    "a number": 5,
    "a string": "secret",
    "a symbol": Symbol("secret"),
    "true": true,
    "a function": () => good,
    "an instance": new Instance(good),
    "an object that inherits options": Object.create(good),
  };
}

/** The name with one letter less, one more, two swapped, and in upper case. */
function misspellings(name: string): readonly string[] {
  const [one = "", two = "", three = ""] = name;
  return [
    name.slice(0, -2) + name.slice(-1),
    `${name}s`,
    one + three + two + name.slice(3),
    name.toUpperCase(),
  ].filter((other) => other !== name);
}

/** The message of the refusal. */
async function refusalOf(ask: Case["ask"], options: unknown): Promise<string> {
  const error = await (async () => await ask(options as never))()
    .then(() => undefined, (error: unknown) => error);
  assert(error !== undefined, "it was accepted");
  assert(error instanceof Error);
  const isOurs = error instanceof Refused || error instanceof TypeError ||
    error instanceof ReadFileError && error.code === "INVALID_ARGUMENT";
  assert(isOurs, String(error));
  const { message } = error;
  assert(
    !/secret|of undefined|is not a function|[Cc]annot (read prop|destructure|convert|perform)/
      .test(message),
    message,
  );
  assertMatch(message, / (must be|is unknown)/);
  return message;
}

it("every export with options is among the cases", () => {
  const functions = Object.entries(library)
    .filter(([, value]) => typeof value === "function")
    .map(([name]) => name);
  const walked = new Set(Object.values(CASES).map(({ of }) => of));
  const missing = functions.filter((name) =>
    !walked.has(name) && !WITHOUT_OPTIONS.includes(name)
  );
  assertEquals(missing, []);
});

for (const [name, { good: make, ask, takes }] of Object.entries(CASES)) {
  describe(name, () => {
    it("accepts known options", async () => {
      if (isOutOfReach(name)) return;
      await setUp();
      await ask(make() as never);
    });
    it("refuses unknown names, and suggests the nearest", async () => {
      if (isOutOfReach(name)) return;
      await setUp();
      const good = make();
      const odd = await refusalOf(ask, { ...good, frobnicate: 1 });
      assertMatch(odd, /"frobnicate" is unknown/);
      for (const [known, value] of Object.entries(good)) {
        const { [known]: _, ...others } = good;
        for (const other of misspellings(known)) {
          // An accepted misspelling would disable a limit without notice.
          const message = await refusalOf(ask, { ...others, [other]: value });
          assert(
            message.endsWith(`; did you mean ${known}?`) ||
              known === "fs" && message.includes("it must be a file system"),
            message,
          );
        }
      }
    });
    it("refuses values of other types", async () => {
      if (isOutOfReach(name)) return;
      await setUp();
      for (const [shape, options] of Object.entries(wrongShapes(make()))) {
        if (shape === takes) continue;
        const message = await refusalOf(ask, options).catch((error) => {
          throw new Error(`${shape}: ${error.message}`);
        });
        assert(!message.includes("is unknown"), `${shape}: ${message}`);
      }
    });
  });
}

describe("a value that is not a workspace is refused", () => {
  const asks: Readonly<Record<string, (at: never) => unknown>> = {
    "createCodexReadFile()": (at) => createCodexReadFile(at),
    "createToolkitReadFile()": (at) => createToolkitReadFile(at),
    "createForgeRead()": (at) => createForgeRead(at),
    "createOpenFile()": (at) => createOpenFile(at),
    "createReadImage()": (at) => createReadImage(at),
    "a context": (workspace) =>
      told(ToolCatalog.read_file.handler({ workspace }, "a.txt")),
  };
  for (const [name, ask] of Object.entries(asks)) {
    it(`by ${name}`, async () => {
      await setUp();
      const wrong: readonly unknown[] = [
        ...[null, undefined, {}, 5, "/repo", new Map(), fs],
        { open() {}, normalize() {} },
      ];
      for (const at of wrong) {
        const error = await (async () => await ask(at as never))()
          .catch((error) => error);
        assert(error instanceof Error);
        assertMatch(
          error.message,
          /^Cannot [^:]+: workspace must be a workspace, such as openWorkspace\(\) gives, not /,
        );
      }
    });
  }
});

it("definitions() refuses a value that is not a list of tools or a toolkit", () => {
  for (const tools of [null, undefined, 5, "x", {}, [null], [{}], [5]]) {
    const error = (() => {
      try {
        return definitions("mcp", tools as never);
      } catch (error) {
        return error;
      }
    })();
    assert(error instanceof TypeError);
    assertMatch(error.message, /^Cannot define tools: tools(\[0\])? must be /);
  }
});
