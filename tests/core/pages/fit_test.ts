/** Pages that are shortened to limits: what they show, and what that costs. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  boundTokens,
  type FsPort,
  memoryFs,
  openWorkspace,
  type Page,
  type ReadOptions,
  renderPage,
  type Workspace,
} from "../../../mod.ts";
import { Call, STEP_ITEMS } from "../../../src/core/base/call.ts";
import { fit, type FitLimits } from "../../../src/core/pages/fit.ts";
import { writePage } from "../../../src/core/pages/render.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { encodedIn, utf16Of } from "../../support/encoded.ts";
import { Random, SEED } from "../../support/random.ts";
import { some } from "../../support/share.ts";

type Content = string | Uint8Array;

/** A workspace with a file `a` at rest. */
async function openOn(content: Content, wrap = (fs: FsPort) => fs) {
  const bytes = typeof content === "string"
    ? content
    : Uint8Array.from(content);
  const fs = memoryFs({ "/a": { content: bytes, mtimeMs: 1 } });
  return await openWorkspace("/", { fs: wrap(fs) });
}

describe("the work of a page that is shortened", () => {
  const open = async () => {
    const workspace = await openOn("\n".repeat(50_000));
    return await workspace.read("a");
  };
  it("is that of the lines that may fit, not of all", async () => {
    const page = await open();
    let written = 0;
    const write = (page: Page) => {
      written += page.lineCount;
      return writePage(page);
    };
    const fitted = await fit(page, { lines: 100, chars: 20_000 }, write);
    assertEquals([fitted.isWithin, fitted.page.lineCount], [true, 98]);
    assert(written <= 300, `${written}`);
  });
  it("lets other work run between two tries", async () => {
    const page = await open();
    let [tries, turns] = [0, 0];
    const write = (page: Page) => {
      tries++;
      return writePage(page);
    };
    const call = new Call("a", undefined);
    call.yieldThenCheck = () => {
      turns++;
      return undefined;
    };
    await fit(page, { chars: 1000 }, write, { call });
    assert(tries > 1 && turns >= tries, `${tries} ${turns}`);
    // And while it measures rows: half of them fit.
    [tries, turns] = [0, 0];
    await fit(page, { bytes: 170_000 }, write, { call });
    const steps = Math.floor(25_000 / STEP_ITEMS);
    assert(turns >= tries + steps, `${tries} ${turns}`);
  });
});

/** A count of tokens as of a tokenizer: parts of words, and each other character. */
const countWords = (text: string) => text.match(/\w{1,4}|\W/g)?.length ?? 0;

/** Whether a page is within the limits of its options. */
function isWithin(
  page: Page,
  { maxBytes, maxLines, maxChars, maxTokens }: ReadOptions,
) {
  const text = renderPage(page);
  return page.bytes().length <= (maxBytes ?? Infinity) &&
    page.lines.length <= (maxLines ?? Infinity) &&
    text.length <= (maxChars ?? Infinity) &&
    countWords(text) <= (maxTokens ?? Infinity);
}

/** Whether a page shows as little as it can: one character, or a line ending. */
function isLeast(
  { lines: [line, ...rest], text, empty, encoding: { label } }: Page,
): boolean {
  if (line === undefined || rest.length > 0) return empty !== null;
  // A run of one set of characters is not divided.
  if (label === "iso-2022-jp") return true;
  return Array.from(text.replace(/\r?\n$/, "")).length <= 1;
}

/** Whether a page shows a part of one line, as a search does where its frame alone exceeds the limits. */
function isOfHit({ lines: [line, ...rest], text }: Page): boolean {
  return line !== undefined && rest.length === 0 &&
    text.replace(/\r?\n$/, "").length <= 200;
}

/** All pages from the first on; fails if one does not advance, or exceeds its limits. */
async function walk(
  workspace: Workspace,
  options: ReadOptions,
): Promise<Page[]> {
  const pages: Page[] = [];
  let end = -1;
  for (let next: ReadOptions | null = options; next !== null;) {
    const page: Page = await workspace.read("a", next, {
      countTokens: countWords,
    });
    assert(
      page.shown.end > end,
      `${end} ${JSON.stringify([next, page])}`,
    );
    ({ end } = page.shown);
    assert(
      isWithin(page, options) || isLeast(page),
      JSON.stringify([options, page]),
    );
    pages.push(page);
    next = page.next;
    // The limits are those of each page.
    const { maxBytes, maxLines, maxChars, maxTokens } = next ?? options;
    assertEquals({ maxBytes, maxLines, maxChars, maxTokens }, {
      maxBytes: options.maxBytes,
      maxLines: options.maxLines,
      maxChars: options.maxChars,
      maxTokens: options.maxTokens,
    });
  }
  return pages;
}

