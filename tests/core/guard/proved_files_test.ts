import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileStat,
  type FsPort,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../../mod.ts";
import { questionsOf } from "../../../src/core/guard/proof.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { nameless, withStats } from "../../support/fake_fs.ts";
import { TREE } from "../../support/small_tree.ts";

/** Older than the resolution of a disk's clock. */
const OLD = { mtimeMs: 1_000_000, ctimeMs: 1_000_000 } as const;

/** How many `lstat` calls a walk to `d/f.txt` makes, without a proof. */
const WALK = 2;
/** One `lstat` each of the root, the directory and the file shows that none was moved. */
const LOOK = 3;
const PROOF = questionsOf(3);

/** A disk that does not name open files; `facts` changes the stat of its file. It counts calls. */
function disk(facts: () => Partial<FileStat>) {
  let questions = 0;
  const told = withStats(
    nameless(TREE),
    ({ kind }) => kind === "file" ? { ...OLD, ...facts() } : {},
  );
  const fs: FsPort = {
    ...told,
    lstat: (path, role) => (questions++, told.lstat(path, role)),
  };
  const costOf = async (workspace: Workspace) => {
    questions = 0;
    await (await workspace.open("d/f.txt")).close();
    return questions;
  };
  return { fs, costOf };
}

describe("a file with a proof that it is inside", () => {
  it("is not proved again if nothing about it changed", async () => {
    const { fs, costOf } = disk(() => ({}));
    const workspace = await openWorkspace("/ws", { fs });
    assertEquals(await costOf(workspace), WALK + PROOF);
    assertEquals(await costOf(workspace), WALK + LOOK);
  });

  const changes: Readonly<Record<string, Partial<FileStat>>> = {
    "its content": { mtimeMs: 1_000_001, ctimeMs: 1_000_001 },
    "its name or place": { ctimeMs: 1_000_001 },
    "the file": { id: "another" },
    "its size": { size: 5 },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`is proved again after a change of ${what}`, async () => {
      let now: Partial<FileStat> = {};
      const { fs, costOf } = disk(() => now);
      const workspace = await openWorkspace("/ws", { fs });
      await costOf(workspace);
      now = change;
      assertEquals(await costOf(workspace), WALK + PROOF);
    });
  }

  const unproven: Readonly<Record<string, () => Partial<FileStat>>> = {
    "changed within the resolution of the clock": () => ({
      ctimeMs: Date.now(),
    }),
    "was written within the resolution of the clock": () => ({
      mtimeMs: Date.now(),
    }),
    "has a change in the future": () => ({ ctimeMs: Date.now() + 60_000 }),
    "has no ctime": () => ({ ctimeMs: null }),
    "has no mtime": () => ({ mtimeMs: null }),
  };
  for (const [what, facts] of Object.entries(unproven)) {
    it(`is proved each time if it ${what}`, async () => {
      const told = facts();
      const { fs, costOf } = disk(() => told);
      const workspace = await openWorkspace("/ws", { fs });
      assertEquals(await costOf(workspace), WALK + PROOF);
      assertEquals(await costOf(workspace), WALK + PROOF);
    });
  }

  it("is proved again for each root, since rules differ", async () => {
    const { fs, costOf } = disk(() => ({}));
    const workspace = await openWorkspace("/ws", { fs });
    await costOf(workspace);
    const narrow = await workspace.narrow({ deny: ["x"] });
    assertEquals(await costOf(narrow), WALK + PROOF);
    const denied = await workspace.narrow({ deny: ["d/*"] });
    const error = await assertRejects(
      () => denied.read("d/f.txt"),
      ReadFileError,
    );
    assertEquals(error.code, "POLICY_DENIED");
  });
  it("is not cached if the proof failed", async () => {
    let isOutside = true;
    const { fs } = disk(() => ({}));
    let proving = false;
    const swapped: FsPort = {
      ...fs,
      async lstat(path, role) {
        const stat = await fs.lstat(path, role);
        const isHidden = proving && isOutside && path === "/ws/d";
        return isHidden ? { ...stat, kind: "symlink" } : stat;
      },
      async open(path) {
        const handle = await fs.open(path);
        proving = true;
        const close = () => (proving = false, handle.close());
        return { ...handle, close };
      },
    };
    const workspace = await openWorkspace("/ws", { fs: swapped });
    for (let time = 0; time < 2; time++) {
      const error = await assertRejects(
        () => workspace.read("d/f.txt"),
        ReadFileError,
      );
      assertEquals(error.code, "CHANGED");
    }
    isOutside = false;
    assert(await workspace.read("d/f.txt"));
  });
});

describe("a file below a root that was renamed just now", () => {
  /** How many calls each of three `open` calls makes, if the root has these ctimes. */
  async function callsOf(ctimeOf: (opening: number) => number) {
    let opening = 0;
    const counted = countingFs(
      withStats(TREE, ({ kind }) => {
        const ctimeMs = ctimeOf(opening);
        if (kind !== "directory") return OLD;
        return { fixed: false, mtimeMs: ctimeMs, ctimeMs };
      }),
    );
    const workspace = await openWorkspace("/ws", { fs: counted });
    const all: number[] = [];
    for (; opening < 3; opening++) {
      counted.counts.calls = 0;
      await (await workspace.open("d/f.txt")).close();
      all.push(counted.counts.calls);
    }
    return all;
  }

  it("is proved again after each rename of the root, even if the system names open files", async () => {
    for (const calls of await callsOf((opening) => Date.now() + opening)) {
      assert(calls >= questionsOf(2), `${calls} calls`);
    }
  });
  it("is proved once while the root stays", async () => {
    // At the edge the clock stands at zero while modules load.
    const renamed = Date.now();
    const [first = 0, ...later] = await callsOf(() => renamed);
    assert(first >= questionsOf(2), `${first} calls`);
    for (const calls of later) assert(calls < questionsOf(2), `${calls} calls`);
  });
  it("is refused if the swaps are synchronized with a thread pool", async () => {
    const workspace = await openWorkspace("/ws", { fs: inStepFs() });
    for (let times = 0; times < 20; times++) {
      const error = await assertRejects(
        () => workspace.open("d/f.txt"),
        ReadFileError,
      );
      assertEquals(error.code, "CHANGED");
    }
  });
});

/**
 * A disk that swaps its root with another directory at each tick. Its thread pool
 * has one thread: `lstat` takes one tick, the path of an open file two. A question
 * that finds the thread idle starts at an even tick. Asked alone, each question
 * would always get the answer that passes.
 */
function inStepFs(): FsPort {
  const young = () => ({
    ...{ fixed: false, mtimeMs: Date.now(), ctimeMs: Date.now() },
  });
  const fs = withStats(TREE, young);
  let ticks = 0;
  let waiting = 0;
  let isProving = false;
  /** Whether the other directory is at the path of the root when the answer is found. */
  const isSwapped = async (duration: number) => {
    if (waiting++ === 0) ticks += ticks % 2;
    ticks += duration;
    const answer = ticks % 2 === 0;
    // The answer of a thread is an event.
    await new Promise((resolve) => setTimeout(resolve, 0));
    waiting--;
    return answer;
  };
  return {
    ...fs,
    async lstat(path, role) {
      const stat = await fs.lstat(path, role);
      const isOther = isProving && await isSwapped(1);
      return isOther ? { ...stat, id: "another" } : stat;
    },
    async open(path) {
      const handle = await fs.open(path);
      isProving = true;
      return {
        ...handle,
        path: async () => await isSwapped(2) ? path : `/other${path}`,
        close: () => (isProving = false, handle.close()),
      };
    },
  };
}
