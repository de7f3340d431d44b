/** In a changing tree, a walk confirms its answers before it returns them. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileStat,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../../mod.ts";
import { nameless } from "../../support/fake_fs.ts";

const TREE = memoryFs({
  "/ws/a.txt": "inside",
  // A hidden "d" is looked up by this name instead.
  "/ws/~": "",
  "/ws/d/e/b.txt": "denied",
  "/ws/double": { link: "d//e/b.txt" },
  "/ws/dotted": { link: "d/./e/b.txt" },
  "/ws/short": { link: "d/e/b.txt" },
});

/** The same tree, in which every stat has a recent change. */
function livingFs(fs: FsPort = TREE): FsPort {
  return {
    ...fs,
    async lstat(path, role) {
      const { fixed: _, ...stat } = await fs.lstat(path, role);
      return { ...stat, ctimeMs: Date.now() };
    },
  };
}

describe("in a tree that may be changing", () => {
  it("a hidden path looks like a missing one", async () => {
    const options = { deny: ["d"], denied: "hide" } as const;
    const workspace = await openWorkspace("/ws", {
      fs: livingFs(),
      ...options,
    });
    for (const path of ["d", "d/e/b.txt", "short"]) {
      const error = await assertRejects(
        () => workspace.read(path),
        ReadFileError,
      );
      assertEquals(error.code, "NOT_FOUND", path);
    }
  });
  it("a file that is missing for a moment is read", async () => {
    let isMissing = true;
    const fs = livingFs({
      ...TREE,
      lstat(path, role): FileStat | Promise<FileStat> {
        if (path === "/ws/a.txt" && isMissing) {
          isMissing = false;
          throw Object.assign(new Error(), { code: "ENOENT" });
        }
        return TREE.lstat(path, role);
      },
    });
    const workspace = await openWorkspace("/ws", { fs });
    assertEquals((await workspace.read("a.txt")).text, "inside");
  });
});

describe("a listed name that is missing", () => {
  /** Lists "e" and other names; `ctimeOf` gives the ctime of the directory at each stat. */
  async function list(
    ctimeOf: (look: number) => number,
    others: readonly string[] = ["gone"],
  ) {
    let looks = 0;
    const fs: FsPort = {
      ...TREE,
      async lstat(path, role) {
        const { fixed: _, ...stat } = await TREE.lstat(path, role);
        const ctimeMs = path === "/ws/d" ? ctimeOf(looks++) : 1;
        return { ...stat, mtimeMs: 1, ctimeMs };
      },
      list: () => ["e", ...others].map((name) => ({ name, kind: "directory" })),
    };
    const workspace = await openWorkspace("/ws", { fs });
    const { entries } = await workspace.list("d");
    return entries.map(({ path }) => path);
  }
  it("is left out of a listing at rest", async () => {
    assertEquals(await list(() => 1), ["e"]);
    assertEquals(await list(() => Date.now(), []), ["e"]);
  });
  it("is left out if the directory may be changing, or changed", async () => {
    for (const ctimeOf of [() => Date.now(), (look: number) => look]) {
      assertEquals(await list(ctimeOf), ["e"]);
    }
  });
});

describe("a failure of the walk", () => {
  const fails = (verb: "lstat" | "readLink", code: string): FsPort => ({
    ...TREE,
    [verb](path: string) {
      if (/short|a\.txt/.test(path)) throw Object.assign(new Error(), { code });
      return TREE[verb](path);
    },
  });
  for (
    const [verb, path, errno, code] of [
      ["readLink", "short", "EACCES", "PERMISSION_DENIED"],
      ["readLink", "short", "EINVAL", "CHANGED"],
      ["lstat", "a.txt", "EINVAL", "INVALID_ARGUMENT"],
      ["lstat", "a.txt", "EACCES", "PERMISSION_DENIED"],
    ] as const
  ) {
    it(`of ${verb}() with ${errno} is ${code}`, async () => {
      const fs = fails(verb, errno);
      for (const port of [fs, livingFs(fs)]) {
        const workspace = await openWorkspace("/ws", { fs: port });
        const error = await assertRejects(
          () => workspace.read(path),
          ReadFileError,
        );
        assertEquals(error.code, code);
      }
    });
  }
});

describe("a link whose target is not normalized", () => {
  it("is denied by the directories that it leads through", async () => {
    const fs = nameless(TREE);
    const workspace = await openWorkspace("/ws", { fs, deny: ["d/e"] });
    for (const path of ["short", "double", "dotted"]) {
      const error = await assertRejects(
        () => workspace.read(path),
        ReadFileError,
      );
      assertEquals(error.code, "POLICY_DENIED", path);
    }
    const open = await openWorkspace("/ws", { fs });
    assertEquals((await open.read("double")).text, "denied");
  });
});
