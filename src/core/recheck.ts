// Runtime-agnostic.
import { refuseArgument } from "./base/check.ts";
import { ReadFileError } from "./base/errors.ts";
import { linesIn, seekLine, type Source } from "./lines/source.ts";
import { align, type Alignment } from "./pages/align.ts";
import { stride } from "./pages/columns.ts";
import { Checksum, hashOf } from "./pages/digest.ts";
import { readReceipt, type Receipt, tagOf } from "./pages/receipt.ts";
import { Sha256 } from "./pages/sha256.ts";
import { type Finder, readFound } from "./read.ts";
import type { FileRoot, OpenOptions } from "./workspace.ts";

/** What has become of the lines that a page showed. */
export type Rechecked =
  /** They are where they were, to the byte. */
  | { readonly same: true }
  /** They are so many lines further on, to the byte; below zero: further up. */
  | { readonly moved: number }
  /** Some are not: the first and last line of each run, by the numbers that the page showed. New lines between two shown ones are told as these two. */
  | { readonly changed: readonly (readonly [from: number, to: number])[] }
  /** Nothing is at the path. */
  | { readonly gone: true };

/** Takes a receipt; fails with `INVALID_ARGUMENT` for what is none. */
export function takeReceipt(path: string, text: unknown): Receipt {
  const receipt = typeof text === "string" ? readReceipt(text) : undefined;
  if (receipt !== undefined) return receipt;
  const problem = "is not the receipt of a page, or not all of it";
  const failure = refuseArgument(path)("receipt", problem) as ReadFileError;
  throw failure.with({ hint: "read the lines again" });
}

/** Compares a file with what a page of it showed; `workspace.recheck` is the way to it. */
export async function recheck(
  workspace: FileRoot,
  path: string,
  text: string,
  limits: OpenOptions,
): Promise<Rechecked> {
  const receipt = takeReceipt(path, text);
  try {
    return await examine(
      workspace,
      path,
      limits,
      (source) => compare(source, receipt),
    );
  } catch (error) {
    if (error instanceof ReadFileError && error.is("NOT_FOUND")) {
      return { gone: true };
    }
    throw error;
  }
}

/** Looks at one version of a file; what is found must be plain JSON. */
export async function examine<Found>(
  workspace: FileRoot,
  path: string,
  { signal }: OpenOptions,
  look: (source: Source) => Promise<Found>,
): Promise<Found> {
  let found: Found | undefined;
  const finder: Finder = {
    async find(source) {
      const before = found;
      found = await look(source);
      // The file is looked at twice if it may have changed meanwhile.
      if (before !== undefined) {
        const isSame = JSON.stringify(before) === JSON.stringify(found);
        if (!isSame) throw source.file.changed("rewritten");
      }
      return { start: 0, end: 0, line: 1, lines: 0, total: null, cut: false };
    },
  };
  await readFound(workspace, path, finder, { signal });
  return found!;
}

async function compare(source: Source, receipt: Receipt): Promise<Rechecked> {
  if (await isSame(source, receipt)) return { same: true };
  const { line, tags: { length: count } } = receipt;
  // Nothing was shown, and now there is something.
  if (count === 0) return { changed: [[line, line]] };
  const lines = await scanLines(source, receipt);
  const moved = await movedBy(source, receipt, lines);
  if (moved !== undefined) return { moved };
  const { places } = alignLines(receipt, lines);
  return { changed: changesOf(places, line) };
}

/** Whether the lines are where they were. */
async function isSame(source: Source, receipt: Receipt): Promise<boolean> {
  const { size } = source;
  const { line, length } = receipt;
  const before = (await firstLine(source, line)) - 1;
  if (before < 0) return false;
  const { position, passed } = await seekLine(source, before, size);
  if (length === 0) {
    // A page showed nothing: the file had no such line, or no such column.
    if (position === size) return true;
    const end = await stride(source, position, receipt.column - 1);
    return end.position === size;
  }
  return passed === before && position < size &&
    await stands(source, receipt, position);
}

/** The number of the first line from the beginning of the file as it is today. */
async function firstLine(source: Source, line: number): Promise<number> {
  if (line > 0) return line;
  const { passed } = await seekLine(source, Infinity, source.size);
  return await linesIn(source, passed) + 1 + line;
}

/** Whether the lines are at a place where a line begins: the digest decides. */
async function stands(
  source: Source,
  { column, length, digest, isEnd }: Receipt,
  position: number,
): Promise<boolean> {
  const { size } = source;
  const into = await stride(source, position, column - 1);
  if (into.columns < column - 1) return false;
  const end = into.position + length;
  if (end > size) return false;
  const hash = await hashOf(source, into.position, end, new Sha256());
  if (hash.end() !== digest) return false;
  // A last line without an ending must still be the last.
  if (!isEnd || end === size) return true;
  return (await source.piece(end - 1, end))[0] === LF;
}

