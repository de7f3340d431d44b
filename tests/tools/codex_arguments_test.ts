import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  CODEX_FILES as FILES,
  codexOn,
  failureOf,
  lineFile as lines,
  PROFILES,
  rangeOf,
  sentenceOf,
  show,
} from "../support/codex.ts";

describe("codex read_file arguments", () => {
  const unparsed: readonly [string, unknown, string][] = [
    [
      "no JSON",
      "{",
      "arguments must be an object, or its JSON text; the JSON breaks off after 1 characters",
    ],
    ["nothing", undefined, "arguments must be an object, or its JSON text"],
    ["null", null, "arguments must be an object, or its JSON text"],
    ["an array", [], "arguments must be an object, or its JSON text"],
    ["a number", "1", "arguments must be an object, or its JSON text"],
    ["no path", {}, "file_path must be a string"],
    ["a null path", { file_path: null }, "file_path must be a string"],
    ["a path of another type", { file_path: 1 }, "file_path must be a string"],
    ...[-1, 1.5, "1", true, [], {}, NaN, Infinity].flatMap((value) =>
      ["offset", "limit"].map((name): [string, unknown, string] => [
        `${name} ${JSON.stringify(value)} (${typeof value})`,
        { file_path: "/ws/a.txt", [name]: value },
        `${name} must be a non-negative integer`,
      ])
    ),
    ...["Slice", "", 1, {}].map((mode): [string, unknown, string] => [
      `mode ${JSON.stringify(mode)}`,
      { file_path: "/ws/a.txt", mode },
      'mode must be "slice" or "indentation"',
    ]),
    ...[1, "{}", [], true].map((indentation): [string, unknown, string] => [
      `indentation ${JSON.stringify(indentation)}`,
      { file_path: "/ws/a.txt", indentation },
      "indentation must be an object",
    ]),
    ...["anchor_line", "max_levels", "max_lines"].flatMap((name) =>
      [-1, 0.5, "1", true].map((value): [string, unknown, string] => [
        `${name} ${JSON.stringify(value)}`,
        {
          file_path: "/ws/a.txt",
          mode: "indentation",
          indentation: { [name]: value },
        },
        `${name} must be a non-negative integer`,
      ])
    ),
    ...["include_siblings", "include_header"].flatMap((name) =>
      [0, "true", {}].map((value): [string, unknown, string] => [
        `${name} ${JSON.stringify(value)}`,
        {
          file_path: "/ws/a.txt",
          mode: "indentation",
          indentation: { [name]: value },
        },
        `${name} must be true or false`,
      ])
    ),
    [
      "a wrong type in indentation, in slice mode",
      { file_path: "/ws/a.txt", indentation: { max_lines: "1" } },
      "max_lines must be a non-negative integer",
    ],
  ];

  for (const [name, options] of PROFILES) {
    for (const [claim, args, reason] of unparsed) {
      it(`are refused: ${claim}${name}`, async () => {
        const error = await failureOf(await codexOn(FILES, options), args);
        const sentence = `failed to parse function arguments: ${reason}`;
        assertEquals(error.message, sentence);
        assertEquals(error.code, "INVALID_ARGUMENT");
      });
    }
  }

  it("may be an object or its JSON text", async () => {
    const tool = await codexOn(FILES);
    const args = { file_path: "/ws/a.txt", offset: 2, limit: 1 };
    const output = {
      content: "L2: line 2",
      content_items: null,
      success: true,
    };
    assertEquals(await tool.call(args), output);
    assertEquals(await tool.call(JSON.stringify(args)), output);
  });

  it("may be null, like absent", async () => {
    const inner = {
      anchor_line: null,
      max_levels: null,
      include_siblings: null,
      include_header: null,
      max_lines: null,
    };
    const none = { offset: null, limit: null, mode: null, indentation: null };
    assertEquals(rangeOf(await show(lines(2001), none)), "1-2000");
    const block = { offset: 2, mode: "indentation", indentation: inner };
    assertEquals(rangeOf(await show(lines(5), block)), "1-5");
    const original = await show(lines(5), block, { original: true });
    assertEquals(rangeOf(original), "1-3");
  });

  it("may have unknown keys", async () => {
    const extra = { more: 1, indentation: { more: "x" } };
    assertEquals(await show("a\n", extra), "L1: a");
  });

  it("are ignored if inherited", async () => {
    const tool = await codexOn(FILES);
    const args = Object.create({ file_path: "/ws/a.txt" });
    const sentence =
      "failed to parse function arguments: file_path must be a string";
    assertEquals(await sentenceOf(tool, args), sentence);
  });

  it("of the indentation mode are ignored in slice mode", async () => {
    const indentation = { anchor_line: 0, max_lines: 0, max_levels: 1 };
    assertEquals(rangeOf(await show(lines(3), { indentation })), "1-3");
  });
});
