/** A walk reveals nothing about a swapped part of the tree. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileHandle,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../../mod.ts";
import { failure } from "../../support/fake_fs.ts";
import { shareOf } from "../../support/share.ts";

/** The real tree, in which `d` is a directory. */
const INSIDE = memoryFs({
  "/ws/d/f.txt": "INSIDE",
  "/ws/d/file": "",
  "/ws/d/two.txt": "",
});

/** The tree to which `d` leads while it is swapped. */
const OUTSIDE: FsPort = memoryFs({
  "/ws/d/directory/x": "",
  // A directory here, and a file in the real tree.
  "/ws/d/file/x": "",
  "/ws/d/lone": "",
  "/ws/d/fifo": { kind: "other" },
  "/ws/d/link": { link: "/etc" },
  "/ws/d/odd": { link: "\ufffd" },
  "/ws/d/loop": { link: "loop" },
  "/ws/d/f.txt": "SECRET",
});

/**
 * A disk on which `d` is, at random for each call, a link that leads out. The
 * system follows it unless it is the last name.
 */
function flippingFs(names: Naming): FsPort {
  // At random: the attacker cannot see which call is next.
  let flips = 0;
  const isSwapped = () => ++flips * 2654435761 % 2 ** 32 < 2 ** 31;
  const fresh = <T extends object>(stat: T): T => ({
    ...stat,
    fixed: false,
    mtimeMs: 1,
    ctimeMs: Date.now(),
  });
  const look = (path: string) => {
    const swapped = isSwapped();
    if (!swapped || !/^\/ws\/d\b/.test(path)) return INSIDE.lstat(path);
    if (path !== "/ws/d") return OUTSIDE.lstat(path);
    return { ...INSIDE.lstat(path), kind: "symlink", id: "link" } as const;
  };
  const at = (path: string) =>
    isSwapped() && path.startsWith("/ws/d/") ? OUTSIDE : INSIDE;
  return {
    realPath: (path) => path,
    lstat: async (path) => {
      if (path.endsWith("/locked") && isSwapped()) throw failure("EACCES");
      return fresh(await look(path));
    },
    readLink: (path) =>
      path === "/ws/d" ? "../outside" : at(path).readLink(path),
    open: async (path): Promise<FileHandle> => {
      const fs = at(path);
      const handle = await fs.open(path);
      return {
        ...handle,
        stat: async () => fresh(await handle.stat()),
        path: () =>
          names === "nameless"
            ? undefined
            : fs === INSIDE
            ? path
            : `/outside${path.slice("/ws/d".length)}`,
      };
    },
    list: (path, most) =>
      path === "/ws/d" && isSwapped()
        ? [{ name: "f.txt", kind: "file" }]
        : INSIDE.list!(path, most),
  };
}

const OUTSIDE_ALONE = [
  "d/directory",
  "d/directory/x",
  "d/lone/x",
  "d/fifo",
  "d/link",
  "d/odd",
  "d/loop",
  "d/locked",
  "d/locked/x",
];

const NAMINGS = ["named", "nameless"] as const;
type Naming = typeof NAMINGS[number];

/** A file system that names open files or not, and a check of a workspace in it. */
interface Case {
  readonly names: Naming;
  readonly name: string;
  readonly check: (workspace: Workspace) => Promise<void>;
}

/** Every path with both namings. As the number of paths is odd, each runtime gets every path, with one naming. */
const REVEALED = NAMINGS.flatMap((names) =>
  OUTSIDE_ALONE.map((path): Case => ({
    names,
    name: `reveals nothing of ${path}, which exists only in the other tree`,
    async check(workspace) {
      const error = await assertRejects(
        () => workspace.open(path),
        ReadFileError,
      );
      const { code, details } = error;
      const isTrue = code === "CHANGED" || code === "OUTSIDE_WORKSPACE" ||
        error.is("NOT_FOUND") && error.details.reason === "missing";
      assert(isTrue, `${code} ${JSON.stringify(details)}`);
    },
  }))
);

