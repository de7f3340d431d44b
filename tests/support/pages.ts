/** Valid and invalid pages, made by hand and at random. */
import fc from "fast-check";
import { findHidden } from "../../src/core/unicode/hidden.ts";
import { renderPage } from "../../src/core/pages/frame.ts";
import { writeEtag } from "../../src/core/pages/version.ts";
import { runAtOnce } from "../../src/core/base/call.ts";
import type { TextWindow } from "../../src/core/lines/window.ts";
import type { Page, PageLine } from "../../src/core/pages/page.ts";

/** A page without its bytes. */
export type PageFacts = Omit<Page, "bytes" | "receipt">;

/** A page of a whole small file, with some properties replaced. */
export function pageOf(
  lines: readonly PageLine[],
  facts: Partial<PageFacts> = {},
): Page {
  const text = lines.map((line) => line.text + line.ending).join("");
  const bytes = new TextEncoder().encode(text);
  const { shown: { end } = { end: 0 }, size = 0 } = facts;
  const endsInside = lines.at(-1)?.ending === "" && end < size;
  return {
    path: "a.txt",
    lines,
    shown: { start: 0, end: bytes.length },
    size: bytes.length,
    encoding: { label: "utf-8", why: "valid UTF-8" },
    totalLines: lines.length,
    empty: lines.length === 0 ? "empty file" : null,
    next: null,
    view: null,
    etag: "v1",
    receipt: "",
    exact: true,
    inexact: [],
    warnings: findHidden(lines, { endsInside }),
    ...facts,
    bytes: () => bytes,
  };
}

/** The page with the etag and the `next` that a read would give it. */
export function signed(page: Page): Page {
  const { lines: [first], shown, size, next } = page;
  const last = page.lines.at(-1);
  const isInside = last?.ending === "" && shown.end < size;
  const column = isInside
    ? last.column + Array.from(last.text).length
    : undefined;
  const start = last === undefined || last.number < 0
    ? null
    : last.number + (isInside ? 0 : 1);
  const window = {
    stat: { id: "1", size, mtimeMs: 0, ctimeMs: 0 },
    span: shown,
    bytes: page.bytes(),
    text: page.lines.map(({ text, ending }) => text + ending).join(""),
    start: start === null ? null : first!.number,
    lineCount: page.lines.length,
    next: shown.end < size ? start : null,
    nextColumn: column ?? 1,
  };
  const { etag } = runAtOnce(
    writeEtag(window as unknown as TextWindow, 0),
  );
  const onward = { start: start!, ...(isInside ? { column: column! } : {}) };
  return {
    ...page,
    etag,
    next: next === null ? null : { ...next, ...onward, etag },
  };
}

/** Splits a text into lines, numbered from 1. */
export function linesOf(text: string): PageLine[] {
  const pieces = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return pieces.map((piece, index) => {
    const ending = piece.endsWith("\r\n")
      ? "\r\n"
      : piece.endsWith("\n")
      ? "\n"
      : "";
    return {
      number: index + 1,
      column: 1,
      text: piece.slice(0, piece.length - ending.length),
      ending,
    };
  });
}

/** Parts of renderings, and characters that may look like line breaks. */
const OURS: readonly string[] = [
  "¦",
  "12¦",
  "1:2 cut esc¦",
  "3 no newline¦",
  "-2¦",
  "4 CRLF¦",
  '¦ "a.txt": lines 1-2 of 9, bytes 0 to 5 of 40. End of file.',
  '. More follows: read this path again with {"start":3}.',
  ' Also {"exact":false}. Version "v1". End of file.',
  " Lines end in CRLF.",
  " Not the exact text: line 1 (escaped).",
  ' ¦ "a.txt": lines -2 to -1 of an unknown total, bytes 1 to 5 of 5.',
  " Hidden characters: U+202E x (line 1, column 1).",
  '"',
  "\\",
  "\\u{",
  "\\u{1B}",
  "\\u{5C}u{",
  "}. More follows: read this path again with {",
  "\r",
  "\0",
  "\t",
  "\v",
  "\f",
  "\x1b[2K",
  "\x85",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u200b",
  "\ufeff",
  "\ud83d",
  "\udc4d",
  "👩‍💻",
];

/** The text of a line, made of such parts and other characters. */
export const lineText: fc.Arbitrary<string> = fc.array(
  fc.oneof(
    fc.constantFrom(...OURS),
    fc.string({ maxLength: 8 }),
    fc.string({ unit: "binary", maxLength: 8 }),
  ),
  { maxLength: 5 },
).map((pieces) => pieces.join("").replaceAll("\n", ""));

const place = fc.nat({ max: 1_000_000 });

