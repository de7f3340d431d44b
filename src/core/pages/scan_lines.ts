// Runtime-agnostic.
import { linesIn } from "../lines/scan.ts";
import { seekLine } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { takeTurns } from "../base/call.ts";
import { LineTags, type Receipt } from "./receipt.ts";

/** How many lines before and after the shown ones are aligned. */
const SPAN_LINES = 250_000;

/** At how many places with equal tags the digests are compared. */
const MAX_TRIED = 16;

/** The lines of a file around the shown ones. */
export interface ScannedLines {
  readonly first: number;
  readonly tags: Int32Array;
  /** The number that the first shown line would have, from the beginning of the file. */
  readonly expected: number;
  /** Whether the last line is the last of the file. */
  readonly isWhole: boolean;
  /** The lines where the shown lines may begin, by their tags, the nearest first. */
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
  const finder = new RunFinder(pattern);
  const first = Math.max(1, expected - SPAN_LINES);
  const last = expected + tags.length + SPAN_LINES;
  let found = new Int32Array(1024);
  let count = 0;
  const alike: number[] = [];
  let number = 0;
  const lines = new LineTags(encoding, (tag) => {
    number++;
    if (number >= first && number <= last) {
      if (count === found.length) found = grow(found);
      found[count++] = tag;
    }
    if (finder.isFound(tag)) {
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
    await takeTurns(lines.add(source.view(position, end), position), source);
    position = end;
  }
  lines.endAt(source.size);
  dropFar(alike, expected);
  const isWhole = number <= last;
  return { tags: found.subarray(0, count), first, expected, isWhole, alike };
}

function grow(tags: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * tags.length);
  larger.set(tags);
  return larger;
}

/** Keeps the nearest lines, and sorts them. */
function dropFar(lines: number[], expected: number): void {
  const away = (line: number) => Math.abs(line - expected);
  lines.sort((one, other) => away(one) - away(other)).splice(MAX_TRIED);
}

/** The number of the first line, counted from the beginning of the file. */
export async function firstLine(source: Source, line: number): Promise<number> {
  if (line > 0) return line;
  const { passed } = await seekLine(source, Infinity, source.size);
  return await linesIn(source, passed) + 1 + line;
}

/** Finds a sequence of tags in a stream of tags, in linear time (Knuth-Morris-Pratt). */
class RunFinder {
  readonly #run: Int32Array;
  /** For each matched length, the next shorter length that also matches there. */
  readonly #shorter: Int32Array;
  #length = 0;

  constructor(run: Int32Array) {
    this.#run = run;
    this.#shorter = new Int32Array(run.length + 1);
    let length = 0;
    for (let at = 1; at < run.length; at++) {
      while (length > 0 && run[at] !== run[length]) {
        length = this.#shorter[length]!;
      }
      if (run[at] === run[length]) length++;
      this.#shorter[at + 1] = length;
    }
  }

  /** Takes the next tag; returns whether the sequence ends with it. */
  isFound(tag: number): boolean {
    const run = this.#run;
    if (this.#length === run.length) this.#length = this.#shorter[run.length]!;
    while (this.#length > 0 && run[this.#length] !== tag) {
      this.#length = this.#shorter[this.#length]!;
    }
    if (run[this.#length] === tag) this.#length++;
    return run.length > 0 && this.#length === run.length;
  }
}
