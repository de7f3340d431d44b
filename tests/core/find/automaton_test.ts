import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { Automaton } from "../../../src/core/find/automaton.ts";
import { parsePattern, PatternError } from "../../../src/core/find/pattern.ts";
import { compile } from "../../../src/core/find/program.ts";
import { runAtOnce } from "../../../src/core/base/call.ts";
import { Random, SEED } from "../../support/random.ts";
import { draws } from "../../support/share.ts";

const encoder = new TextEncoder();

const programOf = (pattern: string, ignoreCase = false) =>
  runAtOnce(compile(parsePattern(pattern), ignoreCase));

/** Whether a pattern matches a line whose bytes arrive in parts. */
function finds(
  pattern: string,
  line: string,
  { ignoreCase = false, part = Infinity } = {},
): boolean {
  const automaton = new Automaton(programOf(pattern, ignoreCase));
  const buffer = encoder.encode(line);
  let to = 0;
  for (let at = 0;;) {
    to = Math.min(buffer.length, Math.max(to, at + part));
    const kernel = { buffer } as Parameters<Automaton["feed"]>[0];
    const found = automaton.feed(kernel, at, to, to === buffer.length);
    if (found >= 0) return true;
    if (to === buffer.length && ~found === to) return false;
    // A carriage return at the end waits for the byte after it.
    if (~found === at) to++;
    at = ~found;
  }
}

const ATOMS = [
  ...["a", "b", "é", "😀", ".", "\\d", "\\w", "\\W", "\\s", "[ab]", "[^a]"],
  ...["[a-cé]", "(a|b)", "(?:ab)", "\\.", "x", " ", "1", "^", "$", "\\b"],
  ...["\\B", "", "(?<n>a)", "[^\\d]", "\\u00e9", "\\x61", "\\u{1F600}", "\\S"],
];
const REPEATS = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,}", "*?"];

function randomPattern(pick: <T>(from: readonly T[]) => T): string {
  let pattern = "";
  for (const _ of "abcd".slice(0, 1 + pick([0, 1, 2, 3]))) {
    const atom = pick(ATOMS);
    const isPlace = /^(\^|\$|\\[bB]|)$/.test(atom);
    const named = atom.replace("<n>", `<n${pattern.length}>`);
    pattern += named + (isPlace ? "" : pick(REPEATS));
    if (pick([0, 0, 0, 0, 0, 1]) === 1) pattern += "|";
  }
  return pattern;
}

/** The largest number of steps, calls and bytes between two yields; most lines match the pattern. */
function longestRun(pattern: string, lines: number) {
  const program = programOf(pattern);
  const run = { steps: 0, calls: 0, bytes: 0 };
  const most = { ...run };
  // Each step reads one kind, so the reads are counted.
  const kinds = new Proxy(program.kinds, {
    get(kinds, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) run.steps++;
      return Reflect.get(kinds, name);
    },
  });
  const automaton = new Automaton({ ...program, kinds });
  const random = new Random(SEED);
  const line = () => random.pick(["a", "b", "ab", "\r"]).repeat(9) + "a\n";
  const buffer = encoder.encode(Array.from({ length: lines }, line).join(""));
  const kernel = { buffer } as Parameters<Automaton["feed"]>[0];
  for (let at = 0; at < buffer.length;) {
    const found = automaton.feed(kernel, at, buffer.length, true);
    const to = found < 0 ? ~found : found;
    run.calls++;
    run.bytes += to - at;
    for (const name of ["steps", "calls", "bytes"] as const) {
      most[name] = Math.max(most[name], run[name]);
    }
    // The caller yields if nothing was found.
    if (found < 0) Object.assign(run, { steps: 0, calls: 0, bytes: 0 });
    at = found < 0 ? to : buffer.indexOf(0x0a, to) + 1 || buffer.length;
    if (found >= 0) automaton.begin();
  }
  return most;
}

