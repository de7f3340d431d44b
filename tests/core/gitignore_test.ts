import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { runAtOnce } from "../../src/core/base/call.ts";
import {
  type IgnoreState,
  isIgnored,
  rulesBelow,
  withRules,
} from "../../src/core/gitignore.ts";

/** Whether the rules ignore a path; a directory ends in a slash. */
function ignores(
  files: Readonly<Record<string, string>>,
  path: string,
): boolean {
  const names = path.replace(/\/$/, "").split("/");
  let state: IgnoreState = runAtOnce(withRules([], files[""] ?? ""));
  for (const [at, name] of names.entries()) {
    const isDirectory = at < names.length - 1 || path.endsWith("/");
    if (runAtOnce(isIgnored(state, name, isDirectory))) return true;
    const above = names.slice(0, at + 1).join("/");
    const below = runAtOnce(rulesBelow(state, name));
    state = runAtOnce(withRules(below, files[above] ?? ""));
  }
  return false;
}

/** Rules, the paths that they ignore, and others; all as `git check-ignore` has them. */
const CASES: readonly (readonly [string, string, string])[] = [
  ["*.log", "a.log d/a.log .log d.log/x", "a.logs log"],
  ["/a", "a a/b", "d/a"],
  ["a/", "a/ a/b d/a/", "a d/a"],
  ["d/a", "d/a d/a/b", "a x/d/a"],
  ["**/a", "a d/a d/e/a", "d/ab"],
  ["a/**", "a/b a/b/c", "a a/"],
  ["a/**\n!a/keep", "a/b", "a/keep"],
  ["a/**/b", "a/b a/x/b a/x/y/b", "b x/a/b"],
  ["*\n!*.ts\n!*/", "a d/a", "a.ts d/a.ts d/"],
  ["a\n!a", "", "a d/a"],
  ["!a\na", "a", ""],
  ["?.c", "a.c", "ab.c .c"],
  ["[ab].c", "a.c b.c", "c.c"],
  ["[!ab].c\n[^a].d", "c.c b.d", "a.c a.d"],
  ["[a-c]\n[]x]\n[[:digit:]]", "b ] x 7", "d"],
  ["a**c", "abc ac", "a/c"],
  ["# a\n\\#b\n\\!c", "#b !c", "# a a b c"],
  ["a  \nb\\ \n\\*", "a * ", "b ab"],
  ["\uFEFFa\r\nb\r", "a b", "ab"],
  ["{a,b}\n(c)", "{a,b} (c)", "a b c"],
  ["[a\nb\\", "", "[a b\\ a"],
];

describe("the rules of .gitignore files", () => {
  for (const [rules, ignored, others] of CASES) {
    it(`has ${JSON.stringify(rules)}`, () => {
      for (const path of ignored.split(" ").filter(Boolean)) {
        assertEquals([path, ignores({ "": rules }, path)], [path, true]);
      }
      for (const path of others.split(" ").filter(Boolean)) {
        assertEquals([path, ignores({ "": rules }, path)], [path, false]);
      }
    });
  }

  it("lets the innermost file decide, unless a directory above is ignored", () => {
    const files = { "": "*.log\nb/", "a": "!x.log\n/y", "b": "!x.log" };
    const paths = [
      "x.log",
      "a/x.log",
      "a/d/x.log",
      "a/z.log",
      "b/x.log",
      "a/y",
    ];
    assertEquals(
      paths.filter((path) => ignores(files, path)),
      ["x.log", "a/z.log", "b/x.log", "a/y"],
    );
  });

  /** Rules for names of `a`, each of which is compared with every part of such a name. */
  const slow = (count: number) => `*${"a".repeat(126)}b\n`.repeat(count);

  it("compares few rules in a step, so that the event loop can run", () => {
    const name = "a".repeat(255);
    const state = runAtOnce(withRules([], `${slow(500)}a*\n${slow(500)}`));
    const steps = isIgnored(state, name, false);
    let count = 1;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    assertEquals(step.value, true);
    // In each step, 8 KiB of rules with each character of the name.
    assert(count > 500 * 128 / 8192, `${count} steps`);
    assertEquals([...rulesBelow(state, name)].length > 8, true);
    assertEquals([...withRules([], slow(1000))].length > 8, true);
  });

  it("lets the last of many rules decide", () => {
    const rules = `*.a\n!*.b\n${slow(200)}!x.a\n*.b\n${slow(200)}`;
    const ignored = ["x.a", "y.a", "x.b", "d/x.a", "d/y.a"]
      .filter((path) => ignores({ "": rules }, path));
    assertEquals(ignored, ["y.a", "x.b", "d/y.a"]);
  });

  it("obeys a limited number of rules, however many files have them", () => {
    const names = Array.from({ length: 100 }, (_, at) => `d${at}`);
    const files = Object.fromEntries(names.map((_, at) => [
      names.slice(0, at).join("/"),
      `own${at}\n${slow(500)}`,
    ]));
    const dir = names.slice(0, 4).join("/");
    assert(ignores(files, `${dir}/own4`));
    const deep = names.slice(0, 90).join("/");
    assert(ignores(files, `${deep}/own0`));
    assert(!ignores(files, `${deep}/own90`));
  });

  it("takes linear time for a hostile rule", () => {
    const name = "a".repeat(255);
    const rules = `${"*a".repeat(100)}b\n${"a*".repeat(2000)}b`;
    assertEquals(ignores({ "": rules }, name), false);
  });
});
