import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileStat,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../../mod.ts";
import { CLOCK_GRAIN_MS } from "../../../src/core/base/limits.ts";
import { isAtRest, questionsOf } from "../../../src/core/guard/proof.ts";
import { countingFs } from "../../support/counting_fs.ts";
import {
  failure,
  nameless,
  type Swapper,
  swappingFs,
  withHandles,
  withStats,
} from "../../support/fake_fs.ts";
import {
  read,
  refusal,
  SWAPPED,
  TREE,
  TRIES,
} from "../../support/small_tree.ts";

describe("the proof by name", () => {
  const named = (name: string | undefined) =>
    withHandles(TREE, () => ({ path: () => name }));

  for (
    const name of [
      "/ws-evil/f.txt",
      "/ws",
      "/",
      "/ws/d/f\ufffd.txt",
      "(unreachable)/ws/d/f.txt",
      "pipe:[4711]",
      "",
    ]
  ) {
    it(`refuses a file that the system calls ${JSON.stringify(name)}`, async () => {
      const error = await refusal(named(name), TRIES);
      assert(error.is("CHANGED"));
      assertEquals(error.details.how, "path");
    });
  }
  it("accepts a file that was renamed or deleted inside", async () => {
    assertEquals(await read(named("/ws/other.txt")), "INSIDE");
    assertEquals(await read(named("/ws/d/f.txt (deleted)")), "INSIDE");
  });
  it("makes no additional calls", async () => {
    const fs = countingFs(TREE);
    await read(fs);
    const challenged = countingFs(nameless(TREE));
    await read(challenged);
    assert(challenged.counts.calls > fs.counts.calls + 32);
    assert(fs.counts.calls < 12, `${fs.counts.calls} calls`);
  });
  it("fails if the system fails to name the file", async () => {
    const path = () => Promise.reject(failure("EIO"));
    const error = await refusal(withHandles(TREE, () => ({ path })), 1);
    assert(error.is("IO"));
    assertEquals(error.details.errno, "EIO");
  });
});

describe("the proof by challenges", () => {
  it("passes in a quiet tree, also through a link", async () => {
    assertEquals(await read(nameless(TREE)), "INSIDE");
    assertEquals(await read(nameless(TREE), "l"), "INSIDE");
  });
  it("asks until the probability of guessing right is at most 2 to the -32", () => {
    for (let choices = 2; choices <= 200; choices++) {
      const bits = questionsOf(choices) * Math.log2(choices / (choices - 1));
      assert(bits >= 32, `${bits} bits for ${choices} choices`);
    }
    assertEquals(questionsOf(1), 1);
  });
  it("draws each question from all steps of the path", async () => {
    const asked: string[] = [];
    const fs = nameless({
      ...TREE,
      lstat(path) {
        asked.push(path);
        return TREE.lstat(path);
      },
    });
    await read(fs);
    // The first calls stat the root and walk.
    const questions = asked.slice(3);
    assertEquals(questions.length, questionsOf(3));
    // Fails by chance once in 10 to the 9, if one path is never drawn.
    const places = [...new Set(questions)].toSorted();
    assertEquals(places, ["/ws", "/ws/d", "/ws/d/f.txt"]);
    // A fixed order within three questions would make the last one predictable.
    const rounds = Array.from(
      { length: Math.floor(questions.length / 3) },
      (_, round) => new Set(questions.slice(3 * round, 3 * round + 3)),
    );
    assert(
      rounds.some(({ size }) => size < 3),
      "every round asks about all paths",
    );
  });
  it("does not follow Math.random()", async () => {
    const { random } = Math;
    try {
      Math.random = () => {
        throw new Error("Math.random() was called");
      };
      assertEquals(await read(nameless(TREE)), "INSIDE");
    } finally {
      Math.random = random;
    }
  });

  /** Guesses the order of each round: question `turn` is about the file. */
  const guess = (turn: number): Swapper => (question) =>
    question % 3 === turn ? "swapped" : "real";
  const swappers: Readonly<Record<string, Swapper>> = {
    "who swaps the real tree back": () => "real",
    "who leaves the trees swapped": () => "swapped",
    "who guesses questions from the root down": guess(2),
    "who guesses questions from the file up": guess(0),
    "who guesses that the file comes second": guess(1),
    "who swaps at each question": (question) =>
      question % 2 === 0 ? "real" : "swapped",
    "who swaps at random": () => Math.random() < 0.5 ? "real" : "swapped",
  };
  for (const [name, swapper] of Object.entries(swappers)) {
    it(`refuses an attacker ${name}`, async () => {
      const fs = swappingFs(TREE, SWAPPED, swapper);
      assertEquals((await refusal(fs, TRIES)).code, "CHANGED");
    });
    it(`refuses an attacker ${name}, if directories have no identity`, async () => {
      const anonymous = (fs: FsPort) =>
        withStats(fs, ({ kind, id }) => ({ id: kind === "file" ? id : null }));
      const fs = swappingFs(anonymous(TREE), anonymous(SWAPPED), swapper);
      assertEquals((await refusal(fs, TRIES)).code, "CHANGED");
    });
  }
  it("refuses another directory of the same name", async () => {
    // This directory is not a link: it was moved to the path of the other.
    const other = withStats(
      TREE,
      ({ kind, id }) => kind === "directory" ? { id: `${id} moved` } : {},
    );
    const fs = swappingFs(TREE, other, () => "swapped");
    assertEquals((await refusal(fs, TRIES)).code, "CHANGED");
  });
  it("asks about the directories above a narrowed root if directories have no identity", async () => {
    const anonymous = (fs: FsPort) =>
      withStats(fs, ({ kind, id }) => ({ id: kind === "file" ? id : null }));
    const real = memoryFs({ "/ws/a/d/f.txt": "INSIDE" });
    const swapped = memoryFs({
      "/ws/a": { link: "../out" },
      "/out/d/f.txt": "SECRET",
    });
    const fs = swappingFs(anonymous(real), anonymous(swapped), () => "swapped");
    const workspace = await openWorkspace("/ws", { fs });
    const narrowed = await workspace.narrow({ root: "a/d" });
    const error = await assertRejects(
      () => narrowed.read("f.txt"),
      ReadFileError,
    );
    assertEquals(error.code, "CHANGED");
  });
  it("refuses a file if neither names nor identities are known", async () => {
    const fs = nameless(withStats(TREE, () => ({ id: null })));
    const error = await refusal(fs, 1);
    assert(error.is("IO"));
    assertEquals([error.details.errno, error.details.passing], [null, false]);
    assertStringIncludes(String(error.hint), "neither names nor");
  });
  it("treats a vanished path as a change", async () => {
    for (const code of ["ENOENT", "ENOTDIR"]) {
      let proving = false;
      const fs = withHandles({
        ...TREE,
        lstat(path) {
          if (proving && path === "/ws/d") throw failure(code);
          return TREE.lstat(path);
        },
      }, (handle) => ({
        path: () => void (proving = true),
        close() {
          proving = false;
          return handle.close();
        },
      }));
      assertEquals((await refusal(fs, TRIES)).code, "CHANGED");
    }
  });
});

