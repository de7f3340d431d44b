import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parsePage } from "../../mod.ts";
import { onDisk } from "../support/disk.ts";
import { connect } from "../support/mcp.ts";

describe("read_file over MCP", () => {
  it("is listed as read-only, with both schemas", async () => {
    await using place = await onDisk([]);
    await using server = await connect([place.root]);
    const { tools } = await server.client.listTools();
    assertEquals(tools.map(({ name }) => name), ["read_file", "read_files"]);
    for (const { annotations, inputSchema, outputSchema } of tools) {
      assertEquals(annotations?.readOnlyHint, true);
      assertEquals(annotations?.idempotentHint, true);
      assertEquals(annotations?.openWorldHint, false);
      assertEquals(annotations?.destructiveHint, false);
      assertEquals(inputSchema.type, "object");
      assertEquals(outputSchema?.type, "object");
    }
  });

  it("gives the same page in words and beside them, with its continuation", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\nthree\n"]);
    await using server = await connect([place.root]);
    const { ok, text, data } = await server.call({ path: "a.txt", count: 2 });
    assert(ok, text);
    assertEquals(data.text, text);
    assertStringIncludes(text, '1¦one\n2¦two\n¦ "a.txt": lines 1-2 of');
    assertStringIncludes(
      text,
      'read this path again with {"start":3,"count":2',
    );
    const next = data.next as Record<string, unknown>;
    const { etag, ...plain } = next;
    assertEquals(plain, { path: "a.txt", start: 3, count: 2, maxBytes: 32768 });
    assertEquals(data.etag, etag);
    const last = await server.call(next);
    assertEquals(last.data.next, null);
    assertEquals(parsePage(last.text).lines.map(({ text }) => text), [
      "three",
    ]);
  });

  it("goes on by what it names, to the last byte", async () => {
    const lines = Array.from({ length: 9000 }, (_, at) => `line ${at + 1} é`);
    const text = `${lines.join("\n")}\n`;
    await using place = await onDisk([`ws/a.txt: ${text}`]);
    await using server = await connect([place.root]);
    let read = "";
    let pages = 0;
    for (let next: unknown = { path: "a.txt" }; next !== null;) {
      const { text, data } = await server.call(next as Record<string, unknown>);
      read += parsePage(text).lines
        .map(({ text, ending }) => text + ending).join("");
      next = data.next;
      pages++;
    }
    assert(read === text, "the pages are not the file");
    assert(pages > 3, `${pages} pages`);
  });

  for (
    const [what, content] of [
      ["empty lines", "\n".repeat(300_000)],
      ["control characters", "\x1b".repeat(300_000)],
      ["one long line", "x".repeat(300_000)],
      ["bytes that are no UTF-8", "\x80\n".repeat(150_000)],
    ] as const
  ) {
    it(`floods no model with ${what}`, async () => {
      await using place = await onDisk([]);
      writeFileSync(join(place.root, "a.txt"), content, "latin1");
      await using server = await connect([place.root]);
      const { text, data } = await server.call({ path: "a.txt" });
      assert(text.length <= 2 * 32 * 1024, `${text.length} characters`);
      assert(JSON.stringify(data).length < 5 * 32 * 1024);
      assert(data.next !== null);
      const next = await server.call(data.next as Record<string, unknown>);
      assert(
        next.ok && next.text.length <= 2 * 32 * 1024,
        next.text.slice(0, 200),
      );
    });
  }

  it("bounds what can be asked for, and says so", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    await using server = await connect([place.root]);
    const most = await server.call({ path: "a.txt", maxBytes: 262_144 });
    assertEquals(most.ok, true);
    const more = await server.call({ path: "a.txt", maxBytes: 262_145 });
    assertEquals(more.code, "INVALID_ARGUMENT");
    assertStringIncludes(more.text, "maxBytes must be at most 262144");
  });

  it("takes digits and nulls for what is meant, and says so", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\n"]);
    await using server = await connect([place.root]);
    const args = { path: "a.txt", start: "2", end: null };
    const { text, data } = await server.call(args);
    assertEquals(data.firstLine, 2);
    assertStringIncludes(text, 'Note: start: "2" was taken as 2.');
    assertStringIncludes(text, "Note: end: null was taken as absent.");
    assertEquals((data.notes as string[]).length, 2);
  });

  it("names the nearest argument to one that it does not know", async () => {
    await using place = await onDisk(["ws/a.txt: one\n"]);
    await using server = await connect([place.root]);
    const { code, text } = await server.call({ path: "a.txt", strat: 1 });
    assertEquals(code, "INVALID_ARGUMENT");
    assertStringIncludes(text, '"strat" is not an argument');
    assertStringIncludes(text, "did you mean start?");
    assert(!text.includes("?."), text);
  });

  it("names nothing in quotes where no path was given", async () => {
    await using place = await onDisk([]);
    await using server = await connect([place.root]);
    for (const args of [{}, { path: 7 }, { maxBytes: 262_145 }]) {
      const { text } = await server.call(args);
      assertEquals(
        text.split("\n")[0],
        'path must be a string, such as "a.txt" (INVALID_ARGUMENT)',
      );
    }
  });

  it("fails as a result, with our sentence and its code", async () => {
    await using place = await onDisk(["ws/a.txt: one\n", "ws/dir/", "out: x"]);
    await using server = await connect([place.root]);
    for (
      const [args, code, sentence] of [
        [
          { path: "b.txt" },
          "NOT_FOUND",
          'Cannot read "b.txt": nothing is there',
        ],
        [
          { path: "../out" },
          "OUTSIDE_WORKSPACE",
          "it leads out of the workspace",
        ],
        [{ path: "dir" }, "NOT_A_FILE", "it is a directory"],
        [{ path: "a.txt", lines: 1 }, "INVALID_ARGUMENT", "lines is no option"],
        [{ path: "a.txt", start: 0 }, "INVALID_ARGUMENT", "start must be"],
        [{ path: "a.txt", start: "x" }, "INVALID_ARGUMENT", "start must be"],
        [{ path: 7 }, "INVALID_ARGUMENT", "path must be a string"],
        [{}, "INVALID_ARGUMENT", "path must be a string"],
        [{ path: "a.txt", etag: "no" }, "INVALID_ARGUMENT", "etag"],
      ] as const
    ) {
      const failed = await server.call(args);
      assertEquals([failed.ok, failed.code], [false, code], failed.text);
      assertStringIncludes(failed.text, sentence);
      assert(failed.text.includes(`(${code})`), failed.text);
      assert(!failed.text.includes(place.base), failed.text);
    }
  });

  it("denies secrets, and what the command line denies", async () => {
    await using place = await onDisk(["ws/.env: KEY=1", "ws/a.log: x"]);
    await using server = await connect([place.root], {
      args: ["--deny", "*.log", place.root],
    });
    assertEquals((await server.call({ path: ".env" })).code, "POLICY_DENIED");
    assertEquals((await server.call({ path: "a.log" })).code, "POLICY_DENIED");
  });

  it("allows secrets when it is told to", async () => {
    await using place = await onDisk(["ws/.env: KEY=1"]);
    await using server = await connect([place.root], {
      args: ["--allow-secrets", place.root],
    });
    assertStringIncludes((await server.call({ path: ".env" })).text, "KEY=1");
  });
});

