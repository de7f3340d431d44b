import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  type Page,
  ReadFileError,
  type ReadOptions,
  renderPage,
  unescapeHidden,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { cutFs, CUTS } from "../../support/cuts.ts";
import { longLineFs } from "../../support/long_line_fs.ts";
import { assertLinear } from "../../support/growth.ts";

const decoder = new TextDecoder();

function openOn(content: string | Uint8Array, most = 64 * 1024) {
  const fs = cutFs(memoryFs({ "/ws/a": content }), most);
  return openWorkspace("/ws", { fs });
}

/** Reads one page of a file. */
async function read(
  content: string | Uint8Array,
  options?: ReadOptions,
  most?: number,
): Promise<Page> {
  return await (await openOn(content, most)).read("a", options);
}

/** The lines of all pages. */
async function walk(
  content: string | Uint8Array,
  options: ReadOptions,
  most?: number,
): Promise<string[]> {
  const shown: string[] = [];
  const workspace = await openOn(content, most);
  for await (const page of workspace.pages("a", options)) {
    shown.push(decoder.decode(page.bytes()));
    assert(shown.length <= content.length + 1, "the pages do not end");
  }
  return shown;
}

const TEN = Array.from({ length: 10 }, (_, at) => `${at + 1}\n`).join("");

/** The pages that these options give for ten lines. */
const WALKS: readonly (readonly [string, ReadOptions, readonly string[]])[] = [
  ["all of a file", {}, [TEN]],
  ["from start to the end of the file", { start: 9 }, ["9\n10\n"]],
  ["to the end by count", { start: 4, count: 3 }, [
    "4\n5\n6\n",
    "7\n8\n9\n",
    "10\n",
  ]],
  ["from line 1 by count", { count: 6 }, [
    "1\n2\n3\n4\n5\n6\n",
    "7\n8\n9\n10\n",
  ]],
  ["a count that divides the number of lines", { count: 5 }, [
    "1\n2\n3\n4\n5\n",
    "6\n7\n8\n9\n10\n",
  ]],
  ["no further than end", { start: 3, end: 4 }, ["3\n4\n"]],
  ["up to end in several pages", { start: 2, end: 5, maxBytes: 4 }, [
    "2\n3\n",
    "4\n5\n",
  ]],
  ["up to end without start", { end: 2 }, ["1\n2\n"]],
  ["up to the end of the file if end exceeds it", { start: 9, end: 99 }, [
    "9\n10\n",
  ]],
  ["the last lines", { tail: 2 }, ["9\n10\n"]],
  ["the last lines in several pages", { tail: 3, maxBytes: 4 }, [
    "8\n9\n",
    "10\n",
  ]],
  ["all lines if tail exceeds their number", { tail: 99 }, [TEN]],
  ["around a line", { around: 5, before: 1, after: 2 }, ["4\n5\n6\n7\n"]],
  ["around a line in several pages", {
    around: 5,
    before: 1,
    after: 2,
    maxBytes: 4,
  }, ["4\n5\n", "6\n7\n"]],
  ["a line alone", { around: 5, before: 0, after: 0 }, ["5\n"]],
  ["lines around the first line", { around: 1, before: 3, after: 1 }, [
    "1\n2\n",
  ]],
  ["around the last line", { around: 10, before: 1 }, ["9\n10\n"]],
  ["nothing around a line past the end", { around: 12, before: 3 }, [""]],
  ["nothing before such a line, even with a small maxBytes", {
    around: 11,
    before: 9,
    maxBytes: 1,
  }, [""]],
  ["ten lines before and after by default", { around: 5 }, [TEN]],
  ["whole lines that fit", { maxBytes: 5 }, [
    "1\n2\n",
    "3\n4\n",
    "5\n6\n",
    "7\n8\n",
    "9\n10\n",
  ]],
  [
    "at most count lines and maxBytes bytes",
    { start: 8, count: 2, maxBytes: 3 },
    [
      "8\n",
      "9\n",
      "10\n",
    ],
  ],
];

