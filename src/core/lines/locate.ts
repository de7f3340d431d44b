// Runtime-agnostic.
import { ReadFileError } from "../base/errors.ts";
import { fileEndsWithFeed, linesIn, type NewlineKernel } from "./scan.ts";
import { BEGINNING, type Place } from "./line_index.ts";
import type { ReadPolicy, Selection } from "../base/selection.ts";
import { seek, seekBack, seekLine } from "./seek.ts";
import type { Source } from "./source.ts";

/** Where the selected lines lie in the file. */
export interface Span {
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
  /** The number of the first line; `null` if the lines before were not counted. */
  readonly line: number | null;
  /** How many lines it has; `null` if they were not counted. */
  readonly lines: number | null;
  /** How many lines the file has; `null` if they were not counted. */
  readonly total: number | null;
  /** Whether a limit ended it before the last selected line. */
  readonly cut: boolean;
  /** The column where it begins, if it begins inside a line. */
  readonly column?: number;
  /** The column before which it ends, if it ends inside a line. */
  readonly endColumn?: number;
}

export async function locateAll(
  source: Source,
  policy: ReadPolicy,
): Promise<Span> {
  const { size, path } = source;
  const { maxWindowBytes: limit = Infinity } = policy;
  if (size > limit) {
    throw new ReadFileError("TOO_LARGE", path, { what: "file", size, limit });
  }
  const total = await countOn(source, BEGINNING, policy);
  return { start: 0, end: size, line: 1, lines: total, total, cut: false };
}

/** Lines by their numbers. */
export type Lines = Extract<Selection, { readonly kind: "lines" }>;

/** Locates `count` lines from line `start` on, or fewer at the end of the file. */
export async function locateLines(
  source: Source,
  lines: Lines,
  policy: ReadPolicy,
): Promise<Span> {
  const { size } = source;
  const { maxScanBytes = Infinity, maxWindowBytes = Infinity } = policy;
  const { start: line, count } = lines;
  const before = line - 1;
  const horizon = Math.min(size, maxScanBytes);
  const first = await seekLine(source, before, horizon);
  if (first.passed < before || first.position === size) {
    if (horizon < size) throw scanLimit(source, policy, first.passed);
    const total = await linesIn(source, first.passed);
    refuseShort(source, lines, total, policy);
    return { start: size, end: size, line, lines: 0, total, cut: false };
  }
  const start = first.position;
  const limit = Math.min(horizon, start + maxWindowBytes);
  const reach = await seek(source, start, count, limit, before);
  const { position, passed, last } = reach;
  if (position === size) {
    const found = await linesIn(source, passed);
    const total = before + found;
    if (found < count) refuseShort(source, lines, total, policy);
    return { start, end: size, line, lines: found, total, cut: false };
  }
  const cut = passed < count;
  const isEndOfScan = start + maxWindowBytes > horizon;
  if (cut && isEndOfScan) {
    throw scanLimit(source, policy, before + passed);
  }
  if (cut && passed === 0) throw lineTooLarge(source, maxWindowBytes);
  const place = { position, passed: before + passed };
  const total = await countOn(source, place, policy);
  return { start, end: last, line, lines: passed, total, cut };
}

/** Locates the last `count` lines, from the end of the file. */
export async function locateTail(
  source: Source,
  { count }: { readonly count: number },
  policy: ReadPolicy,
): Promise<Span> {
  const { size, index } = source;
  const { maxScanBytes = Infinity, maxWindowBytes = Infinity } = policy;
  const scanFloor = Math.max(0, size - maxScanBytes);
  const windowFloor = Math.max(0, size - maxWindowBytes);
  const floor = Math.max(scanFloor, windowFloor);
  source.expectLines(count);
  // No line begins after a line feed at the end of the file.
  const { feedLength } = source;
  const end = await fileEndsWithFeed(source) ? size - feedLength : size;
  const { passed, last } = await seekBack(source, end, count, floor);
  const isShort = passed < count;
  const isWholeFile = isShort && floor === 0;
  const cut = isShort && floor > 0;
  if (cut && scanFloor > windowFloor) {
    throw scanLimit(source, policy, passed);
  }
  if (cut && passed === 0) throw lineTooLarge(source, maxWindowBytes);
  const start = isWholeFile ? 0 : last;
  // A line feed was passed before each line, but none precedes the first line of the file.
  const lines = passed + (start === 0 && size > 0 ? 1 : 0);
  const total = start === 0 ? lines : await countOn(source, BEGINNING, policy);
  if (index !== undefined && start === 0) index.total = lines;
  const line = total === null ? null : total - lines + 1;
  return { start, end: size, line, lines, total, cut };
}

