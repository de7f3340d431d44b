// Not at the edge: it measures time, which stands still there.
import { assertEquals, assertLess } from "@std/assert";
import { describe, it } from "node:test";
import { denialOnTheWay, readDenyRules } from "../../../src/core/guard/deny.ts";

/** How often the work of an ordinary rule another may take. */
const MOST_TIMES = 200;
const RUNS = 5;

/** The least of some times that it takes to ask about a path, and all on the way to it. */
function timeOf(glob: string, path: string): number {
  const rules = [readDenyRules("/ws", [glob], "refuse")];
  const times = Array.from({ length: RUNS }, () => {
    const began = performance.now();
    assertEquals(denialOnTheWay(rules, path), undefined, glob);
    return performance.now() - began;
  });
  return Math.min(...times);
}

const NAMES = `/ws/${"a/".repeat(1000)}x`;
const ACCENTED = `/ws/\u00e9/${"a/".repeat(1000)}x`;
const LONG_NAMES = `/ws/${`${"a".repeat(250)}/`.repeat(15)}x`;

describe("a bad glob", () => {
  for (
    const [glob, path] of [
      ["**/a/**/b", NAMES],
      ["**/a/**/b", ACCENTED],
      ["**/*(a)b", ACCENTED],
      ["**/a/**/a/**/a/**/a/**/a/**/b", NAMES],
      ["a/**/a/**/a/**/a/**/a/**/b/**", NAMES],
      ["**/{a/**,b}/a/{**/a,c}/**/b", NAMES],
      ["*a*a*a*a*a*a*a*a*a*b", LONG_NAMES],
      ["**/*a*a*a*a*a*b", LONG_NAMES],
      ["**/+(a|aa)+(a|aa)b", LONG_NAMES],
      ["**/*(*(*(a)))b", LONG_NAMES],
      [`**/${"?(a)".repeat(40)}b`, LONG_NAMES],
    ] as const
  ) {
    it(`takes no more time than ${MOST_TIMES} ordinary ones: ${glob.slice(0, 40)}`, () => {
      const times = timeOf(glob, path) / timeOf("**/*.b", path);
      assertLess(times, MOST_TIMES);
    });
  }
});
