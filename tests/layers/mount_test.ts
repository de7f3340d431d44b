import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { mountFs } from "../../layers/mod.ts";
import { attackSuite } from "../suites/attacks.ts";
import { fsPortSuite } from "../suites/fs_port.ts";
import { attackMemory, LEFT_OUT } from "../support/attack_memory.ts";
import { assertCode, kindOpened } from "../support/codes.ts";
import { FakeR2 } from "../support/fake_r2.ts";
import { inMemory, type LayOut } from "../support/layout.ts";
import { inBucket } from "../support/r2_bucket.ts";
import { listed } from "../support/listings.ts";
import { MOUNTS, outcome } from "../support/mounts.ts";
import { recordingFs } from "../support/recording_fs.ts";
import { type Wrapping, WRAPPINGS } from "../support/wrappings.ts";

function wrapped(layOut: LayOut, wrapping: Wrapping): LayOut {
  return async (layout) => {
    const place = await layOut(layout);
    return { ...place, ...WRAPPINGS[wrapping](place) };
  };
}

for (const wrapping of ["mount", "mountInPlace"] as const) {
  const name = `mountFs(), ${wrapping}`;
  fsPortSuite(name, wrapped(inMemory, wrapping));
  attackSuite(name, (row) => attackMemory(row, wrapping), LEFT_OUT);
  const inR2: LayOut = (layout) => inBucket(new FakeR2(), layout);
  fsPortSuite(`${name} of a store`, wrapped(inR2, wrapping), {
    lacks: ["links"],
  });
}

describe("mountFs()", () => {
  it("shows each port at its mount point", async () => {
    const fs = mountFs(MOUNTS);
    assertEquals(await outcome(fs, "repo/a.txt"), "A");
    assertEquals(await outcome(fs, "notes/todo.txt"), "buy milk");
    assertEquals(await outcome(fs, "far/away/place/x.txt"), "X");
    assertEquals(await outcome(fs, "a.txt", "/repo"), "A");
    assertEquals(await outcome(fs, "/far/away/place/x.txt", "/far"), "X");
  });
  it("shows nothing outside the mounts", async () => {
    const fs = mountFs(MOUNTS);
    assertEquals(await outcome(fs, "secret.txt"), "NOT_FOUND");
    assertEquals(await outcome(fs, "far/x.txt"), "NOT_FOUND");
    assertEquals(await outcome(fs, "far/away/x.txt"), "NOT_FOUND");
  });
  it("lists the directories above mounts, and fails for a missing one", async () => {
    const fs = mountFs({ "/far/away": memoryFs({ "/far/away/x.txt": "X" }) });
    assertEquals(await listed(fs, "/far"), [{
      name: "away",
      kind: "directory",
    }]);
    await assertCode(() => listed(fs, "/near"), "ENOENT");
    await assertCode(() => listed(fs, "/far/off"), "ENOENT");
    await assertCode(() => listed(fs, "/far/away/x.txt"), "ENOTDIR");
  });
  it("uses the longest mount point that matches", async () => {
    const fs = mountFs(MOUNTS);
    assertEquals(await outcome(fs, "repo/logs/app.log"), "LOG");
    assertEquals(await outcome(fs, "repo/logs/shadowed.txt"), "NOT_FOUND");
    const whole = mountFs({ ...MOUNTS, "/": memoryFs({ "/z.txt": "Z" }) });
    assertEquals(await outcome(whole, "z.txt"), "Z");
    assertEquals(await outcome(whole, "repo/logs/app.log"), "LOG");
    assertEquals(await outcome(whole, "far/away/place/x.txt"), "X");
  });
  it("does not match a name that only begins like a mount point", async () => {
    const fs = mountFs({ "/repo": memoryFs({ "/repo-evil/a": "SECRET" }) });
    assertEquals(await outcome(fs, "repo-evil/a"), "NOT_FOUND");
  });
  it("has directories above the mount points", async () => {
    const fs = mountFs(MOUNTS);
    for (const path of ["/", "/far", "/far/away", "/repo", "/notes/"]) {
      assertEquals((await fs.lstat(path)).kind, "directory", path);
      assertEquals(await kindOpened(fs, path), "directory", path);
      await assertCode(() => fs.readLink(path), "EINVAL");
      const handle = await fs.open(path);
      await assertCode(() => handle.read(new Uint8Array(1), 0), "EISDIR");
    }
    await assertCode(() => fs.lstat("/fa"), "ENOENT");
    await assertCode(() => fs.open("/nope"), "ENOENT");
    await assertCode(() => fs.readLink("/nope"), "ENOENT");
    await assertCode(() => fs.realPath("/nope"), "ENOENT");
  });
  it("is an empty tree without mounts", async () => {
    assertEquals(await outcome(mountFs({}), "a.txt"), "NOT_FOUND");
  });
  it("keeps a mount point below a file or a link of another mount", async () => {
    const fs = mountFs({
      "/": memoryFs({
        "/a": "file",
        "/l": { link: "secret" },
        "/secret/x": "S",
      }),
      "/a/b": { fs: memoryFs({ "/x": "X" }), root: "/" },
      "/l/b": { fs: memoryFs({ "/x": "X" }), root: "/" },
    });
    await assertCode(() => fs.lstat("/a"), "ENOTDIR");
    await assertCode(() => fs.lstat("/l"), "ENOTDIR");
    assertEquals(await outcome(fs, "l/x"), "NOT_FOUND");
  });
  it("omits a mount whose root is missing or not a directory", async () => {
    const memory = memoryFs({ "/a": "file" });
    for (const root of ["/a", "/nope"]) {
      const fs = mountFs({ "/m": { fs: memory, root } });
      assertEquals(await outcome(fs, "m/x"), "NOT_FOUND", root);
    }
    const fs = mountFs({ "/m": { fs: memory, root: "/a" } });
    await assertCode(() => fs.lstat("/m"), "ENOTDIR");
  });
  it("omits a mount once its root is replaced by a link", async () => {
    const memory = memoryFs({ "/ws": { link: "/secret" }, "/secret/x": "S" });
    const swapped = { ...memory, realPath: (path: string) => path };
    const fs = mountFs({ "/ws": swapped });
    await assertCode(() => fs.lstat("/ws"), "ENOTDIR");
    assertEquals(await outcome(fs, "ws/x"), "NOT_FOUND");
  });
  it("omits a mount whose root is not Unicode", async () => {
    const fs = mountFs({
      "/m": { ...memoryFs({}), realPath: () => "/\ufffd" },
    });
    await assertCode(() => fs.lstat("/m"), "EINVAL");
  });
  it("resolves a root that is a link only once", async () => {
    const files = { "/real/a.txt": "A", "/repo": { link: "real" } };
    const memory = recordingFs(memoryFs({
      ...files,
      "/real/by-link": { link: "/repo/a.txt" },
      "/real/by-name": { link: "/real/a.txt" },
    }));
    const fs = mountFs({ "/repo": memory });
    for (const name of ["a.txt", "by-link", "by-name"]) {
      assertEquals(await outcome(fs, name, "/repo"), "A", name);
    }
    assertEquals(memory.asked.filter((path) => path === "/repo").length, 1);
  });
  it("gives files of two ports different ids, and reports their paths in the tree", async () => {
    const memory = memoryFs({ "/x": "X" });
    const fs = mountFs({
      "/a": { fs: memory, root: "/" },
      "/b": { fs: memory, root: "/" },
    });
    const ids = [];
    for (const path of ["/a/x", "/b/x", "/a", "/b", "/"]) {
      ids.push((await fs.lstat(path)).id);
      const handle = await fs.open(path);
      assertEquals(await handle.path(), path);
      assertEquals((await handle.stat()).id, ids.at(-1));
    }
    assertEquals(new Set(ids).size, 5);
  });
  it("keeps a null id", async () => {
    const memory = memoryFs({ "/m/x": "X" });
    const fs = mountFs({
      "/m": {
        ...memory,
        lstat: async (path) => ({ ...await memory.lstat(path), id: null }),
      },
    });
    assertEquals((await fs.lstat("/m/x")).id, null);
  });
});