/** Other checks with both namings; their number is odd, too. */
const OTHERS = NAMINGS.flatMap((names): readonly Case[] => [{
  names,
  name: "does not report a file as missing that only the other tree lacks",
  async check(workspace) {
    const error = await workspace.open("d/two.txt")
      .then((file) => file.close(), (error) => error);
    if (error === undefined) return;
    assert(/^(CHANGED|OUTSIDE_WORKSPACE)$/.test(error.code), error.code);
  },
}, {
  names,
  name: "lists no file of the other tree",
  async check(workspace) {
    const listing = workspace.list("d/lone");
    const error = await assertRejects(() => listing, ReadFileError);
    assert(
      /^(CHANGED|OUTSIDE_WORKSPACE|NOT_FOUND)$/.test(error.code),
      error.message,
    );
  },
}, {
  names,
  name: "lists all entries of a directory or none",
  async check(workspace) {
    const error = await assertRejects(() => workspace.open("d"), ReadFileError);
    if (!error.is("NOT_A_FILE")) return;
    const all = ["f.txt", "file", "two.txt"];
    const { entries = all } = error.details;
    assertEquals(entries, all);
  },
}]);

describe("a tree that is swapped during reads", () => {
  const cases = [...shareOf(REVEALED), ...shareOf(OTHERS)];
  for (const { names, name, check } of cases) {
    it(`${name} (${names})`, async () => {
      const workspace = await openWorkspace("/ws", { fs: flippingFs(names) });
      for (let time = 0; time < 300; time++) await check(workspace);
    });
  }
});

describe("a directory that is swapped during one stat of a name in it", () => {
  const inner = memoryFs({ "/ws/d/one": "INSIDE", "/ws/d/two": "" });
  /** The `lstat` with number `linked` meets a link to `two`, which exists only in the other tree. */
  function linkedFs(linked: number): FsPort {
    let looks = 0;
    const isSwapped = (path: string) =>
      looks === linked && /\/(one|none)$/.test(path);
    return {
      ...inner,
      lstat: async (path, role) => {
        if (/\/(one|none)$/.test(path)) looks++;
        const isLink = isSwapped(path);
        const link = { kind: "symlink", id: "link" } as const;
        const stat = await inner.lstat(isLink ? "/ws/d/two" : path, role);
        const fresh = { fixed: false, ctimeMs: Date.now() };
        return { ...stat, ...fresh, ...isLink && link };
      },
      readLink: (path) => isSwapped(path) ? "two" : inner.readLink(path),
    };
  }
  it("follows no link of the other directory, whichever stat meets it", async () => {
    for (let linked = 1; linked < 40; linked++) {
      const fs = linkedFs(linked);
      const workspace = await openWorkspace("/ws", { fs });
      const missing = await assertRejects(
        () => workspace.open("d/none"),
        ReadFileError,
      );
      assertEquals(missing.code, "NOT_FOUND");
      assertEquals(await workspace.realPath("d/one"), "/ws/d/one");
      const { lines } = await workspace.read("d/one");
      assertEquals(lines[0]?.text, "INSIDE");
    }
  });
});

describe("entries of a directory, one of which has another kind in the other tree", () => {
  it("are all shown or none, whichever stat is swapped", async () => {
    const inner = memoryFs({ "/ws/d/one": "", "/ws/d/two": "" });
    for (let swapped = 1; swapped < 40; swapped++) {
      let looks = 0;
      const lstat: FsPort["lstat"] = async (path, role) => {
        const isOther = path.endsWith("/one") && ++looks === swapped;
        const other = { kind: "directory", id: "other" } as const;
        const fresh = { fixed: false, ctimeMs: Date.now() };
        return {
          ...await inner.lstat(path, role),
          ...fresh,
          ...isOther && other,
        };
      };
      const workspace = await openWorkspace("/ws", { fs: { ...inner, lstat } });
      const error = await assertRejects(
        () => workspace.open("d"),
        ReadFileError,
      );
      assert(error.is("NOT_A_FILE"));
      const { entries = ["one", "two"] } = error.details;
      assertEquals(entries, ["one", "two"], String(swapped));
    }
  });
});

