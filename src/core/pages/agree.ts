// Runtime-agnostic.
import { charsetOf } from "../encodings/charsets.ts";
import { escapeText } from "../unicode/escape.ts";
import { MAX_UNIT_BYTES } from "../lines/columns.ts";
import { endsInside, type PageFacts } from "./grammar.ts";
import type { Hits } from "./found.ts";
import type { PageLine } from "./page.ts";
import { readEtag } from "./version.ts";

/**
 * Whether the facts of a parsed page agree with each other, as in a page that
 * was read. `raw` has its lines without escapes, and `length` is the length of
 * their bytes.
 */
export function agrees(
  page: PageFacts,
  raw: readonly PageLine[],
  length: number,
): boolean {
  const { shown: { start, end }, size, totalLines } = page;
  const counts = [start, end, size, totalLines ?? 0];
  if (!counts.every(Number.isSafeInteger)) return false;
  if (start > end || end > size) return false;
  const run = runOf(page, raw);
  if (run === undefined) {
    return raw.length === 0 && showsNothing(page) && agreesOnward(page, raw);
  }
  return page.empty === null && run.isRun && isPlaced(page, run) &&
    hasBytes(page, raw, length, run.kept) && isListed(page, raw) &&
    agreesOnward(page, raw, run);
}

/** All lines of a page: shown and kept ones. */
interface Run {
  readonly isRun: boolean;
  readonly first: Pick<PageLine, "number" | "column">;
  readonly last: PageLine;
  /** How many lines the reader has. */
  readonly kept: number;
  readonly count: number;
}

/** The lines of a page; `undefined` if it has none. */
function runOf(page: PageFacts, raw: readonly PageLine[]): Run | undefined {
  if (page.hunks !== undefined) return sinceRunOf(page, page.hunks, raw);
  const [first, last] = [raw[0], raw.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const count = raw.length;
  return { isRun: isRun(page, raw), first, last, kept: 0, count };
}

/** The lines of a page with `since`: hunks are consecutive, and kept lines in order. */
function sinceRunOf(
  { etag }: PageFacts,
  hunks: NonNullable<PageFacts["hunks"]>,
  raw: readonly PageLine[],
): Run | undefined {
  const start = hunks[0]?.start;
  if (start === undefined) return undefined;
  let number = start;
  let [index, kept, before] = [0, 0, -Infinity];
  let isRun = true;
  let last: PageLine = { number, column: 1, text: "", ending: "\n" };
  let column: number | undefined;
  for (const hunk of hunks) {
    isRun &&= hunk.start === number && last.ending !== "";
    if ("kept" in hunk) {
      const [from, to] = hunk.kept;
      isRun &&= from > before && to >= from;
      before = to;
      number += to - from + 1;
      kept += to - from + 1;
      last = { number: number - 1, column: 1, text: "", ending: "\n" };
      column ??= 1;
      continue;
    }
    for (; raw[index]?.number === number; number++) {
      last = raw[index++]!;
      column ??= last.column;
      isRun &&= (last.column === 1 || number === start) &&
        isLine(last, index - 1, raw);
    }
  }
  isRun &&= index === raw.length && (start > 0 || number === 0);
  // A kept last line may have no ending; the etag has line 0 after such a line.
  const isKept = "kept" in hunks.at(-1)!;
  if (isKept && readEtag(etag)?.line === 0) last = { ...last, ending: "" };
  const first = { number: start, column: column ?? 1 };
  return { isRun, first, last, kept, count: kept + raw.length };
}

function showsNothing(
  { shown: { start, end }, size, totalLines, ...page }: PageFacts,
): boolean {
  const { empty, hits, inexact, next } = page;
  const total = totalLines ?? 0;
  const isAtEnd = start === size && end === size && total <= size &&
    inexact.length === 0 && next === null;
  if (!isAtEnd || (hits?.count || hits?.gaps.length)) return false;
  if (empty === "no hit") return hits !== undefined && size > 0;
  const isEmpty = empty === "empty file";
  return empty !== null && isEmpty === (size === 0) &&
    isEmpty === (total === 0);
}

/** Whether lines are consecutive except for gaps, and only the first and the last are cut. */
function isRun({ hits, next }: PageFacts, lines: readonly PageLine[]): boolean {
  if (hits !== undefined) return isFoundRun(hits, next === null, lines);
  const { number: start, column } = lines[0]!;
  // Lines with negative numbers reach the end of the file.
  if (start < 0 && (column > 1 || start !== -lines.length)) return false;
  return lines.every((line, index) =>
    line.number === start + index && isLine(line, index, lines)
  );
}

/** Whether a line may have this number and these edges. */
function isLine(
  { column, text, ending }: PageLine,
  index: number,
  lines: readonly PageLine[],
): boolean {
  if (column > 1 && index > 0) return false;
  return ending === ""
    ? index === lines.length - 1 && text !== ""
    : ending === "\r\n" || !text.endsWith("\r");
}

/** Whether lines are consecutive except for gaps, and contain the hits. */
function isFoundRun(
  { gaps, lines: found, count, exact }: Hits,
  isLast: boolean,
  lines: readonly PageLine[],
): boolean {
  const open = [...gaps].reverse();
  let number = lines[0]!.number;
  let hit = 0;
  const isInOrder = number > 0 && lines.every((line, index) => {
    const gap = open.at(-1);
    if (index > 0 && gap?.start === number) {
      open.pop();
      if (gap.end < number || gap.bytes <= gap.end - number) return false;
      number = gap.end + 1;
    }
    if (found[hit] === number) hit++;
    return line.number === number++ && isLine(line, index, lines);
  });
  return isInOrder && open.length === 0 && found.length > 0 &&
    hit === found.length && count >= hit && (!isLast || exact && count === hit);
}

function bytesBetween({ hits }: PageFacts): number {
  return (hits?.gaps ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
}

function indexOf(lines: readonly PageLine[], number: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.number < number) low = middle + 1;
    else high = middle;
  }
  return lines[low]?.number === number ? low : -1;
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
  const rest = size - end - (endsInside(page) ? 1 : 0);
  return after >= 0 && after <= rest &&
    (after > 0 || end === size || endsInside(page));
}