describe("mountFs() refuses", () => {
  const fs = memoryFs({});
  const NO_PORT = '"/a": it must be a file system, such as memoryFs({}), not ';
  for (
    const [mounts, message] of [
      [{ repo: fs }, `"repo": the path is not plain; write it as "/repo"`],
      [{ "/a/": fs }, `"/a/": the path is not plain; write it as "/repo"`],
      [
        { "/a/../b": fs },
        `"/a/../b": the path is not plain; write it as "/repo"`,
      ],
      [{ "": fs }, `"": the path is not plain; write it as "/repo"`],
      [{ "/a": null }, `${NO_PORT}null`],
      [{ "/a": 1 }, `${NO_PORT}1`],
      [{ "/a": {} }, `${NO_PORT}an object`],
      [{ "/a": { fs: 1 } }, `${NO_PORT}1`],
      [
        { "/a": { fs, root: "" } },
        `"/a": its root must be the path of a directory, or left out, not ""`,
      ],
    ] as const
  ) {
    it(`mounts: ${message}`, () => {
      // Without types, as in JavaScript.
      const error = assertThrows(() => mountFs(mounts as never), TypeError);
      assertEquals(error.message, `Cannot mount ${message}`);
    });
  }
  for (
    const [mounts, shown] of [
      [null, "null"],
      [undefined, "undefined"],
      [
        "/a",
        "a string",
      ],
      [[fs], "an array"],
      [
        Promise.resolve({ "/a": fs }),
        "a promise; await it",
      ],
    ] as const
  ) {
    it(`${shown} instead of mounts`, () => {
      const error = assertThrows(() => mountFs(mounts as never), TypeError);
      assertEquals(
        error.message,
        `Cannot mount anything: mounts must be a plain object, such as { "/repo": memoryFs({}) }, not ${shown}`,
      );
    });
  }
});