function bytesOf(pages: readonly Page[]): Uint8Array {
  return Uint8Array.from(pages.flatMap((page) => [...page.bytes()]));
}

const PIECES = [
  ...[
    "a",
    "word ",
    "0",
    " ",
    "\t",
    "\\u{",
    "é",
    "日本",
    "😀",
    "e\u0301",
    "👩‍💻",
    "\u202e",
  ],
  ...[
    "\r",
    "\0",
    "\x1b[2K",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "x".repeat(40),
    "\ufeff",
  ],
];

function drawText(random: Random): string {
  const count = random.pick([3, 30, 300]);
  const pieces = random.below(2) === 0 ? PIECES : PIECES.slice(0, 15);
  return Array.from({ length: random.below(count) }, () => random.pick(pieces))
    .join("");
}

/** Limits from 1 on, and some that are large enough for whole pages. */
function drawLimits(random: Random): ReadOptions {
  const draw = () => random.pick([1, 9, 90, 900, 2_000]) + random.below(90);
  const limits: ReadOptions[] = [
    { maxChars: draw() },
    { maxTokens: draw() },
    { maxBytes: draw() },
    { maxLines: 1 + random.below(9) },
    { maxChars: draw(), maxTokens: draw() },
    { maxChars: draw(), maxLines: 1 + random.below(9), maxBytes: draw() },
  ];
  return random.pick(limits);
}

describe("the pages of a file within any limits", () => {
  it("obey them in clipped lines that end in invalid bytes", async () => {
    const workspace = await openOn(new Uint8Array(3000).fill(0xff));
    for (const maxChars of [1, 400]) {
      const options = { maxLineBytes: 1000, maxChars };
      const page = await workspace.read("a", options);
      assert(isWithin(page, options) || isLeast(page), renderPage(page));
    }
  });

  const RUNS = some(2_000, 100);
  it("rebuild it byte for byte, advance, and end", async () => {
    const random = new Random(SEED);
    for (let run = 0; run < RUNS; run++) {
      const text = drawText(random);
      const bytes = new TextEncoder().encode(text);
      // Some bytes are not UTF-8.
      for (let at = random.below(200); at < bytes.length; at += 97) {
        bytes[at] = 0xff;
      }
      const pages = await walk(await openOn(bytes), {
        ...drawLimits(random),
        ...(random.below(4) === 0 && { escape: true }),
      });
      assertEquals(bytesOf(pages), bytes);
    }
  });
  for (
    const label of [
      "utf-16le",
      "utf-16be",
      "shift_jis",
      "big5",
      "gb18030",
      "windows-1252",
      "iso-2022-jp",
    ]
  ) {
    it(`rebuild it in ${label}`, async () => {
      const random = new Random(SEED);
      const pieces = label === "windows-1252"
        ? ["a", "word ", "é", "\n", "\r\n", "ü".repeat(40)]
        : ["a", "word ", "日本", "\n", "\r\n", "東京".repeat(40)];
      for (let run = 0; run < RUNS / 10; run++) {
        const text = Array.from(
          { length: random.below(60) },
          () => random.pick(pieces),
        ).join("");
        const bytes = label === "utf-16le"
          ? utf16Of(text)
          : encodedIn(text, label);
        const options = { ...drawLimits(random), encoding: label };
        const pages = await walk(await openOn(bytes), options);
        assertEquals(
          bytesOf(pages),
          bytes,
          `${label} ${JSON.stringify(options)}`,
        );
        // `next` names the place where the page ended, also without its etag.
        for (const [at, { next }] of pages.entries()) {
          if (next === null || at % 7 > 0) continue;
          const { etag: _, ...place } = next;
          const page = await (await openOn(bytes)).read("a", place);
          assertEquals(page.shown.start, pages[at]!.shown.end);
        }
      }
    });
  }
});

describe("the hits of a file within any limits", () => {
  const RUNS = some(2_000, 100);
  it("are all shown, and the pages advance and end", async () => {
    const random = new Random(SEED);
    for (let run = 0; run < RUNS; run++) {
      const lines = Array.from({ length: 1 + random.below(60) }, () => {
        const length = random.pick([
          0,
          3,
          30,
          random.below(20) === 0 ? 3_000 : 9,
        ]);
        const text = random.pick(["x", "é ", "\x1b", "a 日"]).repeat(length);
        return random.below(3) === 0 ? `${text}TODO${text}` : text;
      });
      const options: ReadOptions = {
        match: "TODO",
        ...drawLimits(random),
        ...random.pick([
          {},
          { before: random.below(3), after: random.below(3) },
          { limit: 2 },
        ]),
      };
      const workspace = await openOn(lines.join("\n"));
      const found = new Set<number>();
      let place = "";
      for (let next: ReadOptions | null = options; next !== null;) {
        const page: Page = await workspace.read("a", next, {
          countTokens: countWords,
        });
        const facts = JSON.stringify([
          options,
          page.hits,
          page.shown,
          page.next,
        ]);
        assert(
          isWithin(page, options) || isLeast(page) || isOfHit(page) ||
            page.empty === "no hit",
          facts,
        );
        for (const line of page.hits!.lines) found.add(line);
        ({ next } = page);
        const { start, column } = next ?? {};
        assert(place !== `${start}:${column}`, facts);
        place = `${start}:${column}`;
      }
      const wanted = lines.flatMap((line, at) =>
        line.includes("TODO") ? [at + 1] : []
      );
      assertEquals([...found], wanted, JSON.stringify(options));
    }
  });
});

