/** Every form of a tool hands a model the same text, and the same images. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openServer } from "../../mcp/src/server.ts";
import {
  createAgentToolkit,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createReadImage,
  createToolkitReadFile,
  definitions,
  memoryFs,
  openWorkspace,
  readerTools,
  respond,
  type Tool,
  type Workspace,
} from "../../mod.ts";
import { png } from "../support/images.ts";
import { newClient, Wire } from "../support/mcp.ts";
import { playAiSdk } from "../support/played_loops.ts";

const lines = Array.from({ length: 5000 }, (_, at) => `line ${at + 1}\n`);

const fs = memoryFs({
  "/ws/many.txt": lines.join(""),
  "/ws/a.txt": "one\r\ntwo\nthree",
  "/ws/wide.txt": `${"x".repeat(900)}\nlast\n`,
  "/ws/empty.txt": "",
  "/ws/giant.txt": `${"x".repeat(2000)}hit${"x".repeat(2000)}hit\n`,
  "/ws/b.bin": "\0\x01",
  "/ws/a.png": png(3, 2),
});

interface Case {
  /** The name of the server's option `--dialect`, if it serves the tool. */
  readonly dialect?: "codex" | "toolkit" | "forge" | "open";
  readonly make: (workspace: Workspace) => Tool;
  readonly calls: readonly Record<string, unknown>[];
}

const many = "/ws/many.txt";

/** Calls: what was cut, how arguments were meant, why nothing is shown, images and failures. */
const CASES: readonly Case[] = [
  {
    dialect: "codex",
    make: createCodexReadFile,
    calls: [
      { file_path: many },
      { file_path: many, offset: 9999 },
      { file_path: many, offset: "4999", limit: null },
      { file_path: "/ws/wide.txt", start: 1 },
      { file_path: "/ws/none.txt", offset: "2" },
    ],
  },
  {
    dialect: "toolkit",
    make: createToolkitReadFile,
    calls: [
      { path: many, start_line: "2", max_lines: 1 },
      { path: many, start_line: 9999 },
      { path: many, max_lines: 501 },
      { path: "/ws/b.bin", strat: 1 },
    ],
  },
  {
    dialect: "forge",
    make: createForgeRead,
    calls: [
      { path: many, limit: "2" },
      { path: many, start_line: 9999 },
      { path: "/ws/b.bin" },
      { path: "/ws/empty.txt", tail: 2 },
    ],
  },
  {
    dialect: "open",
    make: createOpenFile,
    calls: [
      { file_path: "/ws/a.txt", start_line: "2" },
      { file_path: "/ws/empty.txt" },
      { file_path: "/ws/a.txt", start_line: 9 },
    ],
  },
  {
    make: (workspace) => readerTools(workspace)[0],
    calls: [
      { path: many, offset: "4990" },
      { path: "/ws/a.png", start: 2 },
      { path: "/ws/none.txt", limit: "2" },
      { path: "/ws", query: "line 49", count: "3" },
      { path: "giant.txt", match: "hit" },
      { path: "a.txt:1..2" },
    ],
  },
  {
    make: (workspace) => readerTools(workspace)[1],
    calls: [
      { files: '["a.txt:2","none.txt"]' },
      { paths: [{ path: "a.png" }, { path: "many.txt", tail: "1" }] },
    ],
  },
  {
    make: (workspace) => readerTools(workspace)[2],
    calls: [
      { path: "/ws", depth: 9, limit: "2" },
      { path: ".", pattern: "ws/*" },
      { path: "a.txt" },
    ],
  },
  { make: createReadImage, calls: [{ path: "/ws/a.png" }] },
];

/** What a model is handed, in the words of no vendor. */
interface Handed {
  /** Whether the call succeeded, if the form tells. */
  readonly ok: boolean | undefined;
  readonly text: string;
  readonly images: readonly string[];
}

type Parts = readonly Readonly<Record<string, unknown>>[];

/** Makes the text and the images of the parts of a message. */
function partsOf(ok: boolean | undefined, parts: Parts): Handed {
  const texts = parts.filter(({ type }) => type === "text");
  return {
    ok,
    text: texts.map(({ text }) => text).join("\n"),
    images: parts.filter(({ type }) => type !== "text")
      .map((part) => /"([A-Za-z0-9+/=]{40,})"/.exec(JSON.stringify(part))![1]!),
  };
}

/** What a form hands over as a string or as parts; some do not tell failures apart. */
function handedBy(ok: boolean | undefined, told: string | Parts): Handed {
  return typeof told === "string"
    ? { ok, text: told, images: [] }
    : partsOf(ok, told);
}

/** The forms in which a tool is offered. */
const FORMS: Readonly<
  Record<
    string,
    (
      tool: Tool,
      args: Record<string, unknown>,
      of: Case,
    ) => Promise<Handed | undefined>
  >
