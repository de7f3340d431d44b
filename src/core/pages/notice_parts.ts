// Runtime-agnostic.
import { STEP, type Steps } from "../base/call.ts";
import { nameOf } from "../encodings/charsets.ts";
import { type EncodingSign, type FileEncoding, UTF_8 } from "../lines/codec.ts";
import type { KeptLines } from "./delta.ts";
import type { Gap, Hits, InexactLine, Page, PageLine } from "./page.ts";
import { shortReceipt } from "./receipt.ts";
import { unescapeHidden } from "../unicode/escape.ts";

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
    runs.push(rangeOf(numbers[from]!, numbers[to - 1]!));
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
  return `¦ ${writeRange(start, end)} not shown, ${bytes} bytes`;
}

export function readGap(row: string): Gap | undefined {
  const [, start, end = start, bytes] =
    /^¦ lines? (\d+)(?:-(\d+))? not shown, (\d+) bytes$/.exec(row) ?? [];
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

type Hunks = NonNullable<Page["hunks"]>;

/** Writes whether lines were left out, and the receipts without their tags, which a delta needs. */
export function writeSince(
  { hunks = [], since, receipt }: Pick<Page, "hunks" | "since"> & {
    readonly receipt?: string | null;
  },
): string {
  const which = hunks.some((hunk) => "kept" in hunk)
    ? "Unchanged lines"
    : "None of the lines";
  const stamps = since === undefined || !receipt
    ? ""
    : ` Since "${shortReceipt(since)}", now "${shortReceipt(receipt)}".`;
  return ` ${which} were shown before.${stamps}`;
}

/** The first and the last line of a page, including kept lines; the first is larger on a page without lines. */
export function rangeOfAll(
  lines: readonly PageLine[],
  hunks: Hunks,
): readonly [number, number] {
  const [begin, end] = [hunks[0], hunks.at(-1)];
  const kept = end !== undefined && "kept" in end
    ? end.start + end.kept[1] - end.kept[0]
    : -Infinity;
  return [
    Math.min(lines[0]?.number ?? Infinity, begin?.start ?? Infinity),
    Math.max(lines.at(-1)?.number ?? -Infinity, kept),
  ];
}

export function writeKept({ start, kept: [from, to] }: KeptLines): string {
  const now = writeRange(start, start + to - from);
  const then = start === from ? "" : ` (then ${rangeOf(from, to)})`;
  return `¦ ${now} unchanged${then}`;
}

export function readKept(row: string): KeptLines | undefined {
  const match =
    /^¦ lines? (-?\d+)(?:(?:-| to )(-?\d+))? unchanged(?: \(then (-?\d+)(?:(?:-| to )(-?\d+))?\))?$/
      .exec(row);
  if (match === null) return undefined;
  const [, start, end = start, from, to = from] = match;
  const kept = [Number(from ?? start), Number(to ?? end)] as const;
  return { start: Number(start), kept };
}

/** The lines without the escapes of `escape`. */
export function rawOf(
  lines: readonly PageLine[],
  inexact: readonly InexactLine[],
): readonly PageLine[] {
  const escaped = new Set<number>();
  for (const { number, reason } of inexact) {
    if (reason === "escaped") escaped.add(number);
  }
  if (escaped.size === 0) return lines;
  return lines.map((line) => {
    if (!escaped.has(line.number)) return line;
    return { ...line, text: unescapeHidden(line.text) };
  });
}

/** Merges kept and new lines in order. */
export function* hunksOf(
  lines: readonly PageLine[],
  kept: readonly KeptLines[],
): Steps<Hunks> {
  const hunks: (KeptLines | { start: number; text: string })[] = [];
  const left = [...kept].reverse();
  for (const [index, { number, text, ending }] of lines.entries()) {
    while ((left.at(-1)?.start ?? Infinity) < number) hunks.push(left.pop()!);
    const last = hunks.at(-1);
    if (last !== undefined && "text" in last) last.text += text + ending;
    else hunks.push({ start: number, text: text + ending });
    if (index % STEP === 0) yield;
  }
  return [...hunks, ...left.reverse()];
}

/** Writes a range of lines, with "line" or "lines". */
export function writeRange(first: number, last: number): string {
  return `${first === last ? "line" : "lines"} ${rangeOf(first, last)}`;
}

/** Writes a range of numbers; negative ones are not joined by a dash. */
export function rangeOf(from: number, to: number): string {
  if (from === to) return `${from}`;
  return Math.min(from, to) < 0 ? `${from} to ${to}` : `${from}-${to}`;
}
