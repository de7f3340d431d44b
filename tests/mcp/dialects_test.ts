import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  openWorkspace,
  respond,
  type Tool,
  type Workspace,
} from "../../mod.ts";
import { onDisk } from "../support/disk.ts";
import { connect } from "../support/mcp.ts";

const LAYOUT = [
  "ws/a.txt: one\r\ntwo\nthree",
  "ws/b.bin: \0\x01",
  "x/a.txt: x",
];

const DIALECTS: readonly {
  readonly name: string;
  readonly make: (workspace: Workspace) => Tool;
  readonly field: string;
  readonly calls: readonly Record<string, unknown>[];
}[] = [
  {
    name: "codex",
    make: createCodexReadFile,
    field: "file_path",
    calls: [{}, { offset: 2, limit: 1 }, { mode: "indentation" }, {
      offset: 9,
    }],
  },
  {
    name: "toolkit",
    make: createToolkitReadFile,
    field: "path",
    calls: [{}, { start_line: 2, max_lines: 1 }, { max_lines: 501 }],
  },
  {
    name: "forge",
    make: createForgeRead,
    field: "path",
    calls: [{}, { head: 1 }, { tail: 1, show_line_numbers: false }, {
      limit: 0,
    }],
  },
  {
    name: "open",
    make: createOpenFile,
    field: "file_path",
    calls: [{}, { start_line: 2, end_line: 2 }, { start_line: 9 }],
  },
];

for (const { name, make, field, calls } of DIALECTS) {
  describe(`the dialect ${name} over MCP`, () => {
    it("is the only tool, with its own name and description", async () => {
      await using place = await onDisk(LAYOUT);
      const args = ["--dialect", name, place.root];
      await using server = await connect([place.root], { args });
      const { tools: [tool, ...others] } = await server.client.listTools();
      const { definition } = make(
        await openWorkspace(place.root, { fs: place.fs }),
      );
      assertEquals([tool?.name, others], [definition.name, []]);
      assertEquals<unknown>(tool?.inputSchema, definition.parameters);
      assertStringIncludes(tool?.description ?? "", definition.description);
      assertEquals(tool?.annotations?.readOnlyHint, true);
    });

    it("has instructions and a description without the server's own tools", async () => {
      await using place = await onDisk(LAYOUT);
      const folders = [place.root, join(place.base, "x")];
      for (const served of [folders, [place.root]]) {
        for (const roots of [undefined, () => [place.root]]) {
          const args = ["--dialect", name, ...served];
          const options = { args, ...(roots && { roots }) };
          await using server = await connect(served, options);
          const { tools: [tool] } = await server.client.listTools();
          const told = server.client.getInstructions() ?? "";
          assertStringIncludes(told, `files below "${place.root}"`);
          const others = /list_directory|read_files|tail|first line/;
          assertEquals(told.match(others), null);
          const isRelative = /relative/i.test(`${told}${tool?.description}`);
          assertEquals(isRelative, name !== "codex");
        }
      }
    });

    it("answers as without MCP", async () => {
      await using place = await onDisk(LAYOUT);
      const args = ["--dialect", name, place.root];
      await using server = await connect([place.root], { args });
      await server.client.listTools();
      const tool = make(await openWorkspace(place.root, { fs: place.fs }));
      for (const file of ["a.txt", "b.bin", "none"]) {
        for (const call of calls) {
          const asked = { [field]: join(place.root, file), ...call };
          const told = await server.call(asked, tool.definition.name);
          const { ok, text } = await respond(tool, asked);
          assertEquals([told.ok, told.text], [ok, text]);
        }
      }
    });

    it("has its notes among the facts", async () => {
      await using place = await onDisk(LAYOUT);
      const args = ["--dialect", name, place.root];
      await using server = await connect([place.root], { args, facts: true });
      const { tools: [tool] } = await server.client.listTools();
      const asked = { [field]: join(place.root, "a.txt"), pth: 1 };
      const { ok, text, data } = await server.call(asked, tool?.name);
      // Forge and open refuse what they do not know.
      if (ok) {
        assertStringIncludes(String(data.notes), '"pth" is not an argument');
      }
      assertStringIncludes(text, '"pth"');
      const absent = Object.keys(Object(tool?.inputSchema.properties))
        .find((key) => key !== field)!;
      const empty = await server.call(
        { [field]: join(place.root, "a.txt"), [absent]: null },
        tool?.name,
      );
      assertEquals(empty.data.notes, [`${absent}: null was taken as absent`]);
    });

    it("reads from several directories", async () => {
      await using place = await onDisk(LAYOUT);
      const folders = [place.root, join(place.base, "x")];
      const args = ["--dialect", name, ...folders];
      await using server = await connect(folders, { args, facts: true });
      const { tools: [tool] } = await server.client.listTools();
      const path = join(place.base, "x/a.txt");
      const { ok, text, data } = await server.call(
        { [field]: path },
        tool?.name,
      );
      assert(ok, text);
      if ("path" in data) assertEquals(data.path, "x/a.txt");
      // It takes no path but an absolute one.
      if (name === "codex") return;
      const short = await server.call({ [field]: "x/a.txt" }, tool?.name);
      assertEquals(short.text, text);
      const none = await server.call({ [field]: "x/none" }, tool?.name);
      assert(!none.ok && !none.text.includes(place.base), none.text);
    });
  });
}

describe("the dialect codex over MCP", () => {
  it("asks for an absolute path with several directories, too", async () => {
    await using place = await onDisk(LAYOUT);
    const folders = [place.root, join(place.base, "x")];
    for (const served of [folders, [place.root]]) {
      const args = ["--dialect", "codex", ...served];
      await using server = await connect(served, { args });
      for (const file_path of ["a.txt", "x/a.txt"]) {
        const { text } = await server.call({ file_path });
        assertEquals(
          text,
          "file_path must be an absolute path\nname the file by its whole path, from / on",
        );
      }
    }
  });
});

describe("a cut answer of the dialect forge over MCP", () => {
  /** The arguments that a text names for the next call. */
  function nextIn(text: string): Record<string, unknown> {
    const [, json] = /continue with (\{.*\})/.exec(text) ?? [];
    assert(json !== undefined, text.slice(-300));
    return JSON.parse(json);
  }

  it("names the next call as without MCP", async () => {
    const large = "12345678\n".repeat(30_000);
    await using place = await onDisk([`ws/a.txt: ${large}`]);
    const args = ["--dialect", "forge", place.root];
    await using server = await connect([place.root], { args });
    const tool = createForgeRead(
      await openWorkspace(place.root, { fs: place.fs }),
    );
    for (
      const lines of [
        { tail: 29_000 },
        { start_line: 2, end_line: 28_000, show_line_numbers: false },
      ]
    ) {
      const asked = { path: "a.txt", ...lines };
      const { content } = await respond(tool, asked);
      const { text } = await server.call(asked, "Read");
      assertEquals(text, content);
      const next = await server.call(nextIn(text), "Read");
      assert(next.ok, next.text);
    }
  });

  it("names the next call of a file in one of several directories", async () => {
    const large = "12345678\n".repeat(30_000);
    await using place = await onDisk([`ws/a.txt: ${large}`, "x/a.txt: x"]);
    const folders = [place.root, join(place.base, "x")];
    const args = ["--dialect", "forge", ...folders];
    await using server = await connect(folders, { args });
    for (const lines of [{}, { start_line: 2 }]) {
      const asked = { path: "ws/a.txt", ...lines };
      const { text } = await server.call(asked, "Read");
      const next = await server.call(nextIn(text), "Read");
      assert(next.ok, next.text);
    }
  });
});
