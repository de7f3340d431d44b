import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, r2Fs, ReadFileError } from "../../mod.ts";
import { mountFs, overlayFs } from "../../layers/mod.ts";
import { assertCode } from "../support/codes.ts";
import { outcome, SAVED, withEdits } from "../support/edited_tree.ts";
import { listed } from "../support/listings.ts";
import { nameless } from "../support/fake_fs.ts";
import { FakeR2 } from "../support/fake_r2.ts";
import { recordingFs } from "../support/recording_fs.ts";

describe("edits and links", () => {
  it("an edit below a link applies below the target of the link", async () => {
    const edits = { "/ws/link/b.txt": "typed", "/ws/link/new/x.txt": "X" };
    for (const path of ["link/b.txt", "dir/b.txt", "current"]) {
      assertEquals(await withEdits(edits, path), "typed", path);
    }
    assertEquals(await withEdits(edits, "dir/new/x.txt"), "X");
    assertEquals(await withEdits(edits, "link/new/x.txt"), "X");
  });
  it("a listing below a link has the new files below its target", async () => {
    const saved = { "/ws/dir/sub/a": "saved", "/ws/link": { link: "dir" } };
    const fs = overlayFs(memoryFs(saved), { "/ws/dir/sub/new": "typed" });
    for (const path of ["/ws/dir/sub", "/ws/link/sub"]) {
      const names = (await listed(fs, path)).map(({ name }) => name).sort();
      assertEquals(names, ["a", "new"], path);
    }
  });
  it("an edit of a link applies to its target", async () => {
    const edits = { "/ws/current": "typed" };
    assertEquals(await withEdits(edits, "dir/b.txt"), "typed");
    const fs = overlayFs(memoryFs(SAVED), edits);
    assertEquals((await fs.lstat("/ws/current")).kind, "symlink");
  });
  it("a removed link does not remove its target", async () => {
    const edits = { "/ws/current": null, "/ws/link": null };
    assertEquals(await withEdits(edits, "current"), "NOT_FOUND");
    assertEquals(await withEdits(edits, "link/b.txt"), "NOT_FOUND");
    assertEquals(await withEdits(edits, "dir/b.txt"), "saved b");
  });
  it("a removed file is missing at every path", async () => {
    const edits = { "/ws/link/b.txt": null };
    for (const path of ["link/b.txt", "dir/b.txt", "current"]) {
      assertEquals(await withEdits(edits, path), "NOT_FOUND", path);
    }
  });
  it("a file below an edited directory is missing, also at a path through a link", async () => {
    for (
      const [edit, code] of [[null, "ENOENT"], ["typed", "ENOTDIR"]] as const
    ) {
      const fs = overlayFs(memoryFs(SAVED), { "/ws/dir": edit });
      for (const path of ["/ws/dir/b.txt", "/ws/link/b.txt"]) {
        await assertCode(() => fs.lstat(path), code);
        await assertCode(() => fs.open(path), code);
      }
    }
  });
  it("an edit turns a dangling link into a file", async () => {
    assertEquals(
      await withEdits({ "/ws/dangling": "typed" }, "dangling"),
      "typed",
    );
  });
  it("a root that is a link has its edits at both paths", async () => {
    const saved = {
      "/real/ws/a.txt": "saved",
      "/ws": { link: "real/ws" },
    };
    for (const path of ["/ws/a.txt", "/real/ws/a.txt"]) {
      assertEquals(
        await withEdits({ [path]: "typed" }, "a.txt", saved),
        "typed",
      );
    }
  });
  it("a link out of the workspace is refused, even if its target is edited", async () => {
    const edits = {
      "/ws/out/typed.txt": "SECRET",
      "/outside/secret.txt": "SECRET",
      "/outside/new.txt": "SECRET",
    };
    for (const name of ["typed.txt", "secret.txt", "new.txt"]) {
      const told = await withEdits(edits, `out/${name}`);
      assertEquals(told, "OUTSIDE_WORKSPACE", name);
    }
  });
  it("the later of two edits of one file applies", async () => {
    const edits = { "/ws/link/b.txt": "one", "/ws/dir/b.txt": "two" };
    assertEquals(await withEdits(edits, "dir/b.txt"), "two");
  });
  it("a file is missing if the later of its two edits removes it", async () => {
    const edits = { "/ws/link/b.txt": "one", "/ws/dir/b.txt": null };
    const fs = overlayFs(memoryFs(SAVED), edits);
    for (const path of ["/ws/dir/b.txt", "/ws/link/b.txt"]) {
      await assertCode(() => fs.lstat(path), "ENOENT");
    }
  });
  it("an edit of a missing path applies to a file created there later", async () => {
    let base = memoryFs(SAVED);
    const later = memoryFs({ ...SAVED, "/ws/new": { link: "dir" } });
    const fs = overlayFs({
      realPath: (path) => base.realPath(path),
      lstat: (path) => base.lstat(path),
      readLink: (path) => base.readLink(path),
      open: (path) => base.open(path),
    }, { "/ws/new/b.txt": "typed" });
    assertEquals(await outcome(fs, "new/b.txt"), "typed");
    assertEquals(await outcome(fs, "dir/b.txt"), "saved b");
    base = later;
    assertEquals(await outcome(fs, "new/b.txt"), "typed");
    assertEquals(await outcome(fs, "dir/b.txt"), "typed");
  });
  it("an edit follows a link that changed", async () => {
    const treeWith = (target: string) =>
      memoryFs({
        "/ws/v1/f": "saved 1",
        "/ws/v2/f": "saved 2",
        "/ws/cur": { link: target },
        "/ws/one": { link: `${target}/f` },
      });
    for (const path of ["/ws/cur/f", "/ws/one"]) {
      let base = treeWith("v1");
      const fs = overlayFs({
        realPath: (path) => base.realPath(path),
        lstat: (path) => base.lstat(path),
        readLink: (path) => base.readLink(path),
        open: (path) => base.open(path),
      }, { [path]: "typed" });
      for (const [target, other] of [["v1", "2"], ["v2", "1"], ["v1", "2"]]) {
        base = treeWith(target!);
        for (const name of ["cur/f", "one", `${target}/f`]) {
          assertEquals(await outcome(fs, name), "typed", `${path} ${name}`);
        }
        const name = `v${other}/f`;
        assertEquals(await outcome(fs, name), `saved ${other}`, path);
      }
    }
  });
  it("each directory above hundreds of edits is looked up once per read", async () => {
    const edits: Record<string, string> = {};
    for (let at = 0; at < 300; at++) {
      edits[`/ws/dir/new${at}.txt`] = "N";
      edits[`/ws/none/at/all/${at}.txt`] = "N";
    }
    const memory = recordingFs(memoryFs(SAVED));
    await overlayFs(memory, edits).lstat("/ws/a.txt");
    const asked = memory.asked.filter((path) => path !== "/ws/a.txt");
    assertEquals(new Set(asked).size, asked.length);
    // A missing directory is not searched.
    assertEquals(asked.length, 300 + ["/ws", "/ws/dir", "/ws/none"].length);
  });
  it("a store without links gets no requests for links", async () => {
    const bucket = new FakeR2();
    await bucket.put("ws/a.txt", "saved");
    const asked: string[] = [];
    const edits: Record<string, string> = {};
    for (let at = 0; at < 300; at++) edits[`/ws/dir/new${at}.txt`] = "N";
    const fs = overlayFs(
      r2Fs({
        get: (key, options) => (asked.push(key), bucket.get(key, options)),
        head: (key) => (asked.push(key), bucket.head(key)),
      }),
      edits,
    );
    await fs.lstat("/ws/a.txt");
    assertEquals(asked, ["ws/a.txt"]);
  });
});

