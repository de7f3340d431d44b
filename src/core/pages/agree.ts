// Runtime-agnostic.
import { charsetOf } from "../encodings/charsets.ts";
import { escapeText } from "../unicode/escape.ts";
import { MAX_UNIT_BYTES } from "../lines/columns.ts";
import { endsInside, type PageFacts } from "./grammar.ts";
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
  if (run === undefined) return showsNothing(page) && agreesOnward(page, raw);
  const slack = slackOf(page, raw);
  if (!run.isRun || page.empty !== null || slack === undefined) return false;
  // The text of kept lines is not here; each has at least one byte.
  const missing = length + bytesBetween(page) - (end - start);
  const fits = run.kept > 0
    ? missing + run.kept <= slack
    : missing >= 0 && missing <= slack;
  return fits && hasHits(page, raw) && isPlaced(page, run) &&
    agreesOnward(page, raw, run);
}

/** All lines of a page: shown and kept ones. */
interface Run {
  /** Whether they are consecutive, except for gaps. */
  readonly isRun: boolean;
  readonly first: Pick<PageLine, "number" | "column">;
  readonly last: PageLine;
  /** How many lines the reader has. */
  readonly kept: number;
  readonly count: number;
}

/** The lines of a page; `undefined` if it has none. */
function runOf(page: PageFacts, raw: readonly PageLine[]): Run | undefined {
  const { hits, hunks = [], etag } = page;
  const left = hunks.flatMap((hunk) => "kept" in hunk ? [hunk] : []);
  // The ranges of lines that are not shown; the next one is the last.
  const holes = (hits?.gaps ?? left.map(({ start, kept: [from, to] }) => ({
    start,
    end: start + to - from,
  }))).toReversed();
  const start = Math.min(
    raw[0]?.number ?? Infinity,
    holes.at(-1)?.start ?? Infinity,
  );
  if (start === Infinity) return undefined;
  // Kept lines are in order.
  let isRun = left.every(({ kept: [from, to] }, at) =>
    to >= from && from > (left[at - 1]?.kept[1] ?? -Infinity)
  );
  let number = start;
  for (const [index, line] of raw.entries()) {
    while (holes.at(-1)?.start === number) {
      // Gaps are between lines.
      isRun &&= hits === undefined || raw[index - 1]?.number === number - 1;
      number = holes.pop()!.end + 1;
    }
    isRun &&= line.number === number && isLine(line, number === start) &&
      (line.ending !== "" || index === raw.length - 1);
    number++;
  }
  const shown = raw.at(-1);
  while (hits === undefined && holes.at(-1)?.start === number) {
    number = holes.pop()!.end + 1;
  }
  const isShown = shown?.number === number - 1;
  // A kept last line may have no ending; the etag has line 0 after such a line.
  const ending = readEtag(etag)?.line === 0 ? "" : "\n";
  const last = isShown
    ? shown
    : { number: number - 1, column: 1, text: "", ending } as const;
  const first = raw[0]?.number === start
    ? raw[0]
    : { number: start, column: 1 };
  // Lines with negative numbers reach the end of the file.
  isRun &&= holes.length === 0 && (isShown || shown?.ending !== "") &&
    (start > 0 || number === 0 && first.column === 1);
  const kept = left.reduce(
    (sum, { kept: [from, to] }) => sum + to - from + 1,
    0,
  );
  return { isRun, first, last, kept, count: kept + raw.length };
}

/** Whether a line may have these edges. */
function isLine({ column, text, ending }: PageLine, isFirst: boolean): boolean {
  if (column > 1 && !isFirst) return false;
  return ending === ""
    ? text !== ""
    : ending === "\r\n" || !text.endsWith("\r");
}

/** Whether the lines with hits are among the lines. */
function hasHits(
  { hits, hunks, next }: PageFacts,
  lines: readonly PageLine[],
): boolean {
  if (hits === undefined) return true;
  const { lines: found, count, exact, gaps } = hits;
  let hit = 0;
  for (const { number } of lines) if (found[hit] === number) hit++;
  return hunks === undefined && hit > 0 && hit === found.length &&
    lines[0]!.number > 0 &&
    gaps.every(({ start, end, bytes }) =>
      end >= start && bytes > end - start
    ) &&
    count >= hit && (next !== null || exact && count === hit);
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

function bytesBetween({ hits }: PageFacts): number {
  return (hits?.gaps ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
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

/**
 * How many bytes more than the page shows its text may have, since U+FFFD
 * replaces one to three bytes of invalid UTF-8; `undefined` if the list of
 * inexact lines is not in order, or names other lines than the escaped ones as
 * escaped.
 */
function slackOf(
  page: PageFacts,
  raw: readonly PageLine[],
): number | undefined {
  const { lines, inexact } = page;
  if (inexact.length === 0) return 0;
  const indexes = new Map(raw.map(({ number }, index) => [number, index]));
  const isOpen = endsInside(page);
  let [before, slack] = [-Infinity, 0];
  for (const { number, reason } of inexact) {
    const place = number * 2 + (reason === "escaped" ? 1 : 0);
    const index = indexes.get(number);
    if (place <= before || index === undefined) return undefined;
    before = place;
    const { text } = raw[index]!;
    const shown = lines[index]!.text;
    const signs = text.match(SIGN)?.length ?? 0;
    if (reason === "escaped") {
      const isCut = isOpen && index === lines.length - 1;
      const isOurs = text !== shown && escapeText(text, isCut) === shown;
      if (!isOurs) return undefined;
    } else if (reason === "not UTF-8") {
      if (signs === 0) return undefined;
      slack += 2 * signs;
    }
  }
  return slack;
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
  const isOfHits = (next.match ?? next.lines) !== undefined;
  if (isOfHits !== (page.hits !== undefined)) return false;
  if ((next.since === undefined) !== (page.hunks === undefined)) return false;
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
