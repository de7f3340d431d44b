/** Searches in encodings other than UTF-8, compared with a naive search: decode, split, filter. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  type Page,
  type ReadOptions,
} from "../../../mod.ts";
import { codecOf } from "../../../src/core/encodings/codecs.ts";
import { encodedIn } from "../../support/encoded.ts";
import { cutFs } from "../../support/cuts.ts";
import { Random, SEED } from "../../support/random.ts";
import { checkRendering } from "../../support/rendered.ts";

/** For each encoding, some of its characters that are not ASCII. */
const ENCODINGS: Readonly<Record<string, readonly string[]>> = {
  "utf-16le": ["é", "日", "\u0a0a", "\u010a", "😀", "\ufeff"],
  "utf-16be": ["é", "日", "\u0a0a", "\u0a00", "😀", "\u0d0a"],
  // The second bytes of some characters are ASCII.
  shift_jis: ["é", "日", "ソ", "ア", "表", "ｱ"].slice(1),
  gb18030: ["é", "日", "丂", "€", "😀", "乗"],
  "windows-1252": ["é", "€", "ÿ", "ß"],
  big5: ["日", "功", "許"],
  "euc-jp": ["日", "ｱ", "ソ"],
  "iso-2022-jp": ["日", "日本語", "ソ"],
};

/** A file's lines, with their endings. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The numbers of the lines that match. */
function hitsOf(text: string, pattern: RegExp): number[] {
  return linesOf(text).flatMap((line, index) =>
    pattern.test(line.replace(/\r?\n$/, "")) ? [index + 1] : []
  );
}

/** Reads all pages by following `next`. */
async function walk(
  bytes: Uint8Array,
  options: ReadOptions,
  most = Infinity,
): Promise<Page[]> {
  const fs = memoryFs({ "/a": bytes });
  const workspace = await openWorkspace("/", {
    fs: most === Infinity ? fs : cutFs(fs, most),
  });
  const { decode, label } = codecOf(`${options.encoding}`)!;
  const lines = linesOf(decode(bytes));
  const textFrom = (number: number, column: number, length: number) => {
    const line = lines[number - 1]!;
    return column === 1
      ? line.slice(0, length)
      : Array.from(line).slice(column - 1).join("").slice(0, length);
  };
  const pages: Page[] = [];
  let end = 0;
  for (let next: ReadOptions | null = options; next !== null;) {
    const page: Page = await workspace.read("a", next);
    assertEquals(page.encoding.label, label);
    if (page.lines.length > 0) {
      assert(page.shown.start >= end, "a page shows bytes twice");
      end = page.shown.end;
    }
    for (const { number, column, text, ending } of page.lines) {
      const shown = text + ending;
      assertEquals(shown, textFrom(number, column, shown.length));
    }
    checkRendering(page);
    pages.push(page);
    assert(pages.length <= bytes.length + 1, "the pages do not end");
    next = page.next;
  }
  return pages;
}

type Query = readonly [ReadOptions, RegExp];

/** Texts and patterns; some contain a character of the encoding. */
function queriesOf([one, other]: readonly string[]): readonly Query[] {
  return [
    [{ match: "TODO" }, /TODO/],
    [{ match: "a" }, /a/],
    [{ match: "\r" }, /\r/],
    [{ match: one! }, new RegExp(one!, "u")],
    [{ match: `${other}a` }, new RegExp(`${other}a`, "u")],
    [{ match: "todo", ignoreCase: true }, /todo/i],
    [{ match: "^(TO|a)", regex: true }, /^(TO|a)/],
    [{ match: "DO$", regex: true }, /DO$/],
    [{ match: "^$", regex: true }, /^$/],
    [{ match: "^.$", regex: true }, /^.$/su],
    [
      { match: `[^a${one}]$`, regex: true },
      new RegExp(`[^a${one}]$`, "u"),
    ],
    [{ match: "no such" }, /no such/],
  ];
}

function randomText(random: Random, lines: number, own: readonly string[]) {
  const words = ["TODO", "todo", "a", "x TODO y", "TO", "DO", "", "\t", "\\"];
  let text = "";
  for (let line = 0; line < lines; line++) {
    for (let word = random.below(5); word > 0; word--) {
      text += random.below(2) === 0 ? random.pick(own) : random.pick(words);
    }
    text += random.pick(["\n", "\n", "\r\n"]);
  }
  return random.below(2) === 0 ? text : text.replace(/\r?\n$/, "");
}