describe("what the reference file server gets wrong", () => {
  it("is right here: the last line is the last line", async () => {
    await using place = await onDisk(["ws/a.txt: line1\nline2\nline3\n"]);
    await using server = await connect([place.root]);
    const linesOf = async (tail: number) => {
      const { text } = await server.call({ path: "a.txt", tail });
      return parsePage(text).lines.map(({ text }) => text);
    };
    assertEquals(await linesOf(1), ["line3"]);
    assertEquals(await linesOf(2), ["line2", "line3"]);
  });

  it("is right here: a character across byte 1,024 is whole", async () => {
    const text = `${"a".repeat(1023)}€${"b".repeat(1022)}€\n`;
    await using place = await onDisk([`ws/a.txt: ${text}`]);
    await using server = await connect([place.root]);
    for (const part of [{ count: 1 }, { tail: 1 }]) {
      const page = await server.call({ path: "a.txt", ...part });
      assertStringIncludes(page.text, text.trimEnd());
      assertEquals(page.data.exact, true);
    }
  });

  it("is right here: a FIFO is refused at once", async () => {
    await using place = await onDisk(["ws/pipe|"]);
    await using server = await connect([place.root]);
    const { code, text } = await server.call({ path: "pipe" });
    assertEquals(code, "NOT_A_FILE", text);
  });

  it("is right here: UTF-16 is refused as binary, not garbled", async () => {
    await using place = await onDisk([]);
    const text = "\uFEFFhello\r\nworld\r\n";
    writeFileSync(join(place.root, "a.txt"), text, "utf16le");
    await using server = await connect([place.root]);
    for (const part of [{}, { tail: 1 }, { start: 2 }]) {
      const { code, text } = await server.call({ path: "a.txt", ...part });
      assertEquals(code, "BINARY", text);
      assert(!/[\0\uFFFD]/.test(text));
    }
  });
});