/** Counts lines to the end of the file, if the policy asks for it and allows it. */
async function countOn(
  source: Source,
  from: Place,
  { countAll = false, maxScanBytes = Infinity }: ReadPolicy,
): Promise<number | null> {
  const { size, index } = source;
  if (!countAll || size > maxScanBytes) return null;
  if (index !== undefined && index.total !== null) return index.total;
  const lastKnown = index?.before(Infinity);
  const known = lastKnown ?? from;
  const { position, passed } = known.position > from.position ? known : from;
  const rest = await seek(source, position, Infinity, size, passed);
  const total = await linesIn(source, passed + rest.passed);
  if (index !== undefined) index.total = total;
  return total;
}

function refuseShort(
  { path }: Source,
  { start, count }: Lines,
  totalLines: number,
  policy: ReadPolicy,
): void {
  if (!policy.exactRange) return;
  const facts = { start, end: start + count - 1, totalLines };
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
}

function scanLimit(
  { path }: Source,
  { maxScanBytes: limit = Infinity }: ReadPolicy,
  lines: number,
): ReadFileError {
  return new ReadFileError("SCAN_LIMIT", path, { limit, lines });
}

function lineTooLarge({ path }: Source, limit: number): ReadFileError {
  const facts = { what: "line", size: limit + 1, limit } as const;
  return new ReadFileError("TOO_LARGE", path, facts);
}

/** Searches a file, part by part. */
export interface Matcher {
  /** The length of a hit in bytes; 0 if it varies. */
  readonly length: number;
  /** Whether it matches only ASCII. */
  readonly isAscii: boolean;
  /** Begins a line, or continues inside one after the byte `before`. */
  begin(before?: number): void;
  /**
   * Searches `kernel.buffer[from, to)`, which follows the part before; the file
   * ends at `to` if `isEnd`. Returns the position of a hit, or `~at`, where the
   * next call must continue: before `to` if it needs more bytes, or has worked
   * for so long that its caller must yield. A call may return `~from` only to
   * yield: called again with the same bytes, it makes progress, unless it needs
   * more bytes.
   */
  feed(kernel: NewlineKernel, from: number, to: number, isEnd: boolean): number;
}

/** Where a search begins: at the beginning of a line, or inside one. */
export interface Beginning {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** Moves through the hits in a file. */
export interface HitSearch {
  /** The length of each hit in bytes; 0 if it varies. */
  readonly length: number;
  readonly line: number;
  /** Where that line begins, or where the search in it begins. */
  readonly lineStart: number;
  /** Where the hit begins; but where it ends, if its length varies. */
  readonly at: number;
  /** The number of lines of the file; `null` while it is unknown. The search learns it only after the last hit. */
  readonly lines: number | null;
  /** Moves to the next hit; returns whether there is one. */
  next(): Promise<boolean>;
  /** Continues after the line of the hit, which ends at `end`. */
  skipLine(end?: number): Promise<void>;
  /** Continues inside the line of the hit. */
  skipTo(position: number): void;
  /** Counts the lines that hold further hits. */
  countOn(): Promise<number>;
}

/** Begins a search from a position, up to another. */
export type BeginSearch = (
  source: Source,
  from: Beginning,
  limit: number,
) => HitSearch;
