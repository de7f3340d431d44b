import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  type JsonSchema,
  memoryFs,
  openWorkspace,
  type PageOptions,
  ReadFileError,
  respond,
  type Tool,
  type ToolResult,
  type Workspace,
} from "../mod.ts";
import { anyArguments, anyValue } from "./support/bad_input.ts";
import { countingFs } from "./support/counting_fs.ts";
import { callAsModel } from "./support/four_tools.ts";
import { Random, SEED } from "./support/random.ts";

/** Calls a test makes; each tool has five such tests. */
const CALLS = 1_000;
const PARTS = [0, 1, 2, 3, 4] as const;

const FILES = {
  "/ws/a.txt": "one\n  two\nthree\n",
  "/ws/d/b.txt": "b\n",
  "/ws/big.txt": "0123456789\n".repeat(9_000),
  "/ws/out": { link: "../etc/passwd" },
  "/ws/loop": { link: "loop" },
  "/etc/passwd": "SECRET",
} as const;

const TOOLS: readonly (readonly [string, (workspace: Workspace) => Tool])[] = [
  ["codex", createCodexReadFile],
  ["codex, original", (at) => createCodexReadFile(at, { original: true })],
  ["toolkit", createToolkitReadFile],
  ["forge", createForgeRead],
  ["open_file", createOpenFile],
];

async function workspaceOf() {
  const fs = countingFs(memoryFs(FILES));
  return { workspace: await openWorkspace("/ws", { fs }), counts: fs.counts };
}

/** How the sentence of a bad argument goes: its name, and what it must be. */
const MUST =
  /^(failed to parse function arguments: )?[\w, /]+ (must (not )?be |cannot be combined|hold ".*", which \w+ does not take)/s;
/** How it goes where no system could take the path. */
const NO_PATH =
  /(^Cannot read "[^]*": |^failed to read file: )path (must |holds |is longer |has a name longer )/;

/** No sentence may tell what a getter threw, or what lies outside. */
function assertTellsNothing(text: string): void {
  // What was sent may stand there in quotes.
  const ours = text.replace(/"(\\.|[^"\\])*"/g, '""');
  const leak = /SECRET|hostile|reason of its own|undefined|\[object/;
  assert(!leak.test(ours), text);
}

function assertSaysWhatToSend(sentence: string): void {
  assert(MUST.test(sentence) || NO_PATH.test(sentence), sentence);
}

/** Whether arguments have a value of another type than the schema asks for. */
function isMistyped(schema: JsonSchema, args: unknown): boolean {
  try {
    const value = typeof args === "string" ? JSON.parse(args) : args;
    return !isOfType({ type: "object" }, value) ||
      hasMistyped(schema, { ...value });
  } catch {
    return true;
  }
}

function hasMistyped(
  { properties = {}, required = [] }: JsonSchema,
  object: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(properties).some(([name, schema]) => {
    // What is null is absent.
    const value = Object.hasOwn(object, name) ? object[name] ?? null : null;
    if (value === null) return required.includes(name);
    return !isOfType(schema, value) || (schema.properties !== undefined &&
      isMistyped(schema, value));
  });
}

function isOfType({ type }: JsonSchema, value: unknown): boolean {
  switch (type) {
    case "object":
      return typeof value === "object" && value !== null &&
        !Array.isArray(value);
    case "number":
    case "integer":
      return Number.isInteger(value);
    default:
      return type === "string"
        ? typeof value === "string"
        : typeof value === "boolean";
  }
}

