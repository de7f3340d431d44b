import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../support/said.ts";
import {
  type DenyOptions,
  type FsPort,
  memoryFs,
  type NarrowOptions,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../mod.ts";
import { failure } from "../support/fake_fs.ts";

const TREE = memoryFs({
  "/ws/a.txt": "a",
  "/ws/.env": "SECRET",
  "/ws/src/b.txt": "b",
  "/ws/src/.env": "SECRET",
  "/ws/src/lib/c.txt": "c",
  "/ws/src/up": { link: "../a.txt" },
  "/ws/src/same": { link: "/ws/src/b.txt" },
  "/ws/src/alias": { link: "/alias/src/b.txt" },
  "/ws/src/top": { link: "/ws/a.txt" },
  "/ws/to-src": { link: "src" },
  "/ws/out": { link: "/" },
  "/alias": { link: "ws" },
});

const open = (options: DenyOptions = {}, root = "/ws") =>
  openWorkspace(root, { fs: TREE, ...options });

/** The result of a read: the text, or the code of its failure. */
async function ending(workspace: Workspace, path: string): Promise<string> {
  try {
    return (await workspace.read(path)).text;
  } catch (error) {
    assert(error instanceof ReadFileError, String(error));
    return error.code;
  }
}

async function refusal(
  workspace: Workspace,
  options: NarrowOptions,
): Promise<ReadFileError> {
  return await assertRejects(() => workspace.narrow(options), ReadFileError);
}

describe("Workspace.narrow()", () => {
  it("makes a directory the root", async () => {
    const src = await (await open()).narrow({ root: "src" });
    assertEquals(await ending(src, "b.txt"), "b");
    assertEquals(await ending(src, "lib/c.txt"), "c");
    assertEquals(await ending(src, "/ws/src/b.txt"), "b");
    assertEquals(src.normalize("/ws/src/lib/./c.txt"), "lib/c.txt");
  });
  it("treats everything above as outside", async () => {
    const src = await (await open()).narrow({ root: "src" });
    const outside = ["../a.txt", "/ws/a.txt", "..", "up", "top", "/ws"];
    for (const path of outside) {
      assertEquals(await ending(src, path), "OUTSIDE_WORKSPACE", path);
    }
  });
  it("follows links to files below the root", async () => {
    const src = await (await open()).narrow({ root: "src" });
    assertEquals(await ending(src, "same"), "b");
  });
  it("accepts every name of the root that the wider workspace accepts", async () => {
    const workspace = await open({}, "/alias");
    for (const root of ["src", "/alias/src", "/ws/src", "to-src"]) {
      const src = await workspace.narrow({ root });
      for (const path of ["/alias/src/b.txt", "/ws/src/b.txt", "alias"]) {
        assertEquals(await ending(src, path), "b", `${root} ${path}`);
      }
      assertEquals(await ending(src, "/alias/a.txt"), "OUTSIDE_WORKSPACE");
    }
    const same = await workspace.narrow({ deny: ["x"] });
    assertEquals(await ending(same, "/alias/a.txt"), "a");
  });
  it("works in the workspace /", async () => {
    const all = await openWorkspace("/", { fs: TREE });
    const src = await all.narrow({ root: "ws/src", deny: [".env"] });
    assertEquals(await ending(src, "/ws/src/b.txt"), "b");
    assertEquals(await ending(src, "/ws/src/.env"), "POLICY_DENIED");
    assertEquals(await ending(src, "/ws/a.txt"), "OUTSIDE_WORKSPACE");
  });
  it("keeps the root by default", async () => {
    const same = await (await open()).narrow({ deny: ["src/*.txt"] });
    assertEquals(await ending(same, "a.txt"), "a");
    assertEquals(await ending(same, "src/b.txt"), "POLICY_DENIED");
  });
  it("does not change the wider workspace", async () => {
    const workspace = await open();
    await workspace.narrow({ root: "src", deny: ["**"], denied: "hide" });
    assertEquals(await ending(workspace, "src/b.txt"), "b");
  });

  it("refuses a root that is not a directory in the workspace", async () => {
    const workspace = await open();
    for (
      const [root, code] of [
        ["nope", "NOT_FOUND"],
        ["a.txt", "NOT_A_FILE"],
        ["a.txt/x", "NOT_FOUND"],
        ["..", "OUTSIDE_WORKSPACE"],
        ["/", "OUTSIDE_WORKSPACE"],
        ["out", "OUTSIDE_WORKSPACE"],
        ["out/ws/src", "OUTSIDE_WORKSPACE"],
        ["", "INVALID_ARGUMENT"],
        ["a\0", "INVALID_ARGUMENT"],
      ] as const
    ) {
      const error = await refusal(workspace, { root });
      assertEquals([error.code, error.path], [code, root]);
    }
  });
  it("says for a file that a directory is expected", async () => {
    assertEquals(
      said(await refusal(await open(), { root: "a.txt" })),
      'Cannot open the workspace "a.txt": it is a file; name a directory',
    );
  });
  it("refuses globs that can match nothing", async () => {
    const workspace = await open();
    await assertRejects(() => workspace.narrow({ deny: [""] }), TypeError);
  });
  it("does not reveal messages of the disk", async () => {
    const workspace = await openWorkspace("/ws", {
      fs: {
        ...TREE,
        lstat(path) {
          if (path === "/ws") return TREE.lstat(path);
          throw failure("EACCES");
        },
      },
    });
    const error = await refusal(workspace, { root: "src" });
    assertEquals(error.code, "PERMISSION_DENIED");
    assert(!`${error.message}${error.cause}`.includes("outside"));
  });
});

describe("a workspace and its narrowed workspaces", () => {
  it("share one limit of open files", async () => {
    const inner = memoryFs({ "/ws/src/a.ts": "a" });
    let open = 0;
    let most = 0;
    const fs: FsPort = {
      ...inner,
      async open(path) {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 1));
        const handle = await inner.open(path);
        return {
          ...handle,
          close() {
            open--;
          },
        };
      },
    };
    const workspace = await openWorkspace("/ws", { fs });
    const narrowed = await Promise.all(
      Array.from({ length: 5 }, () => workspace.narrow({ deny: ["b"] })),
    );
    const all = [workspace, ...narrowed, await narrowed[0]!.narrow({})];
    await Promise.all(
      all.flatMap((one) =>
        Array.from({ length: 50 }, () => one.read("src/a.ts"))
      ),
    );
    assertEquals([open, most], [0, 64]);
  });
});

