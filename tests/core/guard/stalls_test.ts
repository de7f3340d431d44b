import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileStat,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../../mod.ts";
import { withClock } from "../../support/clock.ts";
import { failure } from "../../support/fake_fs.ts";

/** Names that differ from a misspelled name only at their ends. */
const LONG_NAMES = Array.from(
  { length: 2_000 },
  (_, at) => `${"x".repeat(240)}${String(at).padStart(10, "0")}`,
);
const WRONG = `${"x".repeat(240)}${"y".repeat(10)}`;
const DEEP = "d/".repeat(255);

/**
 * A disk of directories with one file `f`. It changes all the time and cannot name
 * open files, so each open needs a proof by challenges.
 */
function restlessFs(links: Readonly<Record<string, string>> = {}): FsPort {
  const stat = (path: string): FileStat => {
    if (path.endsWith("/g")) throw failure("ENOENT");
    const kind = path.endsWith("/f")
      ? "file"
      : path in links
      ? "symlink"
      : "directory";
    const times = { mtimeMs: 1, ctimeMs: Date.now() };
    return { kind, size: 0, ...times, id: path };
  };
  return {
    realPath: (path) => path,
    lstat: stat,
    readLink: (path) => links[path]!,
    open: (path) => ({
      stat: () => stat(path),
      read: () => 0,
      path: () => undefined,
      close() {},
    }),
  };
}

/** A directory of many files that counts its listings. */
function wideFs(names: readonly string[]): FsPort & { lists: number } {
  const inner = memoryFs({ "/ws/a.txt": "" });
  const port = {
    ...inner,
    lists: 0,
    list(_: string, most: number) {
      port.lists++;
      return names.slice(0, most).map((
        name,
      ) => ({ name, kind: "file" } as const));
    },
  };
  return port;
}

const WAY = "d/../".repeat(12);
const LINKS = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `/ws/l${at}`,
    WAY + (at === 0 ? "f" : `l${at - 1}`),
  ]),
);

interface Batch {
  readonly paths: readonly string[];
  /** How many steps it takes at least: names to compare, or directories to walk. */
  readonly steps: number;
  fs(): FsPort;
}

/** Slow work in many concurrent calls. */
const WORKS: Readonly<Record<string, Batch>> = {
  "one wrong name in a directory of 2,000 names of 250 letters": {
    fs: () => wideFs(LONG_NAMES),
    paths: [WRONG],
    steps: 2_000,
  },
  "50 wrong names in a directory of 2,000 names of 250 letters": {
    fs: () => wideFs(LONG_NAMES),
    paths: Array.from({ length: 50 }, (_, at) => `${WRONG}${at}`),
    steps: 50 * 2_000,
  },
  "50 wrong names in a directory of 100,000 files": {
    fs: () =>
      wideFs(Array.from({ length: 100_000 }, (_, at) => `file${at}.png`)),
    paths: Array.from({ length: 50 }, (_, at) => `nope${at}.ts`),
    steps: 50 * 2_000,
  },
  "64 files 256 names deep": {
    fs: () => restlessFs(),
    paths: Array.from({ length: 64 }, () => `${DEEP}f`),
    steps: 64 * 256 * 2,
  },
  "64 missing files 256 names deep": {
    fs: () => restlessFs(),
    paths: Array.from({ length: 64 }, () => `${DEEP}g`),
    steps: 64 * 256 * 2,
  },
  "64 files behind 40 links of many steps": {
    fs: () => restlessFs(LINKS),
    paths: Array.from({ length: 64 }, () => "l39"),
    steps: 64 * 40 * 24,
  },
};

/** Opens all paths concurrently; returns the codes of the failures. */
async function openAll(
  workspace: Workspace,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const codes = paths.map(async (path) => {
    try {
      await (await workspace.open(path, { signal })).close();
      return "ok";
    } catch (error) {
      return error instanceof ReadFileError ? error.code : String(error);
    }
  });
  return new Set(await Promise.all(codes));
}

describe("a large batch", () => {
  for (const [name, { fs, paths, steps }] of Object.entries(WORKS)) {
    it(`${name}: each step may yield, and ends after an abort`, async () => {
      let looks = 0;
      const look = () => {
        looks++;
        return 0;
      };
      const workspace = await openWorkspace("/ws", { fs: fs() });
      const codes = await withClock(look, () => openAll(workspace, paths));
      assert(!codes.has("ABORTED"));
      assert(looks >= steps, `${looks} looks at the clock`);

      const controller = new AbortController();
      const { signal } = controller;
      const half = Math.floor(looks / 2);
      let again = 0;
      const abort = () => {
        if (++again === half) controller.abort();
        return 0;
      };
      const other = await openWorkspace("/ws", { fs: fs() });
      const ended = await withClock(abort, () => openAll(other, paths, signal));
      assertEquals([...ended], ["ABORTED"]);
      // Each of the calls looks only a few times more.
      assert(again - half <= 2 * paths.length, `${again - half} looks`);
    });
  }
  it("lists a directory once", async () => {
    const fs = wideFs(["one.txt"]);
    const workspace = await openWorkspace("/ws", { fs });
    const requests = Array.from(
      { length: 50 },
      (_, at) => ({ path: `on${at}` }),
    );
    const answers = await workspace.readMany(requests);
    assert(answers.every(({ kind }) => kind === "error"));
    assertEquals(fs.lists, 1);
    await openAll(workspace, ["later"]);
    assertEquals(fs.lists, 2);
  });
});
