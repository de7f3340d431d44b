import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  respond,
  type Tool,
  type Workspace,
} from "../../mod.ts";
import { anyArguments } from "../support/bad_input.ts";
import { workspaceOf } from "../support/bad_answers.ts";
import { FOUR_TOOLS } from "../support/four_tools.ts";
import { Random } from "../support/random.ts";
import { draws } from "../support/share.ts";
import { replyOf } from "../support/replies.ts";

const lenient = true;

async function make(tool: (workspace: Workspace) => Tool): Promise<Tool> {
  const fs = memoryFs({ "/ws/a.txt": "1\n2\n3\n4\n5\n", "/ws/5": "five\n" });
  return tool(await openWorkspace("/ws", { fs }));
}

/** A tool that accepts lists, and returns its arguments. */
function listTool(): Tool {
  const line = { type: "integer" };
  const items = { type: "object", properties: { line } };
  const list = { type: "array", items };
  const lines = { type: "array", items: line };
  return {
    definition: {
      name: "lists",
      description: "",
      parameters: { type: "object", properties: { list, lines } },
    },
    aliases: [],
    call: (args) => Promise.resolve(args),
    render: (args) => JSON.stringify(args),
  };
}

describe("respond() with lenient", () => {
  it("accepts numbers in quotes, and notes it", async () => {
    const tool = await make(createOpenFile);
    const args = { file_path: "a.txt", start_line: "2", end_line: " 3.0 " };
    assertEquals(
      await respond(tool, args, { lenient }),
      replyOf({
        ok: true,
        content: "2\n3\n",
        notes: [
          'start_line: "2" was taken as 2',
          'end_line: " 3.0 " was taken as 3',
        ],
      }),
    );
  });
  it("accepts booleans in quotes, and notes it", async () => {
    const tool = await make(createForgeRead);
    const args = { path: "a.txt", tail: 1, show_line_numbers: "False" };
    const { ok, notes } = await respond(tool, args, { lenient });
    assert(ok);
    assertEquals(notes, ['show_line_numbers: "False" was taken as false']);
  });
  it("accepts null for absent, and notes it", async () => {
    const tool = await make(createToolkitReadFile);
    const args = { path: "a.txt", start_line: null, max_lines: "1" };
    const { ok, notes } = await respond(tool, args, { lenient });
    assert(ok);
    assertEquals(notes, [
      "start_line: null was taken as absent",
      'max_lines: "1" was taken as 1',
    ]);
  });
  it("also converts the members of an argument", async () => {
    const tool = await make(createCodexReadFile);
    const args = {
      file_path: "/ws/a.txt",
      mode: "indentation",
      indentation: { anchor_line: "2", max_levels: null },
    };
    const { ok, notes } = await respond(tool, args, { lenient });
    assert(ok);
    assertEquals(notes, [
      'indentation.anchor_line: "2" was taken as 2',
      "indentation.max_levels: null was taken as absent",
    ]);
  });
  it("also converts the elements of a list, and the JSON text of a list", async () => {
    const tool = listTool();
    const list = [{ line: "2" }, { line: null, lien: 1 }, null, 7, "x"];
    const meant = [{ line: 2 }, { lien: 1 }, null, 7, "x"];
    const notes = [
      'list[0].line: "2" was taken as 2',
      "list[1].line: null was taken as absent",
      '"list[1].lien" is not an argument; did you mean line?',
    ];
    assertEquals(
      await respond(tool, { list }, { lenient }),
      replyOf({
        ok: true,
        content: JSON.stringify({ list: meant }),
        notes,
      }),
    );
    const text = { list: JSON.stringify(list), lines: ["1", 2] };
    assertEquals(
      await respond(tool, text, { lenient }),
      replyOf({
        ok: true,
        content: JSON.stringify({ list: meant, lines: [1, 2] }),
        notes: [
          "list: JSON text was taken as a list",
          ...notes,
          'lines[0]: "1" was taken as 1',
        ],
      }),
    );
    for (const list of ["a.txt", "{}", "[", "7"]) {
      const { content, notes } = await respond(tool, { list }, { lenient });
      assertEquals([content, notes], [JSON.stringify({ list }), undefined]);
    }
  });
  it("also accepts the JSON text of arguments", async () => {
    const tool = await make(createOpenFile);
    const args = '{"file_path": "a.txt", "start_line": "5"}';
    const { content } = await respond(tool, args, { lenient });
    assertEquals(content, "5\n");
  });
  it("names an unknown argument and the most similar known one", async () => {
    const tool = await make(createToolkitReadFile);
    const args = { path: "a.txt", startLine: 2, colour: "red" };
    const { ok, notes } = await respond(tool, args, { lenient });
    assert(ok);
    assertEquals(notes, [
      '"startLine" is not an argument; did you mean start_line?',
      '"colour" is not an argument',
    ]);
  });
  it("does not convert a path, or text that is not a number", async () => {
    const tool = await make(createOpenFile);
    const path = await respond(tool, { file_path: 5 }, { lenient });
    assertEquals(
      path,
      replyOf({
        ok: false,
        content:
          "file_path must be a non-empty string\nname a file by its path from the root of the workspace",
      }),
    );
    const values = [
      "",
      "two",
      "0x2",
      "1e3",
      "2.5",
      "NaN",
      "١",
      "9".repeat(17),
      "9".repeat(16),
    ];
    for (const start_line of [...values, true, [2], {}]) {
      const args = { file_path: "a.txt", start_line };
      const { ok, content, notes } = await respond(tool, args, { lenient });
      assertEquals([ok, notes], [false, undefined], String(start_line));
      assertStringIncludes(content, "start_line must be an integer");
    }
  });
  it("checks the bounds of converted numbers", async () => {
    const tool = await make(createToolkitReadFile);
    const args = { path: "a.txt", start_line: "0" };
    const { ok, content } = await respond(tool, args, { lenient });
    assert(!ok);
    assert(content.includes("start_line must be an integer >= 1"), content);
  });
  it("is the default, and can be left out", async () => {
    const tool = await make(createOpenFile);
    const args = { file_path: "a.txt", start_line: "2" };
    assertEquals(
      await respond(tool, args),
      await respond(tool, args, { lenient }),
    );
    assertEquals(
      await respond(tool, args, { lenient: false }),
      replyOf({
        ok: false,
        content:
          "start_line must be an integer\nwrite the number without quotes: 2",
      }),
    );
  });
  it("limits the number of notes", async () => {
    const tool = await make(createToolkitReadFile);
    const args: Record<string, unknown> = { path: "a.txt" };
    for (let count = 0; count < 100; count++) args[`argument ${count}`] = 1;
    const { notes } = await respond(tool, args, { lenient });
    assertEquals(notes!.length, 9);
    assertEquals(notes!.at(-1), "and so on, 92 times more");
  });
  const { seed, numRuns } = draws(1_000, 1_000);
  for (const { name, make } of FOUR_TOOLS) {
    it(`${name}: gives the same answer to correct arguments (seed ${seed})`, async () => {
      const { workspace } = await workspaceOf();
      const tool = make(workspace);
      const random = new Random(seed);
      let alike = 0;
      let noted = 0;
      for (let call = 0; call < numRuns; call++) {
        const args = anyArguments(tool.definition.parameters, random);
        const { notes, ...reply } = await respond(tool, args, { lenient });
        if (notes !== undefined) noted++;
        else assertEquals(reply, await respond(tool, args));
        if (notes === undefined && reply.ok) alike++;
      }
      assert(alike > numRuns / 20, `${alike} were as they should be`);
      assert(noted > numRuns / 20, `${noted} were not`);
    });
  }
});

