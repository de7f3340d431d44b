import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  type ListOptions,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../mod.ts";
import { mountFs, overlayFs } from "../../layers/mod.ts";
import { follow, pathsOf } from "../support/listings.ts";
import { Random, SEED } from "../support/random.ts";

const FILES = {
  "/ws/b.txt": "two",
  "/ws/a/x.ts": "12345",
  "/ws/a/deep/er/y.ts": "",
  "/ws/a.b": "",
  "/ws/Z": "",
  "/ws/link": { link: "a" },
  "/ws/device": { kind: "other" },
  "/out/secret.txt": "secret",
} as const;

const at = (options: Parameters<typeof openWorkspace>[1] = {}) =>
  openWorkspace("/ws", { fs: memoryFs(FILES), ...options });

describe("Workspace.list()", () => {
  it("gives names with kinds and sizes, in code unit order", async () => {
    assertEquals(await (await at()).list("."), {
      path: ".",
      entries: [
        { path: "Z", kind: "file", size: 0 },
        { path: "a", kind: "directory", size: null },
        { path: "a.b", kind: "file", size: 0 },
        { path: "b.txt", kind: "file", size: 3 },
        { path: "device", kind: "other", size: null },
        { path: "link", kind: "symlink", size: null },
      ],
      next: null,
      unlisted: [],
      omitted: [],
      isDeeper: true,
    });
  });
  it("retries if the directory is missing for a moment", async () => {
    const fs = memoryFs(FILES);
    let tries = 0;
    const list: FsPort["list"] = (path, most) => {
      if (tries++ === 0) throw Object.assign(new Error(), { code: "ENOENT" });
      return fs.list!(path, most);
    };
    const workspace = await at({ fs: { ...fs, list } });
    assertEquals((await workspace.list("a/deep")).entries.length, 1);
    assertEquals(tries, 2);
  });
  it("lists directories down to the requested depth, each before its entries", async () => {
    const workspace = await at();
    const deep = async (depth: number) =>
      pathsOf(await workspace.list("a", { depth }));
    assertEquals(await deep(1), ["deep", "x.ts"]);
    assertEquals(await deep(2), ["deep", "deep/er", "x.ts"]);
    assertEquals(await deep(5), ["deep", "deep/er", "deep/er/y.ts", "x.ts"]);
  });
  it("follows a link in the path, but not the listed links", async () => {
    const workspace = await at();
    assertEquals(pathsOf(await workspace.list("link")), ["deep", "x.ts"]);
    assert(
      !pathsOf(await workspace.list(".", { depth: 5 })).includes("link/x.ts"),
    );
  });
  it("matches a glob against names, or with a slash against paths", async () => {
    const workspace = await at();
    const match = async (glob: string) =>
      pathsOf(await workspace.list(".", { depth: 5, glob }));
    assertEquals(await match("*.ts"), ["a/deep/er/y.ts", "a/x.ts"]);
    assertEquals(await match("a/*.ts"), ["a/x.ts"]);
    assertEquals(await match("./a/**/*.ts"), ["a/deep/er/y.ts", "a/x.ts"]);
    assertEquals(await match("{Z,b.*}"), ["Z", "b.txt"]);
    assertEquals(await match("none"), []);
  });
  it("refuses a glob whose choices would be compared for long", async () => {
    const workspace = await openWorkspace("/ws", {
      fs: memoryFs({ "/ws/a": "" }),
    });
    const long = [
      `*${"a".repeat(50)}${"{?,a}".repeat(10)}b`,
      `*${"a".repeat(4000)}${"{?,a}".repeat(2)}`,
      `!(${`${"a".repeat(500)}{?,a}{?,a}{?,a}{?,a}`})`,
    ];
    for (const glob of long) {
      const error = await assertRejects(
        () => workspace.list(".", { glob }),
        ReadFileError,
      );
      assertEquals(error.message, 'Cannot read ".": glob is too long');
    }
    const dirs = "{src,lib,test,tests,docs,examples,packages}";
    await workspace.list(".", { glob: `${dirs}/**/${dirs}/*.{js,jsx,ts,tsx}` });
    await workspace.list(".", {
      glob: "*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte}",
    });
    await workspace.list(".", { glob: `*${"a?".repeat(2000)}` });
  });
  it("looks as deep as a glob with a slash or ** says", async () => {
    const deep = "1/2/3/4/5/6/7/8";
    const fs = memoryFs({
      [`/ws/${deep}/x.ts`]: "",
      "/ws/x.ts": "",
      "/ws/1/x.ts": "",
      "/ws/1/2/y.md": "",
      "/ws/other/z.ts": "",
    });
    const listed: string[] = [];
    const list = (path: string, most: number) => {
      listed.push(path);
      return fs.list!(path, most);
    };
    const workspace = await openWorkspace("/ws", { fs: { ...fs, list } });
    for (
      const [options, paths, isDeeper] of [
        [{ glob: "**/x.ts" }, [`${deep}/x.ts`, "1/x.ts", "x.ts"], false],
        [{ glob: "1/**/x.ts" }, [`${deep}/x.ts`, "1/x.ts"], false],
        [{ glob: "*/*.ts" }, ["1/x.ts", "other/z.ts"], false],
        [{ glob: "*/*" }, ["1/2", "1/x.ts", "other/z.ts"], false],
        [{ glob: "{x.ts,1/2/*.md}" }, ["1/2/y.md", "x.ts"], false],
        [{ glob: "*.ts" }, ["x.ts"], true],
        [{ glob: "*.ts", depth: 2 }, ["1/x.ts", "other/z.ts", "x.ts"], true],
        [{ glob: "1/**", depth: 2 }, ["1", "1/2", "1/x.ts"], true],
        [{ glob: "other/**", depth: 2 }, ["other", "other/z.ts"], false],
        [{ glob: "other/" }, ["other", "other/z.ts"], false],
        [{}, ["1", "other", "x.ts"], true],
        [{ path: "other" }, ["z.ts"], false],
      ] as const
    ) {
      const { path = ".", ...asked } = { path: ".", ...options };
      const listing = await workspace.list(path, asked);
      assertEquals(pathsOf(listing), [...paths], JSON.stringify(options));
      assertEquals(listing.isDeeper, isDeeper, JSON.stringify(options));
    }
    listed.length = 0;
    await workspace.list(".", { glob: "other/**/z.ts" });
    assertEquals(new Set(listed), new Set(["/ws", "/ws/other"]));
  });
  it("gives times on request", async () => {
    const file = { content: "", mtimeMs: 1e12 };
    const fs = memoryFs({ "/ws/a": file, "/ws/d/b": "" });
    const workspace = await openWorkspace("/ws", { fs });
    const { entries } = await workspace.list(".", { times: true });
    const times = entries.map(({ mtimeMs }) => mtimeMs);
    assertEquals(times, [1e12, null]);
  });
  it("shows each entry once, for any size of pages", async () => {
    const random = new Random(SEED);
    for (let trees = 0; trees < 40; trees++) {
      const files: Record<string, string> = { "/ws/z": "" };
      for (let count = random.from(1, 40); count > 0; count--) {
        const names = Array.from(
          { length: random.from(1, 6) },
          () => random.pick(["a", "a.b", "b", "B", "c-d", "é", "🎉"]),
        );
        files[`/ws/${names.join("/")}/f${random.below(3)}`] = "";
      }
      const workspace = await openWorkspace("/ws", { fs: memoryFs(files) });
      const options = {
        depth: random.from(1, 5),
        ...(random.below(2) === 0 &&
          { glob: random.pick(["f*", "a", "**/b/*"]) }),
      };
      const whole = pathsOf(await workspace.list(".", options));
      const limit = random.from(1, 9);
      const { found, calls } = await follow(workspace, ".", {
        ...options,
        limit,
      });
      assertEquals(found, whole);
      assertEquals(calls, Math.max(1, Math.ceil(whole.length / limit)));
      assertEquals(new Set(found).size, found.length);
    }
  });
  it("continues after a name that was removed", async () => {
    const { entries } = await (await at()).list(".", { after: "aa/b/c" });
    assertEquals(entries.map(({ path }) => path), ["b.txt", "device", "link"]);
  });
  it("leaves out denied names, and reports this", async () => {
    const workspace = await at({ deny: ["a", "*.txt"] });
    const listing = await workspace.list(".", { depth: 5 });
    assertEquals(pathsOf(listing), ["Z", "a.b", "device", "link"]);
    assertEquals(listing.omitted, ["denied"]);
    for (const path of ["a", "link", "a/deep"]) {
      const error = await assertRejects(
        () => workspace.list(path),
        ReadFileError,
      );
      assertEquals(error.code, "POLICY_DENIED");
    }
  });
  it("is the same for a hidden and a missing directory", async () => {
    const hidden = await at({ deny: ["a", "b.txt"], denied: "hide" });
    const { "/ws/b.txt": _, ...rest } = FILES;
    const without = Object.fromEntries(
      Object.entries(rest).filter(([path]) => !path.startsWith("/ws/a/")),
    );
    const bare = await openWorkspace("/ws", { fs: memoryFs(without) });
    for (const limit of [1, 2, 1000]) {
      for (const after of ["", "a", "b.txt", "a/deep"]) {
        const options = { depth: 5, limit, after };
        assertEquals(
          await hidden.list(".", options),
          await bare.list(".", options),
        );
      }
    }
    for (const path of ["a", "a/deep", "link", "b.txt", "b.txt/x"]) {
      const [one, other] = await Promise.all(
        [hidden, bare].map((workspace) =>
          assertRejects(() => workspace.list(path), ReadFileError)
        ),
      );
      assertEquals([one?.code, one?.message], [other?.code, other?.message]);
    }
  });
  it("says what to do if the path cannot be listed", async () => {
    const workspace = await at();
    for (const path of ["b.txt", "device"]) {
      const list = () => workspace.list(path);
      assertEquals((await assertRejects(list, ReadFileError)).hint, undefined);
    }
    const messageOf = async (...args: Parameters<Workspace["list"]>) =>
      (await assertRejects(() => workspace.list(...args), ReadFileError))
        .message;
    assertEquals(
      await messageOf("b.txt"),
      'Cannot read "b.txt": path names a file; name a directory, or read it',
    );
    assertEquals(
      await messageOf("device"),
      'Cannot read "device": path names no directory',
    );
    assertEquals(
      await messageOf("../out"),
      'Cannot read "../out": it leads out of the workspace',
    );
    assertEquals(
      await messageOf(".", { depth: 6 }),
      'Cannot read ".": depth must be a whole number from 1 to 5, not 6',
    );
    assertEquals(
      await messageOf(".", { glob: "a[" }),
      'Cannot read ".": glob has a class "[" that is not supported; write it like [abc], [a-z] or [!a-z]',
    );
    assertEquals(
      await messageOf(".", { deph: 2 } as ListOptions),
      'Cannot read ".": "deph" is unknown; the names are depth, glob, after, limit, times; did you mean depth?',
    );
  });
  it("continues after a directory that cannot be listed, and names it", async () => {
    const base = memoryFs(FILES);
    const fs: FsPort = {
      ...base,
      list(path, most) {
        if (path !== "/ws/a/deep") return base.list!(path, most);
        throw Object.assign(new Error(), { code: "EACCES" });
      },
    };
    const listing = await (await at({ fs })).list(".", {
      depth: 5,
      glob: "*.t*",
    });
    assertEquals(pathsOf(listing), ["a/x.ts", "b.txt"]);
    assertEquals(listing.unlisted, [{
      path: "a/deep",
      code: "PERMISSION_DENIED",
    }]);
  });
  it("fails on a port that cannot list, also through an overlay", async () => {
    const { list: _, ...fs } = memoryFs(FILES);
    const ports = [
      fs,
      overlayFs(fs, new Map([["/ws/new", "new"]])),
      mountFs({ "/": { fs }, "/ws/more": { fs } }),
    ];
    for (const fs of ports) {
      const workspace = await at({ fs });
      const error = await assertRejects(
        () => workspace.list("."),
        ReadFileError,
      );
      assertEquals([error.code, error.details], ["IO", {
        errno: "ENOSYS",
        passing: false,
      }]);
    }
  });
  it("lists the entries of overlays and mounts", async () => {
    const base = memoryFs(FILES);
    const edits = new Map([["/ws/new/n.txt", "n"], ["/ws/b.txt", null]]);
    const edited = await at({ fs: overlayFs(base, edits) });
    assertEquals(
      pathsOf(await edited.list(".", { glob: "*.txt", depth: 3 })),
      ["new/n.txt"],
    );
    const mounts = {
      "/ws": { fs: base },
      "/ws/in/side": { fs: base, root: "/out" },
    };
    const mounted = await at({ fs: mountFs(mounts) });
    assertEquals(
      pathsOf(await mounted.list(".", { glob: "*.txt", depth: 3 })),
      ["b.txt", "in/side/secret.txt"],
    );
  });
  it("leaves out names that cannot be requested, and reports this", async () => {
    const base = memoryFs(FILES);
    const fs: FsPort = {
      ...base,
      list: () => [
        ...["\uD800", "a\uFFFD", "..", "a/b"].map((
          name,
        ) => ({ name, kind: "file" } as const)),
        { name: "b.txt", kind: "file" },
      ],
    };
    const listing = await (await at({ fs })).list(".");
    assertEquals(pathsOf(listing), ["b.txt"]);
    assertEquals(listing.omitted, ["not Unicode"]);
  });
});