const LF = 0x0a;

/** How many lines before and after the shown ones are aligned with them. */
const SPAN_LINES = 250_000;

/** How many places of the same tags are compared by the digest. */
const MAX_TRIED = 16;

/** The lines of a file around those that were shown. */
export interface ScannedLines {
  /** The number of the first of them. */
  readonly first: number;
  readonly tags: Int32Array;
  /** Where each begins, and where the last ends. */
  readonly positions: Float64Array;
  /** The number that the first shown line would have, from the beginning of the file. */
  readonly expected: number;
  /** Whether the last is the last of the file. */
  readonly isWhole: boolean;
  /** The lines at which all that was shown may begin, the nearest first. */
  readonly alike: readonly number[];
}

/** Scans a file for lines that may be those that were shown. */
export async function scanLines(
  source: Source,
  { line, column, isCut, tags }: Receipt,
): Promise<ScannedLines> {
  const expected = await firstLine(source, line);
  // A part of a line has a tag that no line has.
  const skipped = column > 1 ? 1 : 0;
  const pattern = tags.subarray(skipped, tags.length - (isCut ? 1 : 0));
  const finder = new RunFinder(pattern);
  const first = Math.max(1, expected - SPAN_LINES);
  const last = expected + tags.length + SPAN_LINES;
  const found = new LineTable();
  const alike: number[] = [];
  let number = 0;
  let begin = 0;
  let checksum = new Checksum();
  const endLine = (end: number) => {
    const tag = tagOf(checksum);
    number++;
    if (number >= first && number <= last) found.add(tag, begin, end);
    if (finder.isFound(tag)) {
      alike.push(number - pattern.length + 1 - skipped);
      if (alike.length > 2 * MAX_TRIED) dropFar(alike, expected);
    }
    checksum = new Checksum();
    begin = end;
  };
  for (let position = 0; position < source.size; position = source.end) {
    const loading = source.load(position);
    if (loading !== undefined) await loading;
    const bytes = source.view(position, source.end);
    let from = 0;
    for (;;) {
      const to = bytes.indexOf(LF, from) + 1;
      checksum.add(bytes.subarray(from, to || bytes.length));
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

/** How many lines further on all that was shown is; `undefined` if it is nowhere. */
async function movedBy(
  source: Source,
  receipt: Receipt,
  { alike, expected }: ScannedLines,
): Promise<number | undefined> {
  for (const line of alike) {
    if (line === expected || line < 1) continue;
    const { position } = await seekLine(source, line - 1, source.size);
    if (await stands(source, receipt, position)) return line - expected;
  }
  return undefined;
}

/** Aligns the lines that were shown with those of the file. */
export function alignLines(
  { line, column, isEnd, tags }: Receipt,
  { first, expected, isWhole, tags: fresh }: ScannedLines,
): Alignment {
  return align(tags, fresh, {
    expected: expected - first,
    isStart: line === 1 && column === 1,
    isEnd: isEnd && isWhole,
  });
}

/** The runs of lines that are not as they were; all of them if the tags cannot tell which. */
function changesOf(
  places: Int32Array,
  line: number,
): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  const note = (from: number, to: number) => {
    const last = runs.at(-1);
    if (last !== undefined && line + from <= last[1] + 1) {
      last[1] = line + to;
    } else runs.push([line + from, line + to]);
  };
  for (const [at, place] of places.entries()) {
    const next = places[at + 1] ?? -1;
    if (place < 0) note(at, at);
    else if (next >= 0 && next !== place + 1) note(at, at + 1);
  }
  return runs.length > 0 ? runs : [[line, line + places.length - 1]];
}

/** Finds a run of tags among tags that come one after the other, in linear time. */
class RunFinder {
  readonly #run: Int32Array;
  /** For each length of the run that was found, the next shorter one that ends there too. */
  readonly #shorter: Int32Array;
  #length = 0;

  constructor(run: Int32Array) {
    this.#run = run;
    this.#shorter = new Int32Array(run.length + 1);
    for (let at = 1, length = 0; at < run.length; at++) {
      while (length > 0 && run[at] !== run[length]) {
        length = this.#shorter[length]!;
      }
      if (run[at] === run[length]) length++;
      this.#shorter[at + 1] = length;
    }
  }

  /** Takes the next tag; tells whether the run ends with it. */
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

/** The tags and the places of lines, in arrays that grow. */
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