describe("a directory that is swapped during its listing", () => {
  const inner = memoryFs({ "/ws/d/one": "", "/ws/d/two": "" });
  let ctimeMs = 0;
  /** While it is swapped, the calls in `act` meet the other directory. */
  function listedFs(act: Partial<FsPort>): FsPort {
    return {
      ...inner,
      lstat: async (path) => ({
        ...await (act.lstat ?? inner.lstat)(path, "last"),
        ...{ fixed: false, mtimeMs: ctimeMs, ctimeMs },
      }),
      list: act.list ?? inner.list!,
    };
  }
  const rows: Readonly<Record<string, (isSwapped: () => boolean) => FsPort>> = {
    "has fewer names": (isSwapped) =>
      listedFs({
        list: (path, most) =>
          isSwapped()
            ? [{ name: "one", kind: "file" }]
            : inner.list!(path, most),
      }),
    "has other names": (isSwapped) =>
      listedFs({
        list: (path, most) =>
          isSwapped()
            ? [{ name: "SECRET", kind: "file" }, {
              name: "\ufffd",
              kind: "file",
            }]
            : inner.list!(path, most),
      }),
    "may not be read": (isSwapped) =>
      listedFs({
        list(path, most) {
          if (isSwapped()) throw failure("EACCES");
          return inner.list!(path, most);
        },
      }),
    "may not be entered": (isSwapped) =>
      listedFs({
        lstat(path, role) {
          if (/\/(one|two)$/.test(path) && isSwapped()) throw failure("EACCES");
          return inner.lstat(path, role);
        },
      }),
    "lacks a name": (isSwapped) =>
      listedFs({
        lstat(path, role) {
          if (path.endsWith("/two") && isSwapped()) throw failure("ENOENT");
          return inner.lstat(path, role);
        },
      }),
  };
  const cases = Object.entries(rows).flatMap(([name, make]) =>
    ["before", "never before"].map((when) => ({ name, make, when }))
  );
  for (const { name, make, when } of cases) {
    it(`shows nothing of the other directory, which ${name}: swapped ${when}`, async () => {
      for (const swaps of [1, 2]) {
        let left = swaps;
        ctimeMs = when === "before" ? Date.now() : 1_000_000;
        const fs = make(() => {
          const isSwapped = left-- > 0;
          if (isSwapped) ctimeMs = Date.now();
          return isSwapped;
        });
        const workspace = await openWorkspace("/ws", { fs });
        const { entries, omitted } = await workspace.list("d");
        assertEquals(entries.map(({ path }) => path), ["one", "two"]);
        assertEquals(omitted, []);
      }
    });
  }
});

describe("a directory that is swapped for a link to a denied one", () => {
  const inner = memoryFs({
    "/ws/d/f.txt": "INSIDE",
    "/ws/secret/only.txt": "SECRET",
  });
  /** `d` is a link from the `lstat` of the last name until the file is closed. */
  function swappedFs(): FsPort {
    let isSwapped = false;
    const fresh = { fixed: false, ctimeMs: Date.now() };
    return {
      ...inner,
      lstat: async (path) => {
        if (path.startsWith("/ws/d/")) isSwapped = true;
        const real = path.replace("/ws/d/", "/ws/secret/");
        const isLink = path === "/ws/d" && isSwapped;
        const link = { kind: "symlink", id: "link" } as const;
        return { ...await inner.lstat(real), ...fresh, ...isLink && link };
      },
      async open(path) {
        const handle = await inner.open(path.replace("/ws/d/", "/ws/secret/"));
        return {
          ...handle,
          close() {
            isSwapped = false;
          },
        };
      },
    };
  }
  for (const denied of ["hide", "refuse"] as const) {
    it(`does not reveal which files the denied directory contains: ${denied}`, async () => {
      const options = { fs: swappedFs(), deny: ["secret"], denied };
      const workspace = await openWorkspace("/ws", options);
      for (const name of ["only.txt", "none.txt"]) {
        const error = await assertRejects(
          () => workspace.open(`d/${name}`),
          ReadFileError,
        );
        assertEquals(error.code, "CHANGED", name);
      }
    });
  }
});

describe("a root that is swapped during reads", () => {
  it("shows no file of another directory, even if the system names open files", async () => {
    let flips = 0;
    let isAttacked = false;
    const isSwapped = () =>
      isAttacked && ++flips * 2654435761 % 2 ** 32 < 2 ** 31;
    const inner = memoryFs({ "/ws/f.txt": "INSIDE" });
    const fs: FsPort = {
      ...inner,
      lstat: async (path, role) => {
        const stat = await inner.lstat(path, role);
        const id = isSwapped() ? `other ${path}` : path;
        return { ...stat, id, fixed: false, mtimeMs: 1, ctimeMs: Date.now() };
      },
      open: async (path) => {
        const isOther = isSwapped();
        const handle = await inner.open(path);
        const read = (buffer: Uint8Array) => {
          assert(!isOther, "a file of another directory was read");
          return buffer.length && 0;
        };
        // The path of the root leads to either directory, alternately.
        const name = () => isSwapped() === isOther ? path : `/old${path}`;
        return { ...handle, read, path: name };
      },
    };
    const workspace = await openWorkspace("/ws", { fs });
    isAttacked = true;
    for (let time = 0; time < 500; time++) {
      try {
        await using file = await workspace.open("f.txt");
        await file.read(new Uint8Array(8), 0);
      } catch (error) {
        assert(error instanceof ReadFileError, String(error));
        assertEquals(error.code, "CHANGED");
      }
    }
  });
});
