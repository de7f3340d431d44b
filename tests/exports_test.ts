/** Each exported function refuses wrong values; a new export needs a row. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import * as exports from "../mod.ts";
import {
  boundTokens,
  callTool,
  changesBetween,
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
  escapeHidden,
  type FsPort,
  gunzipView,
  httpFs,
  imagePart,
  isRendered,
  memoryFs,
  openFile,
  OpenFileError,
  openWorkspace,
  parseForgeConfig,
  r2Fs,
  ReaderMemory,
  readerTools,
  ReadFileError,
  ReadRoots,
  renderChanges,
  renderPage,
  respond,
  type Tool,
  ToolCatalog,
  ToolkitReadFileError,
  unescapeHidden,
  Workspace,
} from "../mod.ts";
import { FakeR2 } from "./support/fake_r2.ts";
import { wrongValues } from "./support/wrong_values.ts";

/** Any value, as untyped code may pass it. */
// deno-lint-ignore no-explicit-any
type Any = any;

/** A parameter to test; if it takes options, each option is tested, too. */
type Place = readonly [
  name: string,
  call: (value: Any) => unknown,
  options?: "options",
];

const gif = atob("R0lGODlhAgABAIAAAP///wAAACwAAAAAAgABAAACAgQKADs=");
const files = {
  "/ws/a.txt": "one\ntwo\n",
  "/ws/a.gif": Uint8Array.from(gif, (byte) => byte.charCodeAt(0)),
  "/ws/d/b.txt": "three\n",
};
const fs = memoryFs(files);
const revisions = { open: () => fs };
const ws = await openWorkspace("/ws", { fs, revisions });
const file = await ws.open("a.txt");
const tool = createOpenFile(ws);
const bucket = new FakeR2();
const kit = await createAgentToolkit({ workspace: ws });
const page = await ws.read("a.txt", { count: 1 });
const facts = JSON.parse(JSON.stringify(page));
const since = await changesSince(ws, "a.txt", "HEAD");
const image = await ws.readImage("a.gif");
const session = createReadSession();
const roots = new ReadRoots([{ name: "ws", path: "/ws", workspace: ws }]);
const metadata = { name: "work", isWriteOp: false, description: "Works." };
const work = createSecureTool(metadata, ({ read }, path) => read(path));
const missing = new ReadFileError("NOT_FOUND", "a", { reason: "missing" });

/** The parameters of a tool's maker, and of the tool. */
function toolPlaces(
  make: (workspace: Any, options?: Any) => Tool<Any, Any>,
  args: object,
): readonly Place[] {
  const made = make(ws);
  return [
    ["workspace", (value) => make(value)],
    ["options", (value) => make(ws, value), "options"],
    ["call", (value) => made.call(value)],
    ...Object.keys(made.definition.parameters.properties ?? {}).map(
      (
        key,
      ): Place => [
        `call: ${key}`,
        (value) => made.call({ ...args, [key]: value }),
      ],
    ),
    ["call: options", (value) => made.call(args, value), "options"],
  ];
}

/** Calls a tool like the AI SDK, which shows a thrown error to the model. */
async function execute(input: Any, options: Any): Promise<unknown> {
  try {
    return await definitions("ai-sdk", [tool]).open_file!.execute(
      input,
      options,
    );
  } catch (error) {
    return { ok: false, text: (error as Error).message };
  }
}

function errorPlaces(Class: Any, make: (error: Any) => unknown): Place[] {
  const error = make(missing) as ReadFileError;
  assert(error instanceof Class);
  return [
    ["with", (value) => error.with(value), "options"],
  ];
}

async function drain(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages);
}