/** Lines that are shown in part, or not at all. */
const PARTS: readonly (readonly [
  string,
  string,
  ReadOptions,
  readonly string[],
])[] = [
  ["columns of one line after the other", "abcd\nef\n", { width: 3 }, [
    "abc",
    "d\n",
    "ef\n",
  ]],
  ["a line from a column on, then whole lines", "abcd\nef\n", { column: 3 }, [
    "cd\nef\n",
  ]],
  ["columns from a column on", "abcd\nef\n", {
    start: 1,
    column: 2,
    width: 2,
    end: 1,
  }, ["bc", "d\n"]],
  ["only the ending of a line that ends before the column", "ab\ncd\n", {
    column: 99,
    count: 1,
  }, ["\n", "cd\n"]],
  ["a line longer than maxBytes in parts", "abcdefg\nh\n", { maxBytes: 3 }, [
    "abc",
    "def",
    "g\n",
    "h\n",
  ]],
  ["an ending in a separate page if necessary", "abc\ndef\n", { maxBytes: 3 }, [
    "abc",
    "\n",
    "def",
    "\n",
  ]],
  ["CR LF together", "abc\r\nd\r\n", { maxBytes: 4 }, [
    "abc",
    "\r\n",
    "d\r\n",
  ]],
  ["CR LF together even over maxBytes", "a\r\nb", { maxBytes: 1 }, [
    "a",
    "\r\n",
    "b",
  ]],
  ["CR LF together at the last column", "ab\r\ncd", { width: 2 }, [
    "ab\r\n",
    "cd",
  ]],
  ["at least one character, even over maxBytes", "é😀\n", { maxBytes: 1 }, [
    "é",
    "😀",
    "\n",
  ]],
  ["whole graphemes that fit", "a👩‍👧🇦🇹e\u0301", { maxBytes: 12 }, [
    "a👩‍👧",
    "🇦🇹e\u0301",
  ]],
  ["characters of a grapheme that does not fit", "👩‍👧z", { maxBytes: 5 }, [
    "👩",
    "\u200d",
    "👧z",
  ]],
  ["an empty line as one", "\n\n", { count: 1 }, ["\n", "\n"]],
  ["a lone CR as a column", "a\rb\n", { width: 2 }, ["a\r", "b\n"]],
];

describe("Workspace.pages() shows", () => {
  for (const most of CUTS) {
    for (const [what, options, wanted] of WALKS) {
      it(`${what}, for reads of ${most} bytes`, async () => {
        assertEquals(await walk(TEN, options, most), wanted);
      });
    }
    for (const [what, content, options, wanted] of PARTS) {
      it(`${what}, for reads of ${most} bytes`, async () => {
        assertEquals(await walk(content, options, most), wanted);
      });
    }
  }
});

