// Runtime-agnostic.
import type { Beginning, HitSearch } from "../lines/locate.ts";
import { locateBlockOf } from "../lines/block.ts";
import { lineEndOf, linesBelow, seek, seekBack } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { countColumns, skipColumns } from "../lines/columns.ts";
import type { HitSelection } from "./hits.ts";
import { cutLine, type Run } from "./locate_page.ts";

/** A search, and the limits of what is shown of its hits. */
interface Scope {
  readonly source: Source;
  readonly search: HitSearch;
  readonly selection: HitSelection;
  readonly from: Beginning;
  /** Where the last line to search ends. */
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
  /** Set if the page ends inside the line of the last hit: the first position at which a hit would not be whole on this page. */
  cutAt: number | undefined;
  /** Whether a part of the first hit's line, or lines around it, are left out: all together exceed the most bytes. */
  isShrunk = false;
  readonly #scope: Scope;
  #used = 0;
  /** Where the first line begins that lies wholly in the search. */
  #floor: number | undefined;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Adds the hit that the search has found, with the lines around it; returns whether it fits. */
  async add(): Promise<boolean> {
    const { source, search, last, most } = this.#scope;
    if (this.cutAt !== undefined) {
      await this.#endBeforeHit();
      return false;
    }
    const { line, lineStart } = search;
    const left = most - this.#used;
    const shown = this.runs.at(-1);
    const from = Math.max(lineStart, shown?.end ?? 0);
    const end = await lineEndOf(source, search.at, from + left);
    this.lineEnd = end;
    if (end === undefined || end - from > left) {
      if (shown !== undefined) return false;
      this.lines.push(line);
      this.isShrunk = true;
      await this.#cut();
      return true;
    }
    const [before, after] = await this.#margins();
    const above = await this.#above(before, 0);
    const below = await linesBelow(source, end, after, last);
    const run = this.#runOf(above, below);
    const [merged, joined, used] = this.#merge(run);
    if (used > most) {
      if (shown !== undefined) return false;
      this.isShrunk = true;
      this.#put(await this.#shrunk(run, end));
    } else this.#put(merged, joined, used);
    this.lines.push(line);
    await source.yieldIfDue();
    return true;
  }

  /** Ends the page before the line of a hit that does not fit. */
  endBeforeLine(lineStart: number, line: number): void {
    const last = this.runs.at(-1);
    if (last === undefined || last.end <= lineStart) return;
    // The page already ends inside a line.
    if (last.endColumn !== undefined) return;
    const lines = line - last.line;
    this.runs[this.runs.length - 1] = { ...last, end: lineStart, lines };
  }