describe("a toolkit with lenient", () => {
  const ask = async (isLenient: boolean, policy = {}) => {
    const fs = memoryFs({ "/ws/a.txt": "1\n2\n3\n" });
    const kit = await createAgentToolkit({ workspaceRoot: "/ws", fs, policy });
    const notes: string[] = [];
    const note = (one: string) => void notes.push(one);
    const options = { lenient: isLenient, note };
    // Cast, since a program in JavaScript may pass on what a model sent.
    const range = (words: object) => words as never;
    const read = { start_line: "3", max_lines: null };
    const results = [
      await kit.openFile("a.txt", range({ start: "3", end: null }), options),
      await kit.readFile("a.txt", range(read), options),
    ];
    return { results, notes };
  };
  it("accepts the ranges of openFile() and readFile(), too", async () => {
    const { results: [opened, read], notes } = await ask(true);
    assert(opened?.status === "success" && read?.status === "success");
    assertEquals(opened.data, "3\n");
    assertEquals(Object(read.data).content, "3\n");
    assertEquals(notes, [
      'start_line: "3" was taken as 3',
      "end_line: null was taken as absent",
      'start_line: "3" was taken as 3',
      "max_lines: null was taken as absent",
    ]);
  });
  it("checks the policy before the ranges", async () => {
    const { results } = await ask(true, { defaultPolicy: "deny" });
    for (const { status } of results) assertEquals(status, "denied");
  });
  it("is off by default", async () => {
    const { results } = await ask(false);
    for (const { status } of results) assertEquals(status, "failure");
  });
});

describe("a tool that refuses an unknown argument", () => {
  it("names the most similar known argument", async () => {
    const open = await make(createOpenFile);
    const read = await make(createForgeRead);
    const { content } = await respond(open, { file_path: "a", startline: 1 });
    assertEquals(
      content,
      'arguments hold "startline", which open_file does not take; it takes file_path, start_line, end_line; did you mean start_line?',
    );
    const said = await respond(read, { path: "a", show_line_number: true });
    assert(said.content.endsWith("; did you mean show_line_numbers?"));
  });
});