describe("the proof through a layer, which answers later", () => {
  /** Reads a file whose root changed recently; records in which order the disk is asked. */
  async function orderOf(isLater: boolean): Promise<string> {
    let order = "";
    const fs = withHandles({
      ...TREE,
      lstat(path, role) {
        const { fixed: _, ...known } = TREE.lstat(path, role) as FileStat;
        const look = () => {
          order += "s";
          return { ...known, ctimeMs: Date.now() };
        };
        return isLater ? after(20).then(look) : look();
      },
    }, () => ({ path: () => (order += "n", "/ws/d/f.txt") }));
    const workspace = await openWorkspace("/ws", { fs });
    order = "";
    await workspace.read("d/f.txt");
    return order;
  }
  async function after(turns: number): Promise<void> {
    while (turns-- > 0) await undefined;
  }
  for (const isLater of [true, false]) {
    it(`asks for names and stats in random order, ${isLater ? "later" : "at once"}`, async () => {
      let changes = 0;
      for (let reads = 0; reads < 4; reads++) {
        changes += (await orderOf(isLater)).split("sn").length - 1;
      }
      // If eight were asked at once, the names would come before the stats: at most
      // 5 changes a read. A random order has so few only once in 10 to the 9.
      assert(changes > 4 * 5, `${changes} changes`);
    });
  }
});

describe("isAtRest()", () => {
  const STAT: FileStat = {
    kind: "file",
    size: 1,
    mtimeMs: 1,
    ctimeMs: 1,
    id: "x",
  };

  it("is false for a change within the resolution of the clock", () => {
    const changed = { ...STAT, mtimeMs: 1_000, ctimeMs: 1_000 };
    const grain = 1_000 + CLOCK_GRAIN_MS;
    const remote = { ...changed, ctimeMs: null, remote: true };
    for (const stat of [changed, remote]) {
      assertEquals(isAtRest(stat, grain), false);
      assertEquals(isAtRest(stat, grain + 1), true);
    }
    assertEquals(isAtRest({ ...changed, mtimeMs: null }, 1e9), false);
  });
  it("does not trust a time that a later change may still get", () => {
    // FAT rounds to two seconds, and a kernel at 100 Hz is late by one tick.
    const [step, tick] = [2000, 10];
    const late = (now: number, phase: number) =>
      Math.floor((now - phase) / tick) * tick + phase;
    for (let now = 5 * step; now < 7 * step; now++) {
      for (let phase = 0; phase < tick; phase++) {
        const time = Math.floor(late(now, phase) / step) * step;
        const changed = { ...STAT, mtimeMs: time, ctimeMs: time };
        assertEquals(isAtRest(changed, now), false, `${now}, ${phase}`);
      }
    }
  });
  it("trusts a time in the future if it was set long ago", () => {
    const now = 1e9;
    const toCome = { ...STAT, mtimeMs: now + 1 };
    assertEquals(isAtRest({ ...toCome, ctimeMs: 1 }, now), true);
    assertEquals(isAtRest({ ...toCome, ctimeMs: now }, now), false);
    assertEquals(isAtRest({ ...toCome, ctimeMs: null }, now), false);
  });
  it("is false without a ctime: the mtime may have been set back", () => {
    assertEquals(isAtRest({ ...STAT, ctimeMs: null }, 1e9), false);
  });
  it("does not trust an invalid time", () => {
    for (const mtimeMs of [Infinity, -Infinity, NaN, 1e300, -1e300]) {
      assertEquals(isAtRest({ ...STAT, mtimeMs }, 1e9), false, `${mtimeMs}`);
    }
    for (const ctimeMs of [Infinity, NaN]) {
      assertEquals(isAtRest({ ...STAT, ctimeMs }, 1e9), false, `${ctimeMs}`);
    }
  });
});
