import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connect, type Connection } from "../support/mcp.ts";

const LAYOUT = [
  "ws/small.txt: one\ntwo\n",
  "ws/empty.txt: ",
  `ws/large.txt: ${"large line\n".repeat(5000)}`,
  `ws/larger.txt: ${"larger line\n".repeat(9000)}`,
  "ws/.env: KEY=1",
  "other/a.txt: of other\n",
  `other/large.txt: ${"large line\n".repeat(5000)}`,
];

/** What is told of a file. */
interface OfFile {
  readonly path: string;
  readonly shown: { readonly start: number; readonly end: number } | null;
  readonly size: number | null;
  readonly next: Record<string, unknown> | null;
  readonly error: { readonly code: string } | null;
}

async function readFiles(server: Connection, args: Record<string, unknown>) {
  // The client checks answers by schemas that it has seen.
  await server.client.listTools();
  const told = await server.call(args, "read_files");
  return { ...told, files: (told.data.files ?? []) as readonly OfFile[] };
}

const lengthOf = ({ shown }: OfFile) =>
  shown === null ? 0 : shown.end - shown.start;

describe("read_files over MCP", () => {
  it("shows small files whole, and shares the rest fairly", async () => {
    await using place = await onDisk(LAYOUT);
    await using server = await connect([place.root]);
    const names = ["large.txt", "small.txt", "larger.txt", "empty.txt"];
    const { ok, text, data, files } = await readFiles(server, {
      files: names.map((path) => ({ path })),
      maxBytes: 20_000,
    });
    assert(ok, text);
    assertEquals(data.text, text);
    assertEquals(files.map(({ path }) => path), names);
    const [large, small, larger, empty] = files.map(lengthOf);
    assertEquals([small, empty], [8, 0]);
    // Whole lines, of ten bytes or so.
    assert(Math.abs(large! - larger!) < 20, `${large} and ${larger}`);
    assert(large! + larger! + small! > 19_900, `${large} and ${larger}`);
    assert(large! + larger! + small! <= 20_000, `${large} and ${larger}`);
    assertEquals(files.map(({ next }) => next !== null), [
      true,
      false,
      true,
      false,
    ]);
    assertStringIncludes(text, '1¦one\n2¦two\n¦ "small.txt": lines 1-2 of 2');
  });

  it("goes on, for each file, by what it names", async () => {
    await using place = await onDisk(LAYOUT);
    await using server = await connect([place.root]);
    const { files: [first] } = await readFiles(server, {
      files: [{ path: "large.txt" }, { path: "larger.txt", start: 3 }],
    });
    const { ok, data } = await server.call(first!.next!);
    assert(ok);
    assertEquals(Object(data.shown).start, first!.shown!.end);
  });

  it("tells a failure of the file that it is of", async () => {
    await using place = await onDisk(LAYOUT);
    await using server = await connect([place.root]);
    const { ok, text, files } = await readFiles(server, {
      files: [
        { path: "none" },
        { path: "small.txt", tail: 1 },
        { path: ".env" },
        { path: "../other/a.txt" },
        { path: "small.txt", start: -1 },
        { path: "small.txt", maxBytes: "x" },
        {},
      ],
    });
    assert(ok, text);
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
    assertStringIncludes(text, "2¦two\n");
    assert(!text.includes("KEY") && !text.includes(place.base), text);
  });

  it("drops no file unnamed", async () => {
    await using place = await onDisk(LAYOUT);
    await using server = await connect([place.root]);
    const asked = Array.from({ length: 50 }, (_, at) => ({
      path: "large.txt",
      start: at + 1,
    }));
    const { text, files } = await readFiles(server, {
      files: asked,
      maxBytes: 100,
    });
    const skipped = files.filter(({ shown }) => shown === null);
    assert(skipped.length > 0 && skipped.length < 50, `${skipped.length}`);
    for (const [at, { path, next }] of files.entries()) {
      assertEquals(path, "large.txt");
      assert(Number(next?.start) >= asked[at]!.start, JSON.stringify(next));
      assert((await server.call(next!)).ok);
    }
    assertStringIncludes(text, '"large.txt": not read');
  });

  it("floods no model with many files", async () => {
    const many = Array.from(
      { length: 50 },
      (_, at) => `ws/${at}: ${"\n".repeat(9000)}`,
    );
    await using place = await onDisk(many);
    await using server = await connect([place.root]);
    const files = many.map((_, at) => ({ path: `${at}` }));
    const { ok, text } = await readFiles(server, { files });
    assert(ok, text);
    assert(text.length < 2 * 32 * 1024 + 50 * 100, `${text.length} characters`);
  });

  it("reads from several directories, with one limit", async () => {
    await using place = await onDisk(LAYOUT);
    const folders = [place.root, join(place.base, "other")];
    await using server = await connect(folders);
    const { files } = await readFiles(server, {
      files: [{ path: "ws/large.txt" }, { path: "other/a.txt" }, { path: "x" }],
      maxBytes: 1000,
    });
    assertEquals(files.map(({ path }) => path), [
      "ws/large.txt",
      "other/a.txt",
      "x",
    ]);
    assertEquals(lengthOf(files[1]!), 9);
    assert(lengthOf(files[0]!) > 900);
    const both = await readFiles(server, {
      files: [{ path: "ws/large.txt" }, { path: "other/large.txt" }],
      maxBytes: 1000,
    });
    const [one = 0, other = 0] = both.files.map(lengthOf);
    assert(one > 480 && other > 480 && one + other <= 1000, `${one}, ${other}`);
  });

  it("goes on, of several directories, by the call's own limit", async () => {
    await using place = await onDisk(LAYOUT);
    const folders = [place.root, join(place.base, "other")];
    await using server = await connect(folders);
    const { files } = await readFiles(server, {
      files: [
        { path: "ws/large.txt" },
        { path: "other/large.txt" },
        { path: "ws/larger.txt", maxBytes: 30 },
        { path: "other/a.txt" },
      ],
      maxBytes: 200,
    });
    assertEquals(files.map(({ next }) => next?.maxBytes), [
      200,
      200,
      30,
      undefined,
    ]);
    const shown = files.map(lengthOf).reduce((sum, length) => sum + length, 0);
    assert(shown > 160 && shown <= 200, `${shown}`);
  });

  it("goes on by the call's own limit where fewer bytes make as many words", async () => {
    await using place = await onDisk([`ws/a: ${"\n".repeat(9000)}`]);
    await using server = await connect([place.root]);
    const { data } = await server.call({ path: "a", maxBytes: 5000 });
    assertEquals(Object(data.next).maxBytes, 5000);
    const { files: [file] } = await readFiles(server, {
      files: [{ path: "a" }],
      maxBytes: 5000,
    });
    assert(lengthOf(file!) < 2500);
    assertEquals(file!.next!.maxBytes, 5000);
  });

  it("takes what is meant within each file, and says so", async () => {
    await using place = await onDisk(LAYOUT);
    await using server = await connect([place.root]);
    const { ok, text, data } = await readFiles(server, {
      files: [
        { path: "small.txt", start: "2", end: null },
        { path: "small.txt", cuont: 1 },
        { path: "small.txt", workspace: {} },
      ],
    });
    assert(ok, text);
    assertStringIncludes(text, "2¦two\n");
    assertStringIncludes(text, "cuont is no option of a page");
    assertStringIncludes(text, "workspace is no option of a page");
    assertEquals(data.notes, [
      'files[0].start: "2" was taken as 2',
      "files[0].end: null was taken as absent",
      '"files[1].cuont" is not an argument; did you mean count?',
      '"files[2].workspace" is not an argument',
    ]);
    assertStringIncludes(text, "did you mean count?");
    assert(!text.includes("?."), text);
    const whole = await readFiles(server, {
      files: JSON.stringify([{ path: "small.txt", tail: 1 }]),
    });
    assertStringIncludes(whole.text, "2¦two\n");
    assertStringIncludes(whole.text, "files: JSON text was taken as a list");
  });
});
