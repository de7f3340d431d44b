import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, ToolkitReadFileError } from "../../mod.ts";
import { TOOLKIT_MAX_FILE_BYTES } from "../../src/tools/toolkit_read_file.ts";
import { cutFs, CUTS } from "../support/cuts.ts";
import { codesOf, numbered, toolFor, toolOn } from "../support/toolkit.ts";

for (const most of CUTS) {
  describe(`the toolkit's read_file (reads of ${most})`, () => {
    it("case 1: turns CR LF into LF and counts the lines", async () => {
      const content = { content: "a\r\nb\r\nc", mtimeMs: 1234.9 };
      const fs = cutFs(memoryFs({ "/ws/src/main.ts": content }), most);
      const output = await (await toolOn(fs)).call({ path: "src/main.ts" });
      assertEquals(output, {
        path: "src/main.ts",
        content: "a\nb\nc",
        truncated: false,
        next_start_line: null,
        meta: {
          byte_length: 7,
          line_count: 3,
          returned_line_count: 3,
          mtime_ms: 1234,
        },
      });
    });

    for (const end of ["", "\n", "\r\n"]) {
      it(`case 2: gives 200 of 250 lines that end with ${JSON.stringify(end)}`, async () => {
        const tool = await toolFor(numbered(250) + end, most);
        const output = await tool.call({ path: "a.txt" });
        assertEquals(output.content, numbered(200));
        assertEquals(output.truncated, true);
        assertEquals(output.next_start_line, 201);
        assertEquals(output.meta.line_count, 250);
        assertEquals(output.meta.returned_line_count, 200);
      });
    }

    it("case 3: gives three lines from the fifth on", async () => {
      const tool = await toolFor(numbered(20), most);
      const args = { path: "a.txt", start_line: 5, max_lines: 3 };
      const output = await tool.call(args);
      assertEquals(output.content, "line-5\nline-6\nline-7");
      assertEquals(output.truncated, true);
      assertEquals(output.next_start_line, 8);
      assertEquals(output.meta.returned_line_count, 3);
    });

    it("case 4: gives a file of exactly 200 lines whole", async () => {
      const tool = await toolFor(`${numbered(200)}\n`, most);
      const output = await tool.call({ path: "a.txt" });
      assertEquals(output.content, `${numbered(200)}\n`);
      assertEquals(output.truncated, false);
      assertEquals(output.next_start_line, null);
      assertEquals(output.meta.line_count, 200);
    });

    it("case 7: reads an empty file as no lines", async () => {
      const tool = await toolFor("", most);
      assertEquals(await tool.call({ path: "a.txt" }), {
        path: "a.txt",
        content: "",
        truncated: false,
        next_start_line: null,
        meta: {
          byte_length: 0,
          line_count: 0,
          returned_line_count: 0,
          mtime_ms: 0,
        },
      });
    });

    const shapes: readonly (readonly [string, string, number])[] = [
      ["a\r", "a\r", 1],
      ["\n", "\n", 1],
      ["\r\n", "\n", 1],
      ["\r\r\n", "\r\n", 1],
      ["\uFEFFa\n", "a\n", 1],
      ["\uFEFF", "", 1],
      ["\uFEFF\uFEFFa", "\uFEFFa", 1],
      ["1\n2\n3\n4\n\uFEFF5", "1\n2\n3\n4\n\uFEFF5", 5],
      ["a\u2028b\u0085c\vd\fe\n", "a\u2028b\u0085c\vd\fe\n", 1],
    ];
    for (const [text, content, lines] of shapes) {
      it(`case 9: reads ${JSON.stringify(text)}`, async () => {
        const tool = await toolFor(text, most);
        const output = await tool.call({ path: "a.txt" });
        assertEquals(output.content, content);
        assertEquals(output.meta.line_count, lines);
        assertEquals(output.meta.returned_line_count, lines);
        assertEquals(output.truncated, false);
      });
    }

    it("case 9: keeps U+FEFF at the start of a window at line 5", async () => {
      const tool = await toolFor("1\n2\n3\n4\n\uFEFF5", most);
      const output = await tool.call({ path: "a.txt", start_line: 5 });
      assertEquals(output.content, "\uFEFF5");
    });

    it("case 9: accepts a NUL at byte 8193 as text, but not at 8192", async () => {
      const late = await toolFor(`${"x".repeat(8192)}\0`, most);
      const output = await late.call({ path: "a.txt" });
      assertEquals(output.content.at(-1), "\0");
      const early = await toolFor(`${"x".repeat(8191)}\0`, most);
      const call = () => early.call({ path: "a.txt" });
      const error = await assertRejects(call, ToolkitReadFileError);
      assertEquals(error.toolkitCode, "BINARY_NOT_SUPPORTED");
    });

    it("drops the CR of the last line's ending in a window", async () => {
      const tool = await toolFor("a\r\nb\r\nc\r\n", most);
      const output = await tool.call({ path: "a.txt", max_lines: 2 });
      assertEquals(output.content, "a\nb");
    });

    it("shows bytes that are not UTF-8 as U+FFFD", async () => {
      const tool = await toolFor(Uint8Array.of(0x61, 0xff, 0x0a, 0xc3), most);
      const output = await tool.call({ path: "a.txt" });
      assertEquals(output.content, "a\uFFFD\n\uFFFD");
      assertEquals(output.meta.byte_length, 4);
    });

    it("answers a start past the end without lines, and with correct facts", async () => {
      const tool = await toolFor("a\nb\n", most);
      for (const start_line of [3, 4, Number.MAX_SAFE_INTEGER]) {
        const output = await tool.call({ path: "a.txt", start_line });
        assertEquals(output, {
          path: "a.txt",
          content: "",
          truncated: false,
          next_start_line: null,
          meta: {
            byte_length: 4,
            line_count: 2,
            returned_line_count: 0,
            mtime_ms: 0,
          },
        });
      }
    });
  });
}

