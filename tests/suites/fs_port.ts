/** What every file system promises the core: the doc comments of FsPort, as tests. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Awaitable } from "../../mod.ts";
import { assertCode, kindOpened } from "../support/codes.ts";
import type { LayOut } from "../support/layout.ts";
import { linkTests } from "./fs_port_links.ts";

/** The verbs of a port that take a path. */
const VERBS = ["realPath", "lstat", "readLink", "open"] as const;

/** Names that some layer might take for something else than a name. */
const ODD_NAMES = [
  "constructor",
  "__proto__",
  "toString",
  "caf\u00e9.txt",
  "\ud83d\ude00.txt",
  "\u202etxt.exe",
  "new\nline.txt",
  "back\\slash.txt",
  " blank ",
  "-rf",
  "~",
  "%2e%2e",
  "a:b",
  "s3:",
  "...",
];

/** Holds a port to its promises; `layOut` makes one. */
export function fsPortSuite(name: string, layOut: LayOut): void {
  describe(`${name}: read()`, () => readTests(layOut));
  describe(`${name}: lstat() and stat()`, () => statTests(layOut));
  describe(`${name}: links`, () => linkTests(layOut));
  describe(`${name}: failures`, () => failureTests(layOut));
  describe(`${name}: names`, () => nameTests(layOut));
}

function readTests(layOut: LayOut): void {
  const read = async (length: number, position: number) => {
    await using place = await layOut(["ws/a.txt: hello"]);
    const handle = await place.fs.open(`${place.root}/a.txt`);
    const buffer = new Uint8Array(length).fill(0x2e);
    const count = await handle.read(buffer, position);
    await handle.close();
    return [count, new TextDecoder().decode(buffer)];
  };
  it("reads from the position it is given", async () => {
    assertEquals(await read(3, 1), [3, "ell"]);
    assertEquals(await read(5, 0), [5, "hello"]);
  });
  it("reads less at the end, and leaves the rest of the buffer alone", async () => {
    assertEquals(await read(4, 3), [2, "lo.."]);
  });
  it("gives 0 at the end and past it", async () => {
    assertEquals(await read(2, 5), [0, ".."]);
    assertEquals(await read(2, 5_000_000_000), [0, ".."]);
  });
  it("gives 0 for an empty buffer", async () => {
    assertEquals(await read(0, 1), [0, ""]);
  });
  it("gives 0 for an empty file", async () => {
    await using place = await layOut(["ws/empty: "]);
    const handle = await place.fs.open(`${place.root}/empty`);
    assertEquals(await handle.read(new Uint8Array(4), 0), 0);
    await handle.close();
  });
  it("does not touch what lies beside a part of a buffer", async () => {
    await using place = await layOut(["ws/a.txt: hello"]);
    const handle = await place.fs.open(`${place.root}/a.txt`);
    const buffer = new Uint8Array(6).fill(0x2e);
    assertEquals(await handle.read(buffer.subarray(2, 4), 1), 2);
    assertEquals(new TextDecoder().decode(buffer), "..el..");
    await handle.close();
  });
  it("keeps no position, in one handle or between two", async () => {
    await using place = await layOut(["ws/a.txt: hello"]);
    const one = await place.fs.open(`${place.root}/a.txt`);
    const two = await place.fs.open(`${place.root}/a.txt`);
    const buffer = new Uint8Array(1);
    for (const [handle, position] of [[one, 4], [two, 0], [one, 0]] as const) {
      assertEquals(await handle.read(buffer, position), 1);
      assertEquals(buffer[0], "hello".charCodeAt(position));
    }
    await one.close();
    assertEquals(await two.read(buffer, 1), 1);
    await two.close();
  });
}

function statTests(layOut: LayOut): void {
  it("tell files, directories and links apart", async () => {
    await using place = await layOut(["ws/d/", "ws/a: x", "ws/l -> a"]);
    const kindOf = async (name: string) =>
      (await place.fs.lstat(`${place.root}/${name}`)).kind;
    assertEquals(await kindOf("a"), "file");
    assertEquals(await kindOf("d"), "directory");
    assertEquals(await kindOf("l"), "symlink");
  });
  it("tell a size in bytes, not in letters", async () => {
    await using place = await layOut(["ws/a: h\u00e9llo"]);
    assertEquals((await place.fs.lstat(`${place.root}/a`)).size, 6);
  });
  it("agree on a file, and on which file it is", async () => {
    await using place = await layOut(["ws/a: hello"]);
    const seen = await place.fs.lstat(`${place.root}/a`);
    const handle = await place.fs.open(`${place.root}/a`);
    const opened = await handle.stat();
    await handle.close();
    assertEquals(
      [opened.kind, opened.size, opened.id],
      [seen.kind, seen.size, seen.id],
    );
    // One of the two clocks may be finer.
    assertEquals(floor(opened.mtimeMs), floor(seen.mtimeMs));
    assert(seen.id !== null, "the file has no identity");
  });
  it("give the same identity by every path, and another to every file", async () => {
    const layout = ["ws/d/a: x", "ws/d/b: x", "ws/l -> d"];
    await using place = await layOut(layout);
    const idOf = async (name: string) =>
      (await place.fs.lstat(`${place.root}/${name}`)).id;
    assertEquals(await idOf("l/a"), await idOf("d/a"));
    const ids = ["d", "l", "d/a", "d/b"].map(idOf);
    assertEquals(new Set(await Promise.all(ids)).size, 4);
  });
  it("describe an open directory, which cannot be read", async () => {
    await using place = await layOut(["ws/d/"]);
    const handle = await place.fs.open(`${place.root}/d`);
    assertEquals((await handle.stat()).kind, "directory");
    await assertCode(() => handle.read(new Uint8Array(1), 0), "EISDIR");
    await handle.close();
  });
}

function failureTests(layOut: LayOut): void {
  const layout = ["ws/a: hello", "ws/loop -> loop"];
  for (const verb of VERBS) {
    it(`${verb}() says ENOENT, ENOTDIR and ELOOP as the system does`, async () => {
      await using place = await layOut(layout);
      const ask = (name: string) => (): Awaitable<unknown> =>
        place.fs[verb](`${place.root}/${name}`);
      await assertCode(ask("nope"), "ENOENT");
      await assertCode(ask("nope/a"), "ENOENT");
      await assertCode(ask("a/b"), "ENOTDIR");
      await assertCode(ask("loop/a"), "ELOOP");
    });
  }
}

function nameTests(layOut: LayOut): void {
  for (const name of ODD_NAMES) {
    it(`takes ${JSON.stringify(name)} for a name like any other`, async () => {
      await using place = await layOut([`ws/${name}/${name}: hello`]);
      const path = `${place.root}/${name}/${name}`;
      assertEquals(await place.fs.realPath(path), path);
      assertEquals((await place.fs.lstat(path)).kind, "file");
      assertEquals(await kindOpened(place.fs, path), "file");
      await using empty = await layOut([]);
      const missing = `${empty.root}/${name}`;
      await assertCode(() => empty.fs.lstat(missing), "ENOENT");
    });
  }
  it("takes two spellings of one letter for two names", async () => {
    await using place = await layOut([
      "ws/caf\u00e9: one",
      "ws/cafe\u0301: 22",
    ]);
    assertEquals((await place.fs.lstat(`${place.root}/caf\u00e9`)).size, 3);
    assertEquals((await place.fs.lstat(`${place.root}/cafe\u0301`)).size, 2);
  });
}

function floor(time: number | null): number | null {
  return time === null ? null : Math.floor(time);
}
