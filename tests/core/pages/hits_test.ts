import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  type Page,
  type ReadFields,
  ReadFileError,
  type ReadOptions,
} from "../../../mod.ts";
import { readingOf } from "../../../src/core/pages/page.ts";
import { assertLinear } from "../../support/growth.ts";
import { Random } from "../../support/random.ts";
import { checkRendering } from "../../support/rendered.ts";
import { draws } from "../../support/share.ts";

const encoder = new TextEncoder();

async function workspaceOf(content: string | Uint8Array) {
  return await openWorkspace("/", { fs: memoryFs({ "/a": content }) });
}

/** Splits a text into lines with their endings. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The numbers of the lines that match. */
function hitsOf(text: string, pattern: RegExp): number[] {
  return linesOf(text).flatMap((line, index) =>
    pattern.test(line.replace(/\r?\n$/, "")) ? [index + 1] : []
  );
}

/** The random files of each property. */
const RUNS = draws(400, 400);

/** The numbers of the lines around the hits. */
function around(
  hits: readonly number[],
  total: number,
  { before = 0, after = 0 }: ReadOptions,
): number[] {
  const shown = new Set<number>();
  for (const hit of hits) {
    for (let at = hit - before; at <= hit + after; at++) {
      if (at >= 1 && at <= total) shown.add(at);
    }
  }
  return [...shown].sort((one, other) => one - other);
}

/** Fails if the facts of a page are wrong, or its rendering does not give them back. */
function checkPage(page: Page, text: string): void {
  const lines = linesOf(text);
  const { hits, shown } = page;
  assert(hits !== undefined);
  for (const { number, text: content, ending, column } of page.lines) {
    const line = lines[number - 1]!;
    if (column === 1 && ending !== "") assertEquals(content + ending, line);
    const from = [...line].slice(column - 1).join("");
    assert(from.startsWith(content + ending), `line ${number}`);
  }
  const bytes = page.lines.map(({ text, ending }) => text + ending).join("");
  assertEquals(page.bytes(), encoder.encode(bytes));
  const [first, last] = [page.lines[0], page.lines.at(-1)];
  // Lines around hits that did not fit stand before or after the others.
  const isBetween = ({ start, end }: { start: number; end: number }) =>
    start > (first?.number ?? 0) && end < (last?.number ?? Infinity);
  const inner = hits.gaps.filter(isBetween);
  for (const gap of hits.gaps) {
    const missing = lines.slice(gap.start - 1, gap.end).join("");
    assertEquals(gap.bytes, encoder.encode(missing).length);
    if (isBetween(gap)) continue;
    assert(gap.end === first!.number - 1 || gap.start === last!.number + 1);
  }
  const between = inner.reduce((sum, { bytes }) => sum + bytes, 0);
  if (page.lines.length > 0) {
    assertEquals(page.bytes().length + between, shown.end - shown.start);
  }
  let number = page.lines[0]?.number ?? 0;
  const gaps = [...inner];
  for (const line of page.lines) {
    if (line.number !== number) {
      assertEquals([gaps[0]?.start, gaps[0]?.end], [number, line.number - 1]);
      const missing = lines.slice(number - 1, line.number - 1).join("");
      assertEquals(gaps.shift()!.bytes, encoder.encode(missing).length);
    }
    number = line.number + 1;
  }
  assertEquals(gaps, []);
  checkRendering(page);
}

/** Follows every `next`, and checks each page. */
async function walk(text: string, options: ReadOptions): Promise<Page[]> {
  const workspace = await workspaceOf(text);
  const pages: Page[] = [];
  let end = 0;
  for (let next: ReadOptions | null = options; next !== null;) {
    const page: Page = await workspace.read(
      "a",
      JSON.parse(JSON.stringify(next)),
    );
    checkPage(page, text);
    if (page.lines.length > 0) {
      assert(page.shown.start >= end, "a page shows bytes twice");
      end = page.shown.end;
    }
    pages.push(page);
    assert(pages.length <= text.length + 1, "the pages do not end");
    next = page.next;
  }
  return pages;
}

const WORDS = ["TODO", "todo", "a", "é", "x TODO y", "TO", "DO", "", "\tb"];
/** A query between two lines. */
type Ranged = ReadOptions & { start: number; end: number };

