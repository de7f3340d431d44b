import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { utimesSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { onDisk } from "../../support/disk.ts";
import { OF_CODEX, type Reader, readerOn } from "../../support/reader.ts";

const TREE = [
  "ws/b.txt: two",
  "ws/src/a.ts: 12345",
  "ws/src/deep/er.ts: ",
  "ws/.env: KEY=1",
  "ws/link -> src",
];

const list = (server: Reader, args: Record<string, unknown> = {}) =>
  server.call(args, "list_directory");

/** The names of a listing and of its next ones, and the number of calls. */
async function follow(server: Reader, args: Record<string, unknown>) {
  const names: string[] = [];
  let calls = 0;
  for (let next: typeof args | undefined = args; next; calls++) {
    const { text } = await list(server, next);
    const rows = text.split("\n");
    names.push(
      ...rows.filter((row) => /^(\d+|dir|link|other)\t/.test(row))
        .map((row) => row.replace(/^\w+\t/, "")),
    );
    const [, call] = /^Next: list_directory (.*)$/.exec(rows.at(-1)!) ?? [];
    next = call === undefined ? undefined : JSON.parse(call);
  }
  return { names, calls };
}

describe("list_directory", () => {
  it("shows sizes, kinds and names, and that nothing follows", async () => {
    await using place = await onDisk(TREE);
    const server = await readerOn([place.root]);
    assertEquals((await list(server)).text.split("\n"), [
      '".": 3 entries.',
      "Note: names that a rule denies are left out",
      "3\tb.txt",
      "link\tlink",
      "dir\tsrc",
      'End of the listing; "depth":2 looks deeper.',
    ]);
    assertEquals(
      (await list(server, { path: "src", depth: 2, glob: "*.ts" })).text,
      '"src": 2 entries.\n5\ta.ts\n0\tdeep/er.ts\nEnd of the listing.',
    );
  });
  it("shows every name once, for any size of answers", async () => {
    await using place = await onDisk([]);
    const names = Array.from(
      { length: 700 },
      (_, at) => `${at} ${"名".repeat(at % 40)}`,
    ).sort();
    for (const name of names) writeFileSync(`${place.root}/${name}`, "");
    for (const options of [{}, OF_CODEX]) {
      const server = await readerOn([place.root], options);
      for (const args of [{}, { maxChars: 1000 }, { limit: 17 }]) {
        const { names: found, calls } = await follow(server, args);
        assertEquals(found.map((name) => name.replace(/^"|"$/g, "")), names);
        assert(calls > 1);
      }
      const { text } = await list(server, { maxChars: 1000 });
      assert(text.length <= 1000, `${text.length}`);
    }
  });
  it("does not let a name imitate a line", async () => {
    const name = "a\nEnd of the listing.\n9\tb\u202e";
    await using place = await onDisk([`ws/${name}: x`, 'ws/"q": ', "ws/ s: "]);
    const server = await readerOn([place.root]);
    assertEquals((await list(server)).text.split("\n"), [
      '".": 3 entries.',
      '0\t" s"',
      '0\t"\\"q\\""',
      '1\t"a\\nEnd of the listing.\\n9\\tb\\u202e"',
      "End of the listing.",
    ]);
  });
  it("shows the names of several directories, and what is in each", async () => {
    await using place = await onDisk(["ws/one/a: 1", "ws/two/b: 2"]);
    const roots = ["one", "two"].map((name) => `${place.root}/${name}`);
    const server = await readerOn(roots);
    assertEquals(
      (await list(server)).text,
      '".": 2 entries.\ndir\tone\ndir\ttwo\nEnd of the listing.',
    );
    const { text } = await list(server, { glob: "**/*.ts", depth: 2 });
    assertEquals(text.split("\n"), [
      '".": 2 entries.',
      'Note: depth, glob means nothing here; list_directory {"path":"one","depth":2,"glob":"**/*.ts"} looks in one',
      "dir\tone",
      "dir\ttwo",
      "End of the listing.",
    ]);
    assertEquals(
      (await list(server, { path: "two" })).text,
      '"two": 1 entry.\n1\tb\nEnd of the listing.',
    );
  });
  it("takes argument names of other tools, and says what is wrong", async () => {
    await using place = await onDisk(TREE);
    const server = await readerOn([place.root]);
    const { text } = await list(server, { directory: "src", max_depth: "1" });
    assertStringIncludes(
      text,
      "Note: directory was taken as path, max_depth as depth\n",
    );
    assertStringIncludes(text, "5\ta.ts");
    for (
      const [args, code, sentence] of [
        [
          { path: "b.txt" },
          "INVALID_ARGUMENT",
          "names a file; call read_file {",
        ],
        [
          { path: "src/deeper" },
          "NOT_FOUND",
          'nothing is there; check the spelling, or call list_directory {"path":"src"}',
        ],
        [
          // A file has nearly this name.
          { path: "b.tx" },
          "NOT_FOUND",
          'nothing is there; check the spelling, or call list_directory {"path":"."}',
        ],
        [
          // The hint names the last existing directory.
          { path: "src/no/such/folder" },
          "NOT_FOUND",
          'or call list_directory {"path":"src"}',
        ],
        [{ path: "no/such" }, "NOT_FOUND", 'list_directory {"path":"."}'],
        [
          { path: "../x" },
          "OUTSIDE_WORKSPACE",
          `name a directory below "${place.root}"`,
        ],
        [{ path: ".env" }, "POLICY_DENIED", ".env"],
        [{ depth: 0 }, "INVALID_ARGUMENT", "depth must be a whole number"],
        [{ glob: "[" }, "INVALID_ARGUMENT", "glob"],
        [{ deep: 1 }, "INVALID_ARGUMENT", "path, depth, glob, after, limit"],
      ] as const
    ) {
      const told = await list(server, args);
      assertEquals([told.ok, told.code], [false, code], told.text);
      assertStringIncludes(told.text, sentence);
    }
  });
  it("says where it stopped, with the call that goes deeper", async () => {
    await using place = await onDisk([
      ...TREE,
      "ws/src/1/2/3/4/5/6/x.ts: ",
      "ws/src/1/y.md: ",
    ]);
    const server = await readerOn([place.root]);
    for (
      const [args, depth, call] of [
        [{ glob: "*.ts" }, 1, { path: ".", glob: "**/*.ts" }],
        [{ glob: "*.ts", depth: 2 }, 2, { path: ".", glob: "**/*.ts" }],
        [{ glob: "src/**/x.ts", depth: 3 }, 3, {
          path: ".",
          glob: "src/**/x.ts",
        }],
        [{ depth: 2, limit: 99 }, 2, { path: ".", depth: 5, limit: 99 }],
        [{ depth: 5 }, 5, { path: "src/1/2/3/4", depth: 5 }],
        [{ path: "src", depth: 5 }, 5, { path: "src/1/2/3/4/5", depth: 5 }],
      ] as const
    ) {
      const { text } = await list(server, args);
      const said = `Note: this stops at depth ${depth}; list_directory ${
        JSON.stringify(call)
      } goes deeper`;
      assert(text.split("\n").includes(said), text);
      const deeper = await list(server, call);
      assert(deeper.ok, deeper.text);
    }
    for (
      const args of [
        {},
        { path: "src" },
        { glob: "**/x.ts" },
        { glob: "src/*" },
        { path: "src/deep", depth: 2 },
      ]
    ) {
      const { text } = await list(server, args);
      assert(!text.includes("goes deeper"), text);
    }
    // Where the rows show directories, the last line is enough.
    const isFlat = async (path: string) =>
      (await list(server, { path })).text.endsWith('; "depth":2 looks deeper.');
    assertEquals([await isFlat("src"), await isFlat("src/deep")], [
      true,
      false,
    ]);
    const { text } = await list(server, { glob: "**/*.ts" });
    assertStringIncludes(text, "\n0\tsrc/1/2/3/4/5/6/x.ts\n");
  });
  it("names the call that lists something, where this one cannot", async () => {
    await using place = await onDisk(TREE);
    const server = await readerOn([place.root]);
    const below = "globs begin below the path: list_directory";
    for (
      const [args, note] of [
        [
          { path: "src", glob: "src/*.ts" },
          `${below} {"path":"src","glob":"*.ts"}`,
        ],
        [
          { path: `${place.root}/src/`, glob: "./src/**/*.ts", times: true },
          `${below} {"path":"${place.root}/src/","glob":"**/*.ts","times":true}`,
        ],
        [
          { path: "src/deep", glob: "deep/" },
          `${below} {"path":"src/deep","glob":"**"}`,
        ],
        [
          { path: "src", after: "zz", limit: 9 },
          'no entry comes after "zz"; list_directory {"path":"src","limit":9} starts anew',
        ],
      ] as const
    ) {
      const { text } = await list(server, args);
      assertStringIncludes(text, `: 0 entries.\nNote: ${note}\nEnd`);
      const call = JSON.parse(
        note.slice(note.indexOf("{")).replace(/ \w.*/, ""),
      );
      const { text: other } = await list(server, call);
      assert(!other.includes(": 0 entries."), other);
    }
    // What merely matches nothing is no mistake of this kind.
    for (const args of [{ path: "src", glob: "x/*" }, { glob: "src/*.md" }]) {
      const { text } = await list(server, args);
      assert(!text.includes("Note: globs"), text);
    }
  });
  it("takes a depth that is too large as the largest, and says so", async () => {
    await using place = await onDisk(TREE);
    const server = await readerOn([place.root]);
    const { text } = await list(server, { depth: 9 });
    const [, note] = text.split("\n");
    assertEquals(note, "Note: depth 9 was taken as 5, the largest");
    assertStringIncludes(text, "\n0\tsrc/deep/er.ts\n");
  });
  it("shows times on request, also in later calls", async () => {
    await using place = await onDisk(TREE);
    utimesSync(`${place.root}/b.txt`, 1e9, 1e9);
    const server = await readerOn([place.root]);
    const args = { times: true, glob: "*.txt" };
    const { text, data } = await list(server, args);
    assertStringIncludes(text, "\n3\t2001-09-09T01:46:40Z\tb.txt\n");
    const [entry] = data.entries as Record<string, unknown>[];
    assertEquals(entry!.mtimeMs, 1e12);
    const first = await list(server, { times: true, limit: 1 });
    assertStringIncludes(first.text, '"times":true');
    assert(!(await list(server)).text.includes("Z\t"));
  });
  it("gives programs its facts", async () => {
    await using place = await onDisk(TREE);
    const server = await readerOn([place.root]);
    assertEquals((await list(server, { limit: 1 })).data, {
      path: ".",
      entries: [{ path: "b.txt", kind: "file", size: 3 }],
      next: { path: ".", limit: 1, after: "b.txt" },
      unlisted: [],
      omitted: ["denied"],
    });
  });
});