describe("Workspace.narrow() and deny", () => {
  it("applies rules relative to the new root", async () => {
    const src = await (await open()).narrow({ root: "src", deny: [".env"] });
    assertEquals(await ending(src, ".env"), "POLICY_DENIED");
    assertEquals(await ending(src, "b.txt"), "b");
  });
  it("keeps earlier rules relative to their root", async () => {
    const deny = ["src/.env", "src/lib/**"];
    const src = await (await open({ deny })).narrow({ root: "src" });
    assertEquals(await ending(src, ".env"), "POLICY_DENIED");
    assertEquals(await ending(src, "lib/c.txt"), "POLICY_DENIED");
    const twice = await src.narrow({ deny: ["*.txt"] });
    assertEquals(await ending(twice, ".env"), "POLICY_DENIED");
    assertEquals(await ending(twice, "b.txt"), "POLICY_DENIED");
    assertEquals(await ending(twice, "same"), "POLICY_DENIED");
  });
  it("makes no exceptions to earlier rules", async () => {
    const workspace = await open({ deny: ["**/.env"] });
    const narrowed = await workspace.narrow({
      deny: ["none of these", "!**/.env", "!**"],
    });
    assertEquals(await ending(narrowed, ".env"), "POLICY_DENIED");
  });
  it("refuses a denied root", async () => {
    const error = await refusal(await open({ deny: ["src/**"] }), {
      root: "to-src",
    });
    assert(error.is("POLICY_DENIED"));
    assertEquals(error.details.rule, "src/**");
  });
  it("treats a hidden root as missing", async () => {
    const hide = { deny: ["src"], denied: "hide" } as const;
    const workspace = await open(hide);
    for (const root of ["src", "src/lib", "to-src", "src/"]) {
      const hidden = await refusal(workspace, { root });
      const absent = await refusal(await open(), { root: "nope" });
      assertEquals(
        [hidden.code, hidden.details, String(hidden.cause)],
        [absent.code, absent.details, String(absent.cause)],
      );
      assertEquals(hidden.message.replace(root, "nope"), absent.message);
    }
  });
  it("hides like the wider workspace by default", async () => {
    const workspace = await open({ denied: "hide" });
    const narrowed = await workspace.narrow({ deny: ["a.txt"] });
    assertEquals(await ending(narrowed, "a.txt"), "NOT_FOUND");
  });
  it("cannot refuse a path that was hidden", async () => {
    const workspace = await open({ deny: ["**/.env"], denied: "hide" });
    const deny = ["**/.env", "a.txt"];
    const narrowed = await workspace.narrow({ deny, denied: "refuse" });
    assertEquals(await ending(narrowed, ".env"), "NOT_FOUND");
    assertEquals(await ending(narrowed, "a.txt"), "POLICY_DENIED");
  });
  it("can hide a path that was refused", async () => {
    const workspace = await open({ deny: ["**/.env"] });
    const narrowed = await workspace.narrow({
      deny: ["a.txt"],
      denied: "hide",
    });
    assertEquals(await ending(narrowed, ".env"), "NOT_FOUND");
    assertEquals(await ending(narrowed, "a.txt"), "NOT_FOUND");
    assertEquals(await ending(workspace, ".env"), "POLICY_DENIED");
  });
});