const QUERIES: readonly (readonly [ReadOptions, RegExp])[] = [
  [{ match: "TODO" }, /TODO/],
  [{ match: "a" }, /a/],
  [{ match: "é" }, /é/],
  [{ match: "todo", ignoreCase: true }, /todo/i],
  [{ match: "^(TO|a)", regex: true }, /^(TO|a)/],
  [{ match: "DO$", regex: true }, /DO$/],
  [{ match: "^$", regex: true }, /^$/],
  [{ match: "no such" }, /no such/],
];

function randomText(random: Random, lines: number): string {
  let text = "";
  for (let line = 0; line < lines; line++) {
    for (let word = random.below(4); word > 0; word--) {
      text += random.pick(WORDS);
    }
    text += random.pick(["\n", "\n", "\r\n"]);
  }
  return random.below(2) === 0 ? text : text.replace(/\r?\n$/, "");
}

describe("workspace.read() with a match", () => {
  it("shows the same lines as a naive search", async () => {
    const random = new Random(RUNS.seed);
    for (let round = 0; round < RUNS.numRuns; round++) {
      const text = randomText(random, random.below(40));
      const [query, pattern] = random.pick(QUERIES);
      const before = random.below(4);
      const after = random.below(4);
      const options = { ...query, before, after };
      const hits = hitsOf(text, pattern);
      const lines = linesOf(text).length;
      const [page, ...others] = await walk(text, options);
      assertEquals(others, []);
      assertEquals(page!.hits?.lines, hits);
      assertEquals([page!.hits?.count, page!.hits?.exact], [hits.length, true]);
      assertEquals(
        page!.lines.map(({ number }) => number),
        around(hits, lines, options),
      );
      assertEquals(page!.totalLines, lines);
      if (hits.length > 0) continue;
      assertEquals(page!.empty, text === "" ? "empty file" : "no hit");
    }
  });

  it("counts the lines of the file after a line that does not exist", async () => {
    for (const text of ["one\ntwo\nthree", "one\ntwo\nthree\n"]) {
      for (const start of [1, 2, 3]) {
        for (const lines of [[3, 4], [2, 9], [3], [4]]) {
          for (const page of await walk(text, { start, lines, maxBytes: 9 })) {
            assertEquals(page.totalLines ?? 3, 3);
          }
        }
      }
    }
  });

  it("shows every hit once, on pages of any size", async () => {
    const random = new Random(RUNS.seed + 1);
    for (let round = 0; round < RUNS.numRuns; round++) {
      const text = randomText(random, random.below(30));
      const [query, pattern] = random.pick(QUERIES);
      const limit = random.pick([undefined, 1, 2, 5]);
      const maxBytes = random.pick([undefined, 1, 2, 5, 9, 30, 100]);
      const pages = await walk(text, {
        ...query,
        before: random.below(4),
        after: random.below(4),
        ...(limit !== undefined && { limit }),
        ...(maxBytes !== undefined && { maxBytes }),
      });
      // A divided line may be on several pages.
      const shown = pages.flatMap(({ hits }) => hits!.lines)
        .filter((line, at, all) => line !== all[at - 1]);
      const hits = hitsOf(text, pattern);
      assertEquals(shown, hits);
      for (const page of pages) {
        const { hits: found, next } = page;
        assert(found!.lines.length <= (limit ?? Infinity));
        const size = page.bytes().length;
        assert(size <= Math.max(maxBytes ?? Infinity, 4));
        assert(found!.count >= found!.lines.length);
        if (next === null) assertEquals(found!.exact, true);
      }
      const [first] = pages;
      if (limit === undefined) assertEquals(first?.hits?.count, hits.length);
    }
  });

  it("searches from start to end, and shows no other lines", async () => {
    const random = new Random(RUNS.seed + 2);
    for (let round = 0; round < RUNS.numRuns / 2; round++) {
      const text = randomText(random, 1 + random.below(30));
      const start = random.from(1, 20);
      const end = random.from(start, 30);
      const [query, pattern] = random.pick(QUERIES);
      const options = { ...query, start, end, before: 1, after: 2 } as Ranged;
      const [page] = await walk(text, options);
      const hits = hitsOf(text, pattern)
        .filter((line) => line >= start && line <= end);
      assertEquals(page?.hits?.lines, hits);
      const total = linesOf(text).length;
      const shown = around(hits, total, options)
        .filter((line) => line >= start && line <= end);
      assertEquals(page?.lines.map(({ number }) => number), shown);
    }
  });

  it("shows the columns of a long line around each hit", async () => {
    const text = `${"é".repeat(500)}TODO${"b".repeat(1000)}TODO TODO\nx TODO`;
    const pages = await walk(text, { match: "TODO", maxBytes: 40 });
    for (const page of pages) assert(page.bytes().length <= 40);
    const shown = pages.flatMap(({ lines }) => lines.map(({ text }) => text));
    assertEquals(shown.join("\n").match(/TODO/g)?.length, 4);
    assertEquals(shown.at(-1), "x TODO");
    assertEquals(pages[0]?.lines[0]?.column, 500 - 8);
  });

  it("ends after the last character of the file, even if it exceeds the limit", async () => {
    const pages = await walk("aé", { match: "é", maxBytes: 1 });
    assertEquals(pages.map(({ lines }) => lines[0]?.text), ["é"]);
  });

  it("shows an empty hit at the end of the file with the character before it", async () => {
    const pages = await walk("one\nbcé", {
      match: "$",
      regex: true,
      maxBytes: 1,
    });
    const texts = pages.map(({ lines }) => lines[0]?.text);
    assertEquals(texts, ["", "é"]);
    assertEquals(pages.at(-1)!.hits?.lines, [2]);
  });

  it("divides no hit between two pages of a line", async () => {
    for (let maxBytes = 3; maxBytes < 20; maxBytes++) {
      const text = `${"abc".repeat(50)}\n`;
      const pages = await walk(text, { match: "abc", maxBytes });
      const whole = pages.map(({ lines }) => lines[0]!.text.match(/abc/g) ?? [])
        .flat();
      assertEquals(whole.length, 50, `${maxBytes}`);
    }
  });

  it("knows the character before the column where a page begins", async () => {
    const workspace = await workspaceOf("xxxfoo bar\n");
    for (const [match, lines] of [["\\bfoo", []], ["\\Bfoo", [1]]] as const) {
      const options = { column: 4, match, regex: true };
      const page = await workspace.read("a", options);
      assertEquals(page.hits?.lines, lines);
    }
  });

  it("knows the character before the place where it cuts a line", async () => {
    const options = { match: "foo|\\bbar", regex: true, maxBytes: 8 };
    // Of a long line, only what is around hits is shown.
    const text = `${"-".repeat(1000)}fooxxxxbar xxx\n`;
    const pages = await walk(text, options);
    assertEquals(pages.map((page) => page.bytes().length), [8]);
  });

  it("finds a text across chunks of the file", async () => {
    const text = "needle";
    for (const size of [64 * 1024, 256 * 1024, 1024 * 1024]) {
      for (let back = 0; back <= text.length; back++) {
        const before = "x\n".repeat((size - back) / 2);
        const content = `${before}${text}\n${"y\n".repeat(200_000)}`;
        const workspace = await workspaceOf(content);
        for (const regex of [false, true]) {
          const page = await workspace.read("a", { match: text, regex });
          const line = linesOf(before).length + (before.endsWith("\n") ? 1 : 0);
          assertEquals(page.hits?.lines, [line]);
        }
      }
    }
  });

  it("shows a blank line with the block above or below it", async () => {
    const cases = [
      ["\n\na\n", 2, 3, [2, 3]],
      ["a\n \n\n  b\n", 3, 5, [3, 4]],
      ["  a\n\n\n", 2, 5, [1, 2]],
    ] as const;
    for (const [text, hit, maxBytes, numbers] of cases) {
      // Without the limit, so short a file is shown whole.
      const options = { lines: [hit], block: true, maxBytes };
      const page = await (await workspaceOf(text)).read("a", options);
      checkPage(page, text);
      assertEquals(page.lines.map(({ number }) => number), [...numbers]);
    }
  });

  it("shows the block of a hit", async () => {
    const code = [
      ...["function one() {", "  a();", "}", "", "// Two.", "function two() {"],
      ...["  if (x) {", "    here();", "    b();", "  }", "  c();", "}", ""],
    ].join("\n");
    const [page] = await walk(code, { match: "here", block: true });
    assertEquals(page?.lines.map(({ number }) => number), [
      5,
      6,
      7,
      8,
      9,
      10,
      11,
      12,
    ]);
  });

  it("searches a file with invalid UTF-8, and names its invalid lines", async () => {
    const bytes = Uint8Array.of(0xff, 0x41, 0x0a, 0x42, 0x0a, 0x41, 0xe9, 0x0a);
    const page = await (await workspaceOf(bytes)).read("a", { match: "A" });
    assertEquals(page.lines.map(({ number }) => number), [1, 3]);
    assertEquals(page.inexact.map(({ number }) => number), [1, 3]);
    assertEquals(
      page.bytes(),
      Uint8Array.of(0xff, 0x41, 0x0a, 0x41, 0xe9, 0x0a),
    );
    checkRendering(page);
  });

  it("refuses contradictory options, and says what to do", async () => {
    const workspace = await workspaceOf("a\n");
    const wrong: readonly (readonly [ReadFields, string])[] = [
      [{ match: "" }, "match must not be empty"],
      [{ match: "a\nb" }, "match must not hold a line feed"],
      [{ match: "\ud800" }, "match must be well-formed"],
      [{ match: "(", regex: true }, "write \\("],
      [{ match: "a", before: -1 }, "before must be a whole number from 0 on"],
      [{ match: "a", limit: 0 }, "limit must be a whole number from 1 on"],
      [{ match: "a", tail: 2, start: 1 }, "tail and start cannot be combined"],
      [{ match: "a", width: 2 }, "match and width cannot be combined"],
      [{ match: "a", block: true, after: 1 }, "block and after cannot be"],
      [{ regex: true }, "regex means nothing without match"],
      [{ start: 2, before: 1 }, "mean nothing without around, match or end"],
    ];
    for (const [options, problem] of wrong) {
      const error = await assertRejects(
        () => workspace.read("a", options as ReadOptions),
        ReadFileError,
      );
      assertEquals(error.code, "INVALID_ARGUMENT");
      assert(error.message.includes(problem), error.message);
    }
  });

  it("refuses to continue in another version", async () => {
    const first = await workspaceOf("TODO\nb\nTODO\n");
    const { next } = await first.read("a", { match: "TODO", limit: 1 });
    for (const content of ["TODx\nb\nTODO\n", "b\n"]) {
      const other = await workspaceOf(content);
      const error = await assertRejects(
        () => other.read("a", next!),
        ReadFileError,
      );
      assertEquals(error.code, "CHANGED");
    }
  });
});