> = {
  async toolkit(_, args, { make }) {
    const workspace = await openWorkspace("/ws", { fs });
    const kit = await createAgentToolkit({ workspace, tools: [make] });
    const [definition] = kit.definitions();
    const { name } = definition!;
    const reply = await kit.respond(name, args);
    const { ok, text, images = [] } = reply;
    return { ok, text, images: images.map(({ data }) => data) };
  },
  async "the AI SDK"(tool, args) {
    const told = await playAiSdk(tool, args) as {
      type: string;
      value: string | Parts;
    };
    const ok = told.type !== "error-text";
    const { value } = told;
    if (typeof value !== "string") return partsOf(ok, value);
    return { ok, text: value, images: [] };
  },
  async "the AI SDK, by a toolkit"(tool, args, { make }) {
    const workspace = await openWorkspace("/ws", { fs });
    const kit = await createAgentToolkit({ workspace, tools: [make] });
    const made = definitions("ai-sdk", kit)[tool.definition.name]!;
    try {
      const output = await made.execute(args, {});
      const { value } = made.toModelOutput({ output });
      return handedBy(true, value);
    } catch (error) {
      return handedBy(false, (error as Error).message);
    }
  },
  async "Anthropic's tool runner"(tool, args) {
    const [made] = definitions("anthropic-runner", [tool]);
    return handedBy(undefined, await made!.run(made!.parse(args)));
  },
  async "LangChain.js"(tool, args) {
    const [made] = definitions("langchain", [tool]);
    const [call, { name, schema }] = made!;
    assertEquals(name, tool.definition.name);
    // LangChain does not call a tool if the schema does not accept the arguments.
    assert(new Ajv2020({ strict: false }).validate({ ...schema }, args));
    return handedBy(undefined, await call(args, {}));
  },
  async Mastra(tool, args) {
    const made = definitions("mastra", [tool])[tool.definition.name]!;
    const { value } = made.toModelOutput(await made.execute(args, {}));
    return handedBy(undefined, value);
  },
  async "OpenAI's Agents SDK"(tool, args) {
    const [made] = definitions("openai-agents", [tool]);
    const sent = JSON.stringify(args);
    return handedBy(undefined, await made!.invoke({}, sent, {}));
  },
  async "the MCP server"(tool, args, { dialect }) {
    const { name } = tool.definition;
    // The server shows images by read_file.
    if (name === "read_image") return undefined;
    const served = { directories: ["/ws"], fs, dialect, allowSecrets: true };
    const client = newClient();
    await client.connect(new Wire(await openServer(served)));
    const { content, isError } = await client.callTool({
      name,
      arguments: args,
    });
    await client.close();
    return partsOf(isError !== true, content as Parts);
  },
};

describe("every form of a tool", () => {
  for (const [form, hand] of Object.entries(FORMS)) {
    it(`hands a model the text of the reply, and its images: ${form}`, async () => {
      const workspace = await openWorkspace("/ws", { fs });
      let count = 0;
      for (const one of CASES) {
        const tool = one.make(workspace);
        for (const args of one.calls) {
          const reply = await respond(tool, args);
          const { ok, text, images = [] } = reply;
          const expected = { ok, text, images: images.map(({ data }) => data) };
          const handed = await hand(tool, { ...args }, one);
          const sent = `${tool.definition.name} ${JSON.stringify(args)}`;
          if (handed !== undefined) {
            assertEquals({ ...handed, ok: handed.ok ?? ok }, expected, sent);
          }
          count++;
        }
      }
      assertEquals(count, 28);
    });
  }

  it("says that more follows, why nothing is shown, and how arguments were meant", async () => {
    const workspace = await openWorkspace("/ws", { fs });
    const codex = createCodexReadFile(workspace);
    const textOf = async (args: object) =>
      (await respond(codex, args, { lenient: true })).text;
    const first = await textOf({ file_path: many });
    assert(
      first.endsWith(
        '\nL2000: line 2000\nNote: more lines follow; continue with {"offset":2001,"limit":2000,"file_path":"/ws/many.txt"}',
      ),
    );
    assertEquals(
      await textOf({ file_path: many, offset: 9999 }),
      "Note: the file has 5000 lines",
    );
    const quoted = await textOf({ file_path: many, offset: "5000" });
    assertEquals(
      quoted,
      'L5000: line 5000\nNote: offset: "5000" was taken as 5000',
    );
  });

  it("leaves the JSON of the toolkit's read_file alone in content", async () => {
    const tool = createToolkitReadFile(await openWorkspace("/ws", { fs }));
    const args = { path: many, start_line: "2", max_lines: 1 };
    const { content, text, notes } = await respond(tool, args, {
      lenient: true,
    });
    assertEquals(JSON.parse(content).content, "line 2");
    assertEquals(
      text,
      `${content}\n${notes!.map((n) => `Note: ${n}`).join("\n")}`,
    );
  });
});
