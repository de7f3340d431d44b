import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { describe, it } from "node:test";
import { escapeHidden } from "../../../src/core/unicode/escape.ts";
import {
  isRendered,
  type ParsedPage,
  parsePage,
  renderPage,
} from "../../../src/core/pages/frame.ts";
import type { Page, PageLine } from "../../../src/core/pages/page.ts";
import {
  anyPage,
  fileText,
  honestPage,
  linesOf,
  lineText,
  type PageFacts,
  pageOf,
  signed,
} from "../../support/pages.ts";
import { draws } from "../../support/share.ts";
import { assertLinear } from "../../support/growth.ts";

const RUNS = draws(1000, 500);

/** A page without its bytes. */
function factsOf(page: PageFacts | ParsedPage): PageFacts {
  const facts: Record<string, unknown> = { ...page };
  delete facts.bytes;
  delete facts.receipt;
  return facts as unknown as PageFacts;
}

function line(number: number, text: string, rest: Partial<PageLine> = {}) {
  return { number, column: 1, text, ending: "\n", ...rest } as PageLine;
}

describe("renderPage()", () => {
  it("gives each line its number, and marks the end of the file", () => {
    assertEquals(
      renderPage(pageOf(linesOf("one\n\n\tthree\n"))),
      '1¦one\n2¦\n3¦\tthree\n¦ "a.txt": lines 1-3 of 3, bytes 0 to 12 of 12. Version "v1". End of file.',
    );
  });
  it("gives the options of the next page, which contain the etag", () => {
    const page = pageOf(linesOf("one\ntwo\n"), {
      size: 20,
      totalLines: 5,
      next: { start: 3, count: 2, etag: "v1" },
    });
    assertEquals(
      renderPage(page),
      '1¦one\n2¦two\n¦ "a.txt": lines 1-2 of 5, bytes 0 to 8 of 20. More follows: read this path again with {"start":3,"count":2,"etag":"v1"}.',
    );
  });
  it("says that the total is unknown", () => {
    const page = pageOf([line(7, "x")], { totalLines: null });
    assertStringIncludes(
      renderPage(page),
      '"a.txt": line 7 of an unknown total, bytes',
    );
  });
  it("says that the file continues after the requested lines", () => {
    const page = pageOf([line(7, "x")], { size: 20, totalLines: 9 });
    assertMatch(
      renderPage(page),
      / End of what was asked; the file goes on\.$/,
    );
  });
  it("says that a file is empty", () => {
    assertEquals(
      renderPage(pageOf([], { totalLines: 0 })),
      '¦ "a.txt": empty file, 0 lines of 0, bytes 0 to 0 of 0. Version "v1". End of file.',
    );
  });
  it("says that a page starts past the end, and where to start instead", () => {
    const page = pageOf([], {
      empty: "past the end",
      totalLines: 20,
      shown: { start: 90, end: 90 },
      size: 90,
    });
    assertEquals(
      renderPage(page),
      '¦ "a.txt": nothing, past the last line of 20, bytes 90 to 90 of 90. Version "v1". End of file; start at line 20 or before.',
    );
    assertEquals(
      renderPage({ ...page, totalLines: null }),
      '¦ "a.txt": nothing, past the last line of an unknown total, bytes 90 to 90 of 90. Version "v1". End of file.',
    );
    const shown = { start: 0, end: 0 };
    assertMatch(renderPage({ ...page, shown }), / End of file; start at/);
    assertMatch(
      renderPage({ ...page, shown, totalLines: null }),
      / End of file\.$/,
    );
  });
  it("distinguishes lines that are counted from the end, also in words", () => {
    const page = pageOf([line(-12, "x"), line(-11, "y")], {
      totalLines: null,
      exact: false,
      inexact: [
        { number: -12, reason: "escaped" },
        { number: -11, reason: "escaped" },
      ],
    });
    assertEquals(
      renderPage(page),
      '-12¦x\n-11¦y\n¦ "a.txt": lines -12 to -11 of an unknown total, bytes 0 to 4 of 4. Not the exact text: lines -12 to -11 (escaped). Version "v1". End of file; lines are counted from it, -1 is the last. Ask with numbered: true to have them counted from the first.',
    );
    assertMatch(renderPage(pageOf([line(-1, "x")])), /: line -1 of 1, /);
  });
  it("names CRLF once, and the lines with another ending", () => {
    assertEquals(
      renderPage(pageOf(linesOf("a\r\nb\nc\r\nd"))),
      '1¦a\n2 LF¦b\n3¦c\n4 no newline¦d\n¦ "a.txt": lines 1-4 of 4, bytes 0 to 9 of 9. Lines end in CRLF. Version "v1". End of file.',
    );
    assertEquals(
      renderPage(pageOf(linesOf("a\r\nb\nc\n"))).split("\n").slice(0, 3),
      ["1 CRLF¦a", "2¦b", "3¦c"],
    );
  });
  it("shows the columns of a line that was cut", () => {
    const cut = line(7, "middle", { column: 401, ending: "" });
    const page = pageOf([cut], {
      shown: { start: 400, end: 406 },
      size: 900,
      totalLines: 9,
      next: { start: 7, column: 407, width: 6, etag: "v1" },
    });
    assertEquals(
      renderPage(page),
      '7:401 cut¦middle\n¦ "a.txt": line 7 of 9, from column 401, cut inside line 7, bytes 400 to 406 of 900. More follows: read this path again with {"start":7,"column":407,"width":6,"etag":"v1"}.',
    );
  });
  it("marks only the last line if the file has no final newline", () => {
    const lines = [line(1, "a", { ending: "" }), line(2, "b", { ending: "" })];
    assertEquals(
      renderPage(pageOf(lines)).split("\n").slice(0, 2),
      ["1 cut¦a", "2 no newline¦b"],
    );
  });
  it("shows controls and line breaks as escapes", () => {
    const text = "\x1b[2Ka\rb\0\u2028❤️ \\u{1B}\tc";
    assertEquals(
      renderPage(pageOf([line(1, text), line(2, "\ttab\u202e")]))
        .split("\n").slice(0, 2),
      [
        "1 esc¦\\u{1B}[2Ka\\u{D}b\\u{0}\\u{2028}❤\\u{FE0F} \\u{5C}u{1B}\tc",
        "2¦\ttab\u202e",
      ],
    );
    assertStringIncludes(
      renderPage(pageOf([line(1, text)])),
      " Lines marked esc show control characters as \\u{1B}, and a backslash before u{ as \\u{5C}. ",
    );
  });
  it("names five hidden characters above the level info", () => {
    const page = pageOf([line(1, "\ufeffa\u202eb"), line(2, "a\u200bb")]);
    assertStringIncludes(
      renderPage(page),
      ". Hidden characters: U+202E right-to-left override (line 1, column 3), U+200B zero-width space (line 2, column 2). Version",
    );
    assertMatch(
      renderPage(pageOf([line(1, "\u202e".repeat(9))])),
      /column 5\), and 4 more\. Version/,
    );
    const quiet = pageOf([line(1, "\ufeff می‌شود")]);
    assertEquals(quiet.warnings.length, 2);
    assert(!renderPage(quiet).includes("Hidden"));
  });
  it("says that there may be more hidden characters than reported", () => {
    const page = pageOf([line(1, "\x1b".repeat(20_000))]);
    assertMatch(renderPage(page), /, and at least 9995 more\. Version/);
    const whole = signed(page);
    assertEquals(factsOf(parsePage(renderPage(whole))), factsOf(whole));
  });
  it("names the line if a column is past its end", () => {
    const shown = { start: 9, end: 9 };
    const page = pageOf([], {
      empty: "past the last column",
      totalLines: 3,
      shown,
      size: 9,
    });
    assertEquals(
      renderPage(page),
      '¦ "a.txt": nothing, past the last column of the last line of 3, bytes 9 to 9 of 9. Version "v1". End of file; line 3 ends before that column.',
    );
  });
  it("names the inexact lines, and the reasons", () => {
    const page = pageOf([3, 4, 5, 7, 8].map((number) => line(number, "x")), {
      exact: false,
      inexact: [
        { number: 3, reason: "not UTF-8" },
        { number: 4, reason: "not UTF-8" },
        { number: 5, reason: "escaped" },
        { number: 7, reason: "escaped" },
      ],
    });
    assertStringIncludes(
      renderPage(page),
      " Not the exact text: lines 3-4 (not UTF-8), line 5 (escaped), line 7 (escaped). ",
    );
  });
  it("escapes each hidden character in a path", () => {
    const hidden = Array.from({ length: 0x110000 }, (_, point) => point)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((character) => escapeHidden(character) !== character);
    const text = renderPage(pageOf([], { path: hidden.join("") }));
    assertEquals(escapeHidden(text), text);
  });
  it("shows the path and the version without hidden characters", () => {
    const page = pageOf([], { path: 'a\n¦ "b\u202e\u{E0041}', etag: "\x9b" });
    assertStringIncludes(
      renderPage(page),
      '¦ "a\\n¦ \\"b\\u202e\\udb40\\udc41": ',
    );
    assertStringIncludes(renderPage(page), 'Version "\\u009b".');
  });
  it("refuses a line that contains a line feed", () => {
    assertThrows(
      () => renderPage(pageOf([line(3, "a\n4¦b")])),
      TypeError,
      "Cannot render the page: the text of line 3 holds a line feed",
    );
  });
  it(`never lets content begin a row (seed ${RUNS.seed})`, () => {
    const breaks = /\r\n|[\n\r\v\f\x85\u2028\u2029]/;
    const check = (page: PageFacts) => {
      const rows = renderPage(page).split(breaks);
      assertEquals(rows.length, page.lines.length + 1);
      assertMatch(rows.pop()!, /^¦ "/);
      for (const [index, row] of rows.entries()) {
        const [gutter = ""] = row.split("¦");
        assertMatch(
          gutter,
          /^-?\d+(:\d+)?( LF| CRLF| cut| no newline)?( esc)?$/,
        );
        assertEquals(parseInt(gutter), page.lines[index]!.number);
      }
    };
    fc.assert(fc.property(fc.oneof(honestPage, anyPage), check), RUNS);
  });
});