describe("a pattern that matches at each byte", () => {
  for (const match of ["x|", "z*", "x"]) {
    it(`has a page that keeps only the place of the last hit: ${match}`, async () => {
      const workspace = await workspaceOf("x".repeat(900));
      const options = { match, regex: true, maxBytes: 1000 };
      const page = await workspace.read("a", options);
      assertEquals(page.hits?.count, 1);
      const { whole = [] } = readingOf(page);
      assertEquals(whole.length, 2);
      // No empty hit is looked for at the end of the line.
      assertEquals(whole.at(-1), match === "x" ? 900 : 899);
    });
  }
});

describe("a pattern that matches at each byte of giant lines", () => {
  it("has a page that keeps the place of one hit a line, and of a text counts all", async () => {
    const workspace = await workspaceOf(`${"x".repeat(3000)}\n`.repeat(5));
    for (const regex of [false, true]) {
      const page = await workspace.read("a", { match: "x", regex });
      const all = [1, 2, 3, 4, 5].map((line) => ({ line, count: 3000 }));
      assertEquals(page.hits?.inOneLine, regex ? undefined : all);
      assertEquals(readingOf(page).places?.length, 5);
    }
  });
});

describe("a pattern of varying length", () => {
  for (const match of [".*", "\\d+", "x|xx"]) {
    it(`counts no hits in a giant line: ${match}`, async () => {
      const workspace = await workspaceOf("x".repeat(3000) + "12345 67;");
      const page = await workspace.read("a", { match, regex: true });
      assertEquals(page.hits?.count, 1);
      // Each place where one may end would count as a hit.
      assertEquals(page.hits?.inOneLine, undefined);
    });
  }
});

describe("a search that matches every second line", () => {
  it("takes linear time", async () => {
    await assertLinear(16_000, async (lines) => {
      const workspace = await workspaceOf("x\ny\n".repeat(lines));
      await workspace.read("a", { match: "x" });
    });
  });
});
