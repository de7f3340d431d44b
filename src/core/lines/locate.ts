// Runtime-agnostic.
import { whenThere } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import type { Place } from "./line_index.ts";
import type { ReadPolicy } from "../base/policy.ts";
import type { Awaitable } from "../base/port.ts";
import { linesIn, seek, seekBack, seekLine, type Source } from "./source.ts";

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
export function locateAll(
  source: Source,
  policy: ReadPolicy,
): Awaitable<Span> {
  const { size } = source;
  const { maxWindowBytes: limit = Infinity } = policy;
  if (size > limit) {
    throw new ReadFileError("TOO_LARGE", source.path, {
      what: "file",
      size,
      limit,
    });
  }
  return whenThere(
    countOn(source, { position: 0, passed: 0 }, policy),
    (total) => ({
      start: 0,
      end: size,
      line: 1,
      lines: total,
      total,
      cut: false,
    }),
  );
}

/** Some lines in a row. */
interface Lines {
  readonly start: number;
  readonly count: number;
}

/** `count` lines from line `start` on, or as many as there are. */
export function locateLines(
  source: Source,
  lines: Lines,
  policy: ReadPolicy,
): Awaitable<Span> {
  const { size } = source;
  const { maxScanBytes = Infinity } = policy;
  const before = lines.start - 1;
  const horizon = Math.min(size, maxScanBytes);
  return whenThere(seekLine(source, before, horizon), (first) => {
    const isThere = first.passed === before && first.position < size;
    if (isThere) return locateFrom(source, first.position, lines, policy);
    if (horizon < size) throw scanLimit(source, maxScanBytes);
    return whenThere(linesIn(source, first.passed), (total) => {
      refuseShort(source, lines, total, policy);
      const line = lines.start;
      return { start: size, end: size, line, lines: 0, total, cut: false };
    });
  });
}

/** The lines, of which the first begins at the byte `from`. */
function locateFrom(
  source: Source,
  from: number,
  lines: Lines,
  policy: ReadPolicy,
): Awaitable<Span> {
  const { size } = source;
  const { maxScanBytes = Infinity, maxWindowBytes = Infinity } = policy;
  const { start: line, count } = lines;
  const before = line - 1;
  const horizon = Math.min(size, maxScanBytes);
  const limit = Math.min(horizon, from + maxWindowBytes);
  return whenThere(seek(source, from, count, limit, before), (reach) => {
    const { position, passed, last } = reach;
    if (position === size) {
      return whenThere(linesIn(source, passed), (found) => {
        const total = before + found;
        if (found < count) refuseShort(source, lines, total, policy);
        return {
          start: from,
          end: size,
          line,
          lines: found,
          total,
          cut: false,
        };
      });
    }
    const cut = passed < count;
    if (cut && from + maxWindowBytes > horizon) {
      throw scanLimit(source, maxScanBytes);
    }
    if (cut && passed === 0) throw lineTooLarge(source, maxWindowBytes);
    const place = { position, passed: before + passed };
    return whenThere(
      countOn(source, place, policy),
      (total) => ({ start: from, end: last, line, lines: passed, total, cut }),
    );
  });
}

/** The last `count` lines, found from the end of the file. */
export function locateTail(
  source: Source,
  { count }: { readonly count: number },
  policy: ReadPolicy,
): Awaitable<Span> {
  const { size } = source;
  const { maxScanBytes = Infinity, maxWindowBytes = Infinity } = policy;
  const scanFloor = Math.max(0, size - maxScanBytes);
  const windowFloor = Math.max(0, size - maxWindowBytes);
  const floor = Math.max(scanFloor, windowFloor);
  source.expectLines(count);
  // A line feed that ends the file ends its last line, and begins no other.
  const reaching = whenThere(
    source.endsWithLineFeed(),
    (ended) => seekBack(source, ended ? size - 1 : size, count, floor),
  );
  return whenThere(reaching, ({ passed, last }) => {
    let start = last;
    let cut = false;
    if (passed < count) {
      if (floor === 0) start = 0;
      else if (floor === scanFloor && scanFloor > windowFloor) {
        throw scanLimit(source, maxScanBytes);
      } else if (passed === 0) throw lineTooLarge(source, maxWindowBytes);
      else cut = true;
    }
    const lines = passed + (start === 0 && size > 0 ? 1 : 0);
    return whenThere(lineOf(source, start, lines, policy), (line) => {
      const total = line === null ? null : line - 1 + lines;
      const { index } = source;
      if (index !== undefined && total !== null) index.total = total;
      return { start, end: size, line, lines, total, cut };
    });
  });
}

/** The number of the line at `start`, the first of the last `lines`; `null` if no one counts. */
function lineOf(
  source: Source,
  start: number,
  lines: number,
  { countAll = false, maxScanBytes = Infinity }: ReadPolicy,
): Awaitable<number | null> {
  if (start === 0) return 1;
  if (!countAll || source.size > maxScanBytes) return null;
  const known = source.index?.total ?? null;
  if (known !== null) return 1 + known - lines;
  return whenThere(countBefore(source, start), (before) => 1 + before);
}

/** Counts on to the end of the file, if the policy asks for it and allows it. */
function countOn(
  source: Source,
  from: Place,
  { countAll = false, maxScanBytes = Infinity }: ReadPolicy,
): Awaitable<number | null> {
  const { size, index } = source;
  if (!countAll || size > maxScanBytes) return null;
  if (index !== undefined && index.total !== null) return index.total;
  const known = index?.before(Infinity) ?? from;
  const { position, passed } = known.position > from.position ? known : from;
  const counting = whenThere(
    seek(source, position, Infinity, size, passed),
    (rest) => linesIn(source, passed + rest.passed),
  );
  return whenThere(counting, (total) => {
    if (index !== undefined) index.total = total;
    return total;
  });
}

/** The line feeds before `end`. */
function countBefore(source: Source, end: number): Awaitable<number> {
  const { position, passed } = source.index?.upTo(end) ??
    { position: 0, passed: 0 };
  return whenThere(
    seek(source, position, Infinity, end, passed),
    (reach) => passed + reach.passed,
  );
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
