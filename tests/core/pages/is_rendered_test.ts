import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { describe, it } from "node:test";
import {
  isRendered,
  memoryFs,
  notebookView,
  openWorkspace,
  type PageFacts,
  type ReadOptions,
  type RenderOptions,
  renderPage,
} from "../../../mod.ts";
import { assertLinear } from "../../support/growth.ts";
import { code, notebook } from "../../support/notebooks.ts";
import { anyPage, fileText, lineText } from "../../support/pages.ts";
import { draws } from "../../support/share.ts";

const RUNS = draws(1000, 500);

/** What stands before each line of a pasted answer. */
const PREFIXES: readonly string[] = [
  ...["", "  ", "\t", "+", "-", "> ", "> > ", "-   ", "// ", "# ", " * "],
  ...["* ", "| ", " | > ", ";; ", "% ", "-- ", "<!-- ", "(* ", "{/* ", "… "],
  ...["1. ", "  12) ", "a. ", "• ", "> 2. ", "- [x] ", "1234. ", "<code>"],
  ...["12:", "     7\t", "L12: ", "\u00a0", "\u200b", "\u2003", "\ufeff"],
];

/** A page with at least one line; of other pages, nothing need be recognized. */
const anyLines = anyPage
  .filter(({ lines }) => lines.length > 0)
  .map((page) => ({ ...page, empty: null }));

const anyOptions: fc.Arbitrary<RenderOptions> = fc.record({
  path: fc.constantFrom("a.txt", 'src/"x"/é.ts', "x".repeat(300)),
  tool: fc.constantFrom("read_file", "mcp__files__read_file"),
  next: fc.constantFrom(null, {}, { path: "a.txt", start: 4 }),
  notes: fc.array(lineText, { maxLength: 2 }),
}, { requiredKeys: [] }).map((options) => ({ ...options }));

