// Not at the edge: the clock does not advance there.
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { denialOf, readDenyRules } from "../../../src/core/guard/deny.ts";
import { readGlob } from "../../../src/core/guard/glob.ts";
import { SECRET_FILES } from "../../../src/core/guard/secret_files.ts";
import { assertTimes } from "../../support/growth.ts";

/** A bad rule may take this many times as long as an ordinary rule. */
const MOST_TIMES = 200;

/** A walk with new rules, which match each directory of the path. */
function walk(globs: readonly string[], path: string): () => void {
  const names = path.split("/");
  return () => {
    const sets = [readDenyRules("/ws", globs, "refuse")];
    let at = "/ws";
    for (const name of names) {
      at = `${at}/${name}`;
      assertEquals(denialOf(sets, at), undefined);
    }
  };
}

const NAMES = `${"a/".repeat(1000)}x`;
const ACCENTED = `\u00e9/${"a/".repeat(1000)}x`;
const LONG_NAMES = `${`${"a".repeat(250)}/`.repeat(15)}x`;

describe("a bad glob", () => {
  for (
    const [glob, path] of [
      ["**/a/**/b", NAMES],
      ["**/a/**/b", ACCENTED],
      ["**/a/**/a/**/a/**/a/**/a/**/b", NAMES],
      ["a/**/a/**/a/**/a/**/a/**/b/**", NAMES],
      ["**/{a/**,b}/a/{**/a,c}/**/b", NAMES],
      ["*a*a*a*a*a*a*a*a*a*b", LONG_NAMES],
      ["**/*a*a*a*a*a*b", LONG_NAMES],
      ["**/*?a?*?a?*?a?*b*", LONG_NAMES],
      [`**/${"?(a)".repeat(10)}b`, LONG_NAMES],
      [`**/*${"[ab]".repeat(100)}*[!a]`, LONG_NAMES],
    ] as const
  ) {
    it(`takes at most the time of ${MOST_TIMES} ordinary ones: ${glob.slice(0, 40)}`, async () => {
      const usual = walk(["**/*.b"], path);
      await assertTimes(MOST_TIMES, walk([glob], path), usual);
    });
  }
});

describe("the time to read a glob", () => {
  it("grows with its length", async () => {
    const read = (size: number) => () => {
      for (let left = 40_960; left > 0; left -= size) {
        readGlob("?".repeat(size));
      }
    };
    // If reading took quadratic time, long globs would take 64 times as long.
    await assertTimes(8, read(4096), read(64));
  });
});

describe("the time for deny rules", () => {
  const path = Array.from({ length: 40 }, (_, at) => `dir${at}`).join("/");
  /** How many times as long ten times the work takes: 10 if it is linear, 100 if it is quadratic. */
  const MOST_OF_TENFOLD = 40;
  for (
    const [kind, globOf] of [
      ["names", (at: number) => `**/name${at}/**`],
      ["parts of names", (at: number) => `**/*x${at}*`],
      ["many stars", (at: number) => `**/d*/**/*${at}x*/**/q`],
    ] as const
  ) {
    it(`grows with their number: ${kind}`, async () => {
      // Few enough for a run that other work on the machine does not interrupt.
      const globs = Array.from({ length: 300 }, (_, at) => globOf(at));
      const few = walk(globs.slice(0, 30), path);
      await assertTimes(MOST_OF_TENFOLD, walk(globs, path), few);
    });
  }
  it("grows with the number of names in the path", async () => {
    const names = (count: number) =>
      Array.from({ length: count }, (_, at) => `dir${at}`).join("/");
    const many = walk(SECRET_FILES, names(400));
    await assertTimes(MOST_OF_TENFOLD, many, walk(SECRET_FILES, names(40)));
  });
});