describe("Workspace.read() gives", () => {
  it("its lines, with number, column, text and ending", async () => {
    const page = await read("ab\r\ncd\nef", { column: 2 });
    assertEquals(page.lines, [
      { number: 1, column: 2, text: "b", ending: "\r\n" },
      { number: 2, column: 1, text: "cd", ending: "\n" },
      { number: 3, column: 1, text: "ef", ending: "" },
    ]);
  });
  it("its path, the bytes it shows and the size of the file", async () => {
    const page = await read("ab\ncd\n", { start: 2 });
    assertEquals([page.path, page.size], ["a", 6]);
    assertEquals(page.shown, { start: 3, end: 6 });
    assertEquals(decoder.decode(page.bytes()), "cd\n");
  });
  it("a copy of the bytes", async () => {
    const page = await read("ab\n");
    page.bytes().fill(0);
    assertEquals(decoder.decode(page.bytes()), "ab\n");
  });
  it("the total only if it reached the end", async () => {
    const totals = [{ count: 2 }, { start: 9 }, { tail: 1 }, { start: 99 }];
    const pages = totals.map((options) => read(TEN, options));
    const found = (await Promise.all(pages)).map((page) => page.totalLines);
    assertEquals(found, [null, 10, 10, 10]);
  });
  it("exact: true if texts and endings equal the bytes", async () => {
    const page = await read("\ufeffé\u0000\ufffd\r\n");
    assertEquals([page.exact, page.inexact], [true, []]);
    assertEquals(page.lines[0]?.text, "\ufeffé\u0000\ufffd");
  });
  it("the lines that are not UTF-8", async () => {
    const bytes = Uint8Array.of(0x61, 10, 0xff, 10, 0xef, 0xbf, 0xbd, 10, 0xc3);
    const page = await read(bytes);
    assertEquals(page.exact, false);
    assertEquals(page.inexact, [
      { number: 2, reason: "not UTF-8" },
      { number: 4, reason: "not UTF-8" },
    ]);
    assertEquals(page.bytes(), bytes);
  });
  it("exact: false for one invalid line among others", async () => {
    const [sign, beside] = [[0xef, 0xbf, 0xbd], [0xef, 0xbf, 0xbe]];
    const lines = [sign, beside, [...sign, 0xff], [...beside, 0xff], [0xef]];
    const bytes = lines.flatMap((line) => [...line, 10]);
    const { inexact } = await read(Uint8Array.from(bytes));
    assertEquals(inexact.map(({ number }) => number), [3, 4, 5]);
  });
  it("exact: true if only other pages are invalid", async () => {
    const page = await read(Uint8Array.of(0xff, 10, 0x61, 10), { start: 2 });
    assertEquals(page.exact, true);
  });
  it("the hidden characters by line and column", async () => {
    const page = await read("a\nb\u202ec\n", { start: 2, column: 2 });
    const [warning] = page.warnings;
    assertEquals([warning?.line, warning?.column], [2, 2]);
    assertEquals(warning?.code, "U+202E");
  });
  it("no lines and a reason for an empty file", async () => {
    for (const options of [{}, { start: 7 }, { tail: 3 }, { around: 2 }]) {
      const { empty, lines, totalLines, next, exact } = await read("", options);
      assertEquals([empty, totalLines, next], ["empty file", 0, null]);
      assertEquals([lines, exact], [[], true]);
    }
  });
  for (
    const [content, total, options] of [
      ["a\nb\n", 2, { start: 3 }],
      ["a\nb", 2, { start: 3 }],
      ["a\nb", 2, { start: 99, count: 1 }],
      ["a\nb", 2, { start: 3, column: 2 }],
      ["a\nb", 2, { around: 3 }],
      ["a\nb\n", 2, { around: 3, before: 1, maxBytes: 1 }],
      ["a\nb", 2, { around: 99 }],
    ] as const
  ) {
    const what = `${JSON.stringify(content)} ${JSON.stringify(options)}`;
    it(`"past the end" and the total: ${what}`, async () => {
      const { empty, lines, totalLines, next } = await read(content, options);
      assertEquals([empty, totalLines, next], ["past the end", total, null]);
      assertEquals(lines, []);
    });
  }
});

describe("a column past the end", () => {
  for (const options of [{ column: 2 }, { column: 9, width: 1 }]) {
    const asked = JSON.stringify(options);
    it(`of the last line shows nothing, and is named: ${asked}`, async () => {
      const page = await read("a\nb", { start: 2, ...options });
      assertEquals(page.empty, "past the last column");
      assertEquals([page.lines, page.totalLines, page.next], [[], 2, null]);
      assertEquals(
        renderPage(page),
        '"a": nothing, past the last column of the last line of 2.\nEnd of file. Line 2 ends before that column.',
      );
    });
  }
  it("of a line shows only its ending", async () => {
    for (const start of [1, 2]) {
      const page = await read("ab\nab\n", { start, column: 9, count: 1 });
      assertEquals(page.lines, [
        { number: start, column: 3, text: "", ending: "\n" },
      ]);
    }
  });
});