/** Whether a line of a rendering is one of the file. */
const isRow = (line: string) => /^-?\d+(?::\d+)?[^\t"]*\t/.test(line);

describe("isRendered()", () => {
  it(`recognizes an answer, and a part with a row and one end of it, after any prefix (seed ${RUNS.seed})`, () => {
    const check = (
      page: PageFacts,
      options: RenderOptions,
      prefix: string,
      around: string,
      [from, to, ending]: readonly [number, number, string],
    ) => {
      const lines = renderPage(page, options).split("\n");
      const text = lines.map((line) => prefix + line + ending).join("");
      const lengths = lines.map((line) => `${prefix}${line}${ending}`.length);
      const placeOf = (line: number) =>
        lengths.slice(0, line).reduce((sum, length) => sum + length, 0);
      const firstRow = lines.findIndex(isRow);
      const lastRow = lines.findLastIndex(isRow);
      const tab = placeOf(firstRow) + prefix.length +
        lines[firstRow]!.indexOf("\t") + 1;
      for (
        const part of [
          text,
          // Cut anywhere before the last row, or after the number of the first.
          text.slice(from % (placeOf(lastRow) + 1)),
          text.slice(0, tab + to % (text.length - tab + 1)),
        ]
      ) {
        assert(isRendered(part), part);
        assert(isRendered(`${around}\n${part}\n${around}`), part);
      }
    };
    const cut = fc.tuple(
      fc.nat(),
      fc.nat(),
      fc.constantFrom("\n", "\n", "\r\n", " -->\n", "</code>\r\n"),
    );
    const prefix = fc.constantFrom(...PREFIXES);
    fc.assert(
      fc.property(anyLines, anyOptions, prefix, fileText, cut, check),
      RUNS,
    );
  });

  const files = {
    "/a.txt": "one\ntwo \\u{1}\x1b\nthree\r\n\nTODO\nsix\xff",
    "/long.txt": `${"x".repeat(500)}TODO${"y".repeat(500)}\nz\nTODO`,
    "/bad.txt": Uint8Array.of(0x61, 0xff, 0x0a, 0x62),
    "/sjis.txt": Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 0x0a, 0x81, 0xff, 0x0a),
    "/a.ipynb": notebook([code(["a = 1\n", "b"], [])]),
  };
  const pages: readonly (readonly [string, string, ReadOptions])[] = [
    ["a whole file", "a.txt", {}],
    ["a page with a next one", "a.txt", { start: 2, count: 1 }],
    ["hits with gaps", "a.txt", { match: "o", before: 0, after: 0 }],
    ["a hit in a long line", "long.txt", { match: "TODO", maxBytes: 100 }],
    ["a tail with numbers below zero", "a.txt", { tail: 2, numbered: false }],
    ["a part of a line", "long.txt", { column: 400, width: 9 }],
    ["escaped lines", "a.txt", { escape: true }],
    ["bytes that are not UTF-8", "bad.txt", { encoding: "utf-8" }],
    ["another encoding", "sjis.txt", { encoding: "shift_jis" }],
    ["clipped lines", "long.txt", { maxLineBytes: 20 }],
    ["a notebook", "a.ipynb", {}],
  ];
  for (const [what, path, options] of pages) {
    it(`recognizes ${what}`, async () => {
      const fs = memoryFs(files);
      const views = [notebookView()];
      const workspace = await openWorkspace("/", { fs, views });
      const page = await workspace.read(path, options);
      for (const notes of [[], ['start: "2" was taken as 2']]) {
        const lines = renderPage(page, { notes }).split("\n");
        assert(isRendered(lines.join("\n")));
        assert(isRendered(lines.slice(1).join("\n")));
        assert(isRendered(lines.slice(0, -1).join("\n")));
        const rows = lines.slice(1 + notes.length, -1);
        assert(!isRendered(rows.join("\n")), "only rows");
        assert(!isRendered(lines.toSpliced(1, lines.length - 2).join("\n")));
      }
    });
  }

  const first = '"a.txt": lines 1-2 of 9.';
  it("recognizes a search of a directory without its last line", () => {
    for (
      const head of [
        "1 line matches in 1 file.",
        "3 lines match in 2 files. More follows.",
      ]
    ) {
      assert(isRendered(`"src": ${head}\n"src/a.ts": 1 line matches.\n7\tx`));
    }
  });
  const ordinary: Readonly<Record<string, string>> = {
    "nothing": "",
    "rows alone": "1\tone\n2\ttwo\n3:4 cut\tthree",
    "a first line alone": first,
    "a last line alone": "End of file.",
    "a first and a last line": `${first}\nEnd of file.`,
    "numbers in other forms":
      `${first}\n1 one\n  2→two\n3: three\n4|four\n0\tx`,
    "numbers inside lines": `${first}\na 1\tone`,
    "a table, and prose about files":
      "id\tname\n1\tone\n\nEnd of file. The rest is prose.\nThe End of file.",
    "a table, and keys of JSON": '1\tone\n"a": lines\n"b": line of 5',
    "a table, and what comes next": "1\tone\nNext: do the rest {}\nNext: {",
  };
  for (const [what, text] of Object.entries(ordinary)) {
    it(`does not recognize ${what}`, () => {
      assert(!isRendered(text));
    });
  }
  it("takes linear time for text that looks like a part of a page", async () => {
    // From about 20,000 repetitions on, Bun interprets a pattern: 100 times slower, and linear again.
    await assertLinear(12_000, (n) => {
      const row = "1\tx\n";
      const last = "\nEnd of file.";
      const texts = [
        `${" ".repeat(n)}a\t${last}`,
        `${"-".repeat(n)}a\t${last}`,
        `${" \r".repeat(n)}${last}`,
        `${"\u2028".repeat(n)}${last}`,
        `${"1".repeat(2 * n)}${last}`,
        `${"1. ".repeat(n)}${last}`,
        `${"1:1 ".repeat(n)}${last}`,
        `1${" cut".repeat(n)}${last}`,
        `${row}"${'\\"'.repeat(n)}`,
        `${row}${'"'.repeat(n)}`,
        `${row}${'" '.repeat(n)}`,
        `${row}"a": line${" of ".repeat(n)}`,
        `${row}"a": line 1${" of x".repeat(n)}`,
        `${row}${"Next: ".repeat(n)}`,
        `${row}Next: ${"x".repeat(n)} {`,
        `${row}${"End of ".repeat(n)}`,
        `${row}${"End of file. x".repeat(n)}`,
      ];
      assertEquals(texts.filter(isRendered), []);
    });
  });
});
