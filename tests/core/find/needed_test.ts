import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../../mod.ts";
import { runAtOnce } from "../../../src/core/base/call.ts";
import { neededTexts } from "../../../src/core/find/needed.ts";
import { parsePattern } from "../../../src/core/find/pattern.ts";
import { matcherOf } from "../../../src/core/find/query.ts";
import { plainKernel } from "../../../src/core/lines/scan.ts";
import { Random, SEED } from "../../support/random.ts";
import { some } from "../../support/share.ts";

const TEXTS: readonly (readonly [string, readonly string[] | undefined])[] = [
  ["needle", ["needle"]],
  ["^needle\\b.*x$", ["needle"]],
  ["a.*needle\\d+abc", ["needle"]],
  ["(needle)(less)?", ["needle"]],
  ["(?:ab){2,}c", ["abab"]],
  ["(?:ab){2}c", ["ababc"]],
  ["foo|bar(?:x|y)", ["foo", "bar"]],
  ["(foo|ab)\\s+error", ["error"]],
  ["gr\\u00f6\\u00dfe", ["gr\u00f6\u00dfe"]],
  // Nothing is always there, or too little.
  ["ab", undefined],
  ["foo|x", undefined],
  ["(foo)?", undefined],
  ["[fg]oo", undefined],
  [".*", undefined],
  ["", undefined],
  ["one|two|three|four|five", undefined],
  ["foo\\r?", ["foo"]],
  ["ab\\ncd", undefined],
];

const ATOMS = [
  "foo",
  "bar",
  "fo+",
  ".",
  "[a-f]",
  "\\b",
  "o",
  "(foo|bar)",
  "\\s",
  "^",
  "$",
  "x?",
  "(?:fob)+",
  "ö",
];
const WORDS = ["foo", "bar", "fob", "fo", "b", "x", " ", "ö", "", "\r"];

describe("the texts that a pattern needs", () => {
  it("are found in its parts", () => {
    for (const [pattern, texts] of TEXTS) {
      assertEquals([pattern, neededTexts(parsePattern(pattern))], [
        pattern,
        texts,
      ]);
    }
  });

  it("find the same lines as the pattern, whatever the parts that are read", () => {
    const random = new Random(SEED);
    for (let round = 0; round < some(4000, 800); round++) {
      const pattern = Array.from(
        { length: random.from(1, 4) },
        () => random.pick(ATOMS),
      ).join(random.pick(["", "", "|"]));
      const text = Array.from({ length: random.from(0, 12) }, () =>
        Array.from({ length: random.from(0, 5) }, () =>
          random.pick(WORDS)).join("")).join("\n") + random.pick(["", "\n"]);
      const regex = new RegExp(pattern, "u");
      const lines = text.split("\n");
      if (lines.at(-1) === "") {
        lines.pop();
      }
      const wanted = lines.flatMap((line, at) =>
        // A carriage return before a line feed ends the line.
        regex.test(
            at < lines.length - 1 || text.endsWith("\n")
              ? line.replace(/\r$/, "")
              : line,
          )
          ? [at + 1]
          : []
      );
      const part = random.from(1, 40);
      assertEquals(
        linesWith(pattern, text, part),
        wanted,
        JSON.stringify([pattern, text, part]),
      );
    }
  });

  it("find lines of any length in a large file", async () => {
    const random = new Random(SEED);
    const lines = Array.from({ length: 400 }, (_, at) => {
      const length = random.pick([10, 50, 4000, 5000, 20_000]);
      const line = "abc needl".repeat(length / 9);
      return at % 7 === 3
        ? `${line} needle ${at}${line}`
        : at % 7 === 5
        ? `${line} needle ${line}`
        : line;
    });
    const fs = memoryFs({ "/a": lines.join("\n") });
    const workspace = await openWorkspace("/", { fs });
    const { hits } = await workspace.read("a", {
      match: "needle \\d",
      regex: true,
    });
    const wanted = lines.flatMap((line, at) =>
      /needle \d/.test(line) ? [at + 1] : []
    );
    assertEquals(hits?.count, wanted.length);
    assertEquals(hits?.lines, wanted);
  });

  it("let the pattern pass over lines without them", () => {
    const text = `${"a line of some other words\n".repeat(3000)}foo 1\n`;
    const kernel = countingKernel(text);
    const quick = runAtOnce(
      matcherOf({ match: "foo \\d", regex: true }, failure),
    );
    quick.begin();
    assertEquals(quick.feed(kernel, 0, text.length, true) >= 0, true);
    // The automaton reads each byte of a line; only the last line is read.
    assert(kernel.lines() < 3, `${kernel.lines()} lines`);
  });
});

const failure = (name: string, problem: string) =>
  new Error(`${name} ${problem}`);

/** A kernel that counts for how many lines it was asked. */
function countingKernel(text: string) {
  const kernel = plainKernel(text.length);
  new TextEncoder().encodeInto(text, kernel.buffer);
  let count = 0;
  return {
    ...kernel,
    nth: (
      from: number,
      to: number,
      n: number,
    ) => (count++, kernel.nth(from, to, n)),
    lines: () => count,
  };
}

/** The numbers of the lines that a pattern matches, if the text arrives in parts. */
function linesWith(pattern: string, text: string, part: number): number[] {
  const matcher = runAtOnce(
    matcherOf({ match: pattern, regex: true }, failure),
  );
  const bytes = new TextEncoder().encode(text);
  const kernel = plainKernel(Math.max(1, bytes.length));
  kernel.buffer.set(bytes);
  const found: number[] = [];
  matcher.begin();
  let at = 0;
  let to = 0;
  while (at < bytes.length) {
    to = Math.min(bytes.length, Math.max(to, at + part));
    const reached = matcher.feed(kernel, at, to, to === bytes.length);
    if (reached < 0) {
      if (~reached === at) to++;
      at = ~reached;
      continue;
    }
    // After the last line feed, no line begins.
    if (reached === bytes.length && bytes.at(-1) === 0x0a) break;
    found.push(1 + kernel.count(0, reached));
    const feed = kernel.nth(reached, bytes.length, 1);
    if (feed < 0) break;
    at = feed + 1;
    matcher.begin();
  }
  return found;
}
