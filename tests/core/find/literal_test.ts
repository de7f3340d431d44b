/** A text is found in linear time, also where it nearly matches everywhere. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { runAtOnce } from "../../../src/core/base/call.ts";
import { refuseMistake } from "../../../src/core/base/check.ts";
import { matcherOf } from "../../../src/core/find/query.ts";
import { plainKernel } from "../../../src/core/lines/scan.ts";
import { Random, SEED } from "../../support/random.ts";

const encoder = new TextEncoder();

/** The positions at which a text begins, found in parts, and how many bytes were read. */
function search(
  match: string,
  content: string,
  { part = Infinity, counts = false } = {},
) {
  const matcher = runAtOnce(matcherOf({ match }, refuseMistake("no")));
  const bytes = encoder.encode(content);
  const kernel = plainKernel(bytes.length);
  kernel.buffer.set(bytes);
  let reads = 0;
  const counting = {
    ...kernel,
    buffer: new Proxy(kernel.buffer, {
      get(buffer, name) {
        reads++;
        const value = Reflect.get(buffer, name);
        return typeof value === "function" ? value.bind(buffer) : value;
      },
    }),
  };
  const hits: number[] = [];
  let to = 0;
  for (let at = 0;;) {
    to = Math.min(bytes.length, Math.max(to, at + part));
    const used = counts ? counting : kernel;
    const found = matcher.feed(used, at, to, to === bytes.length);
    if (found >= 0) hits.push(found);
    else if (to === bytes.length && ~found === to) break;
    // Called again, it makes progress, or needs more bytes.
    else if (~found === at) to++;
    at = found < 0 ? ~found : found + 1;
  }
  return { hits, reads };
}

/** The same, by looking everywhere. */
function naive(match: string, content: string): readonly number[] {
  const hits: number[] = [];
  for (let at = 0; (at = content.indexOf(match, at)) >= 0; at++) {
    const isEnding = match.endsWith("\r") &&
      content[at + match.length] === "\n";
    if (!isEnding) hits.push(at);
  }
  return hits;
}

describe("the search for a text", () => {
  it("finds the same, however much of it nearly matches", () => {
    const random = new Random(SEED);
    for (let round = 0; round < 40; round++) {
      const letters = random.pick(["a", "aaaaaaab", "ab", "a\r", "ab\r\n"]);
      const draw = (length: number) =>
        Array.from({ length }, () => random.pick([...letters])).join("");
      const match = draw(random.pick([1, 2, 3, 8, 40])).replaceAll("\n", "b");
      const content = draw(15_000) + match + draw(random.pick([0, 1, 50]));
      const part = random.pick([7, 1000, Infinity]);
      const { hits } = search(match, content, { part });
      assertEquals(hits, naive(match, content), JSON.stringify(match));
    }
  });
  for (
    const [what, match, content] of [
      ["no hit", "a".repeat(899) + "b", "a".repeat(200_000)],
      ["carriage returns", "\r".repeat(899) + "x", "\r".repeat(200_000)],
      [
        "a letter in the middle",
        `${"a".repeat(450)}b${"a".repeat(449)}`,
        "a".repeat(200_000),
      ],
      [
        "a hit at the end of each line",
        "a".repeat(899) + "b",
        ("a".repeat(4_000) + "b\n").repeat(50),
      ],
      ["line endings", "\r".repeat(900), ("\r".repeat(900) + "\n").repeat(200)],
      ["pairs", "ab".repeat(400) + "aa", "ab".repeat(100_000)],
    ] as const
  ) {
    it(`reads each byte a few times: ${what}`, () => {
      const { hits, reads } = search(match, content, { counts: true });
      assertEquals(hits, naive(match, content));
      const most = 12 * content.length + 1_000_000;
      assert(reads < most, `${reads} reads of ${content.length} bytes`);
    });
  }
});