/** The parameters of each exported function; the other exports are constants. */
const PLACES: Readonly<Record<string, readonly Place[] | "constant">> = {
  OpenFileError: [
    ["error", (value) => new OpenFileError(value)],
    ...errorPlaces(OpenFileError, (error) => new OpenFileError(error)),
  ],
  Page: "constant",
  OpenedFile: [
    ["read", (value) => file.read(value, 0)],
    ["read: position", (value) => file.read(new Uint8Array(1), value)],
  ],
  ReadFileError: [
    ["code", (value) => new ReadFileError(value, "a", {} as never)],
    ["path", (value) => new ReadFileError("ABORTED", value, {})],
    ["details", (value) => new ReadFileError("NOT_FOUND", "a", value)],
    [
      "options",
      (value) => new ReadFileError("ABORTED", "a", {}, value),
      "options",
    ],
    ...errorPlaces(ReadFileError, (error) => error),
  ],
  SECRET_FILES: "constant",
  TOOL_DEFINITIONS: "constant",
  ToolCatalog: [
    [
      "context",
      (value) => ToolCatalog.read_file.handler(value, "a.txt"),
      "options",
    ],
    [
      "path",
      (value) => ToolCatalog.read_file.handler({ workspace: ws }, value),
    ],
    [
      "range",
      (value) =>
        ToolCatalog.read_file.handler({ workspace: ws }, "a.txt", value),
    ],
  ],
  ToolkitReadFileError: [
    ["error", (value) => new ToolkitReadFileError(value)],
    ...errorPlaces(
      ToolkitReadFileError,
      (error) => new ToolkitReadFileError(error),
    ),
  ],
  Workspace: [
    ["narrow", (value) => ws.narrow(value), "options"],
    ["narrow: deny", (value) => ws.narrow({ deny: [value] })],
    ["at", (value) => ws.at(value)],
    ["at: options", (value) => ws.at("HEAD", value), "options"],
    ["normalize", (value) => ws.normalize(value)],
    ["open", (value) => ws.open(value)],
    [
      "open: options",
      async (value) => await (await ws.open("a.txt", value)).close(),
      "options",
    ],
    ["realPath", (value) => ws.realPath(value)],
    ["realPath: options", (value) => ws.realPath("a.txt", value), "options"],
    ["read", (value) => ws.read(value)],
    ["read: options", (value) => ws.read("a.txt", value), "options"],
    ["read: limits", (value) => ws.read("a.txt", {}, value), "options"],
    ["pages", (value) => drain(ws.pages(value))],
    ["pages: options", (value) => drain(ws.pages("a.txt", value)), "options"],
    [
      "pages: limits",
      (value) => drain(ws.pages("a.txt", {}, value)),
      "options",
    ],
    ["readMany: a glob", (value) => ws.readMany([{ glob: value }])],
    ["list", (value) => ws.list(value)],
    ["list: options", (value) => ws.list(".", value), "options"],
    ["list: limits", (value) => ws.list(".", {}, value), "options"],
    ["readImage", (value) => ws.readImage(value)],
    ["readImage: options", (value) => ws.readImage("a.gif", value), "options"],
    [
      "readImage: limits",
      (value) => ws.readImage("a.gif", {}, value),
      "options",
    ],
    ["readMany", (value) => ws.readMany(value)],
    [
      "readMany: options",
      (value) => ws.readMany([{ path: "a.txt" }], value),
      "options",
    ],
    [
      "readMany: context",
      (value) => ws.readMany([{ path: "a.txt" }], {}, value),
      "options",
    ],
    ["readMany: a request", (value) => ws.readMany([value])],
    ...["path", "workspace", "start", "etag"].map((
      key,
    ): Place => [
      `readMany: ${key}`,
      (value) => ws.readMany([{ path: "a.txt", [key]: value }]),
    ]),
  ],
  bunFs: diskPlaces(exports.bunFs),
  callTool: [
    ["tool", (value) => callTool(value, {})],
    ["arguments", (value) => callTool(tool, value)],
    [
      "options",
      (value) => callTool(tool, { file_path: "a.txt" }, value),
      "options",
    ],
    [
      "policy",
      (value) => callTool(tool, { file_path: "a.txt" }, { policy: value }),
      "options",
    ],
  ],
  changesBetween: [
    ["before", (value) => changesBetween(value, page)],
    ["after", (value) => changesBetween(page, value)],
    ["lines", (value) => changesBetween({ lines: value }, page)],
    ["a line", (value) => changesBetween({ lines: [value] }, page)],
    ...["number", "text", "ending", "column"].map((
      key,
    ): Place => [
      `lines: ${key}`,
      (value) =>
        changesBetween(
          { lines: [{ ...page.lines[0]!, [key]: value }] },
          page,
        ),
    ]),
  ],
  changesSince: [
    ["workspace", (value) => changesSince(value, "a.txt", "HEAD")],
    ["path", (value) => changesSince(ws, value, "HEAD")],
    ["rev", (value) => changesSince(ws, "a.txt", value)],
    [
      "options",
      (value) => changesSince(ws, "a.txt", "HEAD", value),
      "options",
    ],
    [
      "context",
      (value) => changesSince(ws, "a.txt", "HEAD", {}, value),
      "options",
    ],
  ],
  createAgentToolkit: [
    ["options", (value) => createAgentToolkit(value), "options"],
    [
      "deny",
      (value) =>
        createAgentToolkit({ workspaceRoot: "/ws", fs, deny: [value] }),
    ],
    [
      "policy",
      (value) => createAgentToolkit({ workspace: ws, policy: value }),
      "options",
    ],
    ["tools", (value) => createAgentToolkit({ workspace: ws, tools: value })],
    [
      "a maker",
      (value) => createAgentToolkit({ workspace: ws, tools: [value] }),
    ],
    [
      "what a maker makes",
      (value) => createAgentToolkit({ workspace: ws, tools: [() => value] }),
    ],
    ...["definition", "aliases", "call", "render"].map((
      key,
    ): Place => [`a tool's ${key}`, (value) =>
      createAgentToolkit({
        workspace: ws,
        tools: [() => ({ ...tool, [key]: value })],
      })]
    ),
    ["readFile", (value) => kit.readFile(value)],
    ["readFile: range", (value) => kit.readFile("a.txt", value)],
    [
      "readFile: options",
      (value) => kit.readFile("a.txt", {}, value),
      "options",
    ],
    ["openFile", (value) => kit.openFile(value)],
    ["openFile: range", (value) => kit.openFile("a.txt", value)],
    ["invoke: name", (value) => kit.invoke(value, {})],
    ["invoke", (value) => kit.invoke("open_file", value)],
    ["tools", (value) => kit.tools.open_file(value)],
    ["respond: name", (value) => kit.respond(value, {})],
    ["respond", (value) => kit.respond("read_file", value)],
    [
      "respond: options",
      (value) => kit.respond("read_file", { path: "a.txt" }, value),
      "options",
    ],
  ],
  createCodexReadFile: toolPlaces(createCodexReadFile, {
    file_path: "/ws/a.txt",
  }),
  createForgeRead: toolPlaces(createForgeRead, { path: "a.txt" }),
  openFile: [
    ["path", (value) => openFile(ws, value)],
    ["range", (value) => openFile(ws, "a.txt", value), "options"],
    ["options", (value) => openFile(ws, "a.txt", {}, value), "options"],
    ["workspace", (value) => openFile(value, "a.txt")],
  ],
  createOpenFile: toolPlaces(createOpenFile, {
    file_path: "a.txt",
  }),
  createReadImage: toolPlaces(createReadImage, { path: "a.gif" }),
  createReadSession: [
    ["answer", (value) => session.answer(value)],
    ["answer: lines", (value) => session.answer({ ...facts, lines: value })],
    ["answer: a line", (value) => session.answer({ ...facts, lines: [value] })],
    ["answer: options", (value) => session.answer(page, value), "options"],
    ["forget", (value) => session.forget(value)],
  ],
  createSecureTool: [
    ["metadata", (value) => createSecureTool(value, () => 0), "options"],
    ["work", (value) => createSecureTool(metadata, value)],
    [
      "options",
      (value) => createSecureTool(metadata, () => 0, value),
      "options",
    ],
    ["context", (value) => work(value, "a.txt"), "options"],
    ["path", (value) => work({ workspace: ws }, value)],
  ],
  createToolkitReadFile: toolPlaces(createToolkitReadFile, {
    path: "a.txt",
  }).filter(([name]) => name !== "options"),
  definitions: [
    ["vendor", (value) => definitions(value, [tool])],
    ["ai-sdk: input", (value) => execute(value, {})],
    ["ai-sdk: options", (value) => execute({ file_path: "a.txt" }, value)],
    [
      "ai-sdk: signal",
      (abortSignal) => execute({ file_path: "a.txt" }, { abortSignal }),
    ],
    ["tools", (value) => definitions("anthropic", value)],
    ["a tool", (value) => definitions("anthropic", [value])],
    ...["definition", "aliases", "call", "render"].map((
      key,
    ): Place => [
      `a tool's ${key}`,
      (value) => definitions("anthropic", [{ ...tool, [key]: value }]),
    ]),
    ...["definitions", "respond"].map((
      key,
    ): Place => [
      `a toolkit's ${key}`,
      (value) => definitions("anthropic", { ...kit, [key]: value }),
    ]),
    [
      "a toolkit's definition",
      (value) =>
        definitions("anthropic", { ...kit, definitions: () => [value] }),
    ],
  ],
  denoFs: diskPlaces(exports.denoFs),
  escapeHidden: [["text", escapeHidden]],
  gunzipView: [["options", gunzipView, "options"]],
  hostFs: diskPlaces(exports.hostFs),
  httpFs: [
    ["URL", (value) => httpFs(value)],
    ["options", (value) => httpFs("https://files.example/", value), "options"],
    [
      "a header",
      (value) => httpFs("https://files.example/", { headers: { a: value } }),
    ],
  ],
  imagePart: [
    ["vendor", (value) => imagePart(value, image)],
    ["image", (value) => imagePart("anthropic", value)],
    ...Object.keys(image).map((key): Place => [
      key,
      (value) => imagePart("anthropic", { ...image, [key]: value }),
    ]),
  ],
  boundTokens: [["text", boundTokens]],
  isRendered: [["text", isRendered]],
  memoryFs: [
    ["files", memoryFs],
    ["an entry", (value) => memoryFs({ "/a": value })],
    ...["content", "link", "kind", "mtimeMs"].map((
      key,
    ): Place => [
      key,
      (value) => memoryFs({ "/a": { content: "a", [key]: value } as Any }),
    ]),
  ],
  nodeFs: diskPlaces(exports.nodeFs),
  notebookView: [],
  openWorkspace: [
    ["root", (value) => openWorkspace(value)],
    [
      "options",
      (value) => openWorkspace("/ws", value),
      "options",
    ],
    ["deny", (value) => openWorkspace("/ws", { fs, deny: value })],
    ["a glob", (value) => openWorkspace("/ws", { fs, deny: ["a", value] })],
  ],
  parseForgeConfig: [
    ["text", parseForgeConfig],
  ],
  r2Fs: [
    ["bucket", (value) => r2Fs(value)],
    ["options", (value) => r2Fs(bucket, value), "options"],
  ],
  ReaderMemory: [
    ["etagOf", (value) => new ReaderMemory().etagOf(value, "a.txt")],
  ],
  ReadRoots: [
    ["find", (value) => roots.find(value).root.workspace.open(value)],
    ["at", (value) => roots.at(value, () => ws.open(value))],
  ],
  readerTools: [
    ["source", (value) => readerTools(value)],
    ["options", (value) => readerTools(ws, value), "options"],
    ["hints", (value) => readerTools(ws, { hints: value }), "options"],
    ...readerTools(ws).flatMap((made, at): Place[] => {
      const args = at === 1 ? { files: ["a.txt"] } : { path: "a.txt" };
      const { name, parameters } = made.definition;
      return [
        [name, (value) => made.call(value)],
        [
          `${name}: options`,
          (value) => made.call({ ...args } as never, value),
          "options",
        ],
        // The files of a call are JSON, which has neither proxies nor getters.
        ...Object.keys(parameters.properties ?? {}).filter((key) =>
          key !== "files"
        ).map((key): Place => [
          `${name}: ${key}`,
          (value) => made.call({ ...args, [key]: value } as never),
        ]),
      ];
    }),
  ],
  renderChanges: [
    ["changes", (value) => renderChanges(value)],
    ["lines", (value) => renderChanges({ ...since, lines: value })],
    ["a line", (value) => renderChanges({ ...since, lines: [value] })],
    ["options", (value) => renderChanges(since, value), "options"],
  ],
  renderPage: [
    ["page", renderPage],
    ["a line", (value) => renderPage({ ...facts, lines: [value] })],
    ...Object.keys(facts).map((
      key,
    ): Place => [key, (value) => renderPage({ ...facts, [key]: value })]),
    ["options", (value) => renderPage(page, value), "options"],
  ],
  respond: [
    ["tool", (value) => respond(value, {})],
    ["arguments", (value) => respond(tool, value)],
    [
      "options",
      (value) => respond(tool, { file_path: "a.txt" }, value),
      "options",
    ],
    [
      "policy",
      (value) => respond(tool, { file_path: "a.txt" }, { policy: value }),
      "options",
    ],
  ],
  unescapeHidden: [["text", unescapeHidden]],
  visibleJson: "constant",
};

