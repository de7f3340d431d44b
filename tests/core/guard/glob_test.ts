import { assert, assertEquals, assertThrows } from "@std/assert";
import { globToRegExp } from "@std/path/posix/glob-to-regexp";
import { describe, it } from "node:test";
import { Automaton } from "../../../src/core/guard/automaton.ts";
import { patternOf } from "../../../src/core/guard/glob.ts";
import { SECRET_FILES } from "../../../src/core/guard/secret_files.ts";
import { Random, SEED } from "../../support/random.ts";

const ROUNDS = 4000;
const PATHS = 12;

/** What globs are made of; the same few letters, so that paths are met. */
const WORDS = [
  ..."aaabb.",
  ..."***?",
  ..."[]{}()|,!^\\-",
  "**",
  "[ab]",
  "[!a]",
  "[^b]",
  "[a\\]]",
  "[[:alpha:]]",
  "[[:punct:]]",
  "{a,b}",
  "{a/b,*b,}",
  "{**/a,b}",
  "{a,{b,ab}}",
  "?(a)",
  "*(a|b)",
  "+(ab|a)",
  "@(a|b*)",
  "!(a)",
  "!(a|b)b",
  "*(*(a)b)",
  "\\*",
  "\\",
  "\u2028",
  "\u00e9",
  "\ud83d\ude00",
  "/",
  "/",
  "/**/",
  "/**/",
];

const LETTERS = [..."aaabbbAB.*x\n-]", "\u2028", "\u00e9", "\ud83d\ude00"];

function drawGlob(random: Random): string {
  const count = random.from(1, 7);
  return Array.from({ length: count }, () => random.pick(WORDS)).join("");
}

function drawPath(random: Random): string {
  const name = () =>
    Array.from({ length: random.from(1, 3) }, () => random.pick(LETTERS))
      .join("");
  return Array.from({ length: random.from(1, 4) }, name).join("/");
}

/** A path, and each directory on the way to it. */
function wayTo(path: string): string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

/** std's own expression; `undefined` where it holds a class that is none. */
function expressionOf(glob: string): RegExp | undefined {
  try {
    return globToRegExp(glob, { caseInsensitive: true });
  } catch {
    return undefined;
  }
}

describe("a glob", () => {
  it("means what the expression of @std/path says, however it is matched", () => {
    const random = new Random(SEED);
    let met = 0;
    let missed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const glob = drawGlob(random);
      const expression = expressionOf(glob.normalize("NFC"));
      if (expression === undefined) {
        assertThrows(() => patternOf(glob), SyntaxError);
        continue;
      }
      const pattern = patternOf(glob);
      const automaton = new Automaton(expression);
      for (let left = PATHS; left > 0; left--) {
        for (const path of wayTo(drawPath(random))) {
          const verdict = expression.test(path);
          const facts = JSON.stringify([glob, path]);
          assertEquals(automaton.test(path), verdict, facts);
          assertEquals(pattern.test(path), verdict, facts);
          if (verdict) met++;
          else missed++;
        }
      }
    }
    assert(met > 2000 && missed > 2000, `${met} met, ${missed} missed`);
  });
  it("is asked about paths in any order", () => {
    const expression = globToRegExp("**/a/**/b/**/c");
    const automaton = new Automaton(expression);
    const paths = ["a", "a/x/b", "a/x/b/c", "a/x", "", "b/a/b/c", "b/a/b", "c"];
    for (const path of [...paths, ...paths.toReversed(), ...paths]) {
      assertEquals(automaton.test(path), expression.test(path), path);
    }
  });
  it("may be any of SECRET_FILES", () => {
    for (const glob of SECRET_FILES) {
      const bare = glob.replace(/^!/, "");
      const automaton = new Automaton(globToRegExp(bare));
      for (const path of ["a/.env", "a/.ssh/b", "id_rsa", "a/b.pem", "a/b"]) {
        assertEquals(automaton.test(path), patternOf(bare).test(path), bare);
      }
    }
  });
  it("is matched by nothing but what globs are made of", () => {
    for (const odd of [/a(b)/, /(?=a)/, /(?<a>b)/]) {
      assertThrows(() => new Automaton(odd), SyntaxError, "No glob is made of");
    }
  });
});
