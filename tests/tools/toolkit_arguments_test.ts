import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { numbered, refusal, toolFor, toolOn } from "../support/toolkit.ts";

describe("the toolkit's read_file", () => {
  for (const path of ["", undefined, null, 5, ["a.txt"], {}]) {
    it(`case 7: the path ${JSON.stringify(path)} is INVALID_ARGUMENT`, async () => {
      const error = await refusal("", { path, start_line: 0 });
      assertEquals(error.toolkitCode, "INVALID_ARGUMENT");
      assertEquals(error.message, "path must be a non-empty string");
    });
  }

  for (const max_lines of [0, 501, 1.5, "5", -1, NaN, true, [5], 2 ** 53]) {
    it(`case 7: the max_lines ${JSON.stringify(max_lines)} is INVALID_ARGUMENT`, async () => {
      const error = await refusal("", { path: "a.txt", max_lines });
      assertEquals(error.toolkitCode, "INVALID_ARGUMENT");
      assertEquals(
        error.message,
        "max_lines must be an integer between 1 and 500",
      );
      assertEquals(error.path, "a.txt");
    });
  }

  for (const start_line of [0, -1, 1.5, "5", Infinity, NaN, false, {}]) {
    it(`refuses the start_line ${String(start_line)} ${typeof start_line}`, async () => {
      const args = { path: "a.txt", start_line, max_lines: 0 };
      const error = await refusal("", args);
      assertEquals(error.toolkitCode, "INVALID_ARGUMENT");
      assertEquals(error.message, "start_line must be an integer >= 1");
    });
  }

  it("refuses a start_line that is not a safe integer", async () => {
    const error = await refusal("", { path: "a.txt", start_line: 2 ** 53 });
    assertEquals(error.code, "INVALID_ARGUMENT");
    assertEquals(
      error.message,
      "start_line must be at most 9007199254740991",
    );
  });

  for (const args of [undefined, null, 5, "no JSON", "[]", [], '"a.txt"']) {
    it(`refuses ${JSON.stringify(args)} as arguments`, async () => {
      const error = await refusal("", args);
      assertEquals(error.code, "INVALID_ARGUMENT");
      assertStringIncludes(
        error.message,
        "arguments must be an object, or its JSON text",
      );
    });
  }

  it("accepts 1 and 500 for max_lines, and gives at most that many lines", async () => {
    const tool = await toolFor(numbered(501));
    for (const max_lines of [1, 500]) {
      const { meta, next_start_line } = await tool.call({
        path: "a.txt",
        max_lines,
      });
      assertEquals(meta.returned_line_count, max_lines);
      assertEquals(next_start_line, max_lines + 1);
    }
  });

  it("accepts null for the default and JSON text for the object, and ignores other keys", async () => {
    const tool = await toolFor(numbered(250));
    const args = { path: "a.txt", start_line: null, max_lines: null, foo: 1 };
    const output = await tool.call(args);
    assertEquals(output.meta.returned_line_count, 200);
    assertEquals(await tool.call(JSON.stringify(args)), output);
  });

  it("treats a space as an ordinary name", async () => {
    const tool = await toolOn(memoryFs({ "/ws/ ": "hello" }));
    assertEquals((await tool.call({ path: " " })).content, "hello");
  });
});