function diskPlaces(make: (options?: Any) => FsPort): readonly Place[] {
  // At the edge, the runtime has no disk.
  if (!("Deno" in globalThis || "Bun" in globalThis)) return [];
  return [["options", make, "options"]];
}

/** Messages of JavaScript engines, which no answer for a model has. */
const RAW =
  /Cannot (?:perform|read prop|convert|destructure)|(?:undefined|null) is not|is not a function|iterable|reason of its own/i;

/** What is wrong with the failure of a call; `undefined` if nothing is wrong. */
async function faultOf(call: () => unknown): Promise<string | undefined> {
  let outcome: Any;
  try {
    outcome = await call();
  } catch (error) {
    if (error instanceof ReadFileError) return faultIn(error);
    const { name, message } = error as Error;
    return /^(Type|Range|Syntax)Error$/.test(name)
      ? undefined
      : `${name}: ${message}`;
  }
  const [first = outcome] = Array.isArray(outcome) ? outcome : [];
  const { error, ok, content } = Object(first);
  if (ok === false) return RAW.test(content) ? content : undefined;
  return error === undefined ? undefined : faultIn(error);
}

function faultIn({ code, message }: ReadFileError): string | undefined {
  const isInternal = /^(IO|INTERNAL)$/.test(code);
  return isInternal || RAW.test(message) ? `${code} ${message}` : undefined;
}

