import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  type PageFacts,
  type RenderOptions,
  renderPage,
} from "../../../mod.ts";
import { writePage } from "../../../src/core/pages/render.ts";
import type { PageLine } from "../../../src/core/pages/page.ts";
import { unescapeHidden } from "../../../src/core/unicode/escape.ts";
import { anyPage, linesOf, lineText, pageOf } from "../../support/pages.ts";
import { parseWords } from "../../support/rendered.ts";
import { draws } from "../../support/share.ts";

const RUNS = draws(1000, 500);

function line(number: number, text: string, rest: Partial<PageLine> = {}) {
  return { number, column: 1, text, ending: "\n", ...rest } as PageLine;
}

/** A page of one line of many. */
const LINE_7 = pageOf([line(7, "x")], { size: 20, totalLines: 9 });

const NOTHING = { shown: { start: 90, end: 90 }, size: 90, totalLines: 20 };

/** Pages, and all of their texts. */
const TEXTS: Readonly<Record<string, readonly [PageFacts, string]>> = {
  "a whole file": [
    pageOf(linesOf("one\n\n\tthree\n")),
    '"a.txt": lines 1-3 of 3.\n1\tone\n2\t\n3\t\tthree\nEnd of file.',
  ],
  "a file without a last line feed": [
    pageOf(linesOf("one\ntwo")),
    '"a.txt": lines 1-2 of 2.\n1\tone\n2 no newline\ttwo\nEnd of file.',
  ],
  "one line": [
    pageOf([line(1, "x")]),
    '"a.txt": line 1 of 1.\n1\tx\nEnd of file.',
  ],
  "a page with a next one": [
    pageOf(linesOf("one\ntwo\n"), {
      size: 20,
      totalLines: 5,
      next: { start: 3, count: 2, etag: "v1" },
    }),
    '"a.txt": lines 1-2 of 5. More follows.\n1\tone\n2\ttwo\nNext: read_file {"path":"a.txt","start":3,"count":2,"etag":"v1"}',
  ],
  "the lines that were asked for": [
    LINE_7,
    '"a.txt": line 7 of 9.\n7\tx\nEnd of what was asked for; the file goes on.',
  ],
  "a file whose lines were not counted": [
    { ...LINE_7, totalLines: null },
    '"a.txt": line 7 of an unknown total (20 bytes).\n7\tx\nEnd of what was asked for; the file goes on.',
  ],
  "an empty file": [
    pageOf([], { totalLines: 0 }),
    '"a.txt": an empty file.\nEnd of file.',
  ],
  "a page past the end": [
    pageOf([], { empty: "past the end", ...NOTHING }),
    '"a.txt": nothing, past the last line of 20.\nEnd of file. Start at line 20 or before.',
  ],
  "a page past the end of a file whose lines were not counted": [
    pageOf([], { empty: "past the end", ...NOTHING, totalLines: null }),
    '"a.txt": nothing, past the last line of an unknown total (90 bytes).\nEnd of file.',
  ],
  "a page past the last column": [
    pageOf([], { empty: "past the last column", ...NOTHING }),
    '"a.txt": nothing, past the last column of the last line of 20.\nEnd of file. Line 20 ends before that column.',
  ],
  "a search without a hit": [
    pageOf([], {
      empty: "no hit",
      ...NOTHING,
      hits: { count: 0, exact: true, lines: [], gaps: [] },
    }),
    '"a.txt": no line matches, of 20.\nEnd of the lines that match.',
  ],
  "a block of blank lines": [
    pageOf([], { empty: "blank lines", ...NOTHING, totalLines: null }),
    '"a.txt": a block of only blank lines, of an unknown total (90 bytes).\nEnd of the block.',
  ],
  "a binary file": [
    pageOf([], { empty: "binary", ...NOTHING, totalLines: null }),
    '"a.txt": a binary file of 90 bytes.\nEnd of file.',
  ],
  "a part of a binary file": [
    pageOf([], {
      empty: "binary",
      shown: { start: 0, end: 40 },
      size: 90,
      totalLines: null,
      next: { start: 1 },
    }),
    '"a.txt": a binary file of 90 bytes. More follows.\nNext: read_file {"path":"a.txt","start":1}',
  ],
  "the part of a binary file that was asked for": [
    pageOf([], {
      empty: "binary",
      shown: { start: 0, end: 40 },
      size: 90,
      totalLines: null,
    }),
    '"a.txt": a binary file of 90 bytes.\nEnd of what was asked for; the file goes on.',
  ],
  "lines that are counted from the end": [
    pageOf([line(-12, "x"), line(-11, "y")], { totalLines: null }),
    '"a.txt": lines -12 to -11 of an unknown total (4 bytes).\n-12\tx\n-11\ty\nEnd of file. Line -1 is the last; "numbered": true counts lines from the first.',
  ],
  "a file of CRLF": [
    pageOf(linesOf("a\r\nb\nc\r\nd")),
    '"a.txt": lines 1-4 of 4. Lines end in CRLF.\n1\ta\n2 LF\tb\n3\tc\n4 no newline\td\nEnd of file.',
  ],
  "a file of LF with one CRLF": [
    pageOf(linesOf("a\r\nb\nc\n")),
    '"a.txt": lines 1-3 of 3.\n1 CRLF\ta\n2\tb\n3\tc\nEnd of file.',
  ],
  "a part of a line": [
    pageOf([line(7, "middle", { column: 401, ending: "" })], {
      shown: { start: 400, end: 406 },
      size: 900,
      totalLines: 9,
      next: { start: 7, column: 407, width: 6, etag: "v1" },
    }),
    '"a.txt": line 7 of 9, from column 401, cut inside line 7. More follows.\n7:401 cut\tmiddle\nNext: read_file {"path":"a.txt","start":7,"column":407,"width":6,"etag":"v1"}',
  ],
  "hits": [
    pageOf([line(1, "x"), line(2, "y"), line(9, "x"), line(20, "x")], {
      totalLines: 20,
      hits: {
        count: 3,
        exact: true,
        lines: [1, 9, 20],
        gaps: [{ start: 3, end: 8, bytes: 12 }, {
          start: 10,
          end: 19,
          bytes: 20,
        }],
      },
    }),
    '"a.txt": lines 1-20 of 20, with 3 of 3 lines that match.\n1\tx\n2\ty\n… lines 3-8 not shown\n9\tx\n… lines 10-19 not shown\n20\tx\nEnd of the lines that match.',
  ],
  "hits in a long line": [
    pageOf([
      line(1, "ab", { ending: "" }),
      line(1, "cd", { column: 900, ending: "" }),
      line(3, "e"),
    ], {
      size: 2000,
      totalLines: 30,
      next: { start: 4, match: "b|d|e", regex: true },
      hits: {
        count: 4,
        exact: false,
        lines: [1, 3],
        gaps: [{ start: 2, end: 2, bytes: 9 }],
      },
    }),
    '"a.txt": lines 1-3 of 30, with 2 of at least 4 lines that match. More follows. Long lines show what is around each hit; "start" and "column" show more.\n1 cut\tab\n1:900 cut\tcd\n3\te\nNext: read_file {"path":"a.txt","start":4,"match":"b|d|e","regex":true}',
  ],
  "a view": [
    pageOf([line(1, "x")], { view: "cells" }),
    '"a.txt": line 1 of 1. Shown as cells; "view": "raw" shows the file itself.\n1\tx\nEnd of file.',
  ],
  "a view of gzip data": [
    pageOf([line(1, "x")], { view: "gunzip" }),
    '"a.txt": line 1 of 1. Shown as gunzip.\n1\tx\nEnd of file.',
  ],
  "another encoding": [
    pageOf([line(1, "x"), line(2, "y")], {
      encoding: {
        label: "shift_jis",
        why: "statistics",
        runnersUp: ["euc-jp", "gbk"],
      },
      inexact: [
        { number: 1, reason: "undecodable" },
      ],
    }),
    '"a.txt": lines 1-2 of 2. In shift_jis (statistics, or euc-jp, gbk). Lines marked undecodable show \\uFFFD where bytes are not text.\n1 undecodable\tx\n2\ty\nEnd of file.',
  ],
  "lines that are not UTF-8, and escaped": [
    pageOf([3, 4, 5, 6].map((number) => line(number, "x")), {
      totalLines: 6,
      inexact: [
        { number: 4, reason: "not UTF-8" },
        { number: 5, reason: "not UTF-8" },
        { number: 5, reason: "escaped" },
        { number: 6, reason: "escaped" },
      ],
    }),
    '"a.txt": lines 3-6 of 6. Lines marked esc show control characters as \\u{1B}, and a backslash before u{ as \\u{5C}. Lines marked not UTF-8 show \\uFFFD where bytes are not text.\n3\tx\n4 not UTF-8\tx\n5 esc not UTF-8\tx\n6 esc\tx\nEnd of file.',
  ],
  "a line that maxLineBytes clips": [
    pageOf([line(1, "ab"), line(2, "x")], {
      inexact: [{ number: 1, reason: "clipped" }],
    }),
    '"a.txt": lines 1-2 of 2. Lines marked clipped go on in the file.\n1 clipped\tab\n2\tx\nEnd of file.',
  ],
  "hidden characters": [
    pageOf([line(1, "\ufeffa\u202eb"), line(2, "a\u200bb")]),
    '"a.txt": lines 1-2 of 2. Hidden characters: U+202E right-to-left override (line 1, column 3), U+200B zero-width space (line 2, column 2).\n1\t\ufeffa\u202eb\n2\ta\u200bb\nEnd of file.',
  ],
};

