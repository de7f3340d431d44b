// Runtime-agnostic.
import type { HitSearch, Span } from "../lines/locate.ts";
import { locateBlockOf } from "../lines/block.ts";
import { linesBelow, seek, seekBack } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import {
  columnsUpTo,
  countUnits,
  cutInside,
  endsWithFeed,
} from "../lines/columns.ts";
import type { HitSelection } from "./hits.ts";
import type { Beginning } from "./locate.ts";

/** A run of lines with hits. */
export interface Run extends Span {
  readonly line: number;
  readonly lines: number;
}

interface Bounds {
  readonly from: Beginning;
  /** The last line to search. */
  readonly last: number;
  /** The most bytes to show. */
  readonly most: number;
}

const MAX_BLOCK_LINES = 200;

/** Collects the runs of lines of a page, as hits are added. */
export class Windows {
  readonly runs: Run[] = [];
  readonly lines: number[] = [];
  /** Where the line of the last hit ends. */
  lineEnd: number | undefined;
  /** Where the page ends inside the line of the last hit. */
  cutAt: number | undefined;
  readonly #source: Source;
  readonly #search: HitSearch;
  readonly #selection: HitSelection;
  readonly #bounds: Bounds;
  #used = 0;
  /** The first line that may be shown from its beginning. */
  #floor: { readonly position: number; readonly line: number } | undefined;

  constructor(
    source: Source,
    search: HitSearch,
    selection: HitSelection,
    bounds: Bounds,
  ) {
    this.#source = source;
    this.#search = search;
    this.#selection = selection;
    this.#bounds = bounds;
  }

  /** The line of the last hit. */
  get last(): number | undefined {
    return this.lines.at(-1);
  }

  /** Adds the hit with the lines around it; returns whether it fits. */
  async add(length: number): Promise<boolean> {
    const { most } = this.#bounds;
    if (this.cutAt !== undefined) {
      await this.#endBeforeText(length);
      return false;
    }
    const search = this.#search;
    const { line, lineStart } = search;
    const left = most - this.#used;
    const shown = this.runs.at(-1);
    const isShown = shown !== undefined && shown.end > lineStart;
    const limit = isShown ? shown.end + left : lineStart + left;
    this.lineEnd = await search.lineEnd(limit);
    const end = this.lineEnd;
    const from = Math.max(lineStart, shown?.end ?? 0);
    if (end === undefined || end - from > left) {
      if (shown !== undefined) return false;
      this.lines.push(line);
      await this.#cut(length);
      return true;
    }
    const run = await this.#around(end);
    const [merged, joined] = this.#merge(run);
    if (this.#usedWith(merged, joined) > most) {
      if (shown !== undefined) return false;
      this.#put(await this.#shrunk(run, end));
    } else this.#put(merged, joined);
    this.lines.push(line);
    await this.#source.breathe();
    return true;
  }

  /** Ends the page before the line of a hit that does not fit. */
  endBefore(lineStart: number, line: number): void {
    const last = this.runs.at(-1);
    if (last === undefined || last.end <= lineStart || last.inside) return;
    const lines = line - last.line;
    this.runs[this.runs.length - 1] = { ...last, end: lineStart, lines };
  }