/** The options of a call, from its refusal of an unknown option. */
async function optionsOf(call: Place[1]): Promise<readonly string[]> {
  const told = await (async () => await call({ "no such option": 1 }))().then(
    (outcome: Any) => outcome?.error?.message ?? outcome?.content,
    (error) => error.message,
  );
  const [, names] = /is unknown; the names are ([^;\n]*)/.exec(told) ?? [];
  assert(names !== undefined, told);
  return names.split(", ");
}

async function attack([name, call, options]: Place): Promise<string[]> {
  const calls = wrongValues().map(([kind, make]) =>
    [kind, () => call(make())] as const
  );
  const names = options === undefined ? [] : await optionsOf(call);
  for (const option of names) {
    for (const [kind, make] of wrongValues()) {
      const kindOf = `${option}: ${kind}`;
      calls.push([kindOf, () => call({ [option]: make() })]);
    }
  }
  const faults: string[] = [];
  for (const [kind, attempt] of calls) {
    const fault = await faultOf(attempt);
    if (fault !== undefined) faults.push(`${name} <- ${kind}: ${fault}`);
  }
  return faults;
}

/** Calls of functions that the caller provides and that throw. */
const THROWERS: readonly ((thrower: () => never) => unknown)[] = [
  (call) => callTool({ ...tool, call }, {}),
  (render) => callTool({ ...tool, render }, {}),
  (call) => respond({ ...tool, call }, {}),
  async (call) => {
    const tools = [() => ({ ...tool, call })];
    const made = await createAgentToolkit({ workspace: ws, tools });
    return await made.invoke("open_file", { file_path: "a.txt" });
  },
  (work) => createSecureTool(metadata, work)({ workspace: ws }, "a.txt"),
  (check) =>
    createSecureTool(metadata, () => 0, { check })({ workspace: ws }, "a.txt"),
  ...["realPath", "lstat", "readLink", "open", "list"].flatMap((name) => [
    (fail: () => never) =>
      openWorkspace("/ws", { fs: { ...fs, [name]: fail } }),
    async (fail: () => never) => {
      const port: FsPort = { ...fs };
      const workspace = await openWorkspace("/ws", { fs: port });
      Object.assign(port, { [name]: fail });
      return await workspace.readMany([{ path: "a.txt" }, { path: "b.txt" }]);
    },
  ]),
];

describe("every export", () => {
  it("reports the error that a tool or a file system threw", async () => {
    for (const [kind, make] of wrongValues()) {
      for (const attempt of THROWERS) {
        const value = make();
        const fault = await faultOf(() =>
          attempt(() => {
            throw value;
          })
        );
        const isTold = fault === undefined ||
          /(reason of its own|the system failed)$/.test(fault);
        assert(isTold, `${kind}: ${fault}`);
      }
    }
  });
  it("is in the table", () => {
    assertEquals(Object.keys(PLACES).sort(), Object.keys(exports).sort());
  });
  it("of a workspace is in the table with each method", () => {
    const methods = Object.entries(
      Object.getOwnPropertyDescriptors(Workspace.prototype),
    ).filter(([name, { get }]) => !get && name !== "constructor")
      .map(([name]) => name);
    const places = (PLACES.Workspace as readonly Place[])
      .map(([name]) => name.replace(/:.*/, ""));
    assertEquals(methods.filter((name) => !places.includes(name)), []);
  });
  for (const [name, places] of Object.entries(PLACES)) {
    if (places === "constant") continue;
    it(`refuses a wrong value: ${name}`, async () => {
      for (const place of places) assertEquals(await attack(place), []);
    });
  }
});
