import { ReadFileError } from "../base/errors.ts";
import { FIRST_CHUNK_BYTES, MAX_SHOWN_BYTES } from "../base/limits.ts";
import { rangeOf, type ReadFields, type WantedLines } from "../read_options.ts";
import {
  countColumns,
  cutInside,
  endingIn,
  endsWithFeed,
  skipColumns,
} from "./columns.ts";
import { BEGINNING, type KnownPlace } from "./line_index.ts";
import { fileEndsWithFeed, linesIn } from "./scan.ts";
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
  /** The column where it begins, if it begins inside a line. */
  readonly column?: number;
  /** The column before which it ends, if it ends inside a line. */
  readonly endColumn?: number;
}

/** A span whose lines are counted. */
export interface CountedSpan extends Span {
  readonly line: number;
  readonly lines: number;
}

/** A place in a file: the beginning of a line, or a column of it. */
export interface Beginning {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** A beginning of lines, and how many lines the file has, if that is known by then. */
export interface LineBeginning extends Beginning {
  readonly total: number | null;
}

/**
 * Locates lines that are asked for by their numbers, or from the end of the file,
 * as many as the limits allow; `at` is the byte where they begin, if that is
 * known. A first line that does not fit is cut between two characters.
 */
export function locate(
  source: Source,
  options: LocateOptions,
  at?: number,
): Promise<Span> {
  const { tail } = options;
  return tail === undefined
    ? locateRange(source, rangeOf(options), options, at)
    : locateTail(source, tail, options);
}

async function locateRange(
  source: Source,
  range: WantedLines,
  options: LocateOptions,
  at: number | undefined,
): Promise<Span> {
  const { maxLines = Infinity, maxScanBytes = Infinity } = options;
  const { size } = source;
  const most = mostBytes(options);
  const horizon = Math.min(size, maxScanBytes);
  const { start: line, column, width } = range;
  const count = Math.min(range.count, maxLines);
  const isAll = count >= size;
  const isWhole = isAll && line === 1 && column === 1 && !options.exactRange &&
    width === undefined && range.around === undefined;
  if (isWhole && size <= Math.min(most, horizon)) {
    // All lines, so none has to be looked for.
    return { start: 0, end: size, line: 1, lines: null, total: null };
  }
  const from = at !== undefined
    ? continueAt(source, at, range)
    : range.around === undefined
    ? line === 1 && column === 1 && size > 0
      ? { position: 0, line, column, total: null }
      : await begin(source, range, horizon)
    : await beginAround(source, range, range.around, horizon);
  const { index } = source;
  const { position } = from;
  const isShort = horizon < size && position + most > horizon;
  if (isShort && width === undefined) {
    // The limit of the scan, not that of the page, would end the page.
    const { passed } = await seek(
      source,
      position,
      count,
      horizon,
      from.line - 1,
    );
    if (passed < count) {
      throw scanLimit(source, options, from.line - 1 + passed);
    }
  }
  const limit = Math.min(size, position + most);
  // Without an index, the next page reads again what this one reads ahead, so read
  // little ahead.
  if (index === undefined && at === undefined) {
    if (limit < size) source.expectTo(position, limit);
    else if (!isAll) source.expect(FIRST_CHUNK_BYTES);
  }
  // A page that begins at the end of the file shows no line, and so no columns.
  const span = width === undefined || position === size
    ? await takeLines(source, from, isAll ? Infinity : count, limit)
    : await takeColumns(source, from, width, limit);
  const isEnd = span.end === size && span.endColumn === undefined;
  /** The number of the last line. */
  const last = from.line - 1 + span.lines;
  const total = from.total ?? (isEnd ? last : null);
  if (index !== undefined) index.total ??= total;
  if (options.exactRange && total !== null) refuseShort(source, options, total);
  return { ...span, total };
}

/** Fails if the file lacks lines of the range that is asked for. */
function refuseShort(
  { path }: Source,
  { start = 1, end = 1 }: ReadFields,
  totalLines: number,
): void {
  if (end <= totalLines) return;
  const facts = { start, end, totalLines };
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
}

/** Where a page begins that continues another: its numbers, which were not counted anew, do not go into the index. */
export function continueAt(
  source: Source,
  position: number,
  { start: line, column }: Pick<WantedLines, "start" | "column">,
): LineBeginning {
  const total = source.index?.total ?? null;
  source.index = undefined;
  return { position, line, column, total };
}

/** The options of a read, and what calls within this package add to them. */
export interface LocateOptions extends ReadFields {
  /** More bytes than the text of the page can show, by its limits in characters or tokens. */
  readonly mostShown?: number;
  /** Whether a last line that does not fit is `TOO_LARGE`, instead of shown in part; `Read` promises so. */
  readonly refuseCutTail?: boolean;
  /** Whether to say that lines match in another case where none matches: for models. */
  readonly saysOtherCase?: boolean;
}

/** The most bytes to show: what exceeds the longest string of the runtime is left for the next page. */
export function mostBytes(
  { maxBytes = Infinity, mostShown = Infinity }: LocateOptions,
): number {
  return Math.min(maxBytes, mostShown, MAX_SHOWN_BYTES);
}

/** Locates the last lines: `tail`, or as many as fit if their end is kept. */
async function locateTail(
  source: Source,
  tail: number,
  options: LocateOptions,
): Promise<Span> {
  const { maxScanBytes = Infinity, keepEnd, refuseCutTail } = options;
  const { size, index } = source;
  const maxLines = keepEnd ? Infinity : options.maxLines ?? Infinity;
  const count = keepEnd ? Math.min(tail, options.maxLines ?? tail) : tail;
  const most = mostBytes(options);
  // The caller's own limit is one of bytes; it cuts off the end, unless that is kept.
  const isOwn = most === mostBytes({ ...options, mostShown: Infinity });
  const keepsEnd = keepEnd || !isOwn && !isNumbered(source, options);
  const scanFloor = Math.max(0, size - maxScanBytes);
  const pageFloor = keepsEnd ? Math.max(0, size - most) : 0;
  const floor = Math.max(scanFloor, pageFloor);
  let found = await findTail(source, count, floor);
  /** The bytes before it would not fit. */
  let least = pageFloor;
  if (found.isShort && found.lines === 0 && pageFloor >= scanFloor) {
    if (isOwn && refuseCutTail) {
      const facts = { what: "line", size: most + 1, limit: most } as const;
      throw new ReadFileError("TOO_LARGE", source.path, facts);
    }
    found = await findTail(source, 1, scanFloor);
    least = -1;
  }
  const { start, lines, isShort } = found;
  if (isShort && scanFloor > least) {
    throw scanLimit(source, options, lines);
  }
  if (index !== undefined && start === 0) index.total = lines;
  const isCut = size - start > most || lines > maxLines;
  const isPart = keepsEnd && size - start > most;
  if (isPart && start > 0 && !isNumbered(source, options)) {
    // The beginning of the last line. Without numbers, no page continues it.
    const from = { position: start, line: 1, column: 1 };
    return { ...await cutLine(source, from, start + most), line: null };
  }
  const isCounted = start === 0 ||
    size <= maxScanBytes && (isNumbered(source, options) || isCut);
  if (!isCounted) {
    // The next page could not be named.
    if (isCut) throw scanLimit(source, options, lines);
    return { start, end: size, line: null, lines, total: null };
  }
  const total = start === 0 ? lines : await countOn(source, BEGINNING);
  const line = total - lines + 1;
  if (!isCut) return { start, end: size, line, lines, total };
  const from = { position: start, line, column: 1 };
  const limit = Math.min(size, start + most);
  return {
    ...await takeLines(source, from, Math.min(lines, maxLines), limit),
    total,
  };
}

/** Whether the lines of a tail get their numbers, for which all lines are counted. */
function isNumbered({ file: { stat } }: Source, options: ReadFields): boolean {
  const { numbered, countLines } = options;
  return numbered ??
    (countLines === undefined
      ? stat.remote !== true
      : stat.size <= mostCounted(countLines));
}

/** The largest file whose lines are all counted, in bytes. */
export function mostCounted(countLines: ReadFields["countLines"]): number {
  if (typeof countLines === "number") return countLines;
  return countLines ? Infinity : -1;
}

/** Finds where the last `count` lines begin, but not before `floor`; then it `isShort` of lines. */
async function findTail(source: Source, count: number, floor: number) {
  const { size, feedLength } = source;
  source.expectLines(count);
  // No line begins after a line feed at the end of the file.
  const end = await fileEndsWithFeed(source) ? size - feedLength : size;
  const { passed, last } = await seekBack(source, end, count, floor);
  const isShort = passed < count && floor > 0;
  const start = passed < count && floor === 0 ? 0 : last;
  // A line feed was passed before each line, but none precedes the first line of the file.
  const hasFirst = start === 0 && size > 0 && !isShort;
  const lines = passed + (hasFirst ? 1 : 0);
  return { start, lines, isShort };
}

/** Counts lines to the end of the file; `from` is a place with a known number of line feeds before it. */
export async function countOn(
  source: Source,
  from: KnownPlace,
): Promise<number> {
  const { size, index } = source;
  if (index !== undefined && index.total !== null) return index.total;
  const lastKnown = index?.before(Infinity);
  const known = lastKnown ?? from;
  const { position, passed } = known.position > from.position ? known : from;
  const rest = await seek(source, position, Infinity, size, passed);
  const total = await linesIn(source, passed + rest.passed);
  if (index !== undefined) index.total = total;
  return total;
}

function scanLimit(
  { path }: Source,
  { maxScanBytes: limit = Infinity }: ReadFields,
  lines: number,
): ReadFileError {
  return new ReadFileError("SCAN_LIMIT", path, { limit, lines });
}

/** Finds where a range begins; at the end of the file if the line of `around` does not exist. */
async function beginAround(
  source: Source,
  range: WantedLines,
  around: number,
  horizon: number,
): Promise<LineBeginning> {
  const from = await begin(source, range, horizon);
  const { position, line } = from;
  const { size } = source;
  if (around === line || position === size) return from;
  const reach = await seek(source, position, around - line, size, line - 1);
  if (reach.position < size) return from;
  const total = await linesIn(source, line - 1 + reach.passed);
  return { position: size, line: around, column: 1, total };
}

/** Finds where a line begins, or the column in it; the line beyond `horizon` is not looked for. */
export async function begin(
  source: Source,
  { start: line, column }: Pick<WantedLines, "start" | "column">,
  horizon: number = source.size,
): Promise<LineBeginning> {
  const { size } = source;
  const { position, passed } = await seekLine(source, line - 1, horizon);
  if (position === size) {
    const total = await linesIn(source, passed);
    return { position, line, column: 1, total };
  }
  if (passed < line - 1) {
    return { position: horizon, line: passed + 1, column: 1, total: null };
  }
  if (column === 1) return { position, line, column, total: null };
  const into = await skipColumns(source, position, column - 1);
  // The column may be past the end of the file's last line.
  const total = into.position === size ? line : null;
  return { position: into.position, line, column: 1 + into.columns, total };
}

/** Locates at most `count` lines, up to the byte `limit`. */
export async function takeLines(
  source: Source,
  from: Beginning,
  count: number,
  limit: number,
): Promise<CountedSpan> {
  const { size } = source;
  const { position: start, line, column } = from;
  const reach = await seek(source, start, count, limit, line - 1);
  const { position: end, passed, last } = reach;
  const common = { start, line, column, total: null };
  if (passed === count || limit === size) {
    // The last line of the file may have no ending.
    const lines = passed + (end === size && last < size ? 1 : 0);
    return { ...common, end, lines };
  }
  if (passed === 0) return await cutLine(source, from, limit);
  return { ...common, end: last, lines: passed };
}

async function takeColumns(
  source: Source,
  from: Beginning,
  width: number,
  limit: number,
): Promise<CountedSpan> {
  const { position: start, line, column } = from;
  const way = await skipColumns(source, start, width, { takesOne: true });
  const { position: end, columns, ended } = way;
  if (end > limit) return await cutLine(source, from, limit);
  const run = { start, line, column, lines: 1, total: null };
  const after = Math.min(source.size, end + 2 * source.feedLength);
  const rest = await source.piece(end, after);
  const ending = endingIn(source, rest, 0);
  // The page of an empty line shows its ending anyway, since it has nothing else.
  const fits = end + ending <= limit || columns === 0;
  if (ended && fits) return { ...run, end: end + ending };
  return { ...run, end, endColumn: column + columns };
}

/** Locates the part of a line up to `limit`. */
export async function cutLine(
  source: Source,
  { position: start, line, column }: Beginning,
  limit: number,
): Promise<CountedSpan> {
  const end = await cutInside(source, start, limit);
  const bytes = await source.copyOf(start, end);
  const run = { start, end, line, column, lines: 1, total: null };
  // If only the line ending did not fit, show it anyway: the line is complete.
  const isOver = endsWithFeed(source, bytes);
  if (isOver || end === source.size) return run;
  return { ...run, endColumn: column + await countColumns(source, bytes) };
}