describe("a page of lines that are not UTF-8", () => {
  it("takes linear time", async () => {
    await assertLinear(800_000, async (lines) => {
      const workspace = await openOn(
        Uint8Array.from({ length: 2 * lines }, (_, at) => at % 2 ? 0x0a : 0xff),
      );
      assertEquals((await workspace.read("a")).inexact.length, lines);
    });
  });
});

describe("the next of a page", () => {
  const options: readonly ReadOptions[] = [
    { count: 3 },
    { start: 2, count: 3, maxBytes: 4 },
    { start: 2, end: 9, maxBytes: 5 },
    { width: 1 },
    { start: 3, end: 5, width: 1 },
    { tail: 5, maxBytes: 2 },
    { around: 5, maxBytes: 9 },
    { maxBytes: 3, escape: true },
  ];
  for (const first of options) {
    it(`is plain JSON that continues: ${JSON.stringify(first)}`, async () => {
      const workspace = await openOn(TEN);
      let page = await workspace.read("a", first);
      const shown = [page.bytes()];
      while (page.next !== null) {
        const text = JSON.stringify(page.next);
        assertEquals(JSON.parse(text), page.next);
        page = await workspace.read("a", JSON.parse(text));
        shown.push(page.bytes());
      }
      const texts = shown.map((bytes) => decoder.decode(bytes));
      assertEquals(texts, await walk(TEN, first));
    });
  }
  it("contains the limits of the pages, and no other options", async () => {
    const page = await read(TEN, { start: 2, count: 2 });
    assertEquals(page.next, { start: 4, count: 2, etag: page.etag });
    const part = await read("abc\ndef\n", { end: 2, width: 2, maxBytes: 9 });
    assertEquals(part.next, {
      start: 1,
      column: 3,
      end: 2,
      maxBytes: 9,
      width: 2,
      etag: part.etag,
    });
    const last = await read(TEN, { tail: 4, maxBytes: 4, escape: false });
    assertEquals(last.next, {
      start: 9,
      end: 10,
      maxBytes: 4,
      escape: false,
      etag: last.etag,
    });
  });
  it("is null at the end of the file, and after the requested lines", async () => {
    for (
      const asked of [{}, { tail: 1 }, { end: 4 }, { around: 2, after: 1 }]
    ) {
      assertEquals((await read(TEN, asked)).next, null);
    }
  });
});

describe("escape: true", () => {
  const text = "a\u202eb\\u{202E}\u200b\u001b[0m\nplain\n\\u{5C}\r\n";
  for (const most of CUTS) {
    it(`shows hidden characters, and can be reversed line by line, for reads of ${most} bytes`, async () => {
      for (const maxBytes of [1, 2, 3, 7, 99]) {
        const workspace = await openOn(text, most);
        let back = "";
        let shown = "";
        const asked = { escape: true, maxBytes };
        for await (const page of workspace.pages("a", asked)) {
          assert(back.length <= text.length, "the pages do not end");
          for (const line of page.lines) {
            // deno-lint-ignore no-control-regex -- a control character here is a failure
            assert(!/[\u202e\u200b\u001b]/.test(line.text));
            back += unescapeHidden(line.text) + line.ending;
            shown += line.text + line.ending;
          }
        }
        assertEquals(back, text);
        // Joined pages contain no escape that the file lacks.
        assertEquals(unescapeHidden(shown), text);
      }
    });
  }
  it("names the lines that it changed, and keeps the bytes", async () => {
    const page = await read(text, { escape: true });
    assertEquals(page.lines.map((line) => line.text), [
      "a\\u{202E}b\\u{5C}u{202E}\\u{200B}\\u{1B}[0m",
      "plain",
      "\\u{5C}u{5C}",
    ]);
    assertEquals([page.exact, page.inexact], [false, [
      { number: 1, reason: "escaped" },
      { number: 3, reason: "escaped" },
    ]]);
    assertEquals(decoder.decode(page.bytes()), text);
    assertEquals(page.warnings.length > 0, true);
  });
});

