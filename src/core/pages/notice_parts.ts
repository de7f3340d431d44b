// Runtime-agnostic.
import { STEP_ITEMS, type Steps } from "../base/call.ts";
import { nameOf } from "../encodings/charsets.ts";
import { type EncodingSign, type FileEncoding, UTF_8 } from "../lines/codec.ts";
import type { KeptLines } from "./delta.ts";
import type { NoticeWords, PageFacts } from "./grammar.ts";
import type { Gap, Hits, InexactLine, Page, PageLine } from "./page.ts";
import { shortReceipt } from "./receipt.ts";
import { unescapeHidden } from "../unicode/escape.ts";

/** The words for a page without lines. */
export const EMPTY_WORDS: Readonly<Record<NonNullable<Page["empty"]>, string>> =
  {
    "empty file": "empty file, 0 lines",
    "past the end": "nothing, past the last line",
    "past the last column": "nothing, past the last column of the last line",
    "no hit": "no hit, 0 lines",
  };

/** Writes which lines a page has. */
export function whatOf(page: PageFacts): string {
  const { lines, empty } = page;
  if (empty !== null) return EMPTY_WORDS[empty];
  const leftOut = leftOutOf(page);
  const first = firstOf(lines, leftOut);
  const lastLeftOut = leftOut.at(-1);
  const last = Math.max(
    lines.at(-1)?.number ?? -Infinity,
    lastLeftOut === undefined ? -Infinity : lastOf(lastLeftOut),
  );
  return last < first ? "no line" : writeRange(first, last);
}

export function writeHits(
  { count, exact, lines }: Hits,
  shown: readonly PageLine[],
): string {
  const total = `${lines.length} of ${exact ? "" : "at least "}${count}`;
  if (lines.length === 0) return total;
  const isEach = lines.length === shown.length &&
    lines.every((line, at) => line === shown[at]!.number);
  if (isEach) return `${total}, on each line shown`;
  const runs = runsOf(lines.map((number) => ({ number })));
  const ranges = runs.map(({ first, last }) => rangeOf(first, last)).join(", ");
  return `${total}, on ${lines.length === 1 ? "line" : "lines"} ${ranges}`;
}

/** The runs of consecutive numbers with the same reason. */
function runsOf(lines: readonly { number: number; reason?: string }[]) {
  const runs: { first: number; last: number; reason?: string }[] = [];
  for (const { number, ...rest } of lines) {
    const run = runs.at(-1);
    if (run?.reason === rest.reason && run?.last === number - 1) run.last++;
    else runs.push({ first: number, last: number, ...rest });
  }
  return runs;
}

/** The most lines of a page that a session remembers; a larger page has its full text each time. */
export const MAX_REMEMBERED_LINES = 50_000;

/** Reads the hits; `undefined` without any, or if they name more lines than the page can have. */
export function readHits(
  words: string | undefined,
  shown: readonly PageLine[],
  gaps: readonly Gap[],
  kept: readonly KeptLines[],
): Hits | undefined {
  const [, atLeast, count, on = ""] =
    /^\d+ of (at least )?(\d+)(?:, on (.*))?$/.exec(words ?? "") ?? [];
  if (count === undefined) return undefined;
  const lines = on.startsWith("each") ? shown.map(({ number }) => number) : [];
  const most = kept.length > 0 ? MAX_REMEMBERED_LINES : shown.length;
  for (const [, first, last = first] of on.matchAll(/(\d+)(?:-(\d+))?/g)) {
    const length = lines.length + Number(last) - Number(first) + 1;
    if (length > most) return undefined;
    for (let at = Number(first); at <= Number(last); at++) lines.push(at);
  }
  return { count: Number(count), exact: atLeast === undefined, lines, gaps };
}

/** Lines that a page leaves out: one row stands in their place. */
type LeftOut = Gap | KeptLines;

/** The lines that a page leaves out, in order. */
export function leftOutOf({ hits, hunks = [] }: PageFacts): readonly LeftOut[] {
  const kept = hunks.filter((hunk) => "kept" in hunk);
  const { gaps = [] } = hits ?? {};
  if (kept.length === 0) return gaps;
  return [...gaps, ...kept].sort((one, other) => one.start - other.start);
}

/** The number of the first line of a page, shown or left out; `Infinity` without one. */
export function firstOf(
  [line]: readonly PageLine[],
  [leftOut]: readonly LeftOut[],
) {
  return Math.min(line?.number ?? Infinity, leftOut?.start ?? Infinity);
}

/** The number of the last line that is left out. */
export function lastOf(leftOut: LeftOut): number {
  if (!("kept" in leftOut)) return leftOut.end;
  const { start, kept: [from, to] } = leftOut;
  return start + to - from;
}