describe("an overlay preserves", () => {
  it("deny rules, by the real path of an edit", async () => {
    const edits = { "/ws/link/b.txt": "typed", "/ws/.env": "KEY" };
    const fs = overlayFs(memoryFs(SAVED), edits);
    for (const path of ["dir/b.txt", "link/b.txt", "current", ".env"]) {
      assertEquals(
        await outcome(fs, path, ["dir/b.txt", ".env"]),
        "POLICY_DENIED",
        path,
      );
    }
  });
  it("the proof of a file without a path", async () => {
    const edits = { "/ws/dir/b.txt": "typed" };
    const fs = overlayFs(nameless(memoryFs(SAVED)), edits);
    assertEquals(await outcome(fs, "dir/b.txt"), "typed");
    assertEquals(await outcome(fs, "dir/c.txt"), "saved c");
    const none = nameless(overlayFs(memoryFs(SAVED), edits));
    assertEquals(await outcome(none, "dir/b.txt"), "typed");
  });
  it("a path relative to the working directory", async () => {
    const fs = overlayFs({
      ...memoryFs(SAVED),
      realPath: (path) => path.startsWith("/") ? path : "/ws",
    }, { "/ws/a.txt": "typed" });
    assertEquals(await fs.realPath("."), "/ws");
  });
  it("a '..' after a link", async () => {
    const saved = { "/ws/l": { link: "/far/away" }, "/far/away/x": "X" };
    const fs = overlayFs(memoryFs(saved), { "/ws/a.txt": "typed" });
    assertEquals(await fs.realPath("/ws/l/.."), "/far");
  });
  it("a failure of the port below it", async () => {
    const fail = () => {
      throw Object.assign(new Error("locked"), { code: "EACCES" });
    };
    const locked = { ...memoryFs(SAVED), lstat: fail, realPath: fail };
    const fs = overlayFs(locked, { "/ws/dir/b.txt": "typed" });
    await assertCode(() => fs.lstat("/ws/dir"), "EACCES");
    await assertCode(() => fs.lstat("/ws/a.txt"), "EACCES");
    assertEquals((await fs.lstat("/ws/dir/b.txt")).kind, "file");
  });
  it("the root of a mount", async () => {
    const mounts = mountFs({ "/ws": memoryFs(SAVED) });
    const fs = overlayFs(mounts, { "/ws/dir/b.txt": "typed" });
    const workspace = await openWorkspace("/", { fs });
    assertEquals((await workspace.read("ws/dir/b.txt")).text, "typed");
    const error = await assertRejects(
      () => workspace.read("ws/out/secret.txt"),
      ReadFileError,
    );
    assertEquals(error.code, "OUTSIDE_WORKSPACE");
  });
});