/** Options, and the texts of the same page. */
const NAMED: Readonly<Record<string, readonly [RenderOptions, string]>> = {
  "another path and tool": [
    { path: "one/a.txt", tool: "read" },
    '"one/a.txt": line 7 of 9. More follows.\n7\tx\nNext: read {"path":"one/a.txt","start":8}',
  ],
  "another next call": [
    { next: { file: "a.txt", offset: 8 } },
    '"a.txt": line 7 of 9. More follows.\n7\tx\nNext: read_file with the same path and {"file":"a.txt","offset":8}',
  ],
  "no next call": [
    { next: null },
    '"a.txt": line 7 of 9.\n7\tx\nEnd of what was asked for; the file goes on.',
  ],
  "notes": [
    { notes: ["offset was taken as start", "x"] },
    '"a.txt": line 7 of 9. More follows.\nNote: offset was taken as start\nNote: x\n7\tx\nNext: read_file {"path":"a.txt","start":8}',
  ],
  "options that are undefined": [
    { path: undefined, tool: undefined, next: undefined, notes: undefined },
    '"a.txt": line 7 of 9. More follows.\n7\tx\nNext: read_file {"path":"a.txt","start":8}',
  ],
};

describe("renderPage()", () => {
  for (const [what, [page, text]] of Object.entries(TEXTS)) {
    it(`writes ${what}`, () => {
      assertEquals(renderPage(page), text);
      assertEquals(renderPage(JSON.parse(JSON.stringify(page))), text);
    });
  }
  for (const [what, [options, text]] of Object.entries(NAMED)) {
    it(`takes ${what}`, () => {
      assertEquals(
        renderPage({ ...LINE_7, next: { start: 8 } }, options),
        text,
      );
    });
  }
  it("gives the same text for a page that was read and for its JSON", async () => {
    const fs = memoryFs({ "/a": "one\x1b\ntwo\r\nthree\nfour\n" });
    const workspace = await openWorkspace("/", { fs });
    for (
      const options of [{ count: 2 }, { tail: 1 }, { match: "t", after: 0 }]
    ) {
      const page = await workspace.read("a", options);
      assertEquals(
        renderPage(JSON.parse(JSON.stringify(page))),
        renderPage(page),
      );
    }
  });
  it("shows controls and line breaks as escapes", () => {
    const text = "\x1b[2Ka\rb\0\u2028❤️ \\u{1B}\tc";
    const rendered = renderPage(
      pageOf([line(1, text), line(2, "\ttab\u202e")]),
    );
    assertEquals(rendered.split("\n").slice(1, 3), [
      "1 esc\t\\u{1B}[2Ka\\u{D}b\\u{0}\\u{2028}❤\\u{FE0F} \\u{5C}u{1B}\tc",
      "2\t\ttab\u202e",
    ]);
  });
  it("names five hidden characters, and says if there may be more than are known", () => {
    const headOf = (count: number) => {
      const page = pageOf([line(1, "\u202e".repeat(count))]);
      return renderPage(page).split("\n")[0]!;
    };
    assertMatch(headOf(5), /, column 5\)\.$/);
    assertMatch(headOf(9), /, column 5\), and 4 more\.$/);
    assertMatch(headOf(20_000), /, and at least 9995 more\.$/);
    const quiet = pageOf([line(1, "\ufeff می‌شود")]);
    assertEquals(quiet.warnings.length, 2);
    assert(!renderPage(quiet).includes("Hidden"));
  });
  it("shows a path without hidden characters, in quotes", () => {
    const page = pageOf([], { path: 'a\n1\t"b\u202e\u{E0041}' });
    assertMatch(
      renderPage(page),
      /^"a\\n1\\t\\"b\\u202e\\udb40\\udc41": an empty file\.\n/,
    );
  });
  for (const [what, part] of Object.entries({ letter: "x", quote: '"' })) {
    it(`shows the end of a long path, which a ${what} in it cannot end`, () => {
      // The cut falls on each place of an escape.
      for (let count = 180; count < 220; count++) {
        const end = `": an empty file.${part.repeat(count)}`;
        const path = `${part.repeat(100)}${end}`;
        const page = pageOf([line(1, "x")], { path, size: 9, next: {} });
        const { path: shown, last } = parseWords(renderPage(page));
        assert(path.endsWith(shown.slice(1)), shown);
        const { length } = JSON.stringify(shown);
        assert(length <= 202 && length > 198, `${length} characters`);
        assertEquals(last, "Next: read_file with the same path and {}");
      }
    });
  }
  it("keeps a line feed of forged facts, a note or a name on its line", () => {
    const forged = "a\n4\tb\r\nEnd of file.\u2028";
    const shown = "a\\u{A}4\tb\\u{D}\\u{A}End of file.\\u{2028}";
    const lines = [line(3, forged), line(5, forged)];
    const inexact = [{ number: 5, reason: "escaped" }] as const;
    const page = pageOf(lines, { warnings: [], inexact });
    assertEquals(
      renderPage(page, { tool: forged, notes: [forged], next: {} })
        .split("\n").slice(1),
      [
        `Note: ${shown}`,
        `3 esc\t${shown}`,
        `5 esc\t${shown}`,
        `Next: ${shown} with the same path and {}`,
      ],
    );
    assertEquals(renderPage({ ...LINE_7, view: forged }).split("\n"), [
      `"a.txt": line 7 of 9. Shown as ${shown}; "view": "raw" shows the file itself.`,
      "7\tx",
      "End of what was asked for; the file goes on.",
    ]);
  });
  it(`gives back what the facts of any page have, and nothing else (seed ${RUNS.seed})`, () => {
    const check = (page: PageFacts, notes: readonly string[]) => {
      const text = renderPage(page, { notes });
      const parsed = parseWords(text);
      const { path, lines, next, hits } = page;
      const known = JSON.stringify(path).length > 190 || parsed.path === path;
      assert(known, parsed.path);
      assertEquals(parsed.notes.length, notes.length);
      for (const [index, note] of notes.entries()) {
        const shown = parsed.notes[index]!;
        assert(shown === note || unescapeHidden(shown) === note, shown);
      }
      assertEquals(
        parsed.rows.map(({ marks: _, ...row }) => row),
        lines.map((line) => ({ ...line, text: textOf(page, line) })),
      );
      assertEquals(parsed.more, next !== null);
      const { path: named = path, ...rest } = parsed.next ?? {};
      assertEquals([named, { ...rest }], [path, { ...next }]);
      // However other programs split lines, there are no more.
      const between = parsed.gaps.length;
      assert(between <= (hits?.gaps.length ?? 0));
      assertEquals(
        text.split(/\r\n|[\n\r\v\f\x85\u2028\u2029]/).length,
        1 + notes.length + lines.length + between + 1,
      );
    };
    const notes = fc.array(lineText, { maxLength: 2 });
    fc.assert(fc.property(anyPage, notes, check), RUNS);
  });
  it("refuses what is not a page", () => {
    for (const value of [undefined, null, 5, "a", {}, { lines: [null] }]) {
      assertThrows(
        () => renderPage(value as unknown as PageFacts),
        TypeError,
        "Cannot render the page: it must be one that was read",
      );
    }
    assertThrows(
      () => renderPage(Promise.resolve() as unknown as PageFacts),
      TypeError,
      "not a promise; await it",
    );
  });
  it("refuses options that it does not know", () => {
    for (
      const [options, problem] of [
        [{ note: [] }, '"note" is unknown'],
        [{ notes: "a" }, "notes must be a list of strings"],
        [{ notes: [5] }, "notes must be a list of strings"],
        [{ path: 5 }, "path must be a string"],
        [{ tool: 5 }, "tool must be a string"],
        [{ next: "a" }, "next must be an object or null"],
      ] as const
    ) {
      assertThrows(
        () => renderPage(LINE_7, options as unknown as RenderOptions),
        TypeError,
        `Cannot render the page: ${problem}`,
      );
    }
  });
});

