import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type FsPort, memoryFs, ReadFileError } from "../../../mod.ts";
import { findRoot } from "../../../src/core/guard/root.ts";
import { withHelp } from "../../../src/core/help/help.ts";
import { listed as entriesIn } from "../../support/listings.ts";

async function suggested(
  fs: FsPort,
  path: string,
  deny: readonly string[] = [],
): Promise<readonly string[]> {
  const root = await findRoot(fs, "/ws", { deny });
  const missing = new ReadFileError("NOT_FOUND", path, { reason: "missing" });
  const helped = await withHelp(missing, fs, root, undefined);
  assert(helped instanceof ReadFileError && helped.is("NOT_FOUND"));
  return helped.details.suggestions ?? [];
}

const FS = memoryFs({
  "/ws/README.md": "",
  "/ws/src/main.ts": "",
  "/ws/src/mail.ts": "",
  "/ws/src/core/read.ts": "",
  "/ws/src/core/red.ts": "",
  "/ws/src/caf\u00e9.txt": "",
  "/ws/src/a\u00a0b.txt": "",
  "/ws/link.ts": { link: "src/main.ts" },
  "/ws/out.ts": { link: "../outside.ts" },
  "/ws/.git/config.ts": "",
  "/ws/node_modules/x/config.ts": "",
  "/ws/.env": "",
  "/ws/env": "",
  "/outside.ts": "",
});

