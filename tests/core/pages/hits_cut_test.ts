/** Pages of hits within limits: what they cut and leave out, they say, and the next pages show it. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  type Page,
  ReadFileError,
  type ReadOptions,
  renderPage,
} from "../../../mod.ts";
import { Random, SEED } from "../../support/random.ts";
import { checkRendering } from "../../support/rendered.ts";
import { some } from "../../support/share.ts";

/** All pages; each one shows something new, and each `next` is accepted. */
async function walk(
  text: string,
  options: ReadOptions,
  isTimed = true,
): Promise<Page[]> {
  const file = isTimed ? { content: text, mtimeMs: 1 } : text;
  const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": file }) });
  const pages: Page[] = [];
  let end = -1;
  for (let next: ReadOptions | null = options; next !== null;) {
    const page: Page = await workspace.read(
      "a",
      JSON.parse(JSON.stringify(next)),
    );
    checkRendering(page);
    const told = JSON.stringify([text, options, next, page]);
    assert(page.shown.end > end || pages.length === 0, told);
    assert(pages.length === 0 || page.lines.length > 0, told);
    ({ end } = page.shown);
    pages.push(page);
    next = page.next;
  }
  return pages;
}

/** The text of each line that the pages show, joined, from the column where it begins. */
function shownLines(pages: readonly Page[]) {
  const byLine = new Map<number, { column: number; text: string }>();
  for (const { number, column, text } of pages.flatMap(({ lines }) => lines)) {
    const known = byLine.get(number);
    if (known === undefined) byLine.set(number, { column, text });
    else {
      assertEquals(known.column + [...known.text].length, column);
      known.text += text;
    }
  }
  return byLine;
}

const FIVE = "one\ntwo\nthree\nfour\nfive\n";
const LONG = `${"x".repeat(800)}NEEDLE${"y".repeat(94)}\nend\n`;

describe("a hit of a giant line after one of another line", () => {
  for (const match of ["x", "[x]"]) {
    it(`has its own number and column: ${match}`, async () => {
      const giant = `${"a".repeat(2000)}x${"a".repeat(2000)}`;
      const workspace = await openWorkspace("/", {
        fs: memoryFs({ "/a": `x\n${giant}\n${giant}\n` }),
      });
      const page = await workspace.read("a", { match, regex: match !== "x" });
      const [first, ...others] = page.lines;
      assertEquals([first?.number, first?.text], [1, "x"]);
      for (const [at, { number, column, text }] of others.entries()) {
        assertEquals([number, text.at(2001 - column)], [at + 2, "x"]);
      }
      assertEquals(others.length, 2);
    });
  }
});

describe("the limit of a page of hits", () => {
  /** The lines of the first page, with the lengths of what is shown of them; and the rest of it. */
  const first = async (text: string, options: ReadOptions) => {
    const fs = memoryFs({ "/a": text });
    const workspace = await openWorkspace("/", { fs });
    const { lines, hits, next } = await workspace.read("a", options);
    const shown = lines.map(({ number, text }) => [number, text.length]);
    return { shown, gaps: hits?.gaps, next: next?.start };
  };
  it("leaves a hit with all lines above it to the next page, though these are over 1,000 bytes", async () => {
    const above = `${"a".repeat(600)}\n`.repeat(2);
    const text = `x\n${"b\n".repeat(5)}${above}x\n`;
    const options = { match: "x", before: 2, maxBytes: 700 };
    assertEquals(
      await first(text, options),
      { shown: [[1, 1]], gaps: [], next: 2 },
    );
  });
  it("names the line below one that is shown in part", async () => {
    const text = `${"a".repeat(960)}xaaaax${"a".repeat(34)}\r\naaa\n`;
    const options = { match: "x", before: 1, after: 1, maxBytes: 1000 };
    const gaps = [{ start: 2, end: 2, bytes: 4 }];
    assertEquals(
      await first(text, options),
      { shown: [[1, 539]], gaps, next: undefined },
    );
  });
  it("may be reached", async () => {
    const text = `${"a".repeat(2000)}x`.repeat(3);
    const shownUnder = async (maxBytes: number) =>
      (await first(text, { match: "x", maxBytes })).shown;
    assertEquals(await shownUnder(358), [[1, 179], [1, 179]]);
    assertEquals(await shownUnder(357), [[1, 179]]);
  });
});