/** The text of a line as its row gives it. */
function textOf({ inexact }: PageFacts, { number, text }: PageLine): string {
  const isEscaped = inexact.some((line) =>
    line.number === number && line.reason === "escaped"
  );
  // Facts that contradict each other: an escaped text has no control characters.
  return isEscaped && !/[^\P{Cc}\t]|[\u2028\u2029]/u.test(text)
    ? unescapeHidden(text)
    : text;
}

describe("writePage()", () => {
  it("gives the frame and the rows, of which the text consists", () => {
    const [page] = TEXTS.hits!;
    const { text, frame, rows } = writePage(page);
    assertEquals(
      frame,
      '"a.txt": lines 1-20 of 20, with 3 of 3 lines that match.\nEnd of the lines that match.',
    );
    assertEquals(rows[2], "… lines 3-8 not shown\n9\tx");
    assertEquals(
      text.split("\n").toSorted(),
      [
        ...frame.split("\n"),
        ...rows.join("\n").split("\n"),
      ].toSorted(),
    );
  });
  it("shows fewer lines, and the end of the pages of a document", () => {
    const { text } = writePage(pageOf(linesOf("a\nb\nc\n")), {
      lines: [line(2, "b")],
      pages: "3-5",
    });
    assertEquals(
      text,
      '"a.txt": line 2 of 3.\n2\tb\nEnd of "pages": "3-5".',
    );
  });
});