describe("withHelp()", () => {
  const cases: readonly (readonly [string, string, string[]])[] = [
    ["a letter off", "src/mian.ts", ["src/main.ts", "src/mail.ts"]],
    ["another case", "readme.MD", ["README.md"]],
    ["composed otherwise", "src/cafe\u0301.txt", ["src/caf\u00e9.txt"]],
    ["with a no-break space", "src/a b.txt", ["src/a\u00a0b.txt"]],
    ["in a misspelled directory", "scr/core/read.ts", ["src/core/read.ts"]],
    ["in another directory", "lib/read.ts", ["src/core/read.ts"]],
    ["by an absolute path", "/ws/src/core/reed.ts", [
      "src/core/read.ts",
      "src/core/red.ts",
    ]],
    ["by a link", "lnik.ts", ["link.ts"]],
    ["with a trailing slash", "src/main.ts/", ["src/main.ts"]],
    ["without its extension", "src/main", ["src/main.ts"]],
    ["without one of its extensions", "README", ["README.md"]],
    ["nothing similar", "zebra.py", []],
    ["the root", ".", []],
  ];
  for (const [what, path, found] of cases) {
    it(`finds the file: ${what}`, async () => {
      assertEquals(await suggested(FS, path), found);
    });
  }
  it("suggests no link that leads out, even if its name is similar", async () => {
    assertEquals(await suggested(FS, "ouu.ts"), []);
  });
  it("does not search hidden directories and node_modules", async () => {
    assertEquals(await suggested(FS, "config.ts"), []);
    assertEquals(await suggested(FS, ".git/confg.ts"), [".git/config.ts"]);
  });
  it("does not suggest denied paths", async () => {
    assertEquals(await suggested(FS, ".emv"), [".env"]);
    assertEquals(await suggested(FS, ".emv", [".env"]), []);
    assertEquals(await suggested(FS, "src/mian.ts", ["src"]), []);
    assertEquals(await suggested(FS, "scr/main.ts", ["src"]), []);
  });
  it("suggests at most three files", async () => {
    const names = ["aaa1", "aaa2", "aaa3", "aaa4", "aaa5"];
    const fs = memoryFs(
      Object.fromEntries(names.map((name) => [`/ws/${name}`, ""])),
    );
    assertEquals(await suggested(fs, "aaa"), ["aaa1", "aaa2", "aaa3"]);
  });
  it("reads at most 2,000 names", async () => {
    let listed = 0;
    const many = Array.from(
      { length: 100 },
      (_, dir) =>
        Array.from(
          { length: 100 },
          (_, file) => [`/ws/${dir}/${file}.txt`, ""],
        ),
    );
    const inner = memoryFs(Object.fromEntries(many.flat()));
    const fs: FsPort = {
      ...inner,
      async list(path, most) {
        const entries = await entriesIn(inner, path, most);
        assert(entries.length <= most);
        listed += entries.length;
        return entries;
      },
    };
    assertEquals(await suggested(fs, "none/such.txt"), []);
    assert(listed >= 1_900 && listed <= 2_000, String(listed));
  });
  it("counts denied names, too", async () => {
    let listed = 0;
    const many = Array.from({ length: 90_000 }, (_, at) => [
      `/ws/${Math.floor(at / 300)}/${at}.png`,
      "",
    ]);
    const inner = memoryFs(Object.fromEntries(many));
    const fs: FsPort = {
      ...inner,
      async list(path, most) {
        const entries = await entriesIn(inner, path, most);
        listed += entries.length;
        return entries;
      },
    };
    assertEquals(await suggested(fs, "nope.ts", ["**/*.png"]), []);
    assert(listed <= 2_000, String(listed));
  });
  it("suggests no name that exists only in a listing", async () => {
    // As if a directory was swapped for a link during its listing.
    const names = [
      "mair.ts",
      "main.tsx",
      "../outside.ts",
      "mainn.ts",
      "\ud800",
    ];
    const fs: FsPort = {
      ...FS,
      list: () => names.map((name) => ({ name, kind: "file" })),
    };
    assertEquals(await suggested(fs, "src/maim.ts"), []);
  });
  it("suggests no name with a slash, and no empty one", async () => {
    const names = ["core/read.ts", "core/../main.ts", "", ".", "main.ts\0"];
    const fs: FsPort = {
      ...FS,
      list: (path) =>
        path === "/ws/src" ? names.map((name) => ({ name, kind: "file" })) : [],
    };
    for (
      const path of ["src/core-read.ts", "src/corereadts", "src/core/..main.ts"]
    ) {
      assertEquals(await suggested(fs, path), []);
    }
  });
  it("skips directories and denied files with more similar names", async () => {
    const likelier = Array.from(
      { length: 12 },
      (_, at) => `/ws/${"abcdefghijkl"[at]}main.ts`,
    );
    const files = { "/ws/xxmain.ts": "" };
    const directories = likelier.map((path) => [`${path}/x`, ""]);
    const denied = likelier.map((path) => [path, ""]);
    const one = memoryFs({ ...Object.fromEntries(directories), ...files });
    assertEquals(await suggested(one, "main.ts"), ["xxmain.ts"]);
    const other = memoryFs({ ...Object.fromEntries(denied), ...files });
    assertEquals(await suggested(other, "main.ts", ["[a-l]main.ts"]), [
      "xxmain.ts",
    ]);
  });
  it("opens and suggests only files", async () => {
    const opened: string[] = [];
    const inner = memoryFs({
      "/ws/fifo.ts": { kind: "other" },
      "/ws/swap.ts": "",
    });
    const fs: FsPort = {
      ...inner,
      list: () => [{ name: "fifo.ts", kind: "file" }, {
        name: "swap.ts",
        kind: "file",
      }],
      async open(path) {
        opened.push(path);
        const handle = await inner.open(path);
        return {
          ...handle,
          // As if a FIFO had replaced it.
          stat: async () => ({
            ...await handle.stat(),
            kind: "other" as const,
          }),
        };
      },
    };
    assertEquals(await suggested(fs, "fifi.ts"), []);
    assertEquals(opened, []);
    assertEquals(await suggested(fs, "swop.ts"), []);
    assertEquals([...new Set(opened)], ["/ws/swap.ts"]);
  });
  it("tries at most nine names", async () => {
    const directories = Array.from(
      { length: 50 },
      (_, at) => [`/ws/d${at}/x`, ""],
    );
    const inner = memoryFs(Object.fromEntries(directories));
    let tries = 0;
    const fs: FsPort = {
      ...inner,
      list: (path, most) =>
        path === "/ws"
          ? inner.list!(path, most)
          : [{ name: "main.ts", kind: "file" }],
      lstat(path, role) {
        if (path.endsWith("main.ts")) tries++;
        return inner.lstat(path, role);
      },
    };
    assertEquals(await suggested(fs, "main.ts"), []);
    assertEquals(tries, 9);
  });
  it("finds nothing if the port cannot list", async () => {
    const { list: _, ...fs } = FS;
    assertEquals(await suggested(fs, "src/mian.ts"), []);
  });
  it("finds nothing if listing fails", async () => {
    const fs: FsPort = {
      ...FS,
      list() {
        throw Object.assign(new Error("/secret"), { code: "EIO" });
      },
    };
    assertEquals(await suggested(fs, "src/mian.ts"), []);
  });
});