  /** Adds a run that replaces the last `joined` ones; all runs then have `used` bytes. */
  #put(run: Run, joined = 0, used = sizeOf(run)): void {
    this.#used = used;
    this.runs.splice(this.runs.length - joined, joined, run);
  }

  /** Joins a run with those it touches. These are the last ones, so only they are compared: there may be a million runs. */
  #merge(run: Run): [merged: Run, joined: number, used: number] {
    let { start, end, line, lines, column = 1 } = run;
    let joined = 0;
    let used = this.#used;
    for (let at = this.runs.length - 1; at >= 0; at--, joined++) {
      const last = this.runs[at]!;
      if (last.end < start) break;
      used -= sizeOf(last);
      const after = Math.max(line + lines, last.line + last.lines);
      if (last.start <= start) ({ start, line, column = 1 } = last);
      end = Math.max(end, last.end);
      lines = after - line;
    }
    const merged = { ...run, start, end, line, lines, column };
    return [merged, joined, used + sizeOf(merged)];
  }

  /** The run of the hit's line, and of lines above and below it. */
  #runOf(
    above: Pick<Run, "start" | "lines">,
    below: Pick<Run, "end" | "lines">,
  ): Run {
    const { line } = this.#scope.search;
    const bounds = { start: above.start, end: below.end, column: this.#column };
    const lines = above.lines + 1 + below.lines;
    const first = line - above.lines;
    return { ...bounds, line: first, lines, total: null, cut: false };
  }

  /** Shortens a run that is too long: keeps as many lines as fit around the line of the hit, which ends at `end`. */
  async #shrunk(run: Run, end: number): Promise<Run> {
    const { source, search: { line, lineStart }, most } = this.#scope;
    const before = line - run.line;
    const after = run.lines - before - 1;
    const room = most - (end - lineStart);
    // Give half of the room to the lines below. What they do not need goes to the lines
    // above, and what is then left, to those below.
    const half = end + Math.floor(room / 2);
    const fewer = await linesBelow(source, end, after, half);
    const floor = Math.max(0, lineStart - (room - (fewer.end - end)));
    const above = await this.#above(before, floor);
    const below = await linesBelow(source, end, after, above.start + most);
    return this.#runOf(above, below);
  }

  /** How many lines to show before and after the hit. */
  async #margins(): Promise<readonly [before: number, after: number]> {
    const { source, search, selection } = this.#scope;
    const { before = 0, after = 0, block } = selection;
    const { line: anchor, lineStart } = search;
    if (!block || this.#column > 1) return [before, after];
    const { line, lines } = await locateBlockOf(source, lineStart, {
      kind: "block",
      anchor,
      maxLevels: 1,
      siblings: false,
      header: true,
      count: MAX_BLOCK_LINES,
    });
    if (!line || !lines) return [0, 0];
    // The block of a blank line may be only above or only below it.
    return [Math.max(0, anchor - line), Math.max(0, line + lines - 1 - anchor)];
  }

  /** The column where the line of the hit is shown from: 1, unless the search began inside it. */
  get #column(): number {
    const { from, search: { lineStart } } = this.#scope;
    return lineStart === from.position ? from.column : 1;
  }

  /** Finds where a number of lines above the hit begin: not before the search, and not before `least`. */
  async #above(count: number, least: number) {
    const { source, search: { lineStart }, from } = this.#scope;
    const none = { start: lineStart, lines: 0 };
    if (count === 0 || this.#column > 1) return none;
    this.#floor ??= from.column === 1
      ? from.position
      : (await seek(source, from.position, 1, source.size)).position;
    const floor = Math.max(this.#floor, least);
    if (lineStart <= floor) return none;
    // The first line feed ends the line above, so `count` lines need one more.
    const reach = await seekBack(source, lineStart, count + 1, floor);
    if (reach.passed > count) return { start: reach.last, lines: count };
    // The first line of the file has no line feed before it.
    if (floor === 0) return { start: 0, lines: reach.passed };
    return { start: reach.last, lines: reach.passed - 1 };
  }

  /** Shows the columns around a hit in a line that does not fit. */
  async #cut(): Promise<void> {
    const { source, search, most } = this.#scope;
    const { line, lineStart, at, length } = search;
    // An empty hit at the end of the file is shown with the character before it.
    const least = at === source.size ? 1 : 0;
    const lead = Math.max(least, Math.floor((most - length) / 2));
    const until = { until: Math.max(lineStart, at - lead) };
    const before = await skipColumns(source, lineStart, Infinity, until);
    const { position } = before;
    const column = this.#column + before.columns;
    const limit = position + most;
    const end = this.lineEnd = await lineEndOf(source, at, limit);
    if (end !== undefined && end <= limit) {
      const bounds = { start: position, end, total: null, cut: true };
      return this.#put({ ...bounds, line, lines: 1, column });
    }
    const part = await cutLine(source, { position, line, column }, limit);
    this.#put(part);
    if (part.endColumn === undefined) return;
    // From `part.end - length + 1` on, the end of the page would divide a hit, which then
    // belongs to the next page.
    const after = Math.max(at + length, part.end - length + 1);
    this.cutAt = length === 0 ? part.end : after;
  }

  /** Ends the page before a hit that the end of the page would divide. */
  async #endBeforeHit(): Promise<void> {
    const { source, search: { at, length } } = this.#scope;
    const run = this.runs[0]!;
    if (length === 0 || at >= run.end) return;
    const bytes = await source.copyOf(at, run.end);
    const endColumn = run.endColumn! - await countColumns(source, bytes);
    this.runs[0] = { ...run, end: at, endColumn };
  }
}

function sizeOf({ start, end }: Run): number {
  return end - start;
}
