// Runtime-agnostic.
import { linesIn } from "../lines/scan.ts";
import { seekLine } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { runInSteps } from "../base/call.ts";
import { lineTags, type Receipt } from "./receipt.ts";

/** How many lines before and after the shown ones are aligned. */
const SPAN_LINES = 250_000;
/** At how many places with equal tags the digests are compared. */
const MAX_TRIED = 16;

/** The lines of a file around the place of the shown ones. */
export interface ScannedLines {
  /** The number of the first one. */
  readonly first: number;
  readonly tags: Int32Array;
  /** The number of the first shown line, if the lines before it are as they were. */
  readonly expected: number;
  /** Whether the last line is the last of the file. */
  readonly isWhole: boolean;
  /** The numbers of lines where the shown ones may begin, by their tags; the nearest first. */
  readonly alike: readonly number[];
}

/** Scans a file for lines that may be the shown ones. */
export async function scanLines(
  source: Source,
  { line, column, isCut, tags, encoding }: Receipt,
): Promise<ScannedLines> {
  const expected = await firstLine(source, line);
  // The tag of a part of a line matches no line.
  const skipped = column > 1 ? 1 : 0;
  const pattern = tags.subarray(skipped, tags.length - (isCut ? 1 : 0));
  const hasHits = runFinder(pattern);
  const first = Math.max(1, expected - SPAN_LINES);
  const last = expected + tags.length + SPAN_LINES;
  const found: number[] = [];
  const alike: number[] = [];
  let number = 0;
  const lines = lineTags(encoding, (tag) => {
    number++;
    if (number >= first && number <= last) found.push(tag);
    if (hasHits(tag)) {
      alike.push(number - pattern.length + 1 - skipped);
      if (alike.length > 2 * MAX_TRIED) dropFar(alike, expected);
    }
  });
  const isWide = encoding.startsWith("utf-16");
  for (let position = 0; position < source.size;) {
    const loading = source.load(position);
    if (loading !== undefined) await loading;
    let { end } = source;
    // A port may read half of a character.
    if (isWide && end < source.size && end - position > 1) end -= end % 2;
    await runInSteps(lines.add(source.view(position, end)), source);
    position = end;
  }
  lines.end();
  dropFar(alike, expected);
  const isWhole = number <= last;
  return { tags: Int32Array.from(found), first, expected, isWhole, alike };
}

/** Keeps the lines that are nearest to the expected one, and sorts them. */
function dropFar(lines: number[], expected: number): void {
  const away = (line: number) => Math.abs(line - expected);
  lines.sort((one, other) => away(one) - away(other)).splice(MAX_TRIED);
}

/** The number of a line of a receipt, counted from the beginning of the file. */
export async function firstLine(source: Source, line: number): Promise<number> {
  if (line > 0) return line;
  const { passed } = await seekLine(source, Infinity, source.size);
  return await linesIn(source, passed) + 1 + line;
}

/** Returns a function that takes the tags of a stream one by one, and returns whether the last of them are `run`. It takes linear time (Knuth-Morris-Pratt). */
function runFinder(run: Int32Array): (tag: number) => boolean {
  // For each matched length, the next shorter length that also matches there.
  const shorter = new Int32Array(run.length + 1);
  const lengthAfter = (length: number, tag: number) => {
    while (length > 0 && run[length] !== tag) length = shorter[length]!;
    return run[length] === tag ? length + 1 : length;
  };
  for (let at = 1; at < run.length; at++) {
    shorter[at + 1] = lengthAfter(shorter[at]!, run[at]!);
  }
  let length = 0;
  return (tag) => {
    length = lengthAfter(length, tag);
    return run.length > 0 && length === run.length;
  };
}