for (const [name, make] of TOOLS) {
  describe(`respond() with ${name}, whatever it is sent`, () => {
    for (const part of PARTS) {
      const seed = SEED + part;
      it(`answers with a string, and never throws (seed ${seed})`, async () => {
        const { workspace, counts } = await workspaceOf();
        const tool = make(workspace);
        const schema = tool.definition.parameters;
        const random = new Random(seed);
        let answered = 0;
        for (let call = 0; call < CALLS; call++) {
          const args = anyArguments(schema, random);
          const { opened } = counts;
          const { code, ...reply } = await callAsModel(tool, args);
          assertEquals(Object.keys(reply), ["ok", "content"]);
          assertEquals([typeof reply.ok, typeof reply.content], [
            "boolean",
            "string",
          ]);
          assertEquals(reply.ok, code === null);
          assert(!reply.content.includes("SECRET"));
          if (reply.ok) answered++;
          else {
            assertMatch(code!, /^[A-Z_]+$/);
            if (code === "INVALID_ARGUMENT") {
              assertTellsNothing(reply.content);
              assertSaysWhatToSend(reply.content);
              assertEquals(counts.opened, opened, "a file was opened");
            }
          }
          if (isMistyped(schema, args)) {
            assertEquals(code, "INVALID_ARGUMENT", reply.content);
          }
        }
        // It must not be that all of it is refused for one reason.
        assert(answered > CALLS / 20, `${answered} calls were answered`);
        assertEquals(counts.open, 0);
      });
    }
    it("cuts short what it says of a very long path", async () => {
      const { workspace } = await workspaceOf();
      const long = "x".repeat(1024 * 1024);
      const args = { path: long, file_path: `/${long}` };
      const { content } = await respond(make(workspace), args);
      assert(content.length < 1000, `${content.length} characters`);
    });
    it("answers where the options are no options either", async () => {
      const { workspace } = await workspaceOf();
      const tool = make(workspace);
      const random = new Random(SEED);
      for (let call = 0; call < 100; call++) {
        const args = anyArguments(tool.definition.parameters, random);
        const options = anyValue(random) as { readonly signal?: AbortSignal };
        const { ok, content } = await respond(tool, args, options);
        assertEquals([typeof ok, typeof content], ["boolean", "string"]);
      }
    });
  });
}

describe("createAgentToolkit(), whatever it is sent", () => {
  const SETS = [
    [createToolkitReadFile, createOpenFile],
    [createForgeRead, createOpenFile],
    [createCodexReadFile],
  ];

  function assertResult(result: ToolResult): void {
    const { status } = result;
    assert(["success", "denied", "failure"].includes(status), status);
    // It can be sent on, as it is.
    assertEquals(typeof JSON.stringify(result), "string");
    if (result.status === "success") return;
    const { code, message, retriable, details } = result.error;
    assertEquals(message.slice(0, code.length + 2), `${code}: `);
    assertEquals([typeof retriable, typeof details], ["boolean", "object"]);
    if (code === "INVALID_ARGUMENT") {
      assertTellsNothing(message);
      assertSaysWhatToSend(message.slice(code.length + 2));
    } else assert(!/SECRET|reason of its own/.test(message), message);
  }

  for (const part of PARTS) {
    const seed = SEED + part;
    it(`gives a result, and never rejects (seed ${seed})`, async () => {
      const { workspace, counts } = await workspaceOf();
      const kits = await Promise.all(
        SETS.map((tools) => createAgentToolkit({ workspace, tools })),
      );
      const random = new Random(seed);
      for (let call = 0; call < CALLS; call++) {
        const kit = random.pick(kits);
        const { name, parameters } = random.pick(kit.definitions());
        const args = anyArguments(parameters, random);
        const odd = random.below(9) === 0 ? anyValue(random) : name;
        assertResult(await kit.invoke(odd as string, args));
        assertResult(await kit.tools[name]!(args));
        const path = random.below(2) === 0 ? anyValue(random) : "a.txt";
        const range = anyValue(random) as object;
        assertResult(await kit.readFile(path as string, range));
        assertResult(await kit.openFile(path as string, range));
        const lines = anyArguments(RANGE, random) as object;
        assertResult(await kit.openFile("a.txt", lines));
      }
      assertEquals(counts.open, 0);
    });
  }
});

const RANGE: JsonSchema = {
  type: "object",
  properties: { start: { type: "integer" }, end: { type: "integer" } },
};

