// Runtime-agnostic.
import { charsetOf } from "../encodings/charsets.ts";
import { escapeText } from "../unicode/escape.ts";
import { MAX_CHAR_BYTES } from "../lines/columns.ts";
import type { KeptLines } from "./delta.ts";
import { endsInside, type PageFacts } from "./grammar.ts";
import { firstOf, lastOf, leftOutOf } from "./notice_parts.ts";
import { type PageLine, shownBytes } from "./page.ts";
import { readEtag } from "./version.ts";

/**
 * Whether the facts of a parsed page agree with each other, as in a page that
 * was read. `raw` has its lines without escapes. `length` is how many bytes
 * these take, `NaN` if that is unknown; with `isMinimum` they may take more.
 */
export function agrees(
  page: PageFacts,
  raw: readonly PageLine[],
  length: number,
  isMinimum: boolean,
): boolean {
  const { shown: { start, end }, size, totalLines, empty } = page;
  const counts = [start, end, size, totalLines ?? 0];
  if (!counts.every(Number.isSafeInteger)) return false;
  if (start > end || end > size) return false;
  if (raw.length === 0 && leftOutOf(page).length === 0) {
    return showsNothing(page) && continues(page);
  }
  const run = runOf(page, raw);
  if (run === undefined || empty !== null) return false;
  const { last, keptCount } = run;
  const shown = shownBytes(page);
  // The text of kept lines is not here; each has at least one byte.
  const least = length + keptCount;
  const isLengthKnown = !isMinimum && keptCount === 0;
  // The text has at most the shown bytes and the slack. If its length is known, it has
  // at least the shown bytes. For `NaN`, the first comparison is false.
  const fits = least <= shown + slackOf(page, raw) &&
    (!isLengthKnown || least >= shown);
  return fits && isLimited(page, raw, keptCount) && hitsAgree(page, run) &&
    isPlaced(page, run) && continues(page, last);
}

/** The first and the last line of a page, shown or kept. */
interface Run {
  /** If it is kept, its column is unknown. */
  readonly first: { readonly number: number; readonly column?: number };
  readonly last: PageLine;
  /** How many lines are kept: the page leaves them out, since the reader has them. */
  readonly keptCount: number;
}

/** The run of the lines of a page, at least one; `undefined` if a page cannot have these lines. */
function runOf(page: PageFacts, raw: readonly PageLine[]): Run | undefined {
  const kept = (page.hunks ?? []).filter((hunk) => "kept" in hunk);
  const keptCount = countKept(kept);
  const leftOut = leftOutOf(page);
  const start = firstOf(raw, leftOut);
  const end = endOfRun(start, raw, leftOut);
  if (end === undefined || keptCount === undefined) return undefined;
  if (!raw.every((line) => isLine(line, start, end))) return undefined;
  const [top] = raw;
  const first: Run["first"] = top?.number === start ? top : { number: start };
  // Lines that are numbered from the end are whole, and reach the end of the file:
  // …, -2, -1, so the number after the last is 0.
  const isTail = end === 0 && (first.column ?? 1) === 1;
  if (start <= 0 && !isTail) return undefined;
  // A kept last line may have no ending; the etag has line 0 after such a line.
  const ending = readEtag(page.etag)?.line === 0 ? "" : "\n";
  const shown = raw.at(-1);
  const last = shown?.number === end - 1
    ? shown
    : { number: end - 1, column: 1, text: "", ending } as const;
  return { first, last, keptCount };
}

/** How many lines are kept; `undefined` if they are not in order on the earlier page. */
function countKept(hunks: readonly KeptLines[]): number | undefined {
  let count = 0;
  let before = -Infinity;
  for (const { kept: [from, to] } of hunks) {
    if (to < from || from <= before) return undefined;
    before = to;
    count += to - from + 1;
  }
  return count;
}

/** The number after the last line, shown or left out; `undefined` if these are not consecutive from `start` on. */
function endOfRun(
  start: number,
  lines: readonly PageLine[],
  leftOut: ReturnType<typeof leftOutOf>,
): number | undefined {
  let number = start;
  let shown = 0;
  let passed = 0;
  for (;;) {
    if (leftOut[passed]?.start === number) {
      number = lastOf(leftOut[passed]!) + 1;
      passed++;
    } else if (lines[shown]?.number === number) {
      number++;
      shown++;
    } else break;
  }
  const isAll = shown === lines.length && passed === leftOut.length;
  return isAll ? number : undefined;
}

/** Whether a page of the lines from `start` to before `end` can have this line: only the first begins inside a line, only the last has no ending, and a CR before an LF belongs to the ending. */
function isLine(
  { number, column, text, ending }: PageLine,
  start: number,
  end: number,
): boolean {
  if (column > 1 && number !== start) return false;
  return ending === ""
    ? text !== "" && number === end - 1
    : ending === "\r\n" || !text.endsWith("\r");
}

/** Whether the page has no more lines and columns than its options, which `next` has too, allow. */
function isLimited(
  { next, encoding }: PageFacts,
  raw: readonly PageLine[],
  keptCount: number,
): boolean {
  const { count = Infinity, width = Infinity } = next ?? {};
  if (keptCount + raw.length > count) return false;
  // A page shows at least one character, which can be wider: in Big5, some have two
  // columns; in ISO-2022-JP, a run of a character set counts as one character.
  const mayBeWider = /^(?:big5|iso-2022-jp)$/.test(encoding.label);
  return mayBeWider || countCharacters(raw[0]?.text ?? "") <= width;
}

