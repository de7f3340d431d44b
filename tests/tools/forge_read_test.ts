import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  ReadFileError,
  respond,
  type Tool,
} from "../../mod.ts";
import {
  createForgeRead,
  type ForgeReadOutput,
} from "../../src/tools/forge_read.ts";
import { CUTS } from "../support/cuts.ts";
import { forgeFor } from "../support/forge.ts";

describe("Read", () => {
  for (const most of CUTS) {
    describe(`in reads of ${most} bytes`, () => {
      it("T-RD-01 full file", async () => {
        const tool = await forgeFor("one\ntwo\nthree\n", { most });
        assertEquals(await tool.call({ path: "a.txt" }), {
          path: "a.txt",
          text: "1| one\n2| two\n3| three\n",
          data: null,
          binary: false,
          encoding: "utf-8",
          truncated: false,
          start_line: 1,
          end_line: 3,
          total_lines: 3,
          next_start_line: null,
          size: 14,
        });
      });

      it("T-RD-02 line range", async () => {
        const tool = await forgeFor("one\ntwo\nthree\nfour\n", { most });
        const range = { path: "a.txt", start_line: 2, end_line: 3 };
        assertEquals(await tool.call(range), {
          path: "a.txt",
          text: "2| two\n3| three\n",
          data: null,
          binary: false,
          encoding: "utf-8",
          truncated: false,
          start_line: 2,
          end_line: 3,
          total_lines: null,
          next_start_line: 4,
          size: 19,
        });
      });
      it("reports no lines for an empty file", async () => {
        const tool = await forgeFor("", { most });
        for (const args of [{}, { head: 1 }, { tail: 1 }]) {
          const output = await tool.call({ path: "a.txt", ...args });
          assertEquals([output.total_lines, output.size], [0, 0]);
          assertEquals([output.start_line, output.end_line], [null, null]);
        }
      });

      it("numbers a tail, and returns the total", async () => {
        const tool = await forgeFor("a\nb\nc\n", { most });
        const output = await tool.call({ path: "a.txt", tail: 2 });
        const { start_line, end_line, total_lines, next_start_line } = output;
        assertEquals([start_line, end_line, total_lines], [2, 3, 3]);
        assertEquals(next_start_line, null);
      });

      it("answers a start past the end with the total and without lines", async () => {
        for (
          const [content, total] of [["a\nb\n", 2], ["a\nb", 2], [
            "",
            0,
          ]] as const
        ) {
          const tool = await forgeFor(content, { most });
          const output = await tool.call({ path: "a.txt", start_line: 3 });
          assertEquals(output.text, "");
          assertEquals(output.total_lines, total);
          const { start_line, end_line, next_start_line } = output;
          assertEquals([start_line, end_line, next_start_line], [
            null,
            null,
            null,
          ]);
          assertEquals(output.truncated, false);
        }
      });

      it("returns next_start_line, and head or limit do not count as truncation", async () => {
        const tool = await forgeFor("a\nb\nc\n", { most });
        for (const args of [{ head: 2 }, { limit: 2 }, { end_line: 2 }]) {
          const output = await tool.call({ path: "a.txt", ...args });
          assertEquals([output.truncated, output.next_start_line], [false, 3]);
          assertEquals(output.total_lines, null);
        }
      });

      it("returns the total if a range ends with the file", async () => {
        const tool = await forgeFor("a\nb\nc", { most });
        for (const args of [{ head: 3 }, { start_line: 3 }, { end_line: 3 }]) {
          const output = await tool.call({ path: "a.txt", ...args });
          assertEquals([output.next_start_line, output.total_lines], [null, 3]);
        }
      });
    });
  }

  it("returns the path relative to the root", async () => {
    const tool = await forgeFor("a\n");
    assertEquals((await tool.call({ path: "./x/../a.txt" })).path, "a.txt");
    assertEquals((await tool.call({ path: "/ws/a.txt" })).path, "a.txt");
  });

  it("keeps the core's codes for files that cannot be opened", async () => {
    const fs = memoryFs({ "/ws/dir/a.txt": "a", "/out.txt": "secret" });
    const tool = createForgeRead(await openWorkspace("/ws", { fs }));
    const codes = await Promise.all(
      ["no.txt", "dir", "../out.txt", "../no.txt", "a\0"].map(async (path) => {
        const error = await assertRejects(
          () => tool.call({ path }),
          ReadFileError,
        );
        assertEquals(error.path, path);
        return error.code;
      }),
    );
    const outside = "OUTSIDE_WORKSPACE";
    assertEquals(codes, [
      "NOT_FOUND",
      "NOT_A_FILE",
      outside,
      outside,
      "INVALID_ARGUMENT",
    ]);
  });

  it("ends when aborted", async () => {
    const tool = await forgeFor("a\n");
    const signal = AbortSignal.abort();
    const call = () => tool.call({ path: "a.txt" }, { signal });
    assertEquals((await assertRejects(call, ReadFileError)).code, "ABORTED");
  });

  it("has the definition of the specification", async () => {
    const { definition, aliases } = await forgeFor("");
    const { name, description, parameters } = definition;
    assertEquals(name, "Read");
    assertEquals(aliases, ["read", "read_file", "read-file", "ReadFile"]);
    assertEquals(description.includes("\n"), false);
    assertEquals(parameters.required, ["path"]);
    assertEquals(parameters.additionalProperties, false);
    const properties = Object.entries(parameters.properties!).map((
      [key, { type, minimum = null, default: value = null }],
    ) => [key, type, minimum, value]);
    assertEquals(properties, [
      ["path", "string", null, null],
      ["start_line", "integer", 1, null],
      ["end_line", "integer", 1, null],
      ["limit", "integer", 1, null],
      ["head", "integer", 1, null],
      ["tail", "integer", 1, null],
      ["show_line_numbers", "boolean", null, true],
    ]);
    assertEquals(JSON.parse(JSON.stringify(definition)), definition);
  });

  it("shows a model the configured default of show_line_numbers", async () => {
    const tool = await forgeFor("", { config: { show_line_numbers: false } });
    const { show_line_numbers } = tool.definition.parameters.properties!;
    assertEquals(show_line_numbers!.default, false);
  });
});

