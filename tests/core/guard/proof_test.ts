import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  readFile,
  ReadFileError,
} from "../../../mod.ts";
import { questionsOf } from "../../../src/core/guard/proof.ts";
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
  it("makes no further call", async () => {
    const fs = countingFs(TREE);
    await read(fs);
    const challenged = countingFs(nameless(TREE));
    await read(challenged);
    assert(challenged.counts.calls > fs.counts.calls + 32);
    assert(fs.counts.calls < 12, `${fs.counts.calls} calls`);
  });
  it("fails where the system does not name the file", async () => {
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
  it("asks until a guess succeeds with a probability of at most 2 to the -32", () => {
    for (let places = 2; places <= 200; places++) {
      const bits = questionsOf(places) * Math.log2(places / (places - 1));
      assert(bits >= 32, `${bits} bits for ${places} places`);
    }
    assertEquals(questionsOf(1), 1);
  });
  it("draws each question from all steps of the trail", async () => {
    const asked: string[] = [];
    const fs = nameless({
      ...TREE,
      lstat(path) {
        asked.push(path);
        return TREE.lstat(path);
      },
    });
    await read(fs);
    // The root when it was named, and the walk.
    const questions = asked.slice(3);
    assertEquals(questions.length, questionsOf(3));
    // By chance one is left out: once in a thousand million.
    const places = [...new Set(questions)].toSorted();
    assertEquals(places, ["/ws", "/ws/d", "/ws/d/f.txt"]);
    // If three questions were asked in a fixed order, the last would be known.
    const rounds = Array.from(
      { length: Math.floor(questions.length / 3) },
      (_, round) => new Set(questions.slice(3 * round, 3 * round + 3)),
    );
    assert(rounds.some(({ size }) => size < 3), "all places take their turn");
  });
  it("does not follow Math.random()", async () => {
    const { random } = Math;
    try {
      Math.random = () => {
        throw new Error("it can be predicted");
      };
      assertEquals(await read(nameless(TREE)), "INSIDE");
    } finally {
      Math.random = random;
    }
  });

  /** Guesses the order of each round: the file is the question at `turn`. */
  const guess = (turn: number): Swapper => (question) =>
    question % 3 === turn ? "swapped" : "real";
  const swappers: Readonly<Record<string, Swapper>> = {
    "that puts all back": () => "real",
    "that puts nothing back": () => "swapped",
    "that guesses the way down": guess(2),
    "that guesses the way up": guess(0),
    "that guesses the middle": guess(1),
    "that swaps at each question": (question) =>
      question % 2 === 0 ? "real" : "swapped",
    "that swaps at will": () => Math.random() < 0.5 ? "real" : "swapped",
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
    // Not a link at all: the directory outside was put in the place of the other.
    const other = withStats(
      TREE,
      ({ kind, id }) => kind === "directory" ? { id: `${id} moved` } : {},
    );
    const fs = swappingFs(TREE, other, () => "swapped");
    assertEquals((await refusal(fs, TRIES)).code, "CHANGED");
  });
  it("asks about the directories above a narrowed root, if directories have no identity", async () => {
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
      () => readFile(narrowed, "f.txt"),
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