describe("parsePage()", () => {
  it(`restores each page of a file, and its bytes (seed ${RUNS.seed})`, () => {
    const check = (page: ReturnType<typeof pageOf>) => {
      const parsed = parsePage(renderPage(page));
      assertEquals(factsOf(parsed), factsOf(page));
      assertEquals(parsed.bytes(), page.bytes());
    };
    fc.assert(fc.property(honestPage, check), RUNS);
  });
  it(`gives a page whose rendering is the same (seed ${RUNS.seed})`, () => {
    const check = (page: PageFacts) => {
      const text = renderPage(page);
      assertEquals(renderPage(parsePage(text)), text);
    };
    fc.assert(fc.property(honestPage, check), RUNS);
  });
  it(`restores a page with escaped text, and its bytes (seed ${RUNS.seed})`, () => {
    const check = (text: string) => {
      const plain = signed(pageOf(linesOf(text.toWellFormed())));
      const lines = plain.lines.map((line) => ({
        ...line,
        text: escapeHidden(line.text),
      }));
      const inexact = lines.flatMap(({ number, text }, index) =>
        text === plain.lines[index]!.text
          ? []
          : [{ number, reason: "escaped" as const }]
      );
      const exact = inexact.length === 0;
      const page = { ...plain, lines, inexact, exact };
      const rendered = renderPage(page);
      const parsed = parsePage(rendered);
      assertEquals(factsOf(parsed), factsOf(page));
      assertEquals(parsed.bytes(), plain.bytes());
    };
    fc.assert(fc.property(fileText, check), RUNS);
  });
  it("gives no bytes if the file is not UTF-8", () => {
    const page = signed(pageOf([line(1, "\ufffd")], {
      exact: false,
      inexact: [{ number: 1, reason: "not UTF-8" }],
    }));
    assertEquals(parsePage(renderPage(page)).bytes(), null);
  });
  const text = renderPage(
    signed(pageOf(linesOf("one\ntwo\n"), { next: {}, totalLines: 3, size: 9 })),
  );
  const refused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "its last line is not a notice": {
      "nothing": "",
      "text": "one\ntwo",
      "a line after the notice": `${text}\n`,
      "a missing notice": "1¦one\n2¦two",
    },
    "row 2 has no gutter": {
      "a missing gutter": text.replace("2¦", ""),
      "minus zero": text.replace("2¦", "-0¦"),
      "a leading zero": text.replace("2¦", "02¦"),
    },
    "row 3 has no gutter": {
      "a missing gutter after lines that are not shown": text
        .replace("2¦", "¦ lines 2-3 not shown, 4 bytes\n"),
      "a missing gutter after unchanged lines": text
        .replace("2¦", "¦ lines 2-3 unchanged\n"),
    },
    "it is not as it was rendered": {
      "another number": text.replace("2¦", "9¦"),
      "a number counted from the end": text.replace("2¦", "-2¦"),
      "a column 1": text.replace("2¦", "2:1¦"),
      "a needless mark": text.replace("2¦", "2 LF¦"),
      "a needless escape": text.replace("2¦", "2 esc¦"),
      "other words": text.replace("lines 1-2", "lines 1-3"),
      "broken JSON": text.replace('"start":3', '"start":'),
      "an endless list": text.replace(
        " More",
        " Not the exact text: lines 1-9999999999 (escaped). More",
      ),
    },
  };
  for (const [why, texts] of Object.entries(refused)) {
    for (const [what, changed] of Object.entries(texts)) {
      it(`refuses ${what}`, () => {
        assertThrows(
          () => parsePage(changed),
          TypeError,
          `Cannot parse the page: ${why}`,
        );
      });
    }
  }
  const said: readonly object[] = [
    { start: -3 },
    { start: "rm -rf" },
    { start: null },
    { start: 4 },
    { column: 2 },
    { count: 1 },
    { maxBytes: 4 },
    { tail: 2 },
    { escape: "yes" },
    { other: 1 },
    { toString: 1 },
  ];
  const { next } = parsePage(text);
  for (const facts of said) {
    it(`refuses an impossible next: ${JSON.stringify(facts)}`, () => {
      const changed = JSON.stringify({ ...next, ...facts });
      assertThrows(
        () => parsePage(text.replace(JSON.stringify(next), changed)),
        TypeError,
        "Cannot parse the page: it is not as it was rendered",
      );
    });
  }
  it("refuses a value that is not a string with the same message", () => {
    for (const value of [undefined, null, 5, {}, []]) {
      assertThrows(
        () => parsePage(value as unknown as string),
        TypeError,
        "Cannot parse the page: its last line is not a notice",
      );
    }
  });
  it("takes linear time for text that looks like a notice", async () => {
    const more = "More follows: read this path again with {";
    const texts = [
      ['¦ "a": ', ", bytes 1 to 1 of 1. Not the exact text: ", ""],
      ['¦ "a": ', ", bytes 1", ""],
      [`¦ "a": x of 0, bytes 0 to 0 of 0. ${more}"`, '\\"', ""],
      [`¦ "a": x of 0, bytes 0 to 0 of 0. ${more}`, '"a"', ""],
      ['¦ "a": ', "x of 0", ""],
      ['¦ "', '\\"', ""],
      [`¦ "a": x of 0, bytes 0 to 0 of 0. ${more}`, '"{', "}"],
      ['¦ "a": x of 0, bytes 0 to 0 of 0. Version "', '". Version "', ""],
      ["¦ ", '"a": ', ""],
      [
        '¦ "a": x of 0, bytes 0 to 0 of 0. Not the exact text: ',
        ". Hidden characters: ",
        "",
      ],
      ["", "1:1 cut esc", '\n¦ "a": x of 0, bytes 0 to 0 of 0. End of file.'],
      ["", "1\n", '¦ "a": x of 0, bytes 0 to 0 of 0. End of file.'],
    ] as const;
    // From about 20,000 repetitions on, Bun interprets a pattern: 100 times slower, and linear again.
    await assertLinear(12_000, (n) => {
      for (const [head, part, tail] of texts) {
        const text = head + part.repeat(n) + tail;
        assertThrows(() => parsePage(text), TypeError);
      }
    });
  });
  it(`never parses a changed text as the same page (seed ${RUNS.seed})`, () => {
    const check = (page: PageFacts, at: number, instead: string) => {
      const text = renderPage(page);
      const place = at % text.length;
      const changed = text.slice(0, place) + instead + text.slice(place + 1);
      fc.pre(changed !== text);
      let parsed: ParsedPage;
      try {
        parsed = parsePage(changed);
      } catch (error) {
        assert(error instanceof TypeError, `${error}`);
        return;
      }
      assertEquals(renderPage(parsed), changed);
    };
    fc.assert(fc.property(honestPage, fc.nat(), lineText, check), RUNS);
  });
});

