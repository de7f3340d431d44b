import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mkdirSync, symlinkSync } from "node:fs";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connect, type Told } from "../support/mcp.ts";

const LAYOUT = [
  "ws/dir/a.txt: one",
  "ws/fifo|",
  "ws/out -> $/outside.txt",
  "ws/dead -> nowhere",
  "ws/.env: KEY=1",
  "ws/a.txt: one\n",
  "outside.txt: SECRET",
];

/** A path, the code of its failure, and the advice. */
const CASES = [
  ["dir", "NOT_A_FILE", 'or call list_directory {"path":"dir"}'],
  ["fifo", "NOT_A_FILE", "name a file"],
  ["/dev/null", "OUTSIDE_WORKSPACE", "name a file below"],
  ["out", "OUTSIDE_WORKSPACE", "name a file below"],
  ["../outside.txt", "OUTSIDE_WORKSPACE", "name a file below"],
  ["dead", "NOT_FOUND", "list_directory {"],
  ["dir/none/x", "NOT_FOUND", 'list_directory {"path":"dir"}'],
  [".env", "POLICY_DENIED", "use another file"],
  ["a\0b", "INVALID_ARGUMENT", "holds a NUL character"],
  ["x".repeat(300), "INVALID_ARGUMENT", "longer than 255 bytes"],
  ["", "INVALID_ARGUMENT", "must not be empty"],
  [7, "INVALID_ARGUMENT", "must be a string"],
] as const;

function check(told: Told, code: string, advice: string): void {
  assertEquals([told.ok, told.code], [false, code], told.text);
  assertStringIncludes(told.text, advice);
  assert(!told.text.includes("SECRET"), told.text);
}

describe("bad input over MCP", () => {
  it("is answered with what to do: a path", async () => {
    await using place = await onDisk(LAYOUT);
    await using server = await connect([place.root]);
    for (const [path, code, advice] of CASES) {
      const told = await server.call({ path });
      check(told, code, advice);
      const several = await server.call({
        files: [{ path }, "a.txt"],
      }, "read_files");
      assertStringIncludes(several.text, advice);
      assertStringIncludes(several.text, "1\tone");
    }
    // The server still answers.
    assert((await server.call({ path: "a.txt" })).ok);
  });
  it("is answered with what to do: arguments", async () => {
    await using place = await onDisk(LAYOUT);
    await using server = await connect([place.root]);
    for (
      const [args, advice] of [
        [{}, "path must be a string"],
        [{ path: "a.txt", start: 0 }, "start must be"],
        [{ path: "a.txt", start: "x" }, "start must be"],
        [{ path: "a.txt", begin: 1 }, "the arguments are path, start"],
        [{ path: "a.txt", strat: 1 }, "; did you mean start?"],
        [{ path: "a.txt", num_lines: 1 }, "; did you mean count?"],
        [
          { path: "a.txt", ["x".repeat(99_999)]: 1 },
          "the arguments are path, start",
        ],
        [{ path: "a.txt", start: 1, offset: 2 }, "another name of start"],
        [{ path: "a.txt", tail: 1, start: 1 }, "cannot be combined"],
      ] as const
    ) check(await server.call(args), "INVALID_ARGUMENT", advice);
  });
  it("takes the names that models bring from elsewhere, and says so", async () => {
    await using place = await onDisk(["ws/a.txt: 1\n2\n3\n4\n5\n6\n"]);
    await using server = await connect([place.root]);
    for (
      const [args, meant, lines] of [
        [{ file_path: "a.txt" }, "file_path was taken as path", "1-6"],
        [
          { path: "a.txt", offset: 2, limit: 3 },
          "offset was taken as start, limit as count",
          "2-4",
        ],
        [
          { path: "a.txt", start_line: 2, end_line: "3" },
          "start_line was taken as start, end_line as end",
          "2-3",
        ],
        [{ path: "a.txt", head: 2 }, "head was taken as count", "1-2"],
      ] as const
    ) {
      const { ok, text } = await server.call(args);
      assert(ok, text);
      assertStringIncludes(text, `lines ${lines} of 6`);
      assertStringIncludes(text, `Note: ${meant}\n`);
    }
    for (const args of [{ paths: ["a.txt"] }, { files: ["a.txt"] }]) {
      const { ok, text } = await server.call(args, "read_files");
      assert(ok, text);
      assertStringIncludes(text, "lines 1-6 of 6");
    }
  });
  it("is answered with what to do: roots that are not local files", async () => {
    await using place = await onDisk(LAYOUT);
    const advice = "start the server with a directory";
    for (const uri of ["file://elsewhere/ws", "https://example.com/ws"]) {
      const roots = () => [uri];
      await using plain = await connect([place.root], { roots });
      assert((await plain.call({ path: "a.txt" })).ok);
      const args = ["--follow-roots", place.root];
      await using server = await connect([place.root], { args, roots });
      check(await server.call({ path: "a.txt" }), "POLICY_DENIED", advice);
    }
  });
  it("does not follow a directory that leads out", async () => {
    await using place = await onDisk(LAYOUT);
    mkdirSync(`${place.base}/other`);
    symlinkSync(`${place.base}/other`, `${place.root}/away`);
    await using server = await connect([place.root]);
    const told = await server.call({ path: "away" }, "list_directory");
    check(told, "OUTSIDE_WORKSPACE", "name a directory below");
  });
  it("has its code in the text alone for agents that show a model the rest", async () => {
    await using place = await onDisk(LAYOUT);
    for (
      const [name, code] of [
        ["gemini-cli-mcp-client", undefined],
        ["qwen-cli-mcp-client-read-file", undefined],
        ["@cline/core", undefined],
        ["kimi-code", undefined],
        ["claude-code", "NOT_FOUND"],
      ] as const
    ) {
      await using server = await connect([place.root], { name });
      const told = await server.call({ path: "none" });
      assertEquals([told.ok, told.code], [false, code], name);
      assertStringIncludes(told.text, " (NOT_FOUND)");
    }
  });
});