/** Whether the hits are on lines of the page, shown or kept, and the gaps are between these. */
function hitsAgree({ hits, next }: PageFacts, { first, last }: Run): boolean {
  if (hits === undefined) return true;
  if (first.number < 0) return false;
  const { lines: found, count, exact, gaps } = hits;
  if (found.length === 0 || found.at(-1)! > last.number) return false;
  // The lines are consecutive: one that is in no gap is shown or kept.
  let previous = first.number - 1;
  let passed = 0;
  for (const number of found) {
    if (number <= previous) return false;
    previous = number;
    while (passed < gaps.length && gaps[passed]!.end < number) passed++;
    if (number >= (gaps[passed]?.start ?? Infinity)) return false;
  }
  if (gaps[0]?.start === first.number) return false;
  if (gaps.at(-1)?.end === last.number) return false;
  const areGaps = gaps.every(({ start, end, bytes }, at) =>
    end >= start && bytes > end - start && end + 1 !== gaps[at + 1]?.start
  );
  if (!areGaps) return false;
  return next === null
    ? exact && count === found.length
    : count >= found.length;
}

/** Whether the reason why a page has no lines agrees with the size of the file. */
function showsNothing(page: PageFacts): boolean {
  const { shown: { start }, size, totalLines, empty, hits, inexact, next } =
    page;
  const total = totalLines ?? 0;
  if (start !== size || total > size || next !== null) return false;
  if (inexact.length > 0 || hits?.count) return false;
  switch (empty) {
    case null:
      return false;
    case "no hit":
      return hits !== undefined && size > 0;
    case "empty file":
      return size === 0 && total === 0;
    default:
      return size > 0 && total > 0;
  }
}

/** Whether the other lines of the file fit into its bytes before and after the page: each takes at least one byte. */
function isPlaced(page: PageFacts, { first, last }: Run): boolean {
  const { shown: { start, end }, size, totalLines } = page;
  const { number, column } = first;
  if (number < 0) return start > 0 && end === size && totalLines === null;
  // Each line above takes at least one byte, as does each column before.
  const leastBefore = number - 1 + (column ?? 1) - 1;
  if (start < leastBefore) return false;
  const isFirst = leastBefore === 0;
  if (column !== undefined && isFirst !== (start === 0)) return false;
  if (totalLines === null) return end < size;
  const after = totalLines - last.number;
  const isCut = endsInside(page);
  // The rest of a line that is cut takes at least one byte, as does each line below.
  const most = size - end - (isCut ? 1 : 0);
  if (after < 0 || after > most) return false;
  // The last line of the file is cut, or reaches the end of the file.
  return after > 0 || end === size || isCut;
}

const REPLACEMENT = /\uFFFD/g;

/**
 * How many bytes the text of a page may have beyond the bytes that the page shows:
 * U+FFFD takes three, and may replace a single byte of invalid UTF-8. `NaN` if the
 * list of inexact lines is not in order, or is wrong about which lines are escaped.
 */
function slackOf(page: PageFacts, raw: readonly PageLine[]): number {
  const { lines, inexact } = page;
  if (inexact.length === 0) return 0;
  const indexes = new Map(raw.map(({ number }, index) => [number, index]));
  let before = -Infinity;
  let slack = 0;
  for (const { number, reason } of inexact) {
    // A line may be listed twice: for another reason, then as escaped.
    const place = number * 2 + (reason === "escaped" ? 1 : 0);
    const index = indexes.get(number);
    if (place <= before || index === undefined) return NaN;
    before = place;
    const { text } = raw[index]!;
    const shown = lines[index]!.text;
    if (reason === "escaped") {
      const isCut = endsInside(page) && index === lines.length - 1;
      if (text === shown || escapeText(text, isCut) !== shown) return NaN;
    } else if (reason === "not UTF-8") {
      const count = text.match(REPLACEMENT)?.length ?? 0;
      if (count === 0) return NaN;
      // U+FFFD itself takes three bytes.
      slack += 2 * count;
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
  // The etag covers earlier pages too. Of a page of hits, it covers only the last run.
  if (version.start > (hits === undefined ? start : end)) return false;
  if (version.line !== line || version.column !== column) return false;
  if (next === null) return hits !== undefined || !endsInside(page);
  const isOfHits = (next.match ?? next.lines) !== undefined;
  if (isOfHits !== (hits !== undefined)) return false;
  if ((next.since === undefined) !== (page.since === undefined)) return false;
  const { maxBytes = Infinity, view = "raw" } = next;
  if (end >= size || next.etag !== etag) return false;
  if (view !== (page.view ?? "raw")) return false;
  if (next.start !== line) return false;
  if (next.column !== (column > 1 ? column : undefined)) return false;
  if (next.tail !== undefined || next.around !== undefined) return false;
  const { label } = page.encoding;
  const charset = charsetOf(label);
  if (charset !== undefined && next.encoding !== label) return false;
  return shownBytes(page) <=
    Math.max(maxBytes, MAX_CHAR_BYTES, charset?.maxCharLength ?? 0);
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