describe("a line of 50 MB", () => {
  const LENGTH = 50_000_000;
  it("can be read from any column on", async () => {
    const fs = countingFs(longLineFs(LENGTH));
    const workspace = await openWorkspace("/ws", { fs });
    const options = { start: 1, column: 40_000_000, width: 400 };
    const page = await workspace.read("a", options);
    const [line] = page.lines;
    assertEquals([line?.number, line?.column], [1, 40_000_000]);
    assertEquals(page.shown, { start: 39_999_999, end: 40_000_399 });
    assert(line?.text.startsWith("9") && line.text.length === 400, line?.text);
    assertEquals(page.next?.column, 40_000_400);
    fs.counts.bytes = 0;
    const next = await workspace.read("a", page.next!);
    assertEquals(next.shown, { start: 40_000_399, end: 40_000_799 });
    assert(fs.counts.bytes < 2_000, `${fs.counts.bytes} bytes were read`);
  });
  it("costs at most twice its bytes when read by pages", async () => {
    const fs = countingFs(longLineFs(LENGTH));
    const workspace = await openWorkspace("/ws", { fs });
    let end = 0;
    for await (const page of workspace.pages("a", { maxBytes: 1_000_000 })) {
      assertEquals(page.shown.start, end);
      end = page.shown.end;
    }
    assertEquals(end, LENGTH + 1);
    assert(fs.counts.bytes <= 2 * end, `${fs.counts.bytes} bytes were read`);
  });
});