export function writeLeftOut(leftOut: LeftOut): string {
  const range = writeRange(leftOut.start, lastOf(leftOut));
  if (!("kept" in leftOut)) {
    return `¦ ${range} not shown, ${leftOut.bytes} bytes`;
  }
  const { start, kept: [from, to] } = leftOut;
  const then = start === from ? "" : ` (then ${rangeOf(from, to)})`;
  return `¦ ${range} unchanged${then}`;
}

export function readLeftOut(row: string): LeftOut | undefined {
  const [, start, end = start, bytes, from, to = from] =
    /^¦ lines? (-?\d+)(?:(?:-| to )(-?\d+))? (?:not shown, (\d+) bytes|unchanged(?: \(then (-?\d+)(?:(?:-| to )(-?\d+))?\))?)$/
      .exec(row) ?? [];
  if (start === undefined) return undefined;
  const range = { start: Number(start), end: Number(end) };
  if (bytes !== undefined) return { ...range, bytes: Number(bytes) };
  return {
    start: range.start,
    kept: [Number(from ?? start), Number(to ?? end)],
  };
}

export function listInexact(inexact: readonly InexactLine[]): string {
  return runsOf(inexact).map(({ first, last, reason }) =>
    `${writeRange(first, last)} (${reason})`
  ).join(", ");
}

/** Reads the list of inexact lines; `undefined` if it names more than `most`. */
export function readInexact(listed: string, most: number) {
  const inexact: InexactLine[] = [];
  const runs = listed.matchAll(
    /lines? (-?\d+)(?:(?:-| to )(-?\d+))? \((not UTF-8|undecodable|ambiguous|escaped)\)/g,
  );
  for (const [, first, last = first, reason] of runs) {
    const length = inexact.length + Number(last) - Number(first) + 1;
    if (length > most) return undefined;
    for (let number = Number(first); number <= Number(last); number++) {
      inexact.push({ number, reason: reason as InexactLine["reason"] });
    }
  }
  return inexact;
}

/** Writes the encoding of a file, unless it was found to be valid UTF-8. */
export function writeEncoding({ label, why, runnersUp = [] }: FileEncoding) {
  if (why === UTF_8.why) return "";
  const others = runnersUp.length > 0 ? `; or ${runnersUp.join(", ")}` : "";
  return ` Encoding ${label} (${why}${others}).`;
}

/** The encoding that a notice names, or UTF-8; `undefined` for an unknown name. */
export function readEncoding(
  { encoding: label, why, others }: NoticeWords,
): FileEncoding | undefined {
  if (label === undefined) return UTF_8;
  if (nameOf(label) !== label) return undefined;
  return {
    label,
    why: why as EncodingSign,
    ...(others !== undefined && { runnersUp: others.split(", ") }),
  };
}

/** Writes whether lines were left out, and both receipts for `applyDelta`, without their tags. */
export function writeSince({ hunks = [], since, receipt }: PageFacts): string {
  const which = hunks.some((hunk) => "kept" in hunk)
    ? "Unchanged lines"
    : "None of the lines";
  const stamps = since === undefined || !receipt
    ? ""
    : ` Since "${shortReceipt(since)}", now "${shortReceipt(receipt)}".`;
  return ` ${which} were shown before.${stamps}`;
}

/** The lines as they are without the option `escape`. */
export function rawOf(
  lines: readonly PageLine[],
  inexact: readonly InexactLine[],
): readonly PageLine[] {
  const escaped = new Set(
    inexact.flatMap(({ number, reason }) => reason === "escaped" ? number : []),
  );
  if (escaped.size === 0) return lines;
  return lines.map((line) =>
    escaped.has(line.number)
      ? { ...line, text: unescapeHidden(line.text) }
      : line
  );
}

/** Merges kept and new lines in order. */
export function* hunksOf(
  lines: readonly PageLine[],
  kept: readonly KeptLines[],
): Steps<NonNullable<Page["hunks"]>> {
  const hunks: (KeptLines | { start: number; text: string })[] = [];
  let passed = 0;
  for (const [index, { number, text, ending }] of lines.entries()) {
    while ((kept[passed]?.start ?? Infinity) < number) {
      hunks.push(kept[passed++]!);
    }
    const last = hunks.at(-1);
    const goesOn = lines[index - 1]?.number === number - 1;
    if (goesOn && last !== undefined && "text" in last) {
      last.text += text + ending;
    } else hunks.push({ start: number, text: text + ending });
    if (index % STEP_ITEMS === 0) yield;
  }
  return [...hunks, ...kept.slice(passed)];
}

/** Writes a range of lines, with "line" or "lines". */
function writeRange(first: number, last: number): string {
  return `${first === last ? "line" : "lines"} ${rangeOf(first, last)}`;
}

/** Writes a range of numbers; negative ones are not joined by a dash. */
export function rangeOf(from: number, to: number): string {
  if (from === to) return `${from}`;
  return Math.min(from, to) < 0 ? `${from} to ${to}` : `${from}-${to}`;
}