describe("a hit that does not fit", () => {
  for (
    const limits of [
      { maxChars: 400 },
      { maxTokens: 160 },
      { maxBytes: 40 },
      { maxChars: 1 },
    ]
  ) {
    for (const regex of [false, true]) {
      it(`is what is shown within ${JSON.stringify({ ...limits, regex })}`, async () => {
        const [first] = await walk(LONG, { match: "NEEDLE", regex, ...limits });
        const [line] = first!.lines;
        assert(line!.column > 600, `${line!.column}`);
        assertMatch(line!.text, /NEEDLE/);
      });
    }
  }

  it("is a whole row of at most 200 characters if its frame alone exceeds the limits", async () => {
    const rows = Array.from({ length: 9 }, (_, at) => `row ${at} has TODO`);
    const long = `${"a ".repeat(300)}TODO${" b".repeat(300)}`;
    for (
      const limits of [{ maxChars: 1 }, { maxTokens: 1 }, { maxTokens: 30 }]
    ) {
      const options = { match: "TODO", ...limits };
      const pages = await walk(rows.join("\n"), options);
      assertEquals(pages.map(({ text }) => text.trimEnd()), rows);
      const [first] = await walk(long, options);
      assertEquals([first!.text.length, first!.text.includes("TODO")], [
        200,
        true,
      ]);
    }
  });

  it("goes on with the rest of its line", async () => {
    for (
      const options of [
        { lines: [3], maxBytes: 3 },
        { match: "three", maxBytes: 3 },
        { match: "three", maxBytes: 3, wholeLines: true },
        { lines: [3], maxChars: 1 },
        { match: "th", regex: true, maxBytes: 3 },
      ]
    ) {
      const pages = await walk(FIVE, options);
      const shown = shownLines(pages);
      assert(pages.length > 1);
      assertEquals([...shown.keys()], [3]);
      assert("three".endsWith(shown.get(3)!.text));
      if (!("regex" in options)) assertEquals(shown.get(3)!.text, "three");
    }
  });
});

describe("the lines around a hit that do not fit", () => {
  const around = { match: "three", before: 2, after: 2 };
  const listed = { lines: [3], before: 2, after: 2 };
  for (
    const [options, rows] of [
      [{ ...around, maxLines: 2 }, [
        "… lines 1-2 not shown",
        "3\tthree",
        "4\tfour",
        "… line 5 not shown",
      ]],
      [{ ...listed, maxLines: 1 }, [
        "… lines 1-2 not shown",
        "3\tthree",
        "… lines 4-5 not shown",
      ]],
      [{ ...around, maxBytes: 10 }, [
        "… line 1 not shown",
        "2\ttwo",
        "3\tthree",
        "… lines 4-5 not shown",
      ]],
      [{ ...around, maxBytes: 3 }, ["… lines 1-2 not shown", "3 cut\tthr"]],
    ] as const
  ) {
    it(`are named: ${JSON.stringify(options)}`, async () => {
      const [first] = await walk(FIVE, options);
      assertEquals(renderPage(first!).split("\n").slice(1, -1), [...rows]);
    });
  }
});

describe("the next page of hits", () => {
  it("has no option that means nothing there", async () => {
    const text = "one two\nxx\nthree two\n";
    for (
      const options of [
        { tail: 2, match: "two", numbered: false, limit: 1 },
        { tail: 2, match: "two", numbered: true, maxBytes: 4 },
        { tail: 2, match: "two", maxChars: 1 },
      ]
    ) assert((await walk(text, options)).length > 1);
  });

  it("does not exist after the last of the lines", async () => {
    const [page] = await walk(FIVE, { lines: [4], maxLines: 1 });
    assertEquals([page!.text, page!.next], ["four\n", null]);
    const [hit] = await walk(FIVE, { match: "four", after: 1, maxLines: 1 });
    assertEquals([hit!.text, hit!.next], ["four\n", null]);
  });

  it("cannot keep the end", async () => {
    const options = { tail: 2, match: "two", keepEnd: true };
    const error = await assertRejects(() => walk(FIVE, options), ReadFileError);
    assertEquals(
      [error.code, error.message],
      [
        "INVALID_ARGUMENT",
        'Cannot read "a": match and keepEnd cannot be combined',
      ],
    );
  });
});