/** Edits of one row, or one number, of a rendering. */
const EDITS: Readonly<
  Record<string, (rows: string[], at: number, by: number) => void>
> = {
  "inserts a row": (rows, at, by) => {
    const number = parseInt(rows[at] ?? "1") + by - 2;
    rows.splice(at, 0, `${number}¦${"x".repeat(by)}`);
  },
  "inserts a row and renumbers the following rows": (rows, at, by) => {
    const first = parseInt(rows[0] ?? "1");
    rows.splice(at, 0, `0¦${"x".repeat(by)}`);
    for (const [index, row] of rows.slice(0, -1).entries()) {
      rows[index] = row.replace(/^-?\d+/, `${first + index}`);
    }
    const last = first + rows.length - 2;
    const lines = first === last ? `line ${first}` : `lines ${first}-${last}`;
    rows.push(rows.pop()!.replace(/: .*? of (?=\d|an u)/, `: ${lines} of `));
  },
  "removes a row": (rows, at) => rows.splice(at, 1),
  "removes a row and renumbers the following rows": (rows, at) => {
    const [row = ""] = rows.splice(at, 1);
    for (let index = at; index < rows.length - 1; index++) {
      const number = parseInt(row) + index - at;
      rows[index] = rows[index]!.replace(/^-?\d+/, `${number}`);
    }
    const last = parseInt(rows.at(-2) ?? "1");
    rows.push(rows.pop()!.replace(/(: lines? \d+-)\d+/, `$1${last}`));
  },
  "repeats a row": (rows, at) => rows.splice(at, 0, rows[at]!),
  "moves a row": (rows, at, by) => {
    const [row] = rows.splice(at, 1);
    rows.splice((at + by) % rows.length, 0, row!);
  },
  "changes the number of a row": (rows, at, by) => {
    rows[at] = rows[at]!.replace(
      /^-?\d+/,
      (number) => `${Number(number) + by}`,
    );
  },
  "changes the length of a row": (rows, at, by) => {
    rows[at] += "é".repeat(by);
  },
  "changes a byte position in the notice": (rows, at, by) => {
    const numbers = /(?<=, bytes )\d+(?= to )|(?<= to )\d+|(?<= of )\d+(?=\.)/g;
    let left = at % 3;
    rows.push(
      rows.pop()!.replace(
        numbers,
        (number) => left-- === 0 ? `${Number(number) + by}` : number,
      ),
    );
  },
  "changes a line number in the notice": (rows, _, by) => {
    rows.push(
      rows.pop()!.replace(
        /(?<=: lines? )-?\d+/,
        (number) => `${Number(number) + by}`,
      ),
    );
  },
};

