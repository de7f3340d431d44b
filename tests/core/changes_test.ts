import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { changesBetween, type Page, type PageLine } from "../../mod.ts";
import { memoryFs, openWorkspace } from "../../mod.ts";
import { compareLines } from "../../src/core/changes.ts";
import { applied, checkChanges, pageOf, sizeOf } from "../suites/changes.ts";
import { LARGE, largeTexts } from "../support/large_texts.ts";
import { SEED } from "../support/random.ts";
import { some } from "../support/share.ts";

/** The changes between two texts of one letter a line, as words. */
function between(before: string, after: string, first = 1): string[] {
  const page = (text: string, from: number) =>
    pageOf([...text].map((letter) => `${letter}\n`), from);
  return changesBetween(page(before, 1), page(after, first)).hunks
    .map((hunk) => {
      const { kind, before, after } = hunk;
      if ("count" in hunk) return `${kind} ${before} ${after} x${hunk.count}`;
      const texts = (lines: Page["lines"]) =>
        lines.map(({ text }) => text).join("");
      return `${kind} ${before} ${after} -${texts(hunk.gone)} +${
        texts(hunk.lines)
      }`;
    });
}

describe("changesBetween()", () => {
  it("finds what became of each line", () => {
    const cases: readonly (readonly [string, string, readonly string[]])[] = [
      ["", "", []],
      ["abc", "abc", ["same 1 1 x3"]],
      ["", "ab", ["added 0 1 - +ab"]],
      ["ab", "", ["removed 1 0 -ab +"]],
      ["abc", "axc", ["same 1 1 x1", "changed 2 2 -b +x", "same 3 3 x1"]],
      ["abc", "xabc", ["added 0 1 - +x", "moved 1 2 x3"]],
      ["abc", "bc", ["removed 1 0 -a +", "moved 2 1 x2"]],
      ["abc", "abxc", ["same 1 1 x2", "added 2 3 - +x", "moved 3 4 x1"]],
      ["abcd", "axyd", ["same 1 1 x1", "changed 2 2 -bc +xy", "same 4 4 x1"]],
      ["ab", "xy", ["changed 1 1 -ab +xy"]],
      // A block that goes elsewhere is removed and added.
      ["abc", "cab", ["added 0 1 - +c", "moved 1 2 x2", "removed 3 3 -c +"]],
    ];
    for (const [before, after, expected] of cases) {
      assertEquals(between(before, after), expected, `${before} ${after}`);
    }
  });

  it("marks the last of equal lines, or those beside others", () => {
    assertEquals(between("f;g;", "f;f;g;"), [
      "same 1 1 x2",
      "added 2 3 - +f;",
      "moved 3 5 x2",
    ]);
    assertEquals(between("aab", "ab"), [
      "same 1 1 x1",
      "removed 2 1 -a +",
      "moved 3 2 x1",
    ]);
    // A run that could slide elsewhere stands beside the run of the other side.
    assertEquals(between("xaab", "aaab"), [
      "changed 1 1 -x +a",
      "same 2 2 x3",
    ]);
  });

  it("splits runs where numbers jump, as those of hits do", () => {
    const hits = (numbers: readonly number[]) => ({
      lines: numbers.map((number) => (
        { number, column: 1, text: "hit", ending: "\n" } as const
      )),
    });
    const { hunks } = changesBetween(hits([1, 2, 9]), hits([1, 3, 10]));
    assertEquals(hunks, [
      { kind: "same", before: 1, after: 1, count: 1 },
      { kind: "moved", before: 2, after: 3, count: 1 },
      { kind: "moved", before: 9, after: 10, count: 1 },
    ]);
  });

  it("compares line endings, and where a line begins", () => {
    const one = (line: Partial<PageLine>): Pick<Page, "lines"> => ({
      lines: [{ number: 1, column: 1, text: "a", ending: "\n", ...line }],
    });
    const kinds = (before: Partial<PageLine>, after: Partial<PageLine>) =>
      changesBetween(one(before), one(after)).hunks.map(({ kind }) => kind);
    assertEquals(kinds({}, { number: 1 }), ["same"]);
    assertEquals(kinds({ ending: "\r\n" }, { ending: "\n" }), ["changed"]);
    assertEquals(kinds({ ending: "" }, { ending: "\n" }), ["changed"]);
    assertEquals(kinds({ column: 2 }, { column: 1 }), ["changed"]);
    // No text imitates the ending or the column of another line.
    assertEquals(
      kinds({ text: '"\\n"a', ending: "" }, { text: 'a""', ending: "\n" }),
      ["changed"],
    );
    assertEquals(kinds({ column: 1, text: "1" }, { column: 11, text: "" }), [
      "changed",
    ]);
  });

  it("takes pages, and what JSON keeps of them", async () => {
    const open = (text: string) =>
      openWorkspace("/", { fs: memoryFs({ "/a": text }) });
    const before = await (await open("one\r\ntwo\n")).read("a");
    const after = await (await open("one\r\n2")).read("a");
    const changes = changesBetween(before, after);
    const json = (value: object) => JSON.parse(JSON.stringify(value));
    assertEquals(changesBetween(json(before), json(after)), changes);
    assertEquals(json(changes), changes);
    assertEquals(changes.hunks.map(({ kind }) => kind), ["same", "changed"]);
  });

  it("gives a smallest difference, which applies, of random edits", () => {
    checkChanges(some(20_000, 1000), SEED + 3);
  });

  it("gives an answer that applies for large texts, and says if it is coarse", () => {
    const found = LARGE.map((name) => {
      const [before, after] = largeTexts(name, 6_000);
      const changes = changesBetween(pageOf(before), pageOf(after));
      assertEquals(applied(pageOf(before), changes), pageOf(after).lines);
      return [name, sizeOf(changes), changes.minimal] as const;
    });
    const minimal = found.filter(([, , minimal]) => minimal);
    assertEquals(
      minimal.map(([name, size]) => [name, size]),
      [["all lines other", 12_000], ["every second line other", 6_000]],
    );
    // Coarse, but not useless: half of the lines are found in two halves.
    const halves = found.find(([name]) => name === "two halves changed places");
    assert(halves![1] < 12_000, `${halves}`);
  });

  it("gives up the rest of a text when it has taken many steps", () => {
    const [before, after] = largeTexts("few words, drawn twice", 200_000);
    const changes = changesBetween(pageOf(before), pageOf(after));
    assert(!changes.minimal);
    const sizes = changes.hunks.map((hunk) =>
      "gone" in hunk ? hunk.gone.length : 0
    );
    // Lines of 20 words always have something in common: no search looked at these.
    assert(Math.max(...sizes) > 1000, `${Math.max(...sizes)}`);
  });

  it("is compared in steps where a file is compared with a revision", () => {
    const linesOf = (text: (at: number) => unknown) =>
      pageOf(Array.from({ length: 30_000 }, (_, at) => `${text(at)}\n`)).lines;
    /** Lines on both sides, and how many steps they take at least: some are for the lines alone. */
    const cases: readonly (readonly [
      Page["lines"],
      Page["lines"],
      number,
    ])[] = [
      [linesOf((at) => at % 2), linesOf((at) => at % 3 % 2), 45],
      [
        linesOf((at) => (at * 7919) % 251),
        linesOf((at) => (at * 104_729) % 241),
        50,
      ],
      [linesOf((at) => at), linesOf((at) => `other ${at}`), 15],
      [linesOf((at) => at), linesOf((at) => at), 30],
    ];
    for (const [before, after, least] of cases) {
      const work = compareLines(before, after);
      let steps = 1;
      let step = work.next();
      for (; !step.done; step = work.next()) steps++;
      assert(steps >= least, `${steps} steps`);
      const found = changesBetween({ lines: before }, { lines: after });
      assertEquals(step.value.hunks.length, found.hunks.length);
    }
  });

  it("refuses what is no page", () => {
    const page = pageOf(["a\n"]);
    const refused = (value: unknown) =>
      assertThrows(
        () => changesBetween(value as Pick<Page, "lines">, page),
        Error,
      ).message;
    assertEquals(
      refused({ lines: "a" }),
      "Cannot compare the lines: before must be a page, or what JSON keeps of one",
    );
    assertEquals(
      refused({ lines: [{ number: 1, column: 1 }] }),
      "Cannot compare the lines: before.lines[0].text must be a string, not undefined",
    );
    assertEquals(
      refused({ lines: [{ ...page.lines[0], number: NaN }] }),
      "Cannot compare the lines: before.lines[0].number must be a whole number, not NaN",
    );
    assertEquals(
      refused({ lines: [{ ...page.lines[0], ending: 1 }] }),
      'Cannot compare the lines: before.lines[0].ending must be one of "", "\\n", "\\r\\n", not 1',
    );
    assertThrows(() => changesBetween(page, null as never), TypeError);
  });
});