describe("Workspace.read() refuses", () => {
  const bad: readonly (readonly [string, object, string])[] = [
    ...[
      "start",
      "count",
      "end",
      "tail",
      "around",
      "maxBytes",
      "column",
      "width",
    ].flatMap((name) =>
      [0, -1, 1.5, NaN, -Infinity, 2 ** 53, "1", null, true, {}].map((value) =>
        [name, { [name]: value }, "must be a whole number from 1 on"] as const
      )
    ),
    ...["before", "after"].flatMap((name) =>
      [-1, 0.5, "1", null].map((value) =>
        [
          name,
          { around: 5, [name]: value },
          "must be a whole number from 0 on",
        ] as const
      )
    ),
    ["escape", { escape: "yes" }, "must be true or false"],
    ["escape", { escape: null }, "must be true or false"],
    ["etag", { etag: 7 }, "must be a string"],
    ["etag", { etag: null }, "must be a string"],
    ["etag", { etag: "" }, "is not the etag of a page"],
    ["etag", { etag: "made up" }, "is not the etag of a page"],
    ["end", { start: 5, end: 4 }, "must not be less than start"],
    ["before and after", { before: 1 }, "mean nothing without around"],
    ["before and after", { after: 1 }, "mean nothing without around"],
    ["before and after", { tail: 1, before: 2 }, "mean nothing without around"],
    ['"most"', { most: 5 }, "is unknown; the names are start, count"],
    ['"startLine"', { start: 1, startLine: 5 }, "is unknown; the names are"],
    ...[
      ["count", { count: 1, end: 2 }, "end"],
      ["tail", { tail: 1, around: 2 }, "around"],
      ["tail", { tail: 1, start: 2 }, "start"],
      ["tail", { tail: 1, count: 2 }, "count"],
      ["tail", { tail: 1, end: 2 }, "end"],
      ["tail", { tail: 1, column: 2 }, "column"],
      ["tail", { tail: 1, width: 2 }, "width"],
      ["around", { around: 1, start: 2 }, "start"],
      ["around", { around: 1, count: 2 }, "count"],
      ["around", { around: 1, end: 2 }, "end"],
      ["around", { around: 1, column: 2 }, "column"],
      ["around", { around: 1, width: 2 }, "width"],
    ].map(([one, options, other]) =>
      [one, options, `and ${other} cannot be combined`] as [
        string,
        object,
        string,
      ]
    ),
  ];
  for (const [argument, options, problem] of bad) {
    const shown = JSON.stringify(
      options,
      (_, value) => typeof value === "number" ? `${value}` : value,
    );
    it(`${shown}: ${argument} ${problem}`, async () => {
      const error = await assertRejects(
        () => read(TEN, options),
        ReadFileError,
      );
      assert(error.is("INVALID_ARGUMENT"), error.message);
      const { details } = error;
      assertEquals(details.argument, argument);
      assertMatch(details.problem, new RegExp(`^${problem}`));
      assertEquals(error.path, "a");
    });
  }
  it("a misspelled name, and suggests the nearest", async () => {
    for (
      const [name, meant] of [["maxbytes", "maxBytes"], ["collumn", "column"]]
    ) {
      await assertRejects(
        () => read(TEN, { [name!]: 5 }),
        ReadFileError,
        `; did you mean ${meant}?`,
      );
    }
  });
  it("no Infinity as a limit", async () => {
    for (const name of ["count", "end", "maxBytes", "width"]) {
      const unlimited = await read(TEN, { start: 2, [name]: Infinity });
      const plain = await read(TEN, { start: 2 });
      assertEquals(unlimited.lines, plain.lines);
    }
    const page = await read(TEN, { count: 2, maxBytes: Infinity });
    assertEquals(JSON.parse(JSON.stringify(page.next)), page.next);
  });
  const limits: readonly (readonly [unknown, string, string])[] = [
    [null, "context", "must be a plain object, not null"],
    ["now", "context", "must be a plain object, not a string"],
    [[], "context", "must be a plain object, not an array"],
    [
      { signall: AbortSignal.abort() },
      '"signall"',
      "is unknown; the names are signal, countTokens, note; did you mean signal?",
    ],
    [
      { maxBytes: 5 },
      '"maxBytes"',
      "is unknown; the names are signal, countTokens, note",
    ],
    [{ signal: 5 }, "signal", "must be an AbortSignal, not 5"],
    [{ signal: null }, "signal", "must be an AbortSignal, not null"],
  ];
  for (const [given, argument, problem] of limits) {
    it(`limits that are ${JSON.stringify(given)}: ${problem}`, async () => {
      const workspace = await openOn(TEN);
      // A caller without types may pass anything.
      const asked = given as { readonly signal?: AbortSignal };
      const errors = [
        await assertRejects(
          () => workspace.read("a", {}, asked),
          ReadFileError,
        ),
        assertThrows(() => workspace.pages("a", {}, asked), ReadFileError),
      ];
      for (const error of errors) {
        assert(error.is("INVALID_ARGUMENT"), error.message);
        assertEquals(error.details, { argument, problem });
      }
    });
  }
  it("no undefined option", async () => {
    const options: object = { start: undefined, count: 2, tail: undefined };
    const page = await read(TEN, options);
    assertEquals(page.lines.length, 2);
  });
});

describe("an option below its least value", () => {
  for (
    const [name, value] of [
      ["start", 0],
      ["start", 0.5],
      ["column", 0],
      ["count", 0],
      ["width", 0],
      ["width", NaN],
      ["maxBytes", 0],
    ] as const
  ) {
    it(`is refused: a ${name} that is ${value}`, async () => {
      const workspace = await openOn(TEN);
      await assertRejects(
        () => workspace.read("a", { [name]: value }),
        ReadFileError,
        `Cannot read "a": ${name} must `,
      );
    });
  }
});

describe("a caller that aborts", () => {
  it("gets no page", async () => {
    const workspace = await openOn(TEN);
    const limits = { signal: AbortSignal.abort() };
    const error = await assertRejects(
      () => workspace.read("a", {}, limits),
      ReadFileError,
    );
    assertEquals(error.code, "ABORTED");
  });
  it("gets no more pages", async () => {
    const workspace = await openOn(TEN);
    const controller = new AbortController();
    const { signal } = controller;
    const pages = workspace.pages("a", { count: 3 }, { signal });
    assertEquals((await pages.next()).done, false);
    controller.abort();
    const error = await assertRejects(() => pages.next(), ReadFileError);
    assertEquals(error.code, "ABORTED");
  });
});
