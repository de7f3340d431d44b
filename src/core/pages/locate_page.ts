// Runtime-agnostic.
import { FIRST_CHUNK_BYTES, MAX_SHOWN_BYTES } from "../base/limits.ts";
import { type Beginning, locateTail, type Span } from "../lines/locate.ts";
import type { PageSelection, ReadPolicy } from "../base/selection.ts";
import { linesIn } from "../lines/scan.ts";
import { seek, seekLine } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import {
  charsetIn,
  countColumns,
  cutInside,
  endsWithFeed,
  skipColumns,
} from "../lines/columns.ts";

/** Where a page begins. */
interface PageBeginning extends Beginning {
  /** How many lines the file has; `null` if they were not counted. */
  readonly total: number | null;
}

/** Locates the lines of a page; `at` is the byte where it begins, if that is known. A line that does not fit is cut between two characters. */
export async function locatePage(
  source: Source,
  selection: PageSelection,
  policy: ReadPolicy,
  at?: number,
): Promise<Span> {
  const { maxWindowBytes = Infinity } = policy;
  const { size, index } = source;
  // What exceeds the longest string of the runtime is left for the next page.
  const most = Math.min(maxWindowBytes, MAX_SHOWN_BYTES);
  const { start: line, column } = selection;
  if (line < 0) {
    const tail = await locateUnnumbered(source, selection, most);
    if (tail !== undefined) return tail;
  }
  const from = at === undefined
    ? await beginAround(source, selection)
    : { position: at, line, column, total: null };
  const limit = Math.min(size, from.position + most);
  // Without an index, the next page reads again what this one reads ahead, so read
  // little ahead. A count of at least `size` lines asks for the whole file.
  if (index === undefined && at === undefined) {
    if (limit < size) source.expectTo(from.position, limit);
    else if (selection.count < size) source.expect(FIRST_CHUNK_BYTES);
  }
  const { count, width } = selection;
  // A page that begins at the end of the file shows no line, and so no columns.
  const span = width === undefined || from.position === size
    ? await takeLines(source, from, count, limit)
    : await takeColumns(source, from, width, limit);
  const isEnd = span.end === size && span.endColumn === undefined;
  const total = from.total ?? (isEnd ? from.line - 1 + span.lines : null);
  if (index === undefined) return { ...span, total };
  index.total ??= total;
  if (!isEnd) {
    const { start, end, lines, endColumn } = span;
    const line = from.line + lines - (endColumn === undefined ? 0 : 1);
    const length = end - start;
    index.noteStop({ line, column: endColumn ?? 1, position: end, length });
  }
  return { ...span, total: index.total };
}

/** Locates the lines of a tail, if they need no numbers; `undefined` if they have more than `most` bytes, since the page then has a `next`, which needs numbers. */
async function locateUnnumbered(
  source: Source,
  { start, around, width, numbered }: PageSelection,
  most: number,
): Promise<Span | undefined> {
  const { size, file: { stat } } = source;
  const isTail = around === undefined && width === undefined;
  const isNumbered = numbered ?? stat.remote !== true;
  if (!isTail || isNumbered) return undefined;
  const tail = await locateTail(source, { count: -start }, {});
  return size - tail.start <= most ? tail : undefined;
}

/** Finds where the page begins; at the end of the file if the line of `around` does not exist. */
async function beginAround(source: Source, selection: PageSelection) {
  const from = await begin(source, selection);
  const { position, line } = from;
  const { around = line } = selection;
  const { size } = source;
  if (around === line || position === size) return from;
  const reach = await seek(source, position, around - line, size, line - 1);
  if (reach.position < size) return from;
  const total = await linesIn(source, line - 1 + reach.passed);
  return { position: size, line: around, column: 1, total };
}

/** Finds where the first line of a page begins, or the column in it. */
export async function begin(
  source: Source,
  { start, column }: Pick<PageSelection, "start" | "column">,
): Promise<PageBeginning> {
  if (start < 0) {
    const count = -start;
    const tail = await locateTail(source, { count }, { countAll: true });
    return { ...tail, position: tail.start, line: tail.line!, column: 1 };
  }
  const stop = source.index?.stopAt(start, column);
  if (stop !== undefined) {
    // The page may end before the next stop, so less than the whole way is read first.
    source.expect(stop.length * 5 / 8);
    return { ...stop, total: null };
  }
  const { size } = source;
  const { position, passed } = await seekLine(source, start - 1, size);
  const line = start;
  if (position === size) {
    const total = await linesIn(source, passed);
    return { position, line, column: 1, total };
  }
  if (column === 1) return { position, line, column, total: null };
  const into = await skipColumns(source, position, column - 1);
  // The column may be past the end of the file's last line.
  const total = into.position === size ? line : null;
  return { position: into.position, line, column: 1 + into.columns, total };
}

/** A run of counted lines. */
export interface Run extends Span {
  readonly line: number;
  readonly lines: number;
}

async function takeLines(
  source: Source,
  from: Beginning,
  count: number,
  limit: number,
): Promise<Run> {
  const { size } = source;
  const { position: start, line, column } = from;
  const reach = await seek(source, start, count, limit, line - 1);
  const { position: end, passed, last } = reach;
  const common = { start, line, column, total: null };
  if (passed === count || limit === size) {
    // The last line of the file may have no ending.
    const lines = passed + (end === size && last < size ? 1 : 0);
    return { ...common, end, lines, cut: false };
  }
  if (passed === 0) return await cutLine(source, from, limit);
  return { ...common, end: last, lines: passed, cut: true };
}

async function takeColumns(
  source: Source,
  from: Beginning,
  width: number,
  limit: number,
): Promise<Run> {
  const { position: start, line, column } = from;
  const way = await skipColumns(source, start, width, { takesOne: true });
  const { position: end, columns, ended } = way;
  if (end > limit) return await cutLine(source, from, limit);
  const run = { start, line, column, lines: 1, total: null, cut: true };
  const after = Math.min(source.size, end + 2 * source.feedLength);
  const rest = await source.piece(end, after);
  const ending = charsetIn(source).endingAt(rest, 0);
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
): Promise<Run> {
  const end = await cutInside(source, start, limit);
  const bytes = await source.copyOf(start, end);
  const run = { start, end, line, column, lines: 1, total: null, cut: true };
  // If only the line ending did not fit, show it anyway: the line is complete.
  const isOver = endsWithFeed(source, bytes);
  if (isOver || end === source.size) return run;
  return { ...run, endColumn: column + await countColumns(source, bytes) };
}
