import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import { onDisk } from "../../support/disk.ts";
import { readerOn } from "../../support/reader.ts";
import { parseBatch } from "../../support/rendered.ts";

describe("the arguments of read_files", () => {
  it("are refused if invalid, with what to send", async () => {
    await using place = await onDisk(["ws/small.txt: one\n"]);
    const server = await readerOn([place.root]);
    const file = { path: "small.txt" };
    const noList =
      'files must be a list of 1 to 50 files, such as [{"path":"a.txt"},{"path":"b.txt","start":10}]';
    const noFile = 'must be a path or an object, such as {"path":"a.txt"}';
    for (
      const [args, problem] of [
        [{}, noList],
        [{ files: [] }, noList],
        [{ files: "small.txt" }, noList],
        [{ files: [file, 7] }, `files[1] ${noFile}`],
        [{ files: [null] }, `files[0] ${noFile}`],
        [{ files: [[file]] }, `files[0] ${noFile}`],
        [{ files: Array.from({ length: 51 }, () => file) }, noList],
        [{ files: [file], maxChars: 0 }, "from 1 to 20000"],
        [
          { files: [file], path: "small.txt" },
          '"path" is not an argument; the arguments are files, maxChars',
        ],
      ] as const
    ) {
      const { code, text } = await server.call(args, "read_files");
      assertEquals(code, "INVALID_ARGUMENT", text);
      assertStringIncludes(text, problem);
    }
  });

  it("of each tool are refused if they are over a thousand, before one is read", async () => {
    await using place = await onDisk(["ws/small.txt: one\n"]);
    const server = await readerOn([place.root]);
    let reads = 0;
    const many = (count: number) =>
      Object.defineProperties(
        { path: "small.txt" },
        Object.fromEntries(
          Array.from({ length: count }, (_, at) => {
            const get = () => void reads++;
            return [`x${at}`, { enumerable: true, get }];
          }),
        ),
      );
    for (const name of ["read_file", "list_directory", "read_files"]) {
      const { code, text } = await server.call(many(1000), name);
      assertEquals(code, "INVALID_ARGUMENT", text);
      assertMatch(text, /^"(?:x0|path)" is not an argument; the arguments are/);
    }
    assertEquals(reads, 0);
    await server.call(many(999));
    assert(reads > 0);
    const files = ["small.txt", many(1000)];
    const { text } = await server.call({ files }, "read_files");
    assertStringIncludes(text, 'files[1]: "x0" is not an argument');
    assertStringIncludes(text, "1\tone");
  });

  it("may be paths alone, by other names, and as JSON text", async () => {
    await using place = await onDisk(["ws/a.txt: one\n", "ws/b.txt: two\n"]);
    const server = await readerOn([place.root]);
    for (
      const [args, ...notes] of [
        [{ files: ["a.txt", "b.txt"] }],
        [{ paths: ["a.txt", "b.txt"] }, "paths was taken as files"],
        [
          { files: '["a.txt", {"file_path": "b.txt"}]' },
          "files: JSON text was taken as a list",
        ],
      ] as const
    ) {
      const { text } = await server.call(args, "read_files");
      const batch = parseBatch(text);
      assertEquals(batch.notes, notes);
      assertEquals(batch.pages.map(({ content }) => content), [
        "one\n",
        "two\n",
      ]);
    }
  });

  it("are corrected within each file, with a note there", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\n"]);
    const server = await readerOn([place.root]);
    const { ok, text } = await server.call({
      files: [
        { path: "a.txt", start: "2", end: null },
        { path: "a.txt", cuont: 1 },
        { path: "a.txt", workspace: {} },
        { path: "a.txt", limit: 1 },
      ],
    }, "read_files");
    assert(ok, text);
    const { pages, errors } = parseBatch(text);
    assertEquals(pages.map(({ content }) => content), ["two\n", "one\n"]);
    assertEquals(pages.map(({ notes }) => notes), [
      ['start: "2" was taken as 2', "end: null was taken as absent"],
      ["limit was taken as count"],
    ]);
    assertStringIncludes(
      errors[0]!,
      'files[1]: "cuont" is not an argument; did you mean count?',
    );
    assertMatch(
      errors[1]!,
      /^files\[2\]: "workspace" is not an argument; the arguments are path,/,
    );
  });
});