describe("Automaton", () => {
  const { seed, numRuns } = draws(4000, 4000);
  it(`finds the same as a RegExp, for chunks of any size (seed ${seed})`, () => {
    const random = new Random(seed);
    const pick = <T>(from: readonly T[]) => random.pick(from);
    const letters = ["a", "b", "A", "é", "É", "😀", "x", " ", "1", ".", "\t"];
    for (let round = 0; round < numRuns; round++) {
      const pattern = randomPattern(pick);
      const ignoreCase = pick([false, false, true]);
      const known = new RegExp(pattern, ignoreCase ? "iu" : "u");
      let line = "";
      while (pick([0, 1, 2, 3, 4]) > 0) line += pick(letters);
      if (line === "") continue;
      const part = pick([1, 2, 3, Infinity]);
      assertEquals(
        finds(pattern, line, { ignoreCase, part }),
        known.test(line),
        `/${pattern}/${ignoreCase ? "i" : ""} in ${JSON.stringify(line)}`,
      );
    }
  });

  it("ignores the case of letters with more than two forms", () => {
    for (const forms of ["σςΣ", "µμΜ", "θϑΘϴ", "ǆǅǄ", "ßẞ", "éÉ", "ıiİ"]) {
      for (const one of forms) {
        for (const other of forms) {
          assertEquals(
            finds(one, other, { ignoreCase: true }),
            new RegExp(one, "iu").test(other),
            `/${one}/i in ${other}`,
          );
        }
      }
    }
  });

  it("ends a line before CR LF, and not at another CR", () => {
    for (const part of [1, 2, Infinity]) {
      assert(finds("a$", "a\r\nb", { part }));
      assert(finds("a\\rb", "a\rb", { part }));
      assert(!finds("a$", "a\rb\n", { part }));
      assert(!finds("a\\s", "a\r\nb", { part }));
      assert(!finds("a[^x]b", "a\nb", { part }));
      assert(finds("^b", "a\r\nb", { part }));
      assert(finds("^$", "a\n\nb", { part }));
    }
  });

  it("takes time linear in the length of the line", () => {
    // A backtracking engine would take longer than the age of the universe.
    for (
      const pattern of [
        ...["(a+)+$", "^(a|aa)*$", "(.*)*x", "(a*)*b"],
        "(x+x+)+y",
        "(a|b)*a(a|b){12}c",
      ]
    ) {
      assert(!finds(pattern, "a".repeat(100_000) + "!"));
    }
  });

  it("limits the steps of a call, for files of any size", () => {
    const patterns = ["(a|b)*a(a|b){12}c?", "((a|b)*b){9}c?", ".", "a", "\\r"];
    for (const pattern of patterns) {
      const [short, long] = [20_000, 60_000].map((lines) => {
        const { steps, calls, bytes } = longestRun(pattern, lines);
        return [steps, calls, bytes];
      });
      for (const [at, most] of short!.entries()) {
        const told = `${pattern}: ${short} and ${long}`;
        assert(long![at]! <= 1.5 * most, told);
      }
    }
  });

  it("works out once what a carriage return leads to", () => {
    const stepsFor = (bytes: number) => {
      const program = programOf("\\r{300}x");
      let steps = 0;
      const kinds = new Proxy(program.kinds, {
        get(kinds, name) {
          if (typeof name === "string" && /^\d+$/.test(name)) steps++;
          return Reflect.get(kinds, name);
        },
      });
      const automaton = new Automaton({ ...program, kinds });
      const buffer = new Uint8Array(bytes).fill(0x0d);
      const kernel = { buffer } as Parameters<Automaton["feed"]>[0];
      for (let at = 0; at < bytes;) {
        at = ~automaton.feed(kernel, at, bytes, true);
      }
      return steps;
    };
    const [short, long] = [1_000, 8_000].map(stepsFor);
    assert(long! < 1.5 * short!, `${short} and ${long} steps`);
  });

  it("makes progress in every second call", () => {
    const program = programOf("xz");
    const kernelOf = (text: string) =>
      ({ buffer: encoder.encode(text) }) as Parameters<Automaton["feed"]>[0];
    const [before, last] = [kernelOf("."), kernelOf("xz.")];
    for (let calls = 2000; calls < 2600; calls++) {
      const automaton = new Automaton(program);
      for (let call = 0; call < calls; call++) {
        automaton.feed(before, 0, 1, false);
      }
      const isPause = automaton.feed(last, 0, 3, true) === ~0;
      // The first call may only ask for a pause; the second must not.
      const found = isPause ? automaton.feed(last, 0, 3, true) : 0;
      assert(found !== ~0, `stuck after ${calls} calls`);
    }
  });

  it("explains an invalid pattern, and what to write instead", () => {
    const wrong: Record<string, string> = {
      "(": "opens a group that is not closed; write \\(",
      ")": "closes a group that is not open; write \\)",
      "[a": "opens a set that is not closed; write \\[",
      "*a": "repeats nothing; write \\*",
      "a{2,1}": "has its counts in the wrong order",
      "a{2000}": "repeats more than 1000 times",
      "a{x": "is no {count}; write \\{",
      "(a)\\1": "begins a backreference, which is not taken",
      "\\k<n>": "begins a backreference, which is not taken",
      "(?=a)": "begins a lookaround, which is not taken",
      "(?<!a)": "begins a lookaround, which is not taken",
      "(?i)a": "begins a group that is not taken",
      "\\p{L}": "begins an escape that is not taken",
      "[b-a]": "has a range whose end comes first",
      "[\\d-x]":
        '"[" (character 1) has a class such as \\d in a range; write \\-',
      "[+-\\s]":
        '"[" (character 1) has a class such as \\d in a range; write \\-',
      "a}": '"}" (character 2) closes nothing; write \\}',
      "]": '"]" (character 1) closes nothing; write \\]',
      "a**": "repeats a repetition",
      "a\\b+": '"+" (character 4) repeats an assertion, which takes no text',
      "((a{99}){99}){99}": "is too large; repeat less in it",
    };
    for (const [pattern, problem] of Object.entries(wrong)) {
      const error = assertThrows(
        () => programOf(pattern),
        PatternError,
      );
      assert(error.message.includes(problem), `${pattern}: ${error.message}`);
    }
  });
});

describe("the states of an automaton", () => {
  it("are dropped at a thousand, and the search goes on", () => {
    const dropped: number[] = [];
    const { clear } = Map.prototype;
    Map.prototype.clear = function () {
      dropped.push(this.size);
      clear.call(this);
    };
    try {
      // It has more than 4,000 states, by which of the last letters were an a.
      const pattern = "a[ab]{12}c";
      const random = new Random(SEED);
      const letters = Array.from(
        { length: 6_000 },
        () => random.pick(["a", "b"]),
      );
      const line = letters.join("");
      assertEquals(finds(pattern, line), false);
      assertEquals(finds(pattern, `${line}a${"b".repeat(12)}c`), true);
    } finally {
      Map.prototype.clear = clear;
    }
    assert(dropped.length > 1);
    assert(dropped.every((size) => size <= 1000), `${dropped}`);
  });
});
