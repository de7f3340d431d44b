/** The role that a port gets with each path. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { questionsOf } from "../../src/core/guard/proof.ts";
import { nameless } from "../support/fake_fs.ts";

const TREE = memoryFs({
  "/ws/a.txt": "hello",
  "/ws/d/e/b.txt": "hello",
  "/ws/folder": { link: "d/" },
  "/ws/climbing": { link: "d/../a.txt" },
  "/ws/file": { link: "a.txt" },
});

/** Records each lstat(), as `role path`. */
function lookingFs(fs: FsPort = TREE) {
  const looks: string[] = [];
  const port: FsPort = {
    ...fs,
    lstat(path, role) {
      looks.push(`${role} ${path}`);
      return fs.lstat(path, role);
    },
  };
  return { port, looks };
}

async function looksAt(path: string, fs?: FsPort): Promise<string[]> {
  const { port, looks } = lookingFs(fs);
  const workspace = await openWorkspace("/ws", { fs: port });
  looks.length = 0;
  await workspace.read(path);
  return looks;
}

/** A store of one file that makes no requests for directories in a path. */
function storeFs(requests: string[]): FsPort {
  const facts = { mtimeMs: 1, ctimeMs: 1 };
  const lstat = (path: string, role?: "way" | "last") => {
    if (role === "way") {
      return { ...facts, kind: "directory", size: 0, id: path } as const;
    }
    requests.push(path);
    if (path === "/ws/d/e/b.txt") {
      return { ...facts, kind: "file", size: 5, id: path } as const;
    }
    throw Object.assign(new Error("404"), { code: "ENOENT" });
  };
  return {
    realPath: (path) => path,
    lstat,
    readLink: TREE.readLink,
    open: TREE.open,
  };
}

/** The question in every proof: whether the root is still the same. */
const ROOT = "way /ws";

describe("lstat()", () => {
  it('gets the role of each name: "way" or "last"', async () => {
    assertEquals(await looksAt("d/e/b.txt"), [
      "way /ws/d",
      "way /ws/d/e",
      "last /ws/d/e/b.txt",
      ROOT,
    ]);
  });
  it('gets the role "way" for the root', async () => {
    const { port, looks } = lookingFs();
    const workspace = await openWorkspace("/ws", { fs: port });
    await workspace.narrow({ root: "d/e" });
    assertEquals([...new Set(looks)], [ROOT, "way /ws/d", "way /ws/d/e"]);
  });
  it(`gets the role "last" for the last name of a link's target`, async () => {
    assertEquals(await looksAt("file"), [
      "last /ws/file",
      "last /ws/a.txt",
      ROOT,
    ]);
  });
  it('gets the role "last" for a directory at the end of the path', async () => {
    // In the role "way", a store would report "d" as existing, without a request.
    assertEquals(await looksAt("climbing"), [
      "last /ws/climbing",
      "last /ws/d",
      "last /ws/a.txt",
      ROOT,
    ]);
    assertEquals(await looksAt("folder/e/b.txt"), [
      "way /ws/folder",
      "last /ws/d",
      "way /ws/d/e",
      "last /ws/d/e/b.txt",
      ROOT,
    ]);
  });
  it("gets the same roles from a proof as from the walk", async () => {
    const looks = await looksAt("a.txt", nameless(TREE));
    const proof = looks.slice(1);
    assertEquals(proof.length, questionsOf(2));
    assertEquals(
      [...new Set(proof)].sort(),
      ["last /ws/a.txt", ROOT],
    );
  });
  it('gets the role "last" for the substitute of a hidden path', async () => {
    const { port, looks } = lookingFs();
    const deny = { deny: ["d"], denied: "hide" } as const;
    const workspace = await openWorkspace("/ws", { fs: port, ...deny });
    looks.length = 0;
    await assertRejects(() => workspace.read("d/e/b.txt"), ReadFileError);
    assertEquals([...new Set(looks)], ["last /ws/~"]);
  });
  it("costs a store without directories one request", async () => {
    const requests: string[] = [];
    const workspace = await openWorkspace("/ws", { fs: storeFs(requests) });
    assertEquals(requests, []);
    assertEquals((await workspace.read("d/e/b.txt")).text, "hello");
    assertEquals(requests, ["/ws/d/e/b.txt"]);
    requests.length = 0;
    const error = await assertRejects(
      () => workspace.read("no/such/file"),
      ReadFileError,
    );
    assertEquals(error.code, "NOT_FOUND");
    assertEquals(requests, ["/ws/no/such/file"]);
  });
  it("can narrow a store without directories", async () => {
    const workspace = await openWorkspace("/ws", { fs: storeFs([]) });
    const narrow = await workspace.narrow({ root: "d/e" });
    assertEquals((await narrow.read("b.txt")).text, "hello");
  });
});