describe("respond() with Read", () => {
  const FIVE = "aa\nbb\ncc\ndd\nee";

  async function content(tool: Tool<ForgeReadOutput>, args: object) {
    const reply = await respond(
      tool,
      JSON.stringify({ path: "a.txt", ...args }),
    );
    return `${reply.ok}: ${reply.content}`;
  }

  it("returns only the text if nothing was cut", async () => {
    const tool = await forgeFor(FIVE);
    assertEquals(await content(tool, { head: 2 }), "true: 1| aa\n2| bb\n");
    assertEquals(await content(tool, { start_line: 9 }), "true: ");
    assertEquals(await content(tool, { tail: 1 }), "true: 5| ee");
  });

  it("says which line follows if lines were cut", async () => {
    const tool = await forgeFor(FIVE, { config: { max_file_read_bytes: 6 } });
    assertEquals(
      await content(tool, { start_line: 2 }),
      'true: 2| bb\n3| cc\n[truncated: continue with {"start_line":4,"path":"a.txt"}]',
    );
  });

  it("names the lines before a cut tail, on a separate line", async () => {
    const config = { max_file_read_bytes: 6 };
    assertEquals(
      await content(await forgeFor(FIVE, { config }), { tail: 4 }),
      'true: 4| dd\n5| ee\n[truncated: continue with {"start_line":2,"end_line":3,"path":"a.txt"}]',
    );
    const short = { ...config, max_scan_bytes: 10 };
    assertEquals(
      await content(await forgeFor(`${FIVE}\n`, { config: short }), {
        tail: 4,
      }),
      "true: dd\nee\n[truncated: earlier lines are left out; they have no numbers in a file larger than max_scan_bytes, so read it from start_line 1, or ask for a larger limit]",
    );
  });

  it("does not change base64, whose header says that it was cut", async () => {
    const config = { max_file_read_bytes: 3 };
    const tool = await forgeFor("\0\0\0\0", { config });
    assertEquals(
      await content(tool, {}),
      "true: [binary:base64][truncated]\nAAAA",
    );
  });

  it("gives the message of a failure", async () => {
    const tool = await forgeFor(FIVE);
    assertEquals(
      await content(tool, { head: 0 }),
      "false: head must be >= 1\nlines are counted from 1",
    );
  });
});