  /** Adds a run that replaces the last `joined` ones. */
  #put(run: Run, joined = 0): void {
    this.#used = this.#usedWith(run, joined);
    this.runs.splice(this.runs.length - joined, joined, run);
  }

  #usedWith(run: Run, joined: number): number {
    const last = this.runs.slice(this.runs.length - joined);
    const used = this.#used + sizeOf(run);
    return last.reduce((sum, one) => sum - sizeOf(one), used);
  }

  /** Joins a run to adjacent runs, which are the last ones: there may be a million runs. */
  #merge(run: Run): [merged: Run, joined: number] {
    let { start, end, line, lines, column } = run;
    let joined = 0;
    for (let at = this.runs.length - 1; at >= 0; at--, joined++) {
      const last = this.runs[at]!;
      if (last.end < start) break;
      const after = Math.max(line + lines, last.line + last.lines);
      if (last.start <= start) {
        ({ start, line, column } = { column: 1, ...last });
      }
      end = Math.max(end, last.end);
      lines = after - line;
    }
    return [runOf(start, end, line, lines, column), joined];
  }

  /** The run of the hit's line, which ends at `end`, with the lines around it. */
  async #around(end: number): Promise<Run> {
    const { line, lineStart } = this.#search;
    const { before, after } = await this.#margins();
    const { last } = this.#bounds;
    const above = await this.#above(before, 0);
    const below = await linesBelow(this.#source, end, after, last);
    const lines = above.lines + 1 + below.lines;
    const { column } = this.#beginning(lineStart);
    return runOf(above.start, below.end, line - above.lines, lines, column);
  }

  /** The run of the hit's line, with as many lines around it as fit. */
  async #shrunk(run: Run, end: number): Promise<Run> {
    const { most } = this.#bounds;
    const { line, lineStart } = this.#search;
    const before = line - run.line;
    const after = run.lines - before - 1;
    const room = most - (end - lineStart);
    const half = end + Math.floor(room / 2);
    const fewer = await linesBelow(this.#source, end, after, half);
    const floor = lineStart - (room - (fewer.end - end));
    const above = await this.#above(before, Math.max(0, floor));
    const limit = above.start + most;
    const below = await linesBelow(this.#source, end, after, limit);
    const lines = above.lines + 1 + below.lines;
    return runOf(above.start, below.end, line - above.lines, lines, run.column);
  }

  /** How many lines to show before and after the hit. */
  async #margins(): Promise<
    { readonly before: number; readonly after: number }
  > {
    const { before = 0, after = 0, block } = this.#selection;
    const { line: anchor, lineStart } = this.#search;
    if (!block || this.#isInside(lineStart)) return { before, after };
    const span = await locateBlockOf(this.#source, lineStart, {
      kind: "block",
      anchor,
      maxLevels: 1,
      siblings: false,
      header: true,
      count: MAX_BLOCK_LINES,
    });
    if (!span.lines) return { before: 0, after: 0 };
    const first = span.line!;
    return { before: anchor - first, after: first + span.lines - 1 - anchor };
  }

  /** Whether `lineStart` is inside a line, since the search began there. */
  #isInside(lineStart: number): boolean {
    const { from } = this.#bounds;
    return from.column > 1 && lineStart === from.position;
  }

  #beginning(lineStart: number): { readonly column?: number } {
    const { column } = this.#bounds.from;
    return this.#isInside(lineStart) ? { column } : {};
  }

  /** Finds where a number of lines above the hit begin: not before the search, and not before `least`. */
  async #above(
    count: number,
    least: number,
  ): Promise<{ readonly start: number; readonly lines: number }> {
    const { lineStart } = this.#search;
    const none = { start: lineStart, lines: 0 };
    if (count === 0 || this.#isInside(lineStart)) return none;
    this.#floor ??= await this.#firstLine();
    const floor = Math.max(this.#floor.position, least);
    if (lineStart <= floor) return none;
    const reach = await seekBack(this.#source, lineStart, count + 1, floor);
    if (reach.passed > count) return { start: reach.last, lines: count };
    if (floor === 0) return { start: 0, lines: reach.passed };
    return { start: reach.last, lines: reach.passed - 1 };
  }

  /** The first line that can be shown from its beginning. */
  async #firstLine() {
    const { position, line, column } = this.#bounds.from;
    if (column === 1) return { position, line };
    const after = await seek(this.#source, position, 1, this.#source.size);
    return { position: after.position, line: line + 1 };
  }

  /** Shows the columns around a hit in a line that does not fit. */
  async #cut(length: number): Promise<void> {
    const source = this.#source;
    const { most, from } = this.#bounds;
    const { line, lineStart, at } = this.#search;
    const lead = Math.max(0, Math.floor((most - length) / 2));
    const wanted = Math.max(lineStart, at - lead);
    const before = await columnsUpTo(source, lineStart, wanted);
    const first = this.#isInside(lineStart) ? from.column : 1;
    const column = first + before.columns;
    const { position: start } = before;
    this.lineEnd = await this.#search.lineEnd(start + most);
    const after = this.lineEnd ?? Infinity;
    const isOver = after - start <= most;
    const end = isOver ? after : await cutInside(source, start, start + most);
    const run = { ...runOf(start, end, line, 1, column), cut: true };
    if (isOver) return this.#put(run);
    const bytes = await source.copyOf(start, end);
    // Only one character, or the line ending, did not fit: show it anyway.
    const isWhole = end === source.size || endsWithFeed(source, bytes);
    if (isWhole) return this.#put(run);
    this.#put({ ...run, inside: column + await countUnits(source, bytes) });
    // A hit that the cut would divide belongs to the next page.
    this.cutAt = length === 0 ? end : Math.max(at + length, end - length + 1);
  }

  /** Moves the end of a page inside a line, so that it does not divide a hit. */
  async #endBeforeText(length: number): Promise<void> {
    const run = this.runs[0]!;
    const { at } = this.#search;
    if (length === 0 || at >= run.end) return;
    const bytes = await this.#source.copyOf(at, run.end);
    const inside = run.inside! - await countUnits(this.#source, bytes);
    this.runs[0] = { ...run, end: at, inside };
  }
}

function runOf(
  start: number,
  end: number,
  line: number,
  lines: number,
  column = 1,
): Run {
  return { start, end, line, lines, column, total: null, cut: false };
}

function sizeOf({ start, end }: Run): number {
  return end - start;
}