for (const [encoding, own] of Object.entries(ENCODINGS)) {
  describe(`a search in ${encoding} (seed ${SEED})`, () => {
    const queries = queriesOf(own);

    it("finds the same lines as a naive search", async () => {
      const random = new Random(SEED);
      for (let round = 0; round < 40; round++) {
        const text = randomText(random, random.below(40), own);
        const [query, pattern] = random.pick(queries);
        const margins = { before: random.below(4), after: random.below(4) };
        const bytes = encodedIn(text, encoding);
        const options = { ...query, ...margins, encoding };
        const most = random.pick([1, 3, Infinity]);
        const [page, ...others] = await walk(bytes, options, most);
        const hits = hitsOf(text, pattern);
        assertEquals(others, []);
        assertEquals(page!.hits!.lines, hits);
        assertEquals([page!.hits!.count, page!.hits!.exact], [
          hits.length,
          true,
        ]);
        assertEquals(page!.totalLines, linesOf(text).length);
        assertEquals([page!.exact, page!.inexact], [false, []]);
      }
    });

    it("shows every hit once, on pages of any size", async () => {
      const random = new Random(SEED + 1);
      for (let round = 0; round < 40; round++) {
        const text = randomText(random, random.below(30), own);
        const [query, pattern] = random.pick(queries);
        const limit = random.pick([undefined, 1, 5]);
        const maxBytes = random.pick([undefined, 1, 2, 5, 9, 30, 100]);
        const pages = await walk(encodedIn(text, encoding), {
          ...query,
          before: random.below(4),
          after: random.below(4),
          encoding,
          ...(limit !== undefined && { limit }),
          ...(maxBytes !== undefined && { maxBytes }),
        });
        const shown = pages.flatMap(({ hits }) => hits!.lines)
          .filter((line, at, all) => line !== all[at - 1]);
        const hits = hitsOf(text, pattern);
        assertEquals(shown, hits);
        if (limit !== undefined) continue;
        assertEquals(pages[0]!.hits!.count, hits.length);
      }
    });

    it("finds the same lines as a naive search in random bytes", async () => {
      const random = new Random(SEED + 2);
      const { decode } = codecOf(encoding)!;
      for (let round = 0; round < 40; round++) {
        const parts = ["a\n", "TODO", own[0]!, "\r\n", "\n"]
          .map((text) => encodedIn(text, encoding));
        const bytes: number[] = [];
        for (let part = random.below(30); part > 0; part--) {
          if (random.below(3) > 0) bytes.push(...random.pick(parts));
          else bytes.push(random.below(256));
        }
        const file = Uint8Array.from(bytes);
        const [query, pattern] = random.pick(queries);
        const maxBytes = random.pick([undefined, 2, 9]);
        const pages = await walk(file, {
          ...query,
          encoding,
          ...(maxBytes !== undefined && { maxBytes }),
        });
        const shown = pages.flatMap(({ hits }) => hits!.lines)
          .filter((line, at, all) => line !== all[at - 1]);
        assertEquals(shown, hitsOf(decode(file), pattern), `${bytes}`);
      }
    });

    it("finds a text wherever chunks and lines end", async () => {
      const [one] = own;
      const needle = `need${one}le`;
      const units = [["x\n", 8200], [one!, 8200]] as const;
      for (const [unit, count] of units) {
        // A run of characters between two escapes is read as a whole.
        if (encoding === "iso-2022-jp" && unit === one) continue;
        for (let more = 0; more < 6; more++) {
          const before = unit.repeat(count) + "y".repeat(more);
          const text = `${before}${needle}\n${unit.repeat(count)}\n${needle}`;
          const bytes = encodedIn(text, encoding);
          const line = linesOf(`${before}z`).length;
          const last = linesOf(text).length;
          const query = { match: needle, encoding, maxBytes: 100 };
          const regex = more % 2 === 1;
          const pages = await walk(bytes, { ...query, regex });
          const lines = pages.flatMap(({ hits }) => hits!.lines);
          assertEquals([...new Set(lines)], [line, last], `${more}`);
          assertEquals(pages[0]!.hits!.count, 2);
          const first = pages[0]!.lines.map(({ text }) => text).join("\n");
          assert(first.includes(needle), first);
        }
      }
    });
  });
}