describe("fit()", () => {
  const LINES = Array.from(
    { length: 2_000 },
    (_, at) => `line ${at} ${"abc ".repeat(at % 9)}`,
  );
  const TEXT = LINES.join("\n");

  /** Fits a page of a file; counts how often its text was written. */
  async function fitted(
    content: Content,
    limits: FitLimits,
    options: ReadOptions = {},
  ) {
    const workspace = await openOn(content);
    const whole = await workspace.read("a", options);
    let writings = 0;
    const write = (page: Page) => (writings++, writePage(page));
    const { page, written, isWithin } = await fit(whole, limits, write, {
      countTokens: countWords,
    });
    return { whole, page, text: written.text, isWithin, writings };
  }

  it("gives the page itself if its text is within the limits", async () => {
    const { whole, page, writings } = await fitted(TEXT, {
      chars: 1e6,
      lines: 9_999,
      tokens: 1e6,
    });
    assert(page === whole);
    assertEquals(writings, 1);
  });
  it("keeps the whole rows that fit: one more would not", async () => {
    for (
      const [unit, limit, sizeOf] of [
        ["chars", 5_000, (text: string) => text.length],
        [
          "bytes",
          5_000,
          (text: string) => new TextEncoder().encode(text).length,
        ],
        ["lines", 70, (text: string) => text.split("\n").length],
        ["tokens", 3_000, countWords],
      ] as const
    ) {
      const { whole, page, text } = await fitted(TEXT, { [unit]: limit });
      assert(sizeOf(text) <= limit, `${unit}: ${sizeOf(text)}`);
      const { length } = page.lines;
      assertEquals(page.lines, whole.lines.slice(0, length));
      const more = sizeOf(text) + sizeOf(`\n${length + 1}\t${LINES[length]}`) -
        sizeOf("");
      assert(more > limit, `${unit}: ${more} with one more line`);
    }
    const { page } = await fitted(TEXT, { fileBytes: 5_000 });
    const { length } = page.lines;
    const bytes = LINES.slice(0, length).join("\n").length + 1;
    assertEquals(page.shown, { start: 0, end: bytes });
    assert(bytes <= 5_000 && bytes + LINES[length]!.length + 1 > 5_000);
  });
  it("cuts inside a row only if it is the first, and there as far as fits", async () => {
    for (
      const text of [
        "a".repeat(9_000),
        "é".repeat(9_000),
        "\x1b".repeat(9_000),
        `${"a".repeat(4_000)}${"日".repeat(5_000)}`,
      ]
    ) {
      for (
        const limits of [{ chars: 2_000 }, { bytes: 2_000 }, { tokens: 1_500 }]
      ) {
        const { page, text: shown, isWithin } = await fitted(
          `${text}\nb\n`,
          limits,
        );
        assert(isWithin);
        assertEquals(page.lines.length, 1);
        assertEquals(page.lines[0]!.ending, "");
        const size = limits.chars
          ? shown.length
          : limits.bytes
          ? new TextEncoder().encode(shown).length
          : countWords(shown);
        const limit = limits.chars ?? limits.bytes ?? limits.tokens!;
        assert(size > 0.85 * limit && size <= limit, `${size} of ${limit}`);
      }
    }
    const { page } = await fitted(`a\n${"b".repeat(9_000)}\n`, {
      chars: 2_000,
    });
    assertEquals(page.lines.map(({ text }) => text), ["a"]);
  });
  it("writes the text a few times, however long the page is", async () => {
    const contents = [
      TEXT,
      TEXT.replaceAll("abc", "\x1b\u202e"),
      "a\n".repeat(9_000),
      "日本\r\n".repeat(4_000),
      "x".repeat(50_000),
      `${"a\n".repeat(500)}${"😀".repeat(20_000)}\n`.repeat(2),
      `${"\x1b".repeat(5_000)}${"a".repeat(30_000)}`,
    ];
    for (const content of contents) {
      for (const limit of [1, 40, 200, 1_500, 20_000]) {
        for (const unit of ["chars", "bytes", "tokens", "lines", "fileBytes"]) {
          const { writings } = await fitted(content, { [unit]: limit });
          assert(
            writings <= 14,
            `${writings} for ${limit} ${unit} of ${content.slice(0, 9)}`,
          );
        }
      }
    }
  });
  it("shows one character if the frame alone is over a limit", async () => {
    for (
      const [content, shown] of [
        ["abc\n", "a"],
        ["😀😀", "😀"],
        ["\n\n", "\n"],
        ["\r\nb", "\r\n"],
        ["a", "a"],
      ] as const
    ) {
      for (
        const limits of [
          { chars: 1 },
          { bytes: 1 },
          { lines: 1 },
          { lines: 2 },
          { tokens: 1 },
          { fileBytes: 1 },
        ]
      ) {
        const { page, isWithin } = await fitted(content, limits);
        if ("fileBytes" in limits && isWithin) continue;
        assertEquals(
          [page.text, isWithin],
          [shown, false],
          JSON.stringify(limits),
        );
      }
    }
    const { page } = await fitted("", { chars: 1 });
    assertEquals(page.empty, "empty file");
  });
  it("ends a page of hits after a hit with all lines after it", async () => {
    const content = Array.from(
      { length: 300 },
      (_, at) => at % 10 === 0 ? `hit ${at}` : `other ${at}`,
    ).join("\n");
    const options = { match: "hit", before: 2, after: 3 };
    for (const chars of [250, 300, 400, 600, 1_000, 2_000]) {
      const { page, text } = await fitted(content, { chars }, options);
      assert(text.length <= chars, `${text.length} of ${chars}`);
      const last = page.hits!.lines.at(-1)!;
      assertEquals(page.lines.at(-1)!.number, last + 3, `${chars}`);
      assertEquals(page.next?.start, last + 4);
    }
    const workspace = await openOn(content);
    const found: number[] = [];
    for (
      let next: ReadOptions | null = { ...options, maxChars: 400 };
      next !== null;
    ) {
      const page: Page = await workspace.read("a", next);
      found.push(...page.hits!.lines);
      ({ next } = page);
    }
    assertEquals(found, Array.from({ length: 30 }, (_, at) => 1 + 10 * at));
  });
  it("keeps the end of a tail that has no numbers, or is to keep its end", async () => {
    for (
      const options of [{ tail: 50, numbered: false }, {
        tail: 50,
        keepEnd: true,
      }]
    ) {
      const { whole, page, text } = await fitted(TEXT, { chars: 700 }, options);
      assert(text.length <= 700);
      assertEquals(page.lines, whole.lines.slice(-page.lines.length));
      assertEquals(page.next, null);
      assert(page.lines.length > 5);
    }
    const { whole, page } = await fitted(TEXT, { chars: 700 }, { tail: 50 });
    assertEquals(page.lines, whole.lines.slice(0, page.lines.length));
    assertEquals(page.next?.end, LINES.length);
  });
  it("reads nothing again", async () => {
    const counts: number[] = [];
    const counted: ReturnType<typeof countingFs>[] = [];
    const workspace = await openOn(TEXT, (fs) => {
      counted.push(countingFs(fs));
      return counted[0]!;
    });
    for (
      const options of [{}, { maxChars: 900 }, { maxTokens: 90 }, {
        match: "abc",
        maxChars: 900,
      }, { tail: 9, maxTokens: 50 }]
    ) {
      const { opened } = counted[0]!.counts;
      await workspace.read("a", options);
      counts.push(counted[0]!.counts.opened - opened);
    }
    assertEquals(counts, [1, 1, 1, 1, 1]);
  });
  it("counts tokens by a bound if the host has no tokenizer", async () => {
    const workspace = await openOn(TEXT);
    const page = await workspace.read("a", { maxTokens: 700 });
    assert(boundTokens(renderPage(page)) <= 700);
    assert(page.lines.length > 9);
  });
  it("refuses a count that is no number", async () => {
    const workspace = await openOn(TEXT);
    for (const tokens of [NaN, -1, Infinity, "9", undefined]) {
      const countTokens = () => tokens as number;
      await assertRejects(
        () => workspace.read("a", { maxTokens: 5 }, { countTokens }),
        TypeError,
        "countTokens must give a number from 0 on, not ",
      );
    }
  });
  it("takes any positive limit", async () => {
    const workspace = await openOn(TEXT);
    for (const name of ["maxChars", "maxTokens", "maxBytes", "maxLines"]) {
      for (const value of [1, 2, 999, Infinity, Number.MAX_SAFE_INTEGER]) {
        const page = await workspace.read("a", { [name]: value, end: 3 });
        assert(page.lines.length > 0);
      }
      for (const value of [0, -1, 1.5, NaN, "9"]) {
        await assertRejects(
          () => workspace.read("a", { [name]: value }),
          Error,
          `${name} must be a whole number from 1 on`,
        );
      }
    }
  });
});