const SIGN = /\uFFFD/g;

/** Whether the lines have as many bytes as the page shows. U+FFFD replaces one to three bytes of invalid UTF-8. */
function hasBytes(
  page: PageFacts,
  raw: readonly PageLine[],
  length: number,
  kept: number,
): boolean {
  const { shown: { start, end }, inexact } = page;
  let loose = 0;
  for (const { number, reason } of inexact) {
    if (reason !== "not UTF-8") continue;
    const line = raw[indexOf(raw, number)];
    const signs = line?.text.match(SIGN)?.length ?? 0;
    if (signs === 0) return false;
    loose += 2 * signs;
  }
  const missing = length + bytesBetween(page) - (end - start);
  if (kept > 0) return missing + kept <= loose;
  return missing >= 0 && missing <= loose;
}

/** Whether the list of inexact lines is in order, and names exactly the escaped lines as escaped. */
function isListed(page: PageFacts, raw: readonly PageLine[]): boolean {
  const { lines, inexact } = page;
  const isOpen = endsInside(page);
  let before = -Infinity;
  return inexact.every(({ number, reason }) => {
    const isEscaped = reason === "escaped";
    const place = number * 2 + (isEscaped ? 1 : 0);
    if (place <= before) return false;
    before = place;
    const index = indexOf(lines, number);
    const shown = lines[index]?.text;
    if (shown === undefined) return false;
    if (!isEscaped) return true;
    const { text } = raw[index]!;
    const isCut = isOpen && index === lines.length - 1;
    return text !== shown && escapeText(text, isCut) === shown;
  });
}

/** Whether the etag and `next` continue where the page ends. */
function agreesOnward(
  page: PageFacts,
  raw: readonly PageLine[],
  run?: Run,
): boolean {
  const { shown: { start, end }, size, etag, next } = page;
  const version = readEtag(etag);
  const [line, column] = placeAfter(page, run?.last);
  if (version?.size !== size || version.end !== end) return false;
  if (version.start > (page.hits === undefined ? start : end)) return false;
  if (version.line !== line || version.column !== column) return false;
  if (next === null) return page.hits !== undefined || !endsInside(page);
  if ((next.since ?? page.hunks) !== undefined) {
    if (next.since === undefined || page.hunks === undefined) return false;
  }
  const isOfHits = (next.match ?? next.lines) !== undefined;
  if (isOfHits !== (page.hits !== undefined)) return false;
  const { count = Infinity, maxBytes = Infinity, width = Infinity } = next;
  // In some encodings, the least that a page can show is more than one character.
  const charset = charsetOf(page.encoding.label);
  const most = Math.max(maxBytes, MAX_UNIT_BYTES, charset?.most ?? 0);
  const hasRuns = /^(?:big5|iso-2022-jp)$/.test(page.encoding.label);
  const { view = "raw" } = next;
  return end < size && next.etag === etag && view === (page.view ?? "raw") &&
    next.start === line &&
    next.column === (column > 1 ? column : undefined) &&
    next.tail === undefined && next.around === undefined &&
    (run?.count ?? 0) <= count &&
    end - start - bytesBetween(page) <= most &&
    (charset === undefined || next.encoding === page.encoding.label) &&
    (hasRuns || countCharacters(raw[0]?.text ?? "") <= width);
}

/** The line and the column after the page, as in its etag; zeros if nothing begins there. */
function placeAfter(
  page: PageFacts,
  last: PageLine | undefined,
): readonly [number, number] {
  const { number = -1, column = 0, text = "", ending } = last ?? {};
  if (number < 0) return [0, 0];
  if (endsInside(page)) return [number, column + countCharacters(text)];
  return ending === "" ? [0, 0] : [number + 1, 1];
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
