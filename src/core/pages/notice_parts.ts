// Runtime-agnostic.
import { nameOf } from "../encodings/charsets.ts";
import { type EncodingSign, type FileEncoding, UTF_8 } from "../lines/codec.ts";
import type { KeptLines, NewLines } from "./delta.ts";
import type { Gap, Hits } from "./found.ts";
import type { PageLine } from "./page.ts";

/** Writes the hits. */
export function writeHits(
  { count, exact, lines }: Hits,
  shown: readonly PageLine[],
): string {
  const total = `${lines.length} of ${exact ? "" : "at least "}${count}`;
  if (lines.length === 0) return total;
  const isAll = lines.length === shown.length;
  return `${total}, on ${isAll ? "each line shown" : writeNumbers(lines)}`;
}

/** Writes increasing numbers of lines, with ranges for consecutive ones. */
function writeNumbers(numbers: readonly number[]): string {
  const runs: string[] = [];
  let to = 0;
  for (let from = 0; from < numbers.length; from = to) {
    while (numbers[to] === numbers[from]! + to - from) to++;
    const first = numbers[from]!;
    runs.push(to - from === 1 ? `${first}` : `${first}-${numbers[to - 1]}`);
  }
  return `${numbers.length === 1 ? "line" : "lines"} ${runs.join(", ")}`;
}

/** Reads the hits; `undefined` if they name more lines than are `shown`. */
export function readHits(
  words: string,
  shown: readonly PageLine[],
  gaps: readonly Gap[],
): Hits | undefined {
  const [, of, count, on = ""] =
    /^\d+ of (at least )?(\d+)(?:, on (.*))?$/.exec(words) ?? [];
  const lines = on.startsWith("each") ? shown.map(({ number }) => number) : [];
  for (const [, first, last = first] of on.matchAll(/(\d+)(?:-(\d+))?/g)) {
    if (lines.length + Number(last) - Number(first) >= shown.length) return;
    for (let at = Number(first); at <= Number(last); at++) lines.push(at);
  }
  return { count: Number(count), exact: of === undefined, lines, gaps };
}

/** Writes the row in place of lines that are not shown. */
export function writeGap({ start, end, bytes }: Gap): string {
  const lines = start === end ? `line ${start}` : `lines ${start}-${end}`;
  return `¦ ${lines} not shown, ${bytes} bytes`;
}

const GAP = /^¦ lines? (\d+)(?:-(\d+))? not shown, (\d+) bytes$/;

/** Reads such a row; `undefined` for another row. */
export function readGap(row: string): Gap | undefined {
  const [, start, end = start, bytes] = GAP.exec(row) ?? [];
  if (bytes === undefined) return undefined;
  return { start: Number(start), end: Number(end), bytes: Number(bytes) };
}

/** Writes the encoding of a file, unless it is UTF-8. */
export function writeEncoding(
  { label, why, runnersUp = [] }: FileEncoding,
): string {
  if (why === UTF_8.why) return "";
  const others = ["", ...runnersUp].join(", ").replace(",", "; or");
  return ` Encoding ${label} (${why}${others}).`;
}

/** The encoding that a notice names, or UTF-8; `undefined` for an unknown name. */
export function readEncoding(
  label: string | undefined,
  why: string | undefined,
  others: string | undefined,
): FileEncoding | undefined {
  if (label === undefined) return UTF_8;
  if (nameOf(label) !== label) return undefined;
  return {
    label,
    why: why as EncodingSign,
    ...(others !== undefined && { runnersUp: others.split(", ") }),
  };
}

/** How many runs of lines are named; for the others, only their number is given. */
const MAX_NAMED = 10;

/** Writes which lines a reader has from an earlier page. */
export function writeKept(hunks: readonly (KeptLines | NewLines)[]): string {
  const runs = hunks.filter((hunk) => "kept" in hunk);
  if (runs.length === 0) return "None of the lines were shown before";
  const named = runs.slice(0, MAX_NAMED).map(({ start, kept: [from, to] }) => {
    const now = rangeOf(start, start + to - from);
    return start === from ? now : `${now} (then ${rangeOf(from, to)})`;
  });
  const more = runs.length - named.length;
  if (more > 0) named.push(`and ${more} more runs`);
  return `Shown before, and unchanged: lines ${named.join(", ")}`;
}

/** Writes a range of lines. */
export function rangeOf(from: number, to: number): string {
  if (from === to) return `${from}`;
  return from < 0 ? `${from} to ${to}` : `${from}-${to}`;
}
