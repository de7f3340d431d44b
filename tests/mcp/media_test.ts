/** Files that are not text, through the MCP server. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { gzip } from "../support/gzip.ts";
import { avif, bytesOf, gif, jpeg, png } from "../support/images.ts";
import {
  connect,
  type Connection,
  type ConnectOptions,
} from "../support/mcp.ts";
import { HOME } from "../support/child.ts";
import { lockedPdf, pdf } from "../support/pdfs.ts";
import { notebook, SAMPLE } from "../support/notebooks.ts";

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "a.png": png(64, 48),
  "b.png": jpeg(64, 48),
  "moves.gif": gif(64, 48, 12),
  "half.png": png(64, 48).slice(0, 40),
  "wide.png": png(9000, 1),
  "huge.png": bytesOf(png(64, 48), "x".repeat(4_000_000)),
  "new.avif": avif(64, 48),
  "book.ipynb": SAMPLE,
  "broken.ipynb": SAMPLE.slice(0, -2),
  "app.log.gz": await gzip("one\ntwo\nthree\n"),
  "bad.gz": (await gzip("one\ntwo\nthree\n")).slice(0, -5),
  "doc.pdf": bytesOf("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n\0"),
  "a.wasm": bytesOf("\0asm\x01\0\0\0"),
  "app.db": bytesOf("SQLite format 3\0\x10\0\n", "\0".repeat(80)),
};

/** Serves files; Deno may read `code` too. */
async function serve(
  options: ConnectOptions = {},
  files = FILES,
  flags: readonly string[] = [],
  code: readonly string[] = [],
): Promise<Connection & { readonly root: string }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(root, name), content);
  }
  const server = await connect([root, ...code], {
    ...options,
    args: [...flags, root],
  });
  return {
    ...server,
    root,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(root, { recursive: true });
    },
  };
}

describe("an image, through the MCP server", () => {
  it("is a line of words and an image of the type of its bytes", async () => {
    await using server = await serve();
    for (
      const [path, mimeType] of [["a.png", "image/png"], [
        "b.png",
        "image/jpeg",
      ]] as const
    ) {
      const bytes = FILES[path] as Uint8Array;
      const { content, isError } = await server.client.callTool({
        name: "read_file",
        arguments: { path },
      });
      const text =
        `"${path}": ${mimeType}, 64 x 48 pixels, ${bytes.length} bytes; the image follows, unless the client leaves images out.`;
      const data = btoa(
        Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""),
      );
      assertEquals(isError, undefined);
      assertEquals(content, [{ type: "text", text }, {
        type: "image",
        data,
        mimeType,
      }]);
    }
    const { text } = await server.call({ path: "moves.gif", start: 2 });
    assertEquals(text.split("\n"), [
      `"moves.gif": image/gif, 64 x 48 pixels, ${
        FILES["moves.gif"]!.length
      } bytes; the image follows, unless the client leaves images out. It is animated, with 12 frames; a model may see one.`,
      "Note: start means nothing for an image",
      "<image>",
    ]);
  });
  it("that a model would refuse is described instead", async () => {
    await using server = await serve();
    for (
      const [path, code, words] of [
        [
          "half.png",
          "UNREADABLE",
          /it ends before its pixels do; the file is damaged/,
        ],
        [
          "wide.png",
          "UNREADABLE",
          /it is 9000 x 1 pixels, and models take 8000 a side; make it smaller/,
        ],
        [
          "huge.png",
          "TOO_LARGE",
          /exceed the limit of 3932160 bytes; it is a PNG image of 64 x 48 pixels; make it smaller/,
        ],
        [
          "new.avif",
          "UNREADABLE",
          /models do not take image\/avif; convert it to one of image\/png/,
        ],
      ] as const
    ) {
      const answer = await server.call({ path });
      assertEquals([answer.ok, answer.code], [false, code], path);
      assertMatch(answer.text, words);
    }
  });
  it("among several files is named, with the call that shows it", async () => {
    await using server = await serve();
    const { text } = await server.call(
      { files: ["a.png", "book.ipynb"] },
      "read_files",
    );
    assertMatch(
      text,
      /"a\.png": it is binary: it holds a NUL byte; it is a PNG image; read_file \{"path":"a\.png"\} shows it/,
    );
    assertMatch(text, /--- cell 2: code, run 3/);
  });
  it("has facts for programs, as the schema of the output says", async () => {
    await using server = await serve({ facts: true });
    const { tools } = await server.client.listTools();
    const schema: Record<string, unknown> = { ...tools[0]!.outputSchema };
    const isOutput = new Ajv2020().compile(schema);
    const { data } = await server.call({ path: "a.png" });
    assertEquals(data.image, {
      mediaType: "image/png",
      width: 64,
      height: 48,
      frames: 1,
    });
    assertEquals(data.view, null);
    const { data: cells } = await server.call({ path: "book.ipynb" });
    assertEquals(cells.view, "cells");
    for (const facts of [data, cells]) {
      assert(isOutput(facts), JSON.stringify(isOutput.errors));
    }
  });
});