describe("all pages of hits together", () => {
  const RUNS = some(2_000, 50);
  it("show each hit and each listed line, and name the lines around them that they leave out", async () => {
    const random = new Random(SEED + 26);
    const pieces = ["a", "ab", "", "  x", "\té", "👩‍👧b", "hit", "hit a hit"];
    const long = [
      `${"z".repeat(40)}hit`,
      "z".repeat(300) + "hit" + "a".repeat(300),
    ];
    for (let run = 0; run < RUNS; run++) {
      const lines = Array.from(
        { length: 1 + random.below(9) },
        () => random.pick([...pieces, ...long]),
      );
      const text = lines.join(random.pick(["\n", "\r\n"])) +
        random.pick(["", "\n"]);
      const count = lines.length -
        (lines.at(-1) === "" && !text.endsWith("\n\n") &&
            !text.endsWith("\r\n\n")
          ? 1
          : 0);
      const match = random.pick(["a", "hit", "z", "é"]);
      const isMatch = random.below(2) === 0;
      const numbers = Array.from(
        { length: 1 + random.below(3) },
        () => 1 + random.below(9),
      );
      const before = random.below(3);
      const after = random.below(3);
      const options: ReadOptions = {
        ...(isMatch ? { match } : { lines: numbers }),
        before,
        after,
        ...random.pick<ReadOptions>([
          { maxBytes: 1 + random.below(30) },
          { maxLines: 1 + random.below(3) },
          { maxChars: random.pick([1, 110, 150, 250, 400]) },
          { maxTokens: random.pick([1, 80, 150]) },
        ]),
      };
      const pages = await walk(text, options, random.below(2) === 0);
      const shown = shownLines(pages);
      const hits = isMatch
        ? lines.flatMap((line, at) => line.includes(match) ? [at + 1] : [])
        : numbers.filter((number) => number <= count);
      const told = JSON.stringify([text, options, pages]);
      const gaps = pages.flatMap(({ hits }) => hits!.gaps);
      for (const hit of hits) {
        const line = lines[hit - 1]!;
        const { column, text } = shown.get(hit) ?? { column: 0, text: "" };
        assert(line.endsWith(text), told);
        if (!isMatch || column === 1) assertEquals(text, line, told);
        else assert(text.length >= line.length - line.indexOf(match), told);
        const last = Math.min(count, hit + after);
        for (let at = Math.max(1, hit - before); at <= last; at++) {
          const isTold = shown.has(at) ||
            gaps.some(({ start, end }) => start <= at && at <= end);
          assert(isTold, `line ${at} of ${told}`);
        }
      }
      for (const { lines } of pages) {
        assert(lines.length <= (options.maxLines ?? Infinity), told);
      }
    }
  });

  it("show what is around each hit of a line of more than 1,000 bytes", async () => {
    const part = `${"-".repeat(700)}NEEDLE`;
    for (
      const limits of [{ maxChars: 400 }, { maxBytes: 60 }, { maxLines: 1 }]
    ) {
      const pages = await walk(`${part.repeat(5)}\nx\n`, {
        match: "NEEDLE",
        ...limits,
      });
      const text = pages.flatMap(({ lines }) => lines)
        .map(({ text }) => text).join("\n");
      assertEquals(text.match(/NEEDLE/g)?.length, 5);
    }
  });
});

describe("lines that another tool has found", () => {
  it("past the end are no hits, and the total is told", async () => {
    const [page] = await walk("one\ntwo\nthree\n", { lines: [99] });
    const { empty, totalLines, hits } = page!;
    assertEquals([empty, totalLines, hits?.count], ["no hit", 3, 0]);
  });
  it("are all counted on a page that maxBytes cuts", async () => {
    const options = { lines: [1, 2, 3], maxBytes: 5 };
    const pages = await walk("one\ntwo\nthree\n", options);
    const [{ hits } = { hits: undefined }] = pages;
    assertEquals([hits?.count, hits?.exact, hits?.lines], [3, true, [1]]);
    const shown = new Set(pages.flatMap(({ hits }) => hits!.lines));
    assertEquals([...shown], [1, 2, 3]);
  });
});