describe("parsePage() of an edited rendering", () => {
  for (const [what, edit] of Object.entries(EDITS)) {
    it(`refuses an edit that ${what} (seed ${RUNS.seed})`, () => {
      const check = (page: PageFacts, place: number, by: number) => {
        const text = renderPage(page);
        const rows = text.split("\n");
        // The path may contain text that looks like a notice.
        fc.pre(rows.length > 1 && page.path === "src/a.ts");
        edit(rows, place % (rows.length - 1), by);
        const changed = rows.join("\n");
        fc.pre(changed !== text);
        assertThrows(() => parsePage(changed), TypeError, undefined, changed);
      };
      const by = fc.integer({ min: 1, max: 9 });
      fc.assert(fc.property(honestPage, fc.nat(), by, check), RUNS);
    });
  }
  it("refuses bytes in an impossible order", () => {
    for (const bytes of ["9 to 3 of 2", "0 to 4 of 2", "4 to 0 of 4"]) {
      const text = `1¦one\n¦ "a": line 1 of 1, bytes ${bytes}. End of file.`;
      assertThrows(() => parsePage(text), TypeError, "not as it was rendered");
    }
  });
  it("accepts a replaced row of the same length", () => {
    const text = renderPage(signed(pageOf(linesOf("one\ntwo\n"))));
    assertEquals(parsePage(text.replace("two", "2wo")).lines[1]?.text, "2wo");
  });
});