describe("the toolkit's read_file", () => {
  it("seed test: reads an existing text file", async () => {
    const tool = await toolFor("hello\n");
    const { content, meta } = await tool.call({ path: "a.txt" });
    assertEquals(content, "hello\n");
    assertEquals(meta.byte_length, 6);
  });

  it("case 5, seed test: a missing file is NOT_FOUND", async () => {
    const args = { path: "b.txt" };
    assertEquals(await codesOf("", args), ["NOT_FOUND", "NOT_FOUND"]);
    const below = { path: "a.txt/b" };
    assertEquals(await codesOf("", below), ["NOT_FOUND", "NOT_FOUND"]);
  });

  it("case 5, seed test: a directory or a device is NOT_FILE", async () => {
    const root = await codesOf("", { path: "." });
    assertEquals(root, ["NOT_A_FILE", "NOT_FILE"]);
    for (const kind of ["directory", "other"] as const) {
      const codes = await codesOf({ kind }, { path: "a.txt" });
      assertEquals(codes, ["NOT_A_FILE", "NOT_FILE"]);
    }
  });

  it("case 5, seed test: 1 MiB is read, one byte more is SIZE_LIMIT_EXCEEDED", async () => {
    assertEquals(TOOLKIT_MAX_FILE_BYTES, 1_048_576);
    const tool = await toolFor("x".repeat(TOOLKIT_MAX_FILE_BYTES));
    const { content } = await tool.call({ path: "a.txt" });
    assertEquals(content.length, TOOLKIT_MAX_FILE_BYTES);
    const larger = "x".repeat(TOOLKIT_MAX_FILE_BYTES + 1);
    const codes = await codesOf(larger, { path: "a.txt" });
    assertEquals(codes, ["TOO_LARGE", "SIZE_LIMIT_EXCEEDED"]);
  });

  it("case 5, seed test: 41 00 42 is BINARY_NOT_SUPPORTED", async () => {
    const bytes = Uint8Array.of(0x41, 0x00, 0x42);
    const codes = await codesOf(bytes, { path: "a.txt" });
    assertEquals(codes, ["BINARY", "BINARY_NOT_SUPPORTED"]);
  });
});
