// Runtime-agnostic.
import { charsetOf } from "../encodings/charsets.ts";
import { escapeText } from "../unicode/escape.ts";
import { MAX_UNIT_BYTES } from "../lines/columns.ts";
import { endsInside, type PageFacts } from "./grammar.ts";
import { firstOf, lastOf, leftOutOf } from "./notice_parts.ts";
import { type PageLine, shownBytes } from "./page.ts";
import { readEtag } from "./version.ts";

/**
 * Whether the facts of a parsed page agree with each other, as in a page that
 * was read. `raw` has its lines without escapes, and `length` is the length of
 * their bytes, or with `isLeast` the least that it can be; `NaN` fails.
 */
export function agrees(
  page: PageFacts,
  raw: readonly PageLine[],
  length: number,
  isLeast: boolean,
): boolean {
  const { shown: { start, end }, size, totalLines, empty, next } = page;
  const counts = [start, end, size, totalLines ?? 0];
  if (!counts.every(Number.isSafeInteger)) return false;
  if (start > end || end > size) return false;
  if (raw.length === 0 && leftOutOf(page).length === 0) {
    return showsNothing(page) && continues(page);
  }
  const run = runOf(page, raw);
  if (run === undefined || empty !== null) return false;
  const { last, kept } = run;
  // The text of kept lines is not here; each has at least one byte.
  const excess = length + kept - shownBytes(page);
  const slack = slackOf(page, raw);
  const mayBeLess = isLeast || kept > 0;
  const fits = excess <= slack && (mayBeLess || excess >= 0);
  const { count = Infinity, width = Infinity } = next ?? {};
  // In some encodings, the least that a page can show is more than one character.
  const hasRuns = /^(?:big5|iso-2022-jp)$/.test(page.encoding.label);
  return fits && hasHits(page, raw, run) && isPlaced(page, run) &&
    continues(page, last) && kept + raw.length <= count &&
    (hasRuns || countCharacters(raw[0]?.text ?? "") <= width);
}

/** The ends of the lines of a page, shown and kept ones. */
interface Run {
  readonly first: Pick<PageLine, "number" | "column">;
  readonly last: PageLine;
  /** How many lines are kept: the page leaves them out, since the reader has them. */
  readonly kept: number;
}

/** The ends of the lines of a page that has some; `undefined` unless the lines are consecutive, except for gaps. */
function runOf(page: PageFacts, raw: readonly PageLine[]): Run | undefined {
  const { hits, hunks = [], etag } = page;
  const left = leftOutOf(page);
  const start = firstOf(raw, left);
  let number = start;
  let passed = 0;
  /** Passes the lines that are left out before the next line. */
  const passLeft = () => {
    while (left[passed]?.start === number) number = lastOf(left[passed++]!) + 1;
  };
  for (const line of raw) {
    passLeft();
    if (line.number !== number || !isLine(line, number === start)) return;
    number++;
  }
  passLeft();
  // Kept lines are in order.
  let before = -Infinity;
  for (const hunk of hunks) {
    if (!("kept" in hunk)) continue;
    const [from, to] = hunk.kept;
    if (to < from || from <= before) return;
    before = to;
  }
  const open = raw.find(({ ending }) => ending === "");
  const isRun = passed === left.length &&
    (open === undefined || open.number === number - 1);
  const first = raw[0]?.number === start
    ? raw[0]
    : { number: start, column: 1 };
  // Lines with negative numbers reach the end of the file.
  const isEnd = start > 0 || number === 0 && first.column === 1;
  if (!isRun || !isEnd) return undefined;
  // A kept last line may have no ending; the etag has line 0 after such a line.
  const ending = readEtag(etag)?.line === 0 ? "" : "\n";
  const shown = raw.at(-1);
  const last = shown?.number === number - 1
    ? shown
    : { number: number - 1, column: 1, text: "", ending } as const;
  const kept = hits === undefined ? number - start - raw.length : 0;
  return { first, last, kept };
}

/** Whether a page can have this line: only the first begins inside a line, one without an ending has text, and a CR before an LF belongs to the ending. */
function isLine({ column, text, ending }: PageLine, isFirst: boolean): boolean {
  if (column > 1 && !isFirst) return false;
  return ending === ""
    ? text !== ""
    : ending === "\r\n" || !text.endsWith("\r");
}

