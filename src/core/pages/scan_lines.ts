// Runtime-agnostic.
import { linesIn } from "../lines/scan.ts";
import { seekLine, type Source } from "../lines/source.ts";
import { Checksum, viewOf } from "./digest.ts";
import { type Receipt, tagOf } from "./receipt.ts";

const LF = 0x0a;

/** How many lines before and after the shown ones are aligned. */
const SPAN_LINES = 250_000;

/** At how many places with equal tags the digests are compared. */
const MAX_TRIED = 16;

/** The lines of a file around the shown ones. */
export interface ScannedLines {
  /** The number of the first line. */
  readonly first: number;
  readonly tags: Int32Array;
  /** Where each line begins, and where the last one ends. */
  readonly positions: Float64Array;
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
  { line, column, isCut, tags }: Receipt,
): Promise<ScannedLines> {
  const expected = await firstLine(source, line);
  // The tag of a part of a line matches no line.
  const skipped = column > 1 ? 1 : 0;
  const pattern = tags.subarray(skipped, tags.length - (isCut ? 1 : 0));
  const finder = new RunFinder(pattern);
  const first = Math.max(1, expected - SPAN_LINES);
  const last = expected + tags.length + SPAN_LINES;
  const found = new LineTable();
  const alike: number[] = [];
  let number = 0;
  let begin = 0;
  const checksum = new Checksum();
  const endLine = (end: number) => {
    const tag = tagOf(checksum);
    number++;
    if (number >= first && number <= last) found.add(tag, begin, end);
    if (finder.isFound(tag)) {
      alike.push(number - pattern.length + 1 - skipped);
      if (alike.length > 2 * MAX_TRIED) dropFar(alike, expected);
    }
    checksum.reset();
    begin = end;
  };
  for (let position = 0; position < source.size; position = source.end) {
    const loading = source.load(position);
    if (loading !== undefined) await loading;
    const bytes = source.view(position, source.end);
    const view = viewOf(bytes);
    let from = 0;
    for (;;) {
      const to = bytes.indexOf(LF, from) + 1;
      checksum.addPart(view, from, to || bytes.length);
      if (to === 0) break;
      endLine(position + to);
      from = to;
    }
  }
  if (begin < source.size) endLine(source.size);
  dropFar(alike, expected);
  const isWhole = number <= last;
  return { ...found.lines, first, expected, isWhole, alike };
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

/** The tags and the positions of lines, in arrays that grow. */
class LineTable {
  #tags = new Int32Array(1024);
  #positions = new Float64Array(1025);
  #count = 0;

  add(tag: number, position: number, end: number): void {
    if (this.#count === this.#tags.length) {
      const tags = new Int32Array(this.#count * 2);
      const positions = new Float64Array(this.#count * 2 + 1);
      tags.set(this.#tags);
      positions.set(this.#positions);
      [this.#tags, this.#positions] = [tags, positions];
    }
    this.#tags[this.#count] = tag;
    this.#positions[this.#count++] = position;
    this.#positions[this.#count] = end;
  }

  get lines(): Pick<ScannedLines, "tags" | "positions"> {
    return {
      tags: this.#tags.subarray(0, this.#count),
      positions: this.#positions.subarray(0, this.#count + 1),
    };
  }
}
