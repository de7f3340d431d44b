/** Pages made by hand and at random. */
import fc from "fast-check";
import { renderPage } from "../../src/core/pages/render.ts";
import { findHidden } from "./hidden.ts";
import type { Page, PageFacts, PageLine } from "../../src/core/pages/page.ts";

/** The facts of a page of a whole small file, with some properties replaced. */
export function pageOf(
  lines: readonly PageLine[],
  facts: Partial<PageFacts> = {},
): PageFacts {
  const text = lines.map((line) => line.text + line.ending).join("");
  const size = new TextEncoder().encode(text).length;
  const endsInside = lines.at(-1)?.ending === "" &&
    (facts.shown?.end ?? 0) < (facts.size ?? 0);
  return {
    path: "a.txt",
    lines,
    shown: { start: 0, end: size },
    size,
    encoding: { label: "utf-8", why: "valid UTF-8" },
    totalLines: lines.length,
    empty: lines.length === 0 ? "empty file" : null,
    next: null,
    view: null,
    etag: "v1",
    exact: true,
    inexact: [],
    warnings: findHidden(lines, { endsInside }),
    ...facts,
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
  "12\t",
  "1:2 cut esc\t",
  "3 no newline\t",
  "-2\t",
  "4 CRLF\t",
  '"a.txt": lines 1-2 of 9. More follows.',
  '"b.txt": lines -2 to -1 of an unknown total (5 bytes).',
  '"a.txt": an empty file.',
  "… lines 4-9 not shown",
  "Note: all is well.",
  'Next: read_file {"path":"a.txt","start":3}',
  'Next: read_file with the same path and {"start":3}',
  "End of file.",
  "End of the lines that match.",
  " Lines end in CRLF.",
  " Hidden characters: U+202E x (line 1, column 1).",
  '"',
  "\\",
  "\\u{",
  "\\u{1B}",
  "\\u{5C}u{",
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
  }, { requiredKeys: [] }).map((options) =>
    ({ ...options }) as NonNullable<Page["next"]>
  ),
);

const character = fc.record({
  line: place,
  column: place,
  code: fc.constant("U+202E"),
  name: fc.constant("right-to-left override"),
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
    "no hit",
    "binary",
    "blank lines",
  ),
  next,
  view: fc.constantFrom(null, "cells", "gunzip"),
  etag: fc.constant("v1"),
  exact: fc.boolean(),
  hits: fc.option(
    fc.record({
      count: place,
      exact: fc.boolean(),
      lines: fc.array(lineNumber, { maxLength: 3 }),
      gaps: fc.array(
        fc.record({ start: lineNumber, end: lineNumber, bytes: place }),
        { maxLength: 3 },
      ),
    }),
    { nil: undefined },
  ),
  inexact: fc.array(
    fc.record({
      number: lineNumber,
      reason: fc.constantFrom(
        "not UTF-8",
        "undecodable",
        "clipped",
        "escaped",
      ),
    }),
    { maxLength: 4 },
  ),
  warnings: fc.array(character, { maxLength: 8 }),
}).map((page) => ({
  ...page,
  etag: "v1",
  exact: page.inexact.length === 0,
} as PageFacts));

/** A text of lines and renderings, with any ending. */
export const fileText: fc.Arbitrary<string> = fc.array(
  fc.tuple(
    fc.oneof(lineText, anyPage.map((page) => renderPage(page))),
    fc.constantFrom("\n", "\r\n", ""),
  ),
  { maxLength: 6 },
).map((rows) => rows.flat().join(""));