const next: fc.Arbitrary<Page["next"]> = fc.option(
  fc.record({
    start: place,
    count: place,
    end: place,
    tail: place,
    numbered: fc.boolean(),
    column: place,
    maxBytes: place,
    width: place,
    escape: fc.boolean(),
    view: fc.constantFrom("cells", "raw"),
    pages: fc.constantFrom("3", "3-5"),
    etag: fc.oneof(fc.constant("v1"), lineText),
  }, { requiredKeys: [] }).map((options) => ({ ...options })),
);

const character = fc.record({
  line: place,
  column: place,
  code: fc.oneof(fc.constant("U+202E"), lineText),
  name: lineText,
  level: fc.constantFrom("info", "warning"),
});

/** The number of a line, counted from the start or from the end. */
const lineNumber = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: -50, max: -1 }),
);

/** Any page; its facts may contradict each other. */
export const anyPage: fc.Arbitrary<PageFacts> = fc.record({
  path: fc.oneof(fc.constant("src/a.ts"), lineText),
  lines: fc.array(
    fc.record({
      number: lineNumber,
      column: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 999 })),
      text: lineText,
      ending: fc.constantFrom("", "\n", "\n", "\r\n", "\r\n"),
    }),
    { maxLength: 5 },
  ),
  shown: fc.record({ start: place, end: place }),
  size: place,
  encoding: fc.constantFrom(
    { label: "utf-8", why: "valid UTF-8" },
    { label: "utf-8", why: "nothing else fits" },
    { label: "shift_jis", why: "statistics", runnersUp: ["euc-jp", "gbk"] },
  ),
  totalLines: fc.option(place),
  empty: fc.constantFrom(
    null,
    null,
    "empty file",
    "past the end",
    "past the last column",
  ),
  next,
  view: fc.constantFrom(null, "cells", "raw"),
  etag: fc.oneof(fc.constant("v1"), lineText),
  exact: fc.boolean(),
  inexact: fc.uniqueArray(
    fc.record({
      number: lineNumber,
      reason: fc.constantFrom("not UTF-8", "escaped"),
    }),
    { maxLength: 4, selector: ({ number, reason }) => `${number} ${reason}` },
  ),
  warnings: fc.array(character, { maxLength: 8 }),
}).map((page) => ({
  ...page,
  // A line has at most two reasons.
  inexact: page.inexact.slice(0, page.lines.length * 2),
} as PageFacts));

/** A text of lines and renderings, with any ending. */
export const fileText: fc.Arbitrary<string> = fc.array(
  fc.tuple(
    fc.oneof(lineText, anyPage.map((page) => renderPage(page))),
    fc.constantFrom("\n", "\r\n", ""),
  ),
  { maxLength: 6 },
).map((rows) => rows.flat().join(""));

/** Valid pages: a part of a file, cut between any two characters. */
export const honestPage: fc.Arbitrary<Page> = fc.record({
  text: fileText.map((text) => text.toWellFormed()),
  from: fc.nat({ max: 8 }),
  count: fc.integer({ min: 1, max: 8 }),
  cutStart: fc.nat({ max: 4 }),
  cutEnd: fc.nat({ max: 4 }),
  path: fc.oneof(fc.constant("src/a.ts"), lineText),
  isCounted: fc.boolean(),
}).map(({ text, from, count, cutStart, cutEnd, path, isCounted }) => {
  const all = linesOf(text);
  const encoder = new TextEncoder();
  const size = encoder.encode(text).length;
  const shown = all.slice(from, from + count);
  const whole = (lines: readonly PageLine[]) =>
    encoder.encode(lines.map((line) => line.text + line.ending).join(""))
      .length;
  let start = whole(all.slice(0, from));
  const first = shown[0];
  if (first !== undefined) {
    const all = Array.from(first.text);
    // A line without an ending shows at least one character.
    const most = first.ending === "" ? all.length - 1 : all.length;
    const skipped = all.slice(0, Math.min(cutStart, most));
    const length = skipped.join("").length;
    start += encoder.encode(skipped.join("")).length;
    shown[0] = {
      ...first,
      column: 1 + skipped.length,
      text: first.text.slice(length),
    };
  }
  const last = shown.at(-1);
  if (last !== undefined && cutEnd > 0) {
    const kept = Array.from(last.text).slice(0, -cutEnd).join("");
    if (kept !== "") {
      shown[shown.length - 1] = { ...last, text: kept, ending: "" };
    }
  }
  const end = start + whole(shown);
  const isWhole = shown[0]?.column === 1 && start > 0 && end === size;
  if (!isCounted && isWhole) {
    const lines = shown.map((line, index) => ({
      ...line,
      number: index - shown.length,
    }));
    return signed(pageOf(lines, {
      path,
      shown: { start, end },
      size,
      totalLines: null,
    }));
  }
  return signed(pageOf(shown, {
    path,
    shown: { start, end },
    size,
    totalLines: all.length,
    empty: shown.length > 0
      ? null
      : all.length === 0
      ? "empty file"
      : "past the end",
    next: end < size ? { count } : null,
  }));
});