describe("a file of another kind, through the MCP server", () => {
  it("is shown by its view, and unchanged with raw", async () => {
    await using server = await serve();
    const cells = await server.call({ path: "book.ipynb", count: 3 });
    assertEquals(cells.text.split("\n").slice(0, -1), [
      '"book.ipynb": lines 1-3 of 26. More follows. Shown as cells; "view": "raw" shows the file itself.',
      "1\tnotebook of 4 cells, in python",
      "2\t--- cell 1: markdown",
      "3\t# Title",
    ]);
    const [, next = "{}"] = /^Next: read_file (.*)$/m.exec(cells.text) ?? [];
    const after = await server.call(JSON.parse(next));
    assertMatch(after.text, /^4\t$/m);
    const raw = await server.call({
      path: "book.ipynb",
      view: "raw",
      count: 1,
    });
    assertMatch(raw.text, /^1\t\{$/m);
  });

  it("is not offered raw, nor another tool, if only its view is text", async () => {
    await using server = await serve();
    const path = "app.log.gz";
    const log = await server.call({ path, tail: 2 });
    assertMatch(
      log.text,
      /^"app\.log\.gz": lines 2-3 of 3\. Shown as gunzip\.\n/,
    );
    const raw = await server.call({ path, view: "raw" });
    assertEquals(raw.code, "BINARY");
    assertMatch(raw.text, /NUL byte; leave view out to read it as gunzip \(/);
    const bad = await server.call({ path: "bad.gz", view: "raw" });
    assertMatch(bad.text, /use a tool that decompresses it/);
  });

  it('that its view cannot show is UNREADABLE, and read as text with "raw"', async () => {
    await using server = await serve();
    const path = "broken.ipynb";
    const told = await server.call({ path });
    assertEquals(told.code, "UNREADABLE");
    assertMatch(told.text, /it is not JSON: it ends before/);
    assertMatch(told.text, /read the file itself with view "raw"/);
    const raw = await server.call({ path, view: "raw", count: 1 });
    assertMatch(raw.text, /^1\t\{$/m);
    assertMatch(raw.text, /^Next: read_file .*"view":"raw"/m);
    const bad = await server.call({ path: "bad.gz" });
    assertEquals(bad.code, "UNREADABLE");
    assertMatch(
      bad.text,
      /it is damaged or ends too early; use a tool that decompresses it/,
    );
    // A search of the packed bytes would find nothing, and mislead.
    const match = "no such text";
    assertEquals((await server.call({ path: "bad.gz", match })).code, bad.code);
    assertEquals((await server.call({ path: "a.wasm", match })).code, "BINARY");
  });
  it("without a view is named, with advice", async () => {
    await using server = await serve();
    const pdf = await server.call({ path: "doc.pdf" });
    assertEquals(pdf.code, "BINARY");
    assertMatch(
      pdf.text,
      /it is a PDF document; the server reads it if it is started with --pdf/,
    );
    const wasm = await server.call({ path: "a.wasm" });
    assertMatch(
      wasm.text,
      /it is a WebAssembly module; use a tool that reads WebAssembly, such as/,
    );
    const database = await server.call({ path: "app.db", count: 2 });
    assertEquals(
      database.text,
      'Cannot read "app.db": it is binary: it holds a NUL byte; it is an SQLite database; use a tool that queries it, such as sqlite3 (BINARY)',
    );
  });
  it("is a PDF document with --pdf, by its pages", async () => {
    const files = {
      "doc.txt": pdf([["one"], ["two", "three"]]),
      "locked.pdf": lockedPdf(),
    };
    const code = ["pdf", "node_modules/unpdf"].map((path) => join(HOME, path));
    await using server = await serve({}, files, ["--pdf"], code);
    const { tools } = await server.client.listTools();
    const names = Object.keys(tools[0]?.inputSchema.properties ?? {});
    assertEquals(names.includes("pages"), true);
    const second = await server.call({ path: "doc.txt", pages: "2", count: 2 });
    assertEquals(second.text.split("\n"), [
      '"doc.txt": lines 1-2 of 3. More follows. Shown as pdf; "view": "raw" shows the file itself.',
      ...["1\t--- page 2 of 2", "2\ttwo"],
      second.text.split("\n").at(-1)!,
    ]);
    const [, next = "{}"] = /^Next: read_file (.*)$/m.exec(second.text) ?? [];
    const third = await server.call(JSON.parse(next));
    assertMatch(third.text, /^3\tthree\nEnd of "pages": "2"\.$/m);
    const first = await server.call({ path: "doc.txt", pages: "1", start: 9 });
    assertMatch(
      first.text,
      /^End of "pages": "1"\. Start at line 2 or before\.$/m,
    );
    const whole = await server.call({ path: "doc.txt" });
    assertMatch(whole.text, /^End of file\.$/m);
    const locked = await server.call({ path: "locked.pdf" });
    assertEquals(locked.code, "UNREADABLE");
    assertMatch(locked.text, /it opens only with a password/);
  });
  it("has no argument for pages without --pdf", async () => {
    await using server = await serve();
    const { tools } = await server.client.listTools();
    const names = Object.keys(tools[0]?.inputSchema.properties ?? {});
    assertEquals([names.includes("view"), names.includes("pages")], [
      true,
      false,
    ]);
  });
  it("is within the limits of an answer, for any length of lines", async () => {
    await using server = await serve();
    const { root } = server;
    const long = notebook([{
      cell_type: "code",
      source: "x".repeat(100_000),
      outputs: [],
    }]);
    writeFileSync(join(root, "long.ipynb"), long);
    let seen = 0;
    for (
      let args: object | null = { path: "long.ipynb", maxChars: 5000 };
      args !== null;
    ) {
      const { text } = await server.call(args as Record<string, unknown>);
      assert(text.length <= 5000, `${text.length}`);
      seen += text.match(/x{100,}/g)?.join("").length ?? 0;
      const [, next] = /^Next: read_file (.*)$/m.exec(text) ?? [];
      args = next === undefined ? null : JSON.parse(next);
    }
    assertEquals(seen, 100_000);
  });
});
