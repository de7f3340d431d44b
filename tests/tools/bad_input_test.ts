import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertMatch,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  type JsonSchema,
  respond,
  type Tool,
  type ToolMaker,
  type ToolResult,
  type Workspace,
} from "../../mod.ts";
import {
  assertSaysWhatToSend,
  assertTellsNothing,
  isMistyped,
  workspaceOf,
} from "../support/bad_answers.ts";
import { anyArguments, anyValue } from "../support/bad_input.ts";
import { callAsModel } from "../support/four_tools.ts";
import { Random, SEED } from "../support/random.ts";
import { replyOf } from "../support/replies.ts";
import { shareOf, some } from "../support/share.ts";

/** How many calls a test makes. Each tool has five such tests, divided among the runtimes. */
const CALLS = some(1_000, 600);
const PARTS = shareOf([0, 1, 2, 3, 4]);

const TOOLS: readonly (readonly [string, (workspace: Workspace) => Tool])[] = [
  ["codex", createCodexReadFile],
  ["codex, original", (at) => createCodexReadFile(at, { original: true })],
  ["toolkit", createToolkitReadFile],
  ["forge", createForgeRead],
  ["open_file", createOpenFile],
];

for (const [name, make] of TOOLS) {
  describe(`respond() with ${name} and any arguments`, () => {
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
          const { notes = [] } = reply;
          const noted = notes.length > 0 && { notes };
          assert(notes.every((note) => typeof note === "string"));
          const { ok, content } = reply;
          assertEquals([typeof ok, typeof content], ["boolean", "string"]);
          assertEquals(reply, replyOf({ ok, content, ...noted }));
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
        // Some calls must succeed.
        assert(answered > CALLS / 20, `${answered} calls were answered`);
        assertEquals(counts.open, 0);
      });
    }
    it("shortens a very long path in a message", async () => {
      const { workspace } = await workspaceOf();
      const long = "x".repeat(1024 * 1024);
      const args = { path: long, file_path: `/${long}` };
      const { content } = await respond(make(workspace), args);
      assert(content.length < 1000, `${content.length} characters`);
    });
    it("answers or throws a TypeError, for any options", async () => {
      const { workspace } = await workspaceOf();
      const tool = make(workspace);
      const random = new Random(SEED);
      for (let call = 0; call < 100; call++) {
        const args = anyArguments(tool.definition.parameters, random);
        const options = anyValue(random) as { readonly signal?: AbortSignal };
        try {
          const { ok, content } = await respond(tool, args, options);
          assertEquals([typeof ok, typeof content], ["boolean", "string"]);
        } catch (error) {
          assertInstanceOf(error, TypeError);
          assertMatch(error.message, /^Cannot call \w+: /);
        }
      }
    });
  });
}

describe("createAgentToolkit() with any arguments", () => {
  const SETS: readonly (readonly ToolMaker[])[] = [
    [createToolkitReadFile, createOpenFile],
    [createForgeRead, createOpenFile],
    [createCodexReadFile],
  ];

  function assertResult(result: ToolResult): void {
    const { status } = result;
    assert(["success", "denied", "failure"].includes(status), status);
    // The result can be converted to JSON.
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
