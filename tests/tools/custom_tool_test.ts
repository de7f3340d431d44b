/** Tools of one's own: with a definition and a function, or by createSecureTool(). */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  createAgentToolkit,
  createOpenFile,
  createSecureTool,
  type CustomTool,
  definitions,
  memoryFs,
  openWorkspace,
  ReadFileError,
  respond,
  type Workspace,
} from "../../mod.ts";

const fs = memoryFs({ "/ws/a.txt": "one\ntwo\n", "/ws/key.pem": "key" });
const open = () => openWorkspace("/ws", { fs, deny: ["**/*.pem"] });

/** The smallest tool. */
const linesOf = (workspace: Workspace) => ({
  definition: {
    name: "lines_of" as const,
    description: "Gives the lines of a file.",
    parameters: { type: "object", properties: { path: { type: "string" } } },
  },
  async call({ path }: { path: string }, options?: object) {
    const { lines } = await workspace.read(path, {}, options);
    return lines.map(({ text }) => text);
  },
});

const toolThat = (call: CustomTool["call"]): CustomTool => ({
  definition: {
    name: "own",
    description: "Does something.",
    parameters: { type: "object" },
  },
  call,
});

describe("a tool of one's own", () => {
  it("needs a definition and a function, in every form", async () => {
    const workspace = await open();
    const tool = linesOf(workspace);
    const text = '["one","two"]';
    const args = { path: "a.txt" };
    const { output } = await callTool(tool, args);
    assertEquals(output, ["one", "two"]);
    assertEquals((await respond(tool, args)).text, text);
    const { lines_of } = definitions("ai-sdk", [tool]);
    assertEquals(await lines_of!.execute(args, {}), text);
    const kit = await createAgentToolkit({ workspace, tools: [linesOf] });
    assertEquals((await kit.respond("lines_of", args)).text, text);
    const result = await kit.tools.lines_of(args);
    assert(result.status === "success");
    const [first]: string[] = result.data;
    assertEquals(first, "one");
    const [told] = definitions("openai", kit);
    assertEquals(told?.name, "lines_of");
  });

  it("answers with a string as it is, and with anything else as JSON", async () => {
    const answers: readonly (readonly [unknown, string])[] = [
      ["as it is\n", "as it is\n"],
      ["", ""],
      [7, "7"],
      [null, "null"],
      [undefined, ""],
      [{ a: [1] }, '{"a":[1]}'],
    ];
    for (const [output, text] of answers) {
      const tool = toolThat(() => Promise.resolve(output));
      assertEquals(await respond(tool, {}), { ok: true, text, content: text });
    }
  });

  it("hands its options on to each method of the workspace that reads", async () => {
    const workspace = await open();
    const controller = new AbortController();
    const tool = toolThat(async (_, options) => {
      options?.note?.("a note");
      await workspace.read("a.txt", {}, options);
      await workspace.list(".", {}, options);
      await using _file = await workspace.open("a.txt", options);
      await workspace.realPath("a.txt", options);
      controller.abort();
      return await workspace.read("a.txt", {}, options);
    });
    const { signal } = controller;
    const { error, notes } = await callTool(tool, {}, { signal });
    assertEquals([error?.code, notes], ["ABORTED", ["a note"]]);
  });

  it("keeps its methods bound to its object", async () => {
    class Own {
      readonly definition = linesOf as never;
      readonly #word = "mine";
      call() {
        return Promise.resolve(this.#word);
      }
      facts() {
        return { word: this.#word };
      }
    }
    const own = Object.assign(new Own(), toolThat(async () => {}), {
      call: Own.prototype.call,
    });
    const { text, facts } = await respond(own, {});
    assertEquals([text, facts], ["mine", { word: "mine" }]);
  });
});

it("a path that a model did not send to a tool of one's own is missing", async () => {
  const workspace = await open();
  const own = toolThat(async (args) =>
    (await workspace.read((args as { path: string }).path)).text
  );
  for (const args of [{}, { path: null }, { pth: "a.txt" }]) {
    const { text } = await respond(own, args);
    assertEquals(
      text,
      "path is missing\nname it by its path from the root of the workspace",
    );
  }
  const { text } = await respond(own, { path: 7 });
  assert(text.startsWith("path must be a string\n"), text);
});

describe("a secure tool in a toolkit", () => {
  const count = createSecureTool(
    { name: "count", isWriteOp: false, description: "Counts lines." },
    async ({ read, note }, path, options?: { word?: string }) => {
      note?.("counted");
      const { lines } = await read(path);
      const word = options?.word ?? "";
      return lines.filter(({ text }) => text.includes(word)).length;
    },
    {
      parameters: { word: { type: "string", description: "What to count." } },
      check(path, options) {
        if (typeof (options?.word ?? "") === "string") return;
        throw new ReadFileError("INVALID_ARGUMENT", path, {
          argument: "word",
          problem: "must be a string",
        });
      },
    },
  );

  it("is offered, called and denied like any other", async () => {
    const workspace = await open();
    const kit = await createAgentToolkit({
      workspace,
      tools: [createOpenFile, count],
    });
    const [, told] = definitions("openai", kit);
    assertEquals(told?.parameters, {
      type: "object",
      properties: {
        path: {
          type: "string",
          description: "Path of the file, relative to the workspace.",
        },
        word: { type: "string", description: "What to count." },
      },
      required: ["path"],
      additionalProperties: false,
    });
    const reply = await kit.respond("count", '{"path": "./a.txt"}');
    assertEquals(reply.text, "2\nNote: counted");
    const one = await kit.tools.count({ path: "a.txt", word: "tw" });
    assert(one.status === "success");
    const data: number = one.data;
    assertEquals(data, 1);
    const denied = await createAgentToolkit({
      workspace,
      tools: [createOpenFile, count],
      policy: { tools: { count: "deny" } },
    });
    const refused = await denied.tools.count({ path: "a.txt" });
    assert(refused.status === "denied" && refused.reason === "policy");
  });

  it("stays inside, and tells a model what was wrong", async () => {
    const tool = count(await open());
    const calls: readonly (readonly [object, string])[] = [
      [{ path: "../a.txt" }, 'Cannot read "../a.txt": it leads out'],
      [{ path: "key.pem" }, 'the rule "**/*.pem" does not allow it'],
      [{ path: "./b.txt" }, 'Cannot read "./b.txt": nothing is there'],
      [{}, "path must be a non-empty string"],
      [{ path: "a.txt", wrod: "x" }, "did you mean word?"],
      [{ path: "a.txt", word: 1 }, "word must be a string"],
    ];
    for (const [args, problem] of calls) {
      const { ok, text } = await respond(tool, args);
      assert(!ok && text.includes(problem), text);
    }
    await assertRejects(
      async () => await tool.call({ path: "../a.txt" }),
      ReadFileError,
      "leads out",
    );
  });

  it("refuses an option named path", () => {
    const metadata = { name: "a", isWriteOp: false, description: "" };
    assertThrows(
      () =>
        createSecureTool(metadata, () => 0, {
          parameters: { path: { type: "string" } },
        }),
      TypeError,
      'parameters hold "path", which every secure tool has',
    );
  });
});