/** Whether the lines with hits are among the lines, and the gaps are between them. */
function hasHits(
  { hits, hunks, next }: PageFacts,
  lines: readonly PageLine[],
  { first, last }: Run,
): boolean {
  if (hits === undefined) return true;
  const { lines: found, count, exact, gaps } = hits;
  let hit = 0;
  for (const { number } of lines) if (found[hit] === number) hit++;
  const areGaps = gaps.every(({ start, end, bytes }, at) =>
    end >= start && bytes > end - start && end + 1 !== gaps[at + 1]?.start
  );
  return hunks === undefined && hit > 0 && hit === found.length &&
    first.number > 0 && first === lines[0] && last === lines.at(-1) &&
    areGaps && count >= hit && (next !== null || exact && count === hit);
}

function showsNothing(
  { shown: { start }, size, totalLines, ...page }: PageFacts,
): boolean {
  const { empty, hits, inexact, next } = page;
  const total = totalLines ?? 0;
  const isAtEnd = start === size && total <= size && inexact.length === 0;
  if (!isAtEnd || next !== null || hits?.count) return false;
  if (empty === "no hit") return hits !== undefined && size > 0;
  const isEmpty = empty === "empty file";
  return empty !== null && isEmpty === (size === 0) &&
    isEmpty === (total === 0);
}

/** Whether the lines before the first one fit into the bytes before it: each takes at least one byte. */
function isPlaced(page: PageFacts, { first, last }: Run): boolean {
  const { shown: { start, end }, size, totalLines } = page;
  const { number, column } = first;
  if (number < 0) return start > 0 && end === size && totalLines === null;
  const before = number - 1 + column - 1;
  if (start < before || (start === 0) !== (before === 0)) return false;
  if (totalLines === null) return end < size;
  const after = totalLines - last.number;
  const isCut = endsInside(page);
  return after >= 0 && after <= size - end - (isCut ? 1 : 0) &&
    (after > 0 || end === size || isCut);
}

const SIGN = /\uFFFD/g;

/**
 * How many bytes more than the page shows its text may have, since U+FFFD
 * replaces one to three bytes of invalid UTF-8; `NaN` if the list of inexact
 * lines is not in order, or names other lines than the escaped ones as escaped.
 */
function slackOf(page: PageFacts, raw: readonly PageLine[]): number {
  const { lines, inexact } = page;
  if (inexact.length === 0) return 0;
  const indexes = new Map(raw.map(({ number }, index) => [number, index]));
  let before = -Infinity;
  let slack = 0;
  for (const { number, reason } of inexact) {
    const place = number * 2 + (reason === "escaped" ? 1 : 0);
    const index = indexes.get(number);
    if (place <= before || index === undefined) return NaN;
    before = place;
    const { text } = raw[index]!;
    const shown = lines[index]!.text;
    const signs = text.match(SIGN)?.length ?? 0;
    if (reason === "escaped") {
      const isCut = endsInside(page) && index === lines.length - 1;
      if (text === shown || escapeText(text, isCut) !== shown) return NaN;
    } else if (reason === "not UTF-8") {
      if (signs === 0) return NaN;
      slack += 2 * signs;
    }
  }
  return slack;
}

/** Whether the etag and `next` continue where the page ends. */
function continues(page: PageFacts, last?: PageLine): boolean {
  const { shown: { start, end }, size, etag, next, hits } = page;
  const version = readEtag(etag);
  const { line, column } = placeAfter(page, last);
  if (version?.size !== size || version.end !== end) return false;
  if (version.start > (hits === undefined ? start : end)) return false;
  if (version.line !== line || version.column !== column) return false;
  if (next === null) return hits !== undefined || !endsInside(page);
  const isOfHits = (next.match ?? next.lines) !== undefined;
  if (isOfHits !== (hits !== undefined)) return false;
  if ((next.since === undefined) !== (page.since === undefined)) return false;
  const charset = charsetOf(page.encoding.label);
  const { maxBytes = Infinity, view = "raw" } = next;
  const most = Math.max(maxBytes, MAX_UNIT_BYTES, charset?.most ?? 0);
  return end < size && next.etag === etag && view === (page.view ?? "raw") &&
    next.start === line &&
    next.column === (column > 1 ? column : undefined) &&
    next.tail === undefined && next.around === undefined &&
    shownBytes(page) <= most &&
    (charset === undefined || next.encoding === page.encoding.label);
}

/** The line and the column after the page, as in its etag; zeros if nothing begins there. */
function placeAfter(page: PageFacts, last?: PageLine) {
  const nothing = { line: 0, column: 0 };
  if (last === undefined || last.number < 0) return nothing;
  const { number: line, column, text, ending } = last;
  if (endsInside(page)) return { line, column: column + countCharacters(text) };
  return ending === "" ? nothing : { line: line + 1, column: 1 };
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