describe("isRendered()", () => {
  const indent = fc.constantFrom(
    ...["", "  ", "\t", "+", "> ", "-   ", "// ", "# ", " * ", "* ", "| "],
    ...[
      "<!-- ",
      "1. ",
      "  12) ",
      "a. ",
      "• ",
      "> 2. ",
      "- [x] ",
      "1234. ",
      "<code>",
      "(* ",
      "… ",
      "\u2800",
    ],
    ...[" | > ", ";; ", "% ", "-- ", "\u00a0", "\u200b", "\u2003", "\ufeff"],
  );
  it(`recognizes a rendering and each part of it (seed ${RUNS.seed})`, () => {
    const check = (page: PageFacts, indent: string, around: string) => {
      const rows = renderPage(page).split("\n").map((row) => indent + row);
      const notice = rows.at(-1)!;
      const parts = [rows.join("\n"), rows.join("\r\n"), notice];
      if (rows.length > 1) parts.push(rows.slice(0, -1).join("\n"));
      // One line is enough, and so is text that begins inside a line.
      for (let index = 0; index < rows.length - 1; index++) {
        parts.push(rows[index]!);
        parts.push(`lost its gutter\n${rows[index + 1]}`);
      }
      for (const part of parts) {
        assert(isRendered(part), part);
        assert(isRendered(`${around}\n${part}\n${around}`), part);
      }
    };
    fc.assert(fc.property(anyPage, indent, fileText, check), RUNS);
  });
  it(`recognizes a cut rendering if a row keeps its bar (seed ${RUNS.seed})`, () => {
    const check = (page: PageFacts, row: number, from: number, to: number) => {
      const text = renderPage(page);
      const rows = text.split("\n");
      const index = row % rows.length;
      const start = rows.slice(0, index).join("\n").length + (index && 1);
      // The first words of a notice identify it.
      const bar = index === rows.length - 1
        ? rows[index]!.lastIndexOf(", bytes ")
        : rows[index]!.indexOf("¦") + 1;
      const end = start + bar;
      const cut = text.slice(
        from % (start + 1),
        end + to % (text.length - end + 1),
      );
      assert(isRendered(cut), cut);
    };
    fc.assert(
      fc.property(
        fc.oneof(honestPage, anyPage),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        check,
      ),
      RUNS,
    );
  });
  it("recognizes a page that is only a notice, after any text", () => {
    const empties = [
      null,
      "empty file",
      "past the end",
      "past the last column",
      "no hit",
    ];
    for (const empty of empties as readonly Page["empty"][]) {
      const notice = renderPage(pageOf([], { empty, totalLines: 3 }));
      for (const before of ["", "\ufeff", "\u00a0", "// ", " * "]) {
        assert(isRendered(before + notice), before + notice);
      }
      assert(isRendered(notice.replace("¦ ", "¦")), notice);
    }
  });
  const leftOut = [
    "¦ line 4 not shown, 12 bytes",
    "¦ lines 4-9 not shown, 120 bytes",
    "¦ lines 4-9 unchanged (then 5-10)",
    "// ¦ lines -9 to -4 unchanged",
  ];
  for (const row of leftOut) {
    it(`recognizes ${row}`, () => assert(isRendered(row)));
  }
  for (const row of ["<!-- 12¦a -->", "1. 12¦a", "• 12¦a", "{/* 12¦a */}"]) {
    it(`recognizes ${row}`, () => assert(isRendered(row)));
  }
  const ordinary: Readonly<Record<string, string>> = {
    "nothing": "",
    "a table of broken bars": "a ¦ b\n-----\n1 ¦ 2\n10 ¦ 20",
    "a table framed by broken bars": "¦ a ¦ b ¦\n¦---¦---¦\n¦ 1 ¦ 2 ¦",
    "the name of the character":
      "- ¦ U+00A6 broken bar\n- | U+007C vertical line",
    "keys and values with broken bars": "name¦a\nid7¦b\nx-12¦c",
    "a table": "| 1 | 2 |\n|---|---|\n12|13\n14|15",
    "a box": "12 │ const a = 1;\n13 │ const b = 2;",
    "a bar in text": "a ¦ b\n 1 ¦ 2\n¦ quoted\nx 12¦",
    "only a bar": '¦\n¦ \n¦ "\n¦ "a": b',
    "lines beside a bar":
      "¦ lines 4-9\n¦ line 4 is unchanged\n¦ lines unchanged",
    "numbered lines of other programs":
      "1\tone\n2\ttwo\n  3→three\nL4: four\n5|five",
    "a number with zeros": "007¦x\n0¦y\n-01¦z",
    "a signed number in text": "a-12¦b\nx.-1¦c",
  };
  for (const [what, text] of Object.entries(ordinary)) {
    it(`does not recognize ${what}`, () => {
      assert(!isRendered(text));
    });
  }
  it("takes linear time for text of bars and spaces", async () => {
    // From about 20,000 repetitions on, Bun interprets a pattern: 100 times slower, and linear again.
    await assertLinear(12_000, (n) => {
      const texts = [
        " ".repeat(n) + "¦" + '¦ "'.repeat(n / 4),
        ` ¦ "${'\\"'.repeat(n)}`,
        "|\u00a0".repeat(n) + "¦",
        " \r".repeat(n) + "¦",
        "1".repeat(2 * n) + "¦",
        "1. ".repeat(n) + "¦",
        "1.".repeat(n) + "¦",
      ];
      for (const text of texts) assert(!isRendered(text));
    });
  });
});
