// Runtime-agnostic.
import type { Line } from "../lines/line.ts";
import type { TextWindow } from "../lines/window.ts";
import type { PageSelection } from "../selection.ts";
import { escapeHidden } from "./escape.ts";
import { findHidden } from "./hidden.ts";
import type { PageOptions } from "./options.ts";
import type { InexactLine, Page, PageLine } from "./page.ts";
import { refuseGap, writeEtag } from "./version.ts";

/** The lines shown before and after the one in the middle, if nothing is said. */
const AROUND = 10;

/** The lines that options ask for. */
export function selectPage(options: PageOptions): PageSelection {
  const { tail, around, before = AROUND, after = AROUND } = options;
  const { start = 1, count, end, column = 1, width } = options;
  if (tail !== undefined) {
    return { kind: "page", start: -tail, column: 1, count: tail };
  }
  if (around !== undefined) {
    const first = Math.max(1, around - before);
    const last = Math.min(Number.MAX_SAFE_INTEGER, around + after);
    const count = Math.max(1, last - first + 1);
    return { kind: "page", start: first, column: 1, count, around };
  }
  const lines = count ??
    (end === undefined ? Number.MAX_SAFE_INTEGER : end - start + 1);
  return { kind: "page", start, column, count: lines, width };
}

/**
 * Makes a page of the window that `selectPage(options)` gave; `now` is from before
 * the file was looked at.
 */
export function makePage(
  window: TextWindow,
  options: PageOptions,
  now: number,
): Page {
  const { path, span, bytes, nextColumn, stat: { size } } = window;
  if (options.etag !== undefined) refuseGap(options.etag, window, path);
  const etag = writeEtag(window, options.etag, now);
  const read = window.lines.map((line, index) => toLine(line, index, window));
  const warnings = findHidden(read, { endsInside: nextColumn > 1 });
  const lines = options.escape
    ? read.map((line, index) =>
      escapeLine(line, nextColumn > 1 && index === read.length - 1)
    )
    : read;
  const inexact = findInexact(lines, read, bytes);
  return {
    path,
    lines,
    shown: span,
    size,
    totalLines: window.totalLines,
    empty: lines.length > 0 ? null : emptyOf(window),
    next: nextOf(window, options, etag),
    etag,
    exact: inexact.length === 0,
    inexact,
    warnings,
    bytes: () => bytes.slice(),
  };
}

function emptyOf(
  { stat: { size }, start, totalLines }: TextWindow,
): Page["empty"] {
  if (size === 0) return "empty file";
  // The line that was asked for is there, and ends before the column.
  const isLine = start !== null && totalLines !== null && start <= totalLines;
  return isLine ? "past the last column" : "past the end";
}

function toLine(line: Line, index: number, { column }: TextWindow): PageLine {
  const { number, text, ending } = line;
  return { number: number!, column: index === 0 ? column : 1, text, ending };
}

function escapeLine(line: PageLine, isCut: boolean): PageLine {
  const text = escapeHidden(line.text);
  // With what the next page begins with, it could make an escape that is none.
  const whole = isCut ? text.replace(/\\(u?)$/, "\\u{5C}$1") : text;
  return { ...line, text: whole };
}

/** What goes on where the page ends; what it is bounded by goes along. */
function nextOf(
  window: TextWindow,
  options: PageOptions,
  etag: string,
): PageOptions | null {
  const { next, nextColumn } = window;
  if (next === null) return null;
  const { maxBytes, width, escape } = options;
  const bound = boundOf(window, options);
  if (bound.end !== undefined && next > bound.end) return null;
  return {
    start: next,
    ...(nextColumn > 1 ? { column: nextColumn } : {}),
    ...bound,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(width === undefined ? {} : { width }),
    ...(escape === undefined ? {} : { escape }),
    etag,
  };
}

/** Where the pages end: what `next` takes along of the options, or the last line they name. */
function boundOf(
  { totalLines }: TextWindow,
  options: PageOptions,
): { readonly count?: number; readonly end?: number } {
  if (options.count !== undefined) return { count: options.count };
  if (options.end !== undefined) return { end: options.end };
  // The last lines are those that were the last; what is added later is none of them.
  if (options.tail !== undefined) return { end: totalLines! };
  if (options.around === undefined) return {};
  const { start, count } = selectPage(options);
  return { end: start + count - 1 };
}

const LF = 0x0a;

/** The lines whose text is not their bytes; `read` is them before they were escaped. */
function findInexact(
  lines: readonly PageLine[],
  read: readonly PageLine[],
  bytes: Uint8Array,
): InexactLine[] {
  const inexact: InexactLine[] = [];
  let from = 0;
  // Looked for once, and kept until a line reaches it: a look from each line
  // on would go over the whole page each time.
  let sign = -1;
  for (let index = 0; index < lines.length; index++) {
    const { number, text } = lines[index]!;
    const feed = bytes.indexOf(LF, from);
    const to = feed < 0 ? bytes.length : feed + 1;
    const signs = countSigns(read[index]!.text);
    let written = 0;
    if (signs > 0) {
      if (sign < from) sign = writtenSign(bytes, from);
      for (; sign < to; written++) sign = writtenSign(bytes, sign + 1);
    }
    if (signs > written) inexact.push({ number, reason: "not UTF-8" });
    if (text !== read[index]!.text) inexact.push({ number, reason: "escaped" });
    from = to;
  }
  return inexact;
}

/** How often the sign stands in a text that a decoder puts where it loses something. */
function countSigns(text: string): number {
  let count = 0;
  for (let at = text.indexOf(SIGN); at >= 0; at = text.indexOf(SIGN, at + 1)) {
    count++;
  }
  return count;
}

/** Where the file itself has it, from `from` on: more often it stands only where something was lost. */
function writtenSign(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xef, from);
  while (at >= 0 && !(bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd)) {
    at = bytes.indexOf(0xef, at + 1);
  }
  return at < 0 ? Infinity : at;
}

const SIGN = "\uFFFD";
