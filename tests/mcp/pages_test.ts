import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connect, type Connection } from "../support/mcp.ts";
import { parseWords } from "../support/rendered.ts";

/** Follows the next calls of a file to the end. */
async function followAll(
  server: Connection,
  first: Record<string, unknown>,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let next: Record<string, unknown> | null = first; next !== null;) {
    const { ok, text } = await server.call(next);
    assert(ok, text);
    texts.push(text);
    next = parseWords(text).next;
  }
  return texts;
}

describe("read_file over MCP", () => {
  it("is listed as read-only, to be loaded at once, without an output schema", async () => {
    await using place = await onDisk([]);
    await using server = await connect([place.root]);
    const { tools } = await server.client.listTools();
    assertEquals(tools.map(({ name }) => name), [
      "read_file",
      "read_files",
      "list_directory",
    ]);
    for (const { annotations, inputSchema, outputSchema, _meta } of tools) {
      assertEquals(annotations?.readOnlyHint, true);
      assertEquals(annotations?.idempotentHint, true);
      assertEquals(annotations?.openWorldHint, false);
      assertEquals(annotations?.destructiveHint, false);
      assertEquals(inputSchema.type, "object");
      assertEquals(outputSchema, undefined);
      assertEquals(_meta?.["anthropic/alwaysLoad"], true);
      assertEquals(_meta?.["anthropic/maxResultSizeChars"], 20_000);
    }
  });

  it("gives one text: what is shown, the lines, and the next call", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\nthree\n"]);
    await using server = await connect([place.root]);
    const result = await server.client.callTool({
      name: "read_file",
      arguments: { path: "a.txt", count: 2 },
    });
    assertEquals(Object.keys(result), ["content"]);
    assertEquals(result.content.length, 1);
    const { text } = await server.call({ path: "a.txt", count: 2 });
    assertMatch(
      text,
      /^"a\.txt": lines 1-2 of 3\. More follows\.\n1\tone\n2\ttwo\nNext: read_file \{"path":"a\.txt","start":3,"count":2,"etag":"\d{8}"\}$/,
    );
    const last = await server.call(parseWords(text).next!);
    assertEquals(
      last.text,
      '"a.txt": line 3 of 3.\n3\tthree\nEnd of file.',
    );
  });

  it("gives programs the facts with --facts, and the lines as data", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\nthree\n"]);
    await using server = await connect([place.root], { facts: true });
    const { tools } = await server.client.listTools();
    assert(tools.every(({ outputSchema }) => outputSchema?.type === "object"));
    const { text, data } = await server.call({ path: "a.txt", count: 2 });
    assertEquals(data.next, parseWords(text).next);
    assertEquals([data.firstLine, data.lastLine, data.totalLines], [1, 2, 3]);
    assertEquals(data.lines, [
      { number: 1, column: 1, text: "one", ending: "\n" },
      { number: 2, column: 1, text: "two", ending: "\n" },
    ]);
  });

  for (
    const [name, chars, bytes, rows] of [
      ["tests", 20_000, 40_000, 1000],
      ["codex-mcp-client", 10_000, 10_000, 250],
      ["@cline/cli", 3900, 40_000, 1000],
    ] as const
  ) {
    it(`shows ${name} all of a file, in pages that are not too long for it`, async () => {
      const content = `${"\u4e2d\u6587 \x1b\n".repeat(2000)}${
        "x".repeat(30_000)
      }`;
      await using place = await onDisk([]);
      writeFileSync(join(place.root, "a.txt"), content);
      await using server = await connect([place.root], { name });
      const { tools } = await server.client.listTools();
      for (const { inputSchema } of tools) {
        // The largest answer that a call may ask for.
        const { maxChars } = Object(inputSchema.properties);
        assertEquals(maxChars.maximum, chars);
      }
      const texts = await followAll(server, { path: "a.txt" });
      for (const text of texts) {
        assert(text.length <= chars, `${text.length} characters`);
        const size = new TextEncoder().encode(text).length;
        assert(size <= bytes, `${size} bytes`);
        assert(text.split("\n").length <= rows, text.slice(0, 100));
      }
      const shown = texts.map((text) => parseWords(text).content).join("");
      assertEquals(shown, content);
    });
  }

  it("obeys maxChars of a call, and of the command line", async () => {
    await using place = await onDisk([
      `ws/a.txt: ${"one line\n".repeat(9000)}`,
    ]);
    await using server = await connect([place.root], {
      args: ["--max-chars", "5000", place.root],
    });
    const { text } = await server.call({ path: "a.txt" });
    assert(text.length <= 5000 && text.length > 4000, `${text.length}`);
    const less = await server.call({ path: "a.txt", maxChars: 1000 });
    assert(less.text.length <= 1000, less.text);
    assertEquals(parseWords(less.text).next!.maxChars, 1000);
    for (const maxChars of [0, -1, 1.5, "many"]) {
      const { code, text } = await server.call({ path: "a.txt", maxChars });
      assertEquals(code, "INVALID_ARGUMENT");
      assertStringIncludes(
        text,
        "maxChars must be a whole number from 1 to 5000",
      );
    }
  });

  it("fails as a result, with the library's sentence and its code once", async () => {
    await using place = await onDisk(["ws/a.txt: one\n", "ws/dir/", "out: x"]);
    await using server = await connect([place.root]);
    for (
      const [args, code, sentence] of [
        [
          { path: "b.txt" },
          "NOT_FOUND",
          'Cannot read "b.txt": nothing is there',
        ],
        [{ path: "dir" }, "NOT_A_FILE", "it is a directory"],
        [{ path: "a.txt", start: 0 }, "INVALID_ARGUMENT", "start must be"],
        [{ path: "a.txt", start: "x" }, "INVALID_ARGUMENT", "start must be"],
        [{ path: 7 }, "INVALID_ARGUMENT", "path must be a string"],
        [{}, "INVALID_ARGUMENT", "path must be a string"],
      ] as const
    ) {
      const failed = await server.call(args);
      assertEquals([failed.ok, failed.code], [false, code], failed.text);
      assertEquals(failed.text.split(sentence).length, 2, failed.text);
      assert(failed.text.endsWith(`(${code})`), failed.text);
      assert(!failed.text.includes(place.base), failed.text);
    }
  });

  it("fails with only the code for programs besides the sentence", async () => {
    await using place = await onDisk([]);
    await using server = await connect([place.root]);
    const { _meta, structuredContent } = await server.client.callTool({
      name: "read_file",
      arguments: { path: "none", start: "2" },
    });
    assertEquals(structuredContent, undefined);
    assertEquals(_meta?.["agent-tools/error"], {
      code: "NOT_FOUND",
      notes: ['start: "2" was taken as 2'],
    });
  });

  it("denies secrets, and what the command line denies", async () => {
    await using place = await onDisk(["ws/.env: KEY=1", "ws/a.log: x"]);
    await using server = await connect([place.root], {
      args: ["--deny", "*.log", place.root],
    });
    assertEquals((await server.call({ path: ".env" })).code, "POLICY_DENIED");
    assertEquals((await server.call({ path: "a.log" })).code, "POLICY_DENIED");
  });

  it("allows secrets with --allow-secrets", async () => {
    await using place = await onDisk(["ws/.env: KEY=1"]);
    await using server = await connect([place.root], {
      args: ["--allow-secrets", place.root],
    });
    assertStringIncludes((await server.call({ path: ".env" })).text, "KEY=1");
  });
});
