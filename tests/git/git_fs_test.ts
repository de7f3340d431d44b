import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace, ReadFileError, SECRET_FILES } from "../../mod.ts";
import { gitFs } from "../../git/mod.ts";
import { memoryRepository, revisionOf } from "../support/git_place.ts";
import {
  commitOf,
  emptyRepository,
  looseFiles,
  objectOf,
  objectsOf,
  treeOf,
} from "../support/git_repository.ts";

async function textIn(
  workspace: Awaited<ReturnType<typeof openWorkspace>>,
  path: string,
): Promise<string> {
  const file = await workspace.open(path);
  const bytes = new Uint8Array(file.stat.size);
  let filled = 0;
  while (filled < bytes.length) {
    filled += await file.read(bytes.subarray(filled), filled);
  }
  await file.close();
  return new TextDecoder().decode(bytes);
}

async function codeIn(
  workspace: Awaited<ReturnType<typeof openWorkspace>>,
  path: string,
): Promise<string> {
  const error = await assertRejects(() => workspace.open(path), ReadFileError);
  return error.code;
}

/** Two commits: in the second one, only `b` is changed. */
function twoCommits() {
  const old = objectsOf({ "a": "same", "b": "old", "d/c": "same" });
  const now = objectsOf({ "a": "same", "b": "new", "d/c": "same" });
  const first = commitOf(old.root.oid);
  const second = commitOf(now.root.oid, [first.oid]);
  const objects = [...old.objects, ...now.objects, first, second];
  return memoryRepository({
    ...emptyRepository(second.oid),
    ...looseFiles(objects),
  });
}

describe("a revision", () => {
  it("names the content of a file, which has no times", async () => {
    const fs = await revisionOf({ "a": "x", "b": "x", "d/a": "x" });
    const stats = await Promise.all(
      ["/a", "/b", "/d/a"].map((path) => fs.lstat(path)),
    );
    const { oid } = objectOf("blob", "x");
    assertEquals(stats.map(({ id }) => id), [
      `${oid} /a`,
      `${oid} /b`,
      `${oid} /d/a`,
    ]);
    for (const { mtimeMs, ctimeMs } of stats) {
      assertEquals([mtimeMs, ctimeMs], [0, 0]);
    }
  });
  it("gives one file the same facts in each revision that has it", async () => {
    const memory = twoCommits();
    const [one, two] = await Promise.all(
      ["main~1", "main"].map((rev) =>
        gitFs({ repository: "/repo", rev, fs: memory })
      ),
    );
    for (const path of ["/a", "/d/c"]) {
      assertEquals(await one!.lstat(path), await two!.lstat(path));
    }
    const [old, now] = [await one!.lstat("/b"), await two!.lstat("/b")];
    assert(old.id !== now.id);
  });
  it("never changes, so that each page follows the one before it", async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `line ${at}\n`);
    const fs = await revisionOf({ "a": lines.join("") });
    const workspace = await openWorkspace("/", { fs });
    const file = await workspace.open("a");
    assertEquals(await file.checkUnchanged(), "same");
    await file.close();
    let text = "";
    let options: Parameters<typeof workspace.read>[1] | null = { count: 40 };
    while (options !== null) {
      const page: Awaited<ReturnType<typeof workspace.read>> = await workspace
        .read("a", options);
      text += page.lines.map(({ text, ending }) => text + ending).join("");
      options = page.next;
    }
    assertEquals(text, lines.join(""));
  });
  it("denies by the names at that revision, and by where links lead", async () => {
    const fs = await revisionOf({
      ".env": "KEY=1",
      // The same content under another name is another file.
      "public": "KEY=1",
      "link": { link: ".env" },
      "dir/up": { link: "../.env" },
      "dir/id_rsa": "KEY",
    });
    const workspace = await openWorkspace("/", { fs, deny: SECRET_FILES });
    for (const path of [".env", "link", "dir/up", "dir/id_rsa"]) {
      assertEquals(await codeIn(workspace, path), "POLICY_DENIED", path);
    }
    assertEquals(await textIn(workspace, "public"), "KEY=1");
    const hidden = await openWorkspace("/", {
      fs,
      deny: ["**/.env"],
      denied: "hide",
    });
    for (const path of [".env", "link", "dir/up"]) {
      assertEquals(await codeIn(hidden, path), "NOT_FOUND", path);
    }
  });
  it("keeps links in the root, also if one file has the content of another", async () => {
    const fs = await revisionOf({
      "ws/out": { link: "../secret" },
      "ws/far": { link: "/secret" },
      "ws/in": { link: "../ws/copy" },
      "ws/copy": "SECRET",
      "secret": "SECRET",
    });
    const workspace = await openWorkspace("/ws", { fs });
    for (const path of ["out", "far", "in"]) {
      assertEquals(await codeIn(workspace, path), "OUTSIDE_WORKSPACE", path);
    }
    assertEquals(await textIn(workspace, "copy"), "SECRET");
  });
  it("shows a submodule as neither a file nor a directory", async () => {
    const fs = await revisionOf({ "sub": { submodule: "1".repeat(40) } });
    assertEquals(await fs.list!("/", 9), [{ name: "sub", kind: "other" }]);
    const workspace = await openWorkspace("/", { fs });
    assertEquals(await codeIn(workspace, "sub"), "NOT_A_FILE");
    assertEquals(await codeIn(workspace, "sub/a"), "NOT_FOUND");
  });
  it("lists names that are not Unicode, and finds no file by them", async () => {
    const { oid } = objectOf("blob", "x");
    const name = Uint8Array.of(0x61, 0xff);
    const tree = treeOf([
      { name, mode: "100644", oid },
      { name: "a\ufffe", mode: "100644", oid },
    ]);
    const commit = commitOf(tree.oid);
    const memory = memoryRepository({
      ...emptyRepository(commit.oid),
      ...looseFiles([objectOf("blob", "x"), tree, commit]),
    });
    const fs = await gitFs({ repository: "/repo", rev: "main", fs: memory });
    const workspace = await openWorkspace("/", { fs });
    const { entries, omitted } = await workspace.list(".");
    assertEquals(entries.map(({ path }) => path), ["a\ufffe"]);
    assertEquals(omitted, ["not Unicode"]);
    assertEquals(await codeIn(workspace, "a\ufffd"), "NOT_FOUND");
    const kinds = await Promise.allSettled([fs.lstat("/a\ufffd")]);
    assertEquals(kinds[0]!.status, "rejected");
  });
  it("reads the folder of a revision", async () => {
    const memory = twoCommits();
    const rev = "main~1:d";
    const fs = await gitFs({ repository: "/repo", rev, fs: memory });
    assertEquals(await fs.list!("/", 9), [{ name: "c", kind: "file" }]);
  });
  it("ends a call that is aborted", async () => {
    const fs = await revisionOf({ "a": "x" });
    const workspace = await openWorkspace("/", { fs });
    const signal = AbortSignal.abort();
    const error = await assertRejects(
      () => workspace.open("a", { signal }),
      ReadFileError,
    );
    assertEquals(error.code, "ABORTED");
  });
  it("follows no link that is too long to be one", async () => {
    const fs = await revisionOf({ "long": { link: "x".repeat(5000) } });
    const workspace = await openWorkspace("/", { fs });
    assertEquals(await codeIn(workspace, "long"), "INVALID_ARGUMENT");
  });
});
