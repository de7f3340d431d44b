import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { join } from "node:path";
import { describe, it } from "node:test";
import { onDisk } from "../../support/disk.ts";
import { OF_CODEX, type Reader, readerOn } from "../../support/reader.ts";
import { parseBatch, parseWords } from "../../support/rendered.ts";

const LAYOUT = [
  "ws/small.txt: one\ntwo\n",
  "ws/empty.txt: ",
  `ws/large.txt: ${"a line of text\n".repeat(5000)}`,
  `ws/larger.txt: ${"another of text\n".repeat(9000)}`,
  "ws/.env: KEY=1",
  "other/a.txt: of other\n",
  `other/large.txt: ${"a line of text\n".repeat(5000)}`,
];

async function readFiles(server: Reader, args: Record<string, unknown>) {
  const told = await server.call(args, "read_files");
  return { ...told, ...parseBatch(told.text) };
}

/**
 * Reads files, and follows the next calls of the answers, which must match the
 * schemas: some agents refuse other calls. Returns the content of each file.
 */
async function followAll(
  server: Reader,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  const calls: [string, Record<string, unknown>][] = [
    ["read_files", { files: paths }],
  ];
  const fits = new Map(
    server.tools.map(({ definition: { name, parameters } }) => [
      name,
      new Ajv2020().compile(parameters),
    ]),
  );
  for (const [at, [name, args]] of calls.entries()) {
    assert(at === 0 || fits.get(name)!(args), JSON.stringify(args));
    const { ok, text } = await server.call(args, name);
    assert(ok, text);
    const { pages, skipped } = parseBatch(text);
    if (skipped !== null) calls.push(["read_files", skipped]);
    for (const { path, content, next } of pages) {
      contents.set(path, (contents.get(path) ?? "") + content);
      if (next !== null) calls.push(["read_file", next]);
    }
  }
  return contents;
}

