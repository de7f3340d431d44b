// Runtime-agnostic.
import { ReadFileError } from "../errors.ts";
import type { Place } from "./line_index.ts";
import type { ReadPolicy } from "../policy.ts";
import { linesIn, seek, seekBack, seekLine } from "./seek.ts";
import type { Source } from "./source.ts";

/** Where the wanted lines lie in the file. */
export interface Span {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
  /** The number of the first line; `null` where the lines before were not counted. */
  readonly line: number | null;
  /** How many lines it has; `null` if they were not counted. */
  readonly lines: number | null;
  /** How many lines the file has, where that came to be known. */
  readonly total: number | null;
  /** Whether a limit ended it before the selection did. */
  readonly cut: boolean;
  /** The column of the first line that it begins at, if it is not the first. */
  readonly column?: number;
  /** The column of its last line that it ends before, if it ends inside that line. */
  readonly inside?: number;
}

/** All of the file. */
export async function locateAll(
  source: Source,
  policy: ReadPolicy,
): Promise<Span> {
  const { size } = source;
  const { maxWindowBytes: limit = Infinity } = policy;
  if (size > limit) {
    throw new ReadFileError("TOO_LARGE", source.path, {
      what: "file",
      size,
      limit,
    });
  }
  const total = await countOn(source, { position: 0, passed: 0 }, policy);
  return { start: 0, end: size, line: 1, lines: total, total, cut: false };
}

/** `count` lines from line `start` on, or as many as there are. */
export async function locateLines(
  source: Source,
  { start, count }: { readonly start: number; readonly count: number },
  policy: ReadPolicy,
): Promise<Span> {
  const { size } = source;
  const { maxScanBytes = Infinity, maxWindowBytes = Infinity } = policy;
  const horizon = Math.min(size, maxScanBytes);
  const first = await seekLine(source, start - 1, horizon);
  if (first.passed < start - 1 || first.position === size) {
    if (horizon < size) throw scanLimit(source, maxScanBytes);
    const total = await linesIn(source, first.passed);
    refuseShort(source, start, count, total, policy);
    return { start: size, end: size, line: start, lines: 0, total, cut: false };
  }
  const from = first.position;
  const limit = Math.min(horizon, from + maxWindowBytes);
  const before = start - 1;
  const reach = await seek(source, from, count, limit, before);
  if (reach.position === size) {
    const lines = await linesIn(source, reach.passed);
    const total = before + lines;
    if (lines < count) refuseShort(source, start, count, total, policy);
    return { start: from, end: size, line: start, lines, total, cut: false };
  }
  const passed = before + reach.passed;
  const place = { position: reach.position, passed };
  const cut = reach.passed < count;
  if (cut && from + maxWindowBytes > horizon) {
    throw scanLimit(source, maxScanBytes);
  }
  if (cut && reach.passed === 0) throw lineTooLarge(source, maxWindowBytes);
  const total = await countOn(source, place, policy);
  const lines = reach.passed;
  return { start: from, end: reach.last, line: start, lines, total, cut };
}

/** The last `count` lines, found from the end of the file. */
export async function locateTail(
  source: Source,
  { count }: { readonly count: number },
  policy: ReadPolicy,
): Promise<Span> {
  const { size } = source;
  const { maxScanBytes = Infinity, maxWindowBytes = Infinity } = policy;
  const scanFloor = Math.max(0, size - maxScanBytes);
  const windowFloor = Math.max(0, size - maxWindowBytes);
  const floor = Math.max(scanFloor, windowFloor);
  // A line feed that ends the file ends its last line, and begins no other.
  const ended = await source.endsWithLineFeed();
  const reach = await seekBack(source, ended ? size - 1 : size, count, floor);
  let start = reach.last;
  let cut = false;
  if (reach.passed < count) {
    if (floor === 0) start = 0;
    else if (floor === scanFloor && scanFloor > windowFloor) {
      throw scanLimit(source, maxScanBytes);
    } else if (reach.passed === 0) throw lineTooLarge(source, maxWindowBytes);
    else cut = true;
  }
  const lines = reach.passed + (start === 0 && size > 0 ? 1 : 0);
  const counted = policy.countAll === true && size <= maxScanBytes;
  const known = source.index?.total ?? null;
  const line = start === 0
    ? 1
    : !counted
    ? null
    : known === null
    ? 1 + await countBefore(source, start)
    : 1 + known - lines;
  const total = line === null ? null : line - 1 + lines;
  if (source.index !== undefined) source.index.total = total ?? known;
  return { start, end: size, line, lines, total, cut };
}

/** Counts on to the end of the file, if the policy asks for it and allows it. */
async function countOn(
  source: Source,
  from: Place,
  { countAll = false, maxScanBytes = Infinity }: ReadPolicy,
): Promise<number | null> {
  const { size, index } = source;
  if (!countAll || size > maxScanBytes) return null;
  if (index !== undefined && index.total !== null) return index.total;
  const known = index?.before(Infinity) ?? from;
  const { position, passed } = known.position > from.position ? known : from;
  const rest = await seek(source, position, Infinity, size, passed);
  const total = await linesIn(source, passed + rest.passed);
  if (index !== undefined) index.total = total;
  return total;
}

/** The line feeds before `end`. */
async function countBefore(source: Source, end: number): Promise<number> {
  const { position, passed } = source.index?.upTo(end) ??
    { position: 0, passed: 0 };
  const reach = await seek(source, position, Infinity, end, passed);
  return passed + reach.passed;
}

function refuseShort(
  { path }: Source,
  start: number,
  count: number,
  totalLines: number,
  policy: ReadPolicy,
): void {
  if (!policy.exactRange) return;
  const facts = { start, end: start + count - 1, totalLines };
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
}

function scanLimit(
  { path }: Source,
  limit: number,
): ReadFileError<"SCAN_LIMIT"> {
  return new ReadFileError("SCAN_LIMIT", path, { limit });
}

function lineTooLarge(
  { path }: Source,
  limit: number,
): ReadFileError<"TOO_LARGE"> {
  const facts = { what: "line", size: limit + 1, limit } as const;
  return new ReadFileError("TOO_LARGE", path, facts);
}
