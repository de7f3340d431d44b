// Not at the edge: the clock does not advance while a worker runs.
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
import { Call } from "../../../src/core/base/call.ts";
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

/** Slow work in many concurrent calls. */
const WORKS: Readonly<
  Record<string, { fs(): FsPort; paths: readonly string[] }>
> = {
  "one wrong name in a directory of 2,000 names of 250 letters": {
    fs: () => wideFs(LONG_NAMES),
    paths: [WRONG],
  },
  "50 wrong names in a directory of 2,000 names of 250 letters": {
    fs: () => wideFs(LONG_NAMES),
    paths: Array.from({ length: 50 }, (_, at) => `${WRONG}${at}`),
  },
  "50 wrong names in a directory of 100,000 files": {
    fs: () =>
      wideFs(Array.from({ length: 100_000 }, (_, at) => `file${at}.png`)),
    paths: Array.from({ length: 50 }, (_, at) => `nope${at}.ts`),
  },
  "64 files 256 names deep": {
    fs: () => restlessFs(),
    paths: Array.from({ length: 64 }, () => `${DEEP}f`),
  },
  "64 missing files 256 names deep": {
    fs: () => restlessFs(),
    paths: Array.from({ length: 64 }, () => `${DEEP}g`),
  },
  "64 files behind 40 links of many steps": {
    fs: () => restlessFs(LINKS),
    paths: Array.from({ length: 64 }, () => "l39"),
  },
};

/** The longest time between two ticks of a timer. */
async function stallOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 0);
  await work();
  clearInterval(timer);
  look();
  return longest;
}

/** The longest such time of a loop that always yields: the baseline of this machine. */
function bareStall(): Promise<number> {
  return stallOf(async () => {
    const call = new Call("");
    const end = performance.now() + 100;
    while (performance.now() < end) await call.yieldIfDue();
  });
}

const MOST = 6;
const TRIES = 3;

let before = await bareStall();

/** Compares a stall with the baseline before and after it; several times, since the machine may be busy. */
async function assertShort(measure: () => Promise<number>): Promise<void> {
  const ratios: number[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    const time = await measure();
    const after = await bareStall();
    const ratio = time / Math.max(before, after);
    before = after;
    if (ratio <= MOST) return;
    ratios.push(ratio);
  }
  assert(false, `times the stall of a bare loop: ${ratios}`);
}

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

const results = new Map<string, string | null>();
const told = async (work: () => Promise<void>) => {
  try {
    await work();
    return null;
  } catch (error) {
    return String(error);
  }
};

// Runs before the tests, since Bun limits each test to five seconds.
for (const [name, { fs, paths }] of Object.entries(WORKS)) {
  const workspace = await openWorkspace("/ws", { fs: fs() });
  results.set(
    `${name} yield to the event loop`,
    await told(() =>
      assertShort(() => stallOf(() => openAll(workspace, paths)))
    ),
  );
  results.set(
    `${name} end soon after an abort`,
    await told(() =>
      assertShort(async () => {
        const controller = new AbortController();
        let aborted = 0;
        setTimeout(() => {
          aborted = performance.now();
          controller.abort();
        }, 1);
        const codes = await openAll(workspace, paths, controller.signal);
        // Work that ended before the abort has no error.
        if (aborted === 0) return 0;
        assertEquals(
          [...codes].filter((code) => code !== "ok" && code !== "NOT_FOUND"),
          ["ABORTED"],
        );
        return performance.now() - aborted;
      })
    ),
  );
}

describe("a large batch", () => {
  for (const [name, failure] of results) {
    it(name, () => assertEquals(failure, null));
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