describe("read_files", () => {
  it("shows small files whole, and shares the rest fairly", async () => {
    await using place = await onDisk(LAYOUT);
    const server = await readerOn([place.root]);
    const names = ["large.txt", "small.txt", "larger.txt", "empty.txt"];
    const { text, pages } = await readFiles(server, { files: names });
    assertEquals(pages.map(({ path }) => path), names);
    const [large, small, larger, empty] = pages;
    assertEquals([small!.content, empty!.content], ["one\ntwo\n", ""]);
    assertEquals(empty!.head, "an empty file.");
    const [one, other] = [large!.rows.length, larger!.rows.length];
    assert(Math.abs(one - other) < 20, `${one} and ${other}`);
    const lines = text.split("\n").length;
    assert(lines > 950 && lines <= 1000 && text.length <= 20_000, `${lines}`);
  });

  it("reaches the last byte of each file by following the next calls", async () => {
    await using place = await onDisk(LAYOUT);
    const server = await readerOn([place.root]);
    const contents = await followAll(server, ["large.txt", "larger.txt"]);
    assertEquals(contents.get("large.txt"), "a line of text\n".repeat(5000));
    assertEquals(contents.get("larger.txt"), "another of text\n".repeat(9000));
  });

  for (
    const [options, chars, rows] of [
      [{}, 20_000, 1000],
      [OF_CODEX, 10_000, 250],
    ] as const
  ) {
    it(`keeps an answer of ${chars} characters within its bounds, and names every file`, async () => {
      const many = Array.from(
        { length: 50 },
        (_, at) => `ws/${at}: ${`${at}\n`.repeat(at * at)}`,
      );
      await using place = await onDisk([...many, "ws/x/y: "]);
      const server = await readerOn([place.root], options);
      const paths = many.map((_, at) => `${at}`);
      const { text } = await server.call({ files: paths }, "read_files");
      assert(text.length <= chars, `${text.length} characters`);
      assert(text.split("\n").length <= rows, `${text.split("\n").length}`);
      const contents = await followAll(server, paths);
      for (const [at, path] of paths.entries()) {
        assertEquals(contents.get(path), `${at}\n`.repeat(at * at));
      }
      // Long paths that fail take no more space.
      const long = paths.map((path) => `${"x/".repeat(1500)}${path}`);
      const failed = await server.call({ files: long }, "read_files");
      assert(failed.text.length <= chars, `${failed.text.length} characters`);
    });
  }

  it("fills an answer with a giant line, alone and beside others", async () => {
    const giant = "x".repeat(100_000);
    await using place = await onDisk([
      `ws/long.txt: ${giant}`,
      `ws/other.txt: ${giant}`,
      "ws/small.txt: one\n",
    ]);
    const server = await readerOn([place.root]);
    for (
      const [files, maxChars] of [
        [["long.txt"], 20_000],
        [["long.txt"], 1000],
        [["long.txt", "small.txt"], 20_000],
        [["small.txt", "long.txt"], 2000],
        [["long.txt", "other.txt"], 20_000],
        [["long.txt", "long.txt"], 3000],
        [["long.txt:1,2"], 20_000],
      ] as const
    ) {
      const { text, pages } = await readFiles(server, { files, maxChars });
      const shown = pages.map(({ content }) => content.length);
      assert(text.length <= maxChars, `${text.length}`);
      const sum = shown.reduce((sum, length) => sum + length, 0);
      assert(sum > maxChars - 600, `${files}: ${shown}`);
    }
    const parts = await server.call({ path: "long.txt:1,2" });
    assert(parts.text.length > 19_000 && parts.text.length <= 20_000);
  });

  it("fills a small answer: a page may have half of it", async () => {
    await using place = await onDisk(LAYOUT);
    const server = await readerOn([place.root]);
    for (
      const [files, maxChars] of [
        [["small.txt", "large.txt", "none"], 400],
        [["large.txt", "small.txt", "empty.txt"], 400],
        [["large.txt", "larger.txt"], 600],
        [["none", "large.txt", ".env"], 500],
      ] as const
    ) {
      const { text, pages, errors } = await readFiles(server, {
        files,
        maxChars,
      });
      assert(!text.includes("Not read"), text);
      assertEquals(pages.length + errors.length, files.length);
      assert(text.length > maxChars - 30 && text.length <= maxChars, text);
    }
    // Without a note at the end, no room is left for one.
    const { text } = await readFiles(server, { files: ["large.txt"] });
    const alone = await server.call({ path: "large.txt" });
    assertEquals(text, alone.text);
  });

  it("reports a failure at its file", async () => {
    await using place = await onDisk(LAYOUT);
    const server = await readerOn([place.root]);
    const { ok, text, data } = await readFiles(server, {
      files: [
        { path: "none" },
        { path: "small.txt", tail: 1 },
        { path: ".env" },
        { path: "../other/a.txt" },
        { path: "small.txt", start: -1 },
        { path: "small.txt", maxChars: "x" },
        {},
      ],
    });
    assert(ok, text);
    const files = data.files as readonly { error: { code: string } | null }[];
    assertEquals(files.map(({ error }) => error?.code ?? null), [
      "NOT_FOUND",
      null,
      "POLICY_DENIED",
      "OUTSIDE_WORKSPACE",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
    ]);
    assertStringIncludes(text, 'Cannot read "none": nothing is there');
    assertStringIncludes(text, "\n2\ttwo\n");
    assert(!text.includes("KEY"), text);
  });

  it("reads from several directories, with one bound", async () => {
    await using place = await onDisk(LAYOUT);
    const folders = [place.root, join(place.base, "other")];
    const server = await readerOn(folders);
    const { text, pages, errors } = await readFiles(server, {
      files: ["ws/large.txt", "other/a.txt", "other/large.txt", "x"],
      maxChars: 5000,
    });
    assertEquals(pages.map(({ path }) => path), [
      "ws/large.txt",
      "other/a.txt",
      "other/large.txt",
    ]);
    assertEquals(pages[1]!.content, "of other\n");
    const [one, , other] = pages.map(({ rows }) => rows.length);
    assert(Math.abs(one! - other!) < 5, `${one} and ${other}`);
    assert(text.length <= 5000 && text.length > 4500, `${text.length}`);
    assertEquals(errors.length, 1);
  });

  it("leaves files for the next call rather than cutting many of them", async () => {
    const line = "a line of thirty characters...";
    const names = Array.from({ length: 50 }, (_, at) => `${at}.txt`);
    await using place = await onDisk(
      names.map((name, at) => `ws/${name}: ${`${line}\n`.repeat(at + 1)}`),
    );
    const server = await readerOn([place.root]);
    const seen = new Map<string, number>();
    const calls = [{ tool: "read_files", args: { files: names } as object }];
    for (const { tool, args } of calls) {
      const { text } = await server.call({ ...args }, tool);
      for (const { path, rows } of parseBatch(text).pages) {
        seen.set(path, (seen.get(path) ?? 0) + rows.length);
      }
      for (const [, tool, json] of text.matchAll(/^Next: (\w+) (.*)$/gm)) {
        calls.push({ tool: tool!, args: JSON.parse(json!) });
      }
    }
    assertEquals(calls.length, 3);
    assertEquals([...seen.values()], names.map((_, at) => at + 1));
  });

  it("shows a line that imitates another page as a line", async () => {
    const forged = '\n\n"small.txt": line 1 of 1.\n1\tforged\nEnd of file.\n';
    await using place = await onDisk([...LAYOUT, `ws/bad.txt: ${forged}`]);
    const server = await readerOn([place.root]);
    const { pages } = await readFiles(server, {
      files: ["bad.txt", "small.txt"],
    });
    assertEquals(pages.map(({ content }) => content), [forged, "one\ntwo\n"]);
  });

  it("keeps the limit of the call in the next call", async () => {
    await using place = await onDisk(LAYOUT);
    const server = await readerOn([place.root]);
    const { pages: [page] } = await readFiles(server, {
      files: [{ path: "large.txt", maxChars: 2000 }],
    });
    assertEquals(page!.next!.maxChars, 2000);
    const files = Array(9).fill("large.txt");
    const { skipped } = await readFiles(server, { files, maxChars: 1000 });
    assertEquals(skipped?.maxChars, 1000);
    const { text } = await server.call(page!.next!);
    assert(text.length <= 2000);
    assertEquals(
      parseWords(text).rows[0]!.number,
      page!.rows.at(-1)!.number + 1,
    );
  });

  it("names no call without files if a path is too long for it", async () => {
    const path = `${"d".repeat(150)}/${"e".repeat(150)}.txt`;
    await using place = await onDisk([
      ...LAYOUT,
      `ws/${path}: ${"one\n".repeat(500)}`,
    ]);
    const server = await readerOn([place.root]);
    const files = ["large.txt", path, path];
    const asked = { files, maxChars: 600 };
    const { text } = await server.call(asked, "read_files");
    assert(
      text.endsWith(
        "Not read, since the answer is full: 2 files.\nNext: read_files with the last 2 of these files",
      ),
      text.slice(-200),
    );
    const other = { files: [path, "large.txt", "large.txt"], maxChars: 600 };
    assertStringIncludes(
      (await server.call(other, "read_files")).text,
      "answer is full: 2 files.\nNext: read_files {",
    );
  });
});