/** The options of a page as a schema, to make wrong ones by. */
const PAGE: JsonSchema = {
  type: "object",
  properties: {
    ...Object.fromEntries(
      ["start", "count", "end", "tail", "around", "before", "after"]
        .concat("maxBytes", "column", "width")
        .map((name) => [name, { type: "integer" }]),
    ),
    escape: { type: "boolean" },
    etag: { type: "string" },
  },
};

/** One of the options at a time, so that they do not clash. */
function anyPageOptions(random: Random): unknown {
  const names = Object.keys(PAGE.properties!);
  const properties = Object.fromEntries(
    [random.pick(names), random.pick(names)]
      .map((name) => [name, PAGE.properties![name]!]),
  );
  return anyArguments({ type: "object", properties }, random);
}

describe("Workspace.read(), whatever it is sent", () => {
  for (const part of PARTS) {
    const seed = SEED + part;
    it(`gives a page, or fails with a code (seed ${seed})`, async () => {
      const { workspace, counts } = await workspaceOf();
      const random = new Random(seed);
      let answered = 0;
      for (let call = 0; call < CALLS; call++) {
        const options = anyPageOptions(random);
        const isOdd = random.below(9) === 0;
        const path = isOdd ? anyValue(random) : "a.txt";
        const { opened } = counts;
        const code = await codeOf(
          workspace.read(path as string, options as PageOptions),
        );
        if (code === null) answered++;
        const wrong = typeof path !== "string" || options === null ||
          typeof options === "string" ||
          (options !== undefined && isWrongPage(options));
        if (!wrong) continue;
        assertEquals(code, "INVALID_ARGUMENT");
        assertEquals(counts.opened, opened, "a file was opened");
      }
      assert(answered > CALLS / 20, `${answered} calls were answered`);
      assertEquals(counts.open, 0);
    });
  }

  /** What no type can be stretched to; `null` is not absent here. */
  function isWrongPage(options: unknown): boolean {
    if (isMistyped({ type: "object" }, options)) return true;
    const { escape = false, etag = "", ...numbers } = {
      ...options as PageOptions,
    };
    return typeof (escape ?? false) !== "boolean" ||
      typeof (etag ?? "") !== "string" ||
      Object.entries(numbers).some(([name, value]) =>
        Object.hasOwn(PAGE.properties!, name) && value !== undefined &&
        !Number.isSafeInteger(value)
      );
  }

  for (
    const options of [null, 5, "start", true, [], [1], () => ({}), 1n, Symbol()]
  ) {
    it(`refuses ${String(options)} (${typeof options}) for options`, async () => {
      const { workspace } = await workspaceOf();
      const wrong = options as unknown as PageOptions;
      const reading = workspace.read("a.txt", wrong);
      const error = await reading.catch((error: unknown) => error);
      assert(error instanceof ReadFileError);
      assertEquals(
        error.message,
        'Cannot read "a.txt": options must be an object',
      );
    });
  }

  it("takes no etag that was made up", async () => {
    const { workspace } = await workspaceOf();
    const page = await workspace.read("big.txt", { count: 3 });
    const genuine = page.etag.split("-");
    const random = new Random(SEED);
    const numbers = ["", "0", "1", "z", "zzzzzz", "z".repeat(9), "-1", "-zz"]
      .concat("z".repeat(400), "1e9", "NaN", " ", "\0");
    const codes = new Map<string | null, number>();
    for (let call = 0; call < CALLS; call++) {
      const parts = genuine.map((part) =>
        random.below(3) === 0 ? random.pick(numbers) : part
      );
      const options = { start: 2, etag: parts.join("-") };
      const code = await codeOf(workspace.read("big.txt", options));
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    const found = [...codes.keys()].map(String).sort();
    assertEquals(found, ["CHANGED", "INVALID_ARGUMENT", "null"]);
  });

  async function codeOf(reading: Promise<unknown>): Promise<string | null> {
    try {
      await reading;
      return null;
    } catch (error) {
      if (!(error instanceof ReadFileError)) throw error;
      if (error.code === "INVALID_ARGUMENT") assertTellsNothing(error.message);
      return error.code;
    }
  }
});
