// Runtime-agnostic.
import { ReadFileError } from "./errors.ts";
import type { ReadPolicy } from "./policy.ts";
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
}

/** How far a scan came: a place, and the line feeds on the way to it. */
interface Reach {
  /** Where it stopped. */
  readonly position: number;
  /** The line feeds it passed. */
  readonly passed: number;
  /** Just after the one of them that lies furthest from where it began. */
  readonly last: number;
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
  const first = await seek(source, 0, start - 1, horizon);
  if (first.passed < start - 1 || first.position === size) {
    if (horizon < size) throw scanLimit(source, maxScanBytes);
    const total = await linesIn(source, first.passed);
    refuseShort(source, start, count, total, policy);
    return { start: size, end: size, line: start, lines: 0, total, cut: false };
  }
  const from = first.position;
  const limit = Math.min(horizon, from + maxWindowBytes);
  const reach = await seek(source, from, count, limit);
  const before = start - 1;
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
  const line = start === 0
    ? 1
    : counted
    ? 1 + (await seek(source, 0, Infinity, start)).passed
    : null;
  const total = line === null ? null : line - 1 + lines;
  return { start, end: size, line, lines, total, cut };
}

/** Counts on to the end of the file, if the policy asks for it and allows it. */
async function countOn(
  source: Source,
  { position, passed }: Pick<Reach, "position" | "passed">,
  { countAll = false, maxScanBytes = Infinity }: ReadPolicy,
): Promise<number | null> {
  const { size } = source;
  if (!countAll || size > maxScanBytes) return null;
  const rest = await seek(source, position, Infinity, size);
  return await linesIn(source, passed + rest.passed);
}

/** Goes on from `position` just past the next `lines` line feeds, but not past `limit`. */
export async function seek(
  source: Source,
  position: number,
  lines: number,
  limit: number,
): Promise<Reach> {
  let passed = 0;
  let last = position;
  while (passed < lines && position < limit) {
    await source.load(position);
    const { kernel, start } = source;
    const from = position - start;
    const to = Math.min(source.end, limit) - start;
    const at = kernel.nth(from, to, lines - passed);
    if (at >= 0) {
      const end = start + at + 1;
      return { position: end, passed: lines, last: end };
    }
    passed += ~at;
    if (~at > 0) last = start + kernel.nthLast(from, to, 1) + 1;
    position = start + to;
  }
  return { position, passed, last };
}

/** Goes back from `position` to just after the `lines`-th line feed before it, if `floor` allows. */
export async function seekBack(
  source: Source,
  position: number,
  lines: number,
  floor: number,
): Promise<Reach> {
  // A line that begins at the floor is within it: the line feed before it counts.
  const lowest = Math.max(0, floor - 1);
  let passed = 0;
  let last = position;
  while (passed < lines && position > lowest) {
    await source.loadBefore(position);
    const { kernel, start } = source;
    const from = Math.max(start, lowest) - start;
    const to = position - start;
    const at = kernel.nthLast(from, to, lines - passed);
    if (at >= 0) {
      const begin = start + at + 1;
      return { position: begin, passed: lines, last: begin };
    }
    passed += ~at;
    if (~at > 0) last = start + kernel.nth(from, to, 1) + 1;
    position = start + from;
  }
  return { position, passed, last };
}

/** The lines of a file that was scanned to its end past `passed` line feeds. */
export async function linesIn(source: Source, passed: number): Promise<number> {
  if (source.size === 0) return 0;
  return passed + (await source.endsWithLineFeed() ? 0 : 1);
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
