import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { respond } from "../../mod.ts";
import {
  CODEX_FILES as FILES,
  codexOn,
  lineFile as lines,
  PROFILES,
} from "../support/codex.ts";
import { replyOf } from "../support/replies.ts";

describe("the examples of codex read_file's description", () => {
  it("shows five numbered lines from 10 on", async () => {
    const tool = await codexOn({ "/ws/src/lib.rs": lines(40) });
    const args =
      '{"file_path":"/ws/src/lib.rs","offset":10,"limit":5,"mode":"slice"}';
    assertEquals(await tool.call(args), {
      content:
        "L10: line 10\nL11: line 11\nL12: line 12\nL13: line 13\nL14: line 14",
      content_items: null,
      success: true,
    });
  });

  it("shows no lines for an offset past the end, without an error", async () => {
    const tool = await codexOn({ "/ws/src/empty.rs": "" });
    const args = '{"file_path":"/ws/src/empty.rs","offset":999,"limit":10}';
    const output = { content: "", content_items: null, success: true };
    assertEquals(await tool.call(args), output);
  });

  it("shows the block around line 42 with header and siblings", async () => {
    const before = "import os\n".repeat(35);
    const first = "class A:\n    def f(self):\n        pass\n\n";
    const second = "    # g\n    def g(self):\n        return 1\n\n";
    const file = `${before}${first}${second}def h():\n    pass\n`;
    const tool = await codexOn({ "/ws/app.py": file });
    const args =
      '{"file_path":"/ws/app.py","offset":42,"limit":50,"mode":"indentation","indentation":{"anchor_line":42,"max_levels":1,"include_siblings":true,"include_header":true}}';
    const { content, success } = await tool.call(args);
    assert(success);
    assertEquals(
      content,
      "L37:     def f(self):\nL38:         pass\nL39: \n" +
        "L40:     # g\nL41:     def g(self):\nL42:         return 1",
    );
  });

  it("refuses a relative path", async () => {
    const tool = await codexOn(FILES);
    assertEquals(
      await respond(tool, '{"file_path":"relative.txt"}'),
      replyOf({
        ok: false,
        content:
          "file_path must be an absolute path\nname the file by its whole path, from / on",
      }),
    );
  });

  it("refuses a limit of zero", async () => {
    const tool = await codexOn(FILES);
    assertEquals(
      await respond(tool, '{"file_path":"/ws/a.txt","limit":0}'),
      replyOf({
        ok: false,
        content:
          "limit must be greater than zero\nask for at least one line, or leave limit out",
      }),
    );
  });
});

describe("codex read_file", () => {
  it("answers concurrent calls", async () => {
    const tool = await codexOn({ "/ws/a": lines(500) }, { most: 7 });
    const contents = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const args = { file_path: "/ws/a", offset: at + 1, limit: 1 };
        return (await tool.call(args)).content;
      }),
    );
    assertEquals(
      contents,
      contents.map((_, at) => `L${at + 1}: line ${at + 1}`),
    );
  });

  it("renders its content, and notes the next call", async () => {
    const tool = await codexOn(FILES);
    const reply = await respond(tool, { file_path: "/ws/a.txt", limit: 2 });
    assertEquals(
      reply,
      replyOf({
        ok: true,
        content: "L1: line 1\nL2: line 2",
        notes: [
          'more lines follow; continue with {"offset":3,"limit":2,"file_path":"/ws/a.txt"}',
        ],
      }),
    );
  });

  for (const [name, options] of PROFILES) {
    it(`has the definition of the contract${name}`, async () => {
      const { definition, aliases } = await codexOn(FILES, options);
      assertEquals(aliases, []);
      assertEquals(definition.name, "read_file");
      assertEquals(
        definition.description,
        "Reads a local file with 1-indexed line numbers, supporting slice and indentation-aware block modes.",
      );
      const { properties, required, additionalProperties, type } =
        definition.parameters;
      assertEquals({ required, additionalProperties, type }, {
        required: ["file_path"],
        additionalProperties: false,
        type: "object",
      });
      const typesOf = (schemas: typeof properties) =>
        Object.entries(schemas ?? {}).map(([key, schema]) =>
          `${key}: ${schema.type}`
        );
      assertEquals(typesOf(properties), [
        "file_path: string",
        "offset: number",
        "limit: number",
        "mode: string",
        "indentation: object",
      ]);
      const { indentation, offset, limit } = properties!;
      assertEquals(typesOf(indentation!.properties), [
        "anchor_line: number",
        "max_levels: number",
        "include_siblings: boolean",
        "include_header: boolean",
        "max_lines: number",
      ]);
      assertStringIncludes(offset!.description!, "default: 1)");
      assertStringIncludes(limit!.description!, "default: 2000)");
      const { include_siblings, include_header, max_levels } = indentation!
        .properties!;
      assertStringIncludes(include_header!.description!, "default: true)");
      assertStringIncludes(max_levels!.description!, "default: 0)");
      const siblings = options.original ? "default: false)" : "default: true)";
      assertStringIncludes(include_siblings!.description!, siblings);
    });

    it(`has a definition in plain JSON${name}`, async () => {
      const { definition } = await codexOn(FILES, options);
      assertEquals(JSON.parse(JSON.stringify(definition)), definition);
    });
  }
});
