import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, ReadFileError } from "../../../mod.ts";
import { runAtOnce } from "../../../src/core/base/call.ts";
import { parsePattern, PatternError } from "../../../src/core/find/pattern.ts";
import { compile } from "../../../src/core/find/program.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { Random } from "../../support/random.ts";
import { draws } from "../../support/share.ts";

/** The largest program, and the visited nodes that it may cost. */
const MOST_STEPS = 4000;
const MOST_VISITS = 50_000;

/** Compiles a pattern; returns how many steps it has, and how many nodes were visited. */
function sizeOf(pattern: string, ignoreCase = false) {
  let visits = 0;
  const node = parsePattern(pattern);
  const counted = new Map<object, object>();
  /** Counts each look at the kind of a node. */
  const count = <T extends object>(value: T): T => {
    const known = counted.get(value);
    if (known !== undefined) return known as T;
    const proxy = new Proxy(value, {
      get(target, name) {
        if (name === "kind") visits++;
        const inner: unknown = Reflect.get(target, name);
        const isNode = name === "node" || name === "nodes" ||
          Array.isArray(target) && typeof inner === "object";
        return isNode ? count(inner as object) : inner;
      },
    });
    counted.set(value, proxy);
    return proxy;
  };
  const { kinds } = runAtOnce(compile(count(node), ignoreCase));
  return { steps: kinds.length, visits };
}

/** Patterns of groups that take no text, or nearly none, repeated inside each other. */
const EMPTY_REPEATS = [
  "((((){1000}){1000}){1000}){1000}",
  "((((a{0}){1000}){1000}){1000}){1000}",
  "((((a{0}){0,1000}){0,1000}){0,1000}){0,1000}",
  "(((((){0,1000}){1000}){0,1000}){1000})*",
  "((((()*){1000})+){1000})?",
];

describe("a pattern of many repetitions", () => {
  for (const pattern of EMPTY_REPEATS) {
    it(`compiles at once, if what it repeats takes no text: ${pattern}`, () => {
      const { steps, visits } = sizeOf(pattern);
      assert(steps < 20 && visits < 100, `${steps} steps, ${visits} visits`);
    });
  }

  it("is refused if it visits many nodes that add no step", () => {
    const pattern = `(a${"()".repeat(300)}){1000}`;
    const error = assertThrowsPattern(pattern);
    assertEquals(error.message, "is too large; repeat less in it");
  });

  const { seed, numRuns } = draws(100_000, 2000);
  it(`compiles within bounds, or is refused (seed ${seed})`, () => {
    const random = new Random(seed);
    for (let round = 0; round < numRuns; round++) {
      const pattern = randomRepeats(random);
      try {
        const { steps, visits } = sizeOf(pattern);
        assert(steps <= MOST_STEPS, `/${pattern}/: ${steps} steps`);
        assert(visits <= MOST_VISITS + 5000, `/${pattern}/: ${visits} visits`);
      } catch (error) {
        assert(error instanceof PatternError, `/${pattern}/: ${error}`);
      }
    }
  });

  it("compiles in steps, between which a signal is obeyed", async () => {
    // Each set is another one, and needs the other cases of thousands of letters.
    const match = Array.from(
      { length: 60 },
      (_, at) => `[\\x80-\\u${(0xf000 + at).toString(16)}]`,
    ).join("|");
    const { signal } = new AbortController();
    let looks = 0;
    const abortsLater = new Proxy(signal, {
      get: (target, name) =>
        name === "aborted" ? ++looks > 50 : Reflect.get(target, name),
    });
    const fs = countingFs(memoryFs({ "/a.txt": "a" }));
    const workspace = await openWorkspace("/", { fs });
    const options = { match, regex: true, ignoreCase: true };
    const error = await assertRejects(
      () => workspace.read("a.txt", options, { signal: abortsLater }),
      ReadFileError,
    );
    assertEquals([error.code, fs.counts.opened], ["ABORTED", 0]);
  });
});

function assertThrowsPattern(pattern: string): PatternError {
  try {
    sizeOf(pattern);
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
  throw new Error(`/${pattern}/ was taken`);
}

/** A pattern of nested groups with large counts, of which many take no text. */
function randomRepeats(random: Random): string {
  const atoms = ["", "", "()", "a", "a{0}", "\\b", "^", ".", "\\W", "[^\\W]"];
  const repeats = ["", "{1000}", "{0}", "{0,1000}", "*", "+", "?", "{3,99}"];
  let pattern = random.pick(atoms);
  for (let depth = random.from(0, 12); depth > 0; depth--) {
    const other = random.pick(atoms).repeat(random.pick([0, 1, 2, 9]));
    const joint = random.pick(["", "", "|"]);
    pattern = `(${pattern}${joint}${other})${random.pick(repeats)}`;
  }
  return pattern;
}
