import type { HitSearch } from "../find/search.ts";
import { type Beginning, type CountedSpan, cutLine } from "../lines/locate.ts";
import { locateBlockOf } from "../lines/block.ts";
import {
  lineEndOf,
  linesBelow,
  nextLine,
  seek,
  seekBack,
} from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { countColumns, skipColumns } from "../lines/columns.ts";
import { decodeText } from "../lines/text.ts";
import { boundTokens } from "../base/tokens.ts";
import type { ReadFields } from "../read_options.ts";
import type { Gap, HitPlace } from "./page.ts";

/** A search, and the limits of what is shown of its hits. */
interface Scope {
  readonly source: Source;
  readonly search: HitSearch;
  readonly options: ReadFields;
  readonly from: Beginning;
  /** Whether the search begins inside a long line, of which only what is around each hit is shown. */
  readonly isInLong: boolean;
  /** Where the last line to search ends. */
  readonly last: number;
  /** The most bytes to show. */
  readonly most: number;
}

/** Lines after a hit. */
interface Below {
  readonly at: number;
  readonly line: number;
  readonly count: number;
}

/** Of a longer line, only the characters around each hit are shown. */
const LONG_LINE_BYTES = 1000;
/** The most bytes of a line ending. */
const ENDING_BYTES = 2;
const LF = 0x0a;
const CR = 0x0d;
/** How many bytes before and after a hit, unless these have too many tokens. */
const AROUND_HIT_BYTES = 140;

/** The most tokens to show for a hit in a long line, by a bound that is measured: some texts have a few more. */
const TOKENS_OF_HIT = 180;
/** So many bytes before and after a hit are always shown. */
const LEAST_AROUND = 20;
/** Of a long line before or after a hit, so many bytes are shown: no text has more tokens than bytes. */
const HEAD_BYTES = 200;

/** Runs of lines in order: those that touch are one. */
class RunList {
  readonly all: CountedSpan[] = [];
  #bytes = 0;

  /** How many bytes all have together. */
  get bytes(): number {
    return this.#bytes;
  }

  get last(): CountedSpan | undefined {
    return this.all.at(-1);
  }

  /** Adds a run that replaces the last `joined` ones. */
  put(run: CountedSpan, joined = 0): void {
    const replaced = this.all.splice(this.all.length - joined, joined, run);
    for (const one of replaced) this.#bytes -= bytesIn(one);
    this.#bytes += bytesIn(run);
  }

  /** Adds a run after the others, joined with the last one if it follows that. */
  append(run: CountedSpan): void {
    const { last } = this;
    const isNext = last?.end === run.start && last.endColumn === undefined &&
      run.endColumn === undefined;
    if (!isNext) return this.put(run);
    this.put({ ...last, end: run.end, lines: last.lines + run.lines }, 1);
  }

  /** Joins a run with those it touches, and says how many these are, and how many bytes all would have. They are the last ones, so only these are compared: there may be a million runs. */
  joinedWith(run: CountedSpan) {
    let { start, end, line, lines, column = 1 } = run;
    let joined = 0;
    let bytes = this.#bytes;
    for (let at = this.all.length - 1; at >= 0; at--, joined++) {
      const last = this.all[at]!;
      if (last.end < start) break;
      bytes -= bytesIn(last);
      const after = Math.max(line + lines, last.line + last.lines);
      if (last.start <= start) ({ start, line, column = 1 } = last);
      end = Math.max(end, last.end);
      lines = after - line;
    }
    const merged = { ...run, start, end, line, lines, column };
    return { merged, joined, bytes: bytes + bytesIn(merged) };
  }

  /** Ends the last run before a line, unless it ends before that, or inside a line. */
  endBeforeLine(lineStart: number, line: number): void {
    const { last } = this;
    if (last === undefined || last.end <= lineStart) return;
    if (last.endColumn !== undefined) return;
    const lines = line - last.line;
    this.put({ ...last, end: lineStart, lines }, 1);
  }
}

/** Whether the line of `at` is shown whole if it has a hit, on several pages if need be. */
export async function isShownWhole(
  source: Source,
  at: number,
  { wholeLines }: ReadFields,
): Promise<boolean> {
  if (wholeLines) return true;
  const floor = Math.max(0, at - LONG_LINE_BYTES);
  const { passed, last } = await seekBack(source, at, 1, floor);
  if (passed === 0 && floor > 0) return false;
  const most = (passed > 0 ? last : 0) + LONG_LINE_BYTES + ENDING_BYTES;
  return await lineEndOf(source, at, most) !== undefined;
}

/** Whether one of some lines is too long to be shown whole. */
async function hasLong(
  source: Source,
  start: number,
  end: number,
): Promise<boolean> {
  for (let at = start; end - at > LONG_LINE_BYTES;) {
    const next = await lineEndOf(source, at, end) ?? end;
    if (next - at > LONG_LINE_BYTES + ENDING_BYTES) return true;
    at = next;
    await source.yieldIfDue();
  }
  return false;
}

/** The lines from one position to another as runs: of each long line, the beginning. */
async function cutLong(
  source: Source,
  start: number,
  end: number,
  first: number,
): Promise<CountedSpan[]> {
  const runs: CountedSpan[] = [];
  let line = first;
  for (let at = start; at < end; line++) {
    const next = await lineEndOf(source, at, end) ?? end;
    const place = { position: at, line, column: 1 };
    runs.push(
      next - at > LONG_LINE_BYTES + ENDING_BYTES
        ? await cutLine(source, place, at + HEAD_BYTES)
        : { start: at, end: next, line, lines: 1, column: 1, total: null },
    );
    at = next;
    await source.yieldIfDue();
  }
  return runs;
}

/**
 * The lines of a page of hits, as runs that grow hit by hit. A line with a hit is
 * shown with the lines around it. Of a long line, only what is around each hit is
 * shown. A line that is shown whole, but does not fit even on an empty page, is
 * cut around its first hit, and the page ends in it.
 */
export class HitRuns {
  readonly runs = new RunList();
  /** The numbers of the lines with hits. */
  readonly lines: number[] = [];
  /** Where the hits are that were added: the first one of each line; of a long line, the first one of each run. */
  readonly places: HitPlace[] = [];
  /** Where the hits of long lines end; none if their length varies. */
  readonly ends: number[] = [];
  /** Where the hits in lines that take much of the page begin and end, by turns, so that the page does not end inside one. */
  readonly whole: number[] = [];
  /** The lines around hits that did not fit. */
  readonly left: Gap[] = [];
  /** Whether the page ends inside a line that is shown whole, so that its rest follows. */
  hasRest = false;
  readonly #scope: Scope;
  /** Where the line of the last hit ends, if it is shown to its end. */
  #lineEnd: number | undefined;
  /** Set if the page ends inside the line of the last hit: the first position at which a hit would not be whole on this page. */
  #cutAt: number | undefined;
  /** Where to look for the next hit in the line, if all are recorded. */
  #skipAt: number | undefined;
  /** The last of these places. */
  #wentOnAt = -1;
  /** The line whose hits are recorded. */
  #inLine: number | undefined;
  /** Whether of the line of the last hit only what is around its hits is shown. */
  #isPart = false;
  /** Where the first line begins that lies wholly in the search. */
  #floor: number | undefined;
  /** The lines after the last hit that are still to be added, since the next hit may be in one of them: the one before them holds `at`. */
  #below: Below | undefined;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Adds the hit that the search has found, with the lines around it; returns whether it fits. */
  async add(): Promise<boolean> {
    const { search } = this.#scope;
    const previous = this.places.at(-1);
    const isSame = previous?.line === search.line;
    if (!isSame) this.#isPart = false;
    await this.addBelow(search.line);
    if (!await this.#add()) return false;
    const isPart = this.#isPart;
    const { line, at, length } = search;
    // Where the length varies, a hit was found at each place where one may end.
    if (isPart && length > 0) this.ends.push(at + length);
    const isFirst = !isSame || isPart && previous.at < this.runs.last!.start;
    if (isFirst) this.places.push({ line, at, length, isPart });
    return true;
  }

  /** Moves the search to where the next hit may be that is to be added. With `isRest`, no hit is looked for after the end of the page but one that it divides. */
  async goOn(isRest: boolean): Promise<void> {
    const { search } = this.#scope;
    const to = this.#skipAt ?? this.#cutAt;
    if (to === undefined) return await search.skipLine(this.#lineEnd);
    const isLast = isRest && this.hasRest;
    search.skipTo(to, isLast ? to + 2 * search.length : undefined);
  }

  async #add(): Promise<boolean> {
    const { source, search, most } = this.#scope;
    const { line, lineStart, at, length } = search;
    this.#skipAt = undefined;
    const shown = this.runs.last;
    const isShown = this.#inLine === line && shown !== undefined &&
      at + length <= shown.end;
    if (isShown) {
      this.#goOnInLine();
      return true;
    }
    if (this.#cutAt !== undefined) {
      await this.#endBeforeHit();
      return false;
    }
    if (await this.#isLong()) return await this.#addPart();
    const left = most - this.runs.bytes;
    const from = Math.max(lineStart, shown?.end ?? 0);
    const end = this.#lineEnd = await lineEndOf(source, at, from + left);
    if (end !== undefined && end - from <= left) {
      return await this.#addWhole(end);
    }
    if (shown !== undefined) return false;
    await this.#addCut();
    return true;
  }

  /** Adds the line of the hit, which ends at `end`, and the lines around it. */
  async #addWhole(end: number): Promise<boolean> {
    const { source, search, last, most, options } = this.#scope;
    const { line, lineStart } = search;
    const [before, after] = await this.#margins();
    const above = await this.#above(before, 0);
    const below = await linesBelow(source, end, after, last);
    const mayHaveLong = options.match !== undefined && !options.wholeLines;
    const isAmongLong = mayHaveLong &&
      (await hasLong(source, above.start, lineStart) ||
        await hasLong(source, end, below.end));
    const run = isAmongLong
      ? this.#runOf({ start: lineStart, lines: 0 }, { end, lines: 0 })
      : this.#runOf(above, below);
    if (isAmongLong) {
      if (this.runs.joinedWith(run).bytes > most) return false;
      await this.#addAbove(above, most - bytesIn(run));
      this.#below = { at: search.at, line: line + 1, count: after };
    }
    const { merged, joined, bytes } = this.runs.joinedWith(run);
    if (bytes > most) {
      if (this.runs.last !== undefined) return false;
      const fewer = await this.#shrunk(run, end);
      this.runs.put(fewer);
      const above = fewer.line - run.line;
      this.#leaveOut(run.line, above, fewer.start - run.start);
      const below = run.lines - above - fewer.lines;
      const next = fewer.line + fewer.lines;
      this.#leaveOut(next, below, run.end - fewer.end);
    } else this.runs.put(merged, joined);
    this.lines.push(line);
    // A page that is shortened may end inside a line that takes much of it.
    const isLarge = (end - lineStart) > most >> 2;
    if (isLarge && options.match !== undefined) this.#goOnInLine();
    await source.yieldIfDue();
    return true;
  }

  /** Adds a line that does not fit even on an empty page: a part of it. */
  async #addCut(): Promise<void> {
    const { source, search: { line, lineStart }, last } = this.#scope;
    await this.#cut();
    this.hasRest = this.#cutAt !== undefined;
    const [before, after] = await this.#margins();
    const above = await this.#above(before, 0);
    this.#leaveOut(line - above.lines, above.lines, lineStart - above.start);
    if (this.hasRest) return;
    const from = this.runs.last!.end;
    const below = await linesBelow(source, from, after, last);
    this.#leaveOut(line + 1, below.lines, below.end - from);
  }

  /** Whether the line of the hit is too long to be shown whole. */
  async #isLong(): Promise<boolean> {
    const { source, search, options, isInLong } = this.#scope;
    const { at, length, lineStart } = search;
    if (options.match === undefined || options.wholeLines) return false;
    // The search goes on inside a line that was too long.
    if (this.#column > 1) return isInLong;
    const limit = lineStart + LONG_LINE_BYTES;
    if (at > limit) return true;
    const end = await lineEndOf(
      source,
      at,
      Math.max(at + length, limit + ENDING_BYTES),
    );
    if (end === undefined) return true;
    if (end <= limit) return false;
    const tail = await source.copyOf(end - ENDING_BYTES, end);
    const ending = tail[1] !== LF ? 0 : tail[0] === CR ? 2 : 1;
    return end - ending > limit;
  }

  /** Adds the characters around a hit in a long line. */
  async #addPart(): Promise<boolean> {
    this.#isPart = true;
    const { search, most } = this.#scope;
    const { line, lineStart, at, length } = search;
    const { last } = this.runs;
    const isSame = this.#inLine === line && last !== undefined;
    const base = isSame && last.endColumn !== undefined
      ? { position: last.end, column: last.endColumn }
      : { position: lineStart, column: this.#column };
    const around = await this.#bytesAround(base.position);
    if (!isSame) await this.#addAround(around);
    // A hit of varying length is known by its end, so more is shown before that.
    const shift = length === 0 ? around >> 1 : 0;
    const own = await this.#partOf(
      base,
      at - around - shift,
      (start) => Math.max(at, start) + length + around - shift,
    );
    const isJoined = isSame && own.start === last.end;
    const part = isJoined
      ? { ...own, start: last.start, column: last.column! }
      : own;
    const replaced = isJoined ? bytesIn(last) : 0;
    if (this.runs.bytes - replaced + bytesIn(part) > most) {
      const start = this.#hitStart;
      if (last !== undefined) {
        if (isSame && start < last.end) await this.#endAt(start);
        return false;
      }
      await this.#cut();
    } else {
      this.runs.put(part, isJoined ? 1 : 0);
      if (this.lines.at(-1) !== line) this.lines.push(line);
      this.#lineEnd = part.endColumn === undefined ? part.end : undefined;
    }
    // The part may hold other hits.
    this.#goOnInLine();
    return true;
  }

  /** A part of the line of the hit, from the last character that begins at `from` or before up to a limit that depends on where it begins; `base` is a place before it in the line. */
  async #partOf(
    base: { readonly position: number; readonly column: number },
    from: number,
    limitOf: (start: number) => number,
  ): Promise<CountedSpan> {
    const { source, search: { line, at } } = this.#scope;
    const until = Math.max(base.position, from);
    const way = await skipColumns(source, base.position, Infinity, { until });
    const { position } = way;
    const column = base.column + way.columns;
    const limit = limitOf(position);
    const end = await lineEndOf(source, at, limit);
    return end !== undefined && end <= limit
      ? { start: position, end, line, lines: 1, column, total: null }
      : await cutLine(source, { position, line, column }, limit);
  }

  /** Adds the lines above the hit that are not shown yet, as many as fit: the nearest ones. */
  async #addAbove(
    { start, lines }: Pick<CountedSpan, "start" | "lines">,
    room: number,
  ): Promise<void> {
    const { source, search: { line, lineStart } } = this.#scope;
    const shown = this.runs.last;
    const isCut = shown?.endColumn !== undefined;
    const end = isCut ? await nextLine(source, shown.end) : shown?.end ?? 0;
    const isBelow = end > start;
    const first = isBelow ? shown!.line + shown!.lines : line - lines;
    const from = isBelow ? end : start;
    const runs = from < lineStart
      ? await cutLong(source, from, lineStart, first)
      : [];
    this.#addFitting(runs, room, true);
  }

  /** Adds the lines above a hit in a long line, and has those below it added later. */
  async #addAround(around: number): Promise<void> {
    const { search: { line, at, length }, most } = this.#scope;
    const [before, after] = await this.#margins();
    if (before > 0) {
      const above = await this.#above(before, 0);
      await this.#addAbove(above, most - 2 * around - length);
    }
    this.#below = { at, line: line + 1, count: after };
  }

  /** Adds the lines after the last hit that come before a line, as many as fit. */
  async addBelow(end: number): Promise<void> {
    const { source, last, most } = this.#scope;
    const { at, line, count } = this.#below ?? { at: 0, line: 0, count: 0 };
    // In its own line, there may be more hits. After a line that the page ends in, nothing
    // follows.
    if (this.#below === undefined || this.#cutAt !== undefined) return;
    if (end < line) return;
    this.#below = undefined;
    const shown = this.runs.last!;
    const after = shown.line + shown.lines;
    // The lines after an earlier hit may be among these.
    const isShown = shown.endColumn === undefined && after > line;
    const first = isShown ? after : line;
    const wanted = Math.min(line + count, end) - first;
    if (wanted <= 0) return;
    const from = isShown ? shown.end : await nextLine(source, at);
    const below = await linesBelow(source, from, wanted, last);
    const runs = await cutLong(source, from, below.end, first);
    this.#addFitting(runs, most, false);
  }

  /** Adds consecutive lines up to so many bytes of the page: if not all, the last ones above a hit, and the first ones below it. */
  #addFitting(
    lines: readonly CountedSpan[],
    most: number,
    isAbove: boolean,
  ): void {
    let left = most - this.runs.bytes;
    const isTooMuch = (run: CountedSpan) => (left -= bytesIn(run)) < 0;
    const over = isAbove
      ? lines.findLastIndex(isTooMuch)
      : lines.findIndex(isTooMuch);
    const [kept, out] = isAbove
      ? [lines.slice(over + 1), lines.slice(0, over + 1)]
      : over < 0
      ? [lines, []]
      : [lines.slice(0, over), lines.slice(over)];
    const bytes = out.reduce((sum, run) => sum + bytesIn(run), 0);
    this.#leaveOut(out[0]?.line ?? 0, out.length, bytes);
    for (const run of kept) this.runs.append(run);
  }

  /** Where the hit begins. If the length of hits varies, only its end is known: then the end of the one before, in the same line. */
  get #hitStart(): number {
    const { search: { line, lineStart, at, length } } = this.#scope;
    if (length > 0) return at;
    const before = this.#inLine === line ? this.whole.at(-1) : undefined;
    return Math.max(lineStart, before ?? 0);
  }

  /** Records the hit, and goes on in its line, after the end of the hit. */
  #goOnInLine(): void {
    const { source, search: { line, lineStart, at, length } } = this.#scope;
    const { whole } = this;
    const [start, end] = [this.#hitStart, at + length];
    // A pattern may match at each byte. No page ends inside a byte, but the last hit counts.
    const isByte = whole.length > 0 && whole.at(-1)! - whole.at(-2)! <= 1;
    if (isByte) whole.length -= 2;
    whole.push(start, end);
    this.#inLine = line;
    // An empty hit must not be found again.
    const next = end > Math.max(lineStart, this.#wentOnAt)
      ? end
      : end + source.feedLength;
    if (this.#lineEnd !== undefined && next >= this.#lineEnd) return;
    this.#skipAt = this.#wentOnAt = next;
  }

  /** How many bytes to show before and after a hit in a long line, from `least` on: fewer if they have many tokens. */
  async #bytesAround(least: number): Promise<number> {
    const { source, search: { at, length } } = this.#scope;
    let around = AROUND_HIT_BYTES;
    // A text has at most as many tokens as bytes.
    while (2 * around + length > TOKENS_OF_HIT && around > LEAST_AROUND) {
      const start = Math.max(least, at - around);
      const end = Math.min(source.size, at + length + around);
      const bytes = await source.copyOf(start, end);
      const { text } = await decodeText(source, bytes, false);
      const tokens = boundTokens(text);
      if (tokens <= TOKENS_OF_HIT) break;
      around = Math.floor(around * Math.min(0.9, TOKENS_OF_HIT / tokens));
    }
    return around;
  }

  /** The run of the hit's line, and of lines above and below it. */
  #runOf(
    above: Pick<CountedSpan, "start" | "lines">,
    below: Pick<CountedSpan, "end" | "lines">,
  ): CountedSpan {
    const { line } = this.#scope.search;
    const bounds = { start: above.start, end: below.end, column: this.#column };
    const lines = above.lines + 1 + below.lines;
    const first = line - above.lines;
    return { ...bounds, line: first, lines, total: null };
  }

  /** Shortens a run that is too long: keeps as many lines as fit around the line of the hit, which ends at `end`. */
  async #shrunk(run: CountedSpan, end: number): Promise<CountedSpan> {
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

  #leaveOut(start: number, lines: number, bytes: number): void {
    if (lines > 0) this.left.push({ start, end: start + lines - 1, bytes });
  }

  /** How many lines to show before and after the hit. */
  async #margins(): Promise<readonly [before: number, after: number]> {
    const { source, search, options } = this.#scope;
    const { before = 0, after = 0, block } = options;
    const { line: anchor, lineStart } = search;
    if (!block || this.#column > 1) return [before, after];
    const { line, lines } = await locateBlockOf(
      source,
      lineStart,
      anchor,
      block,
    );
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

  /** Shows only what fits around a hit. */
  async #cut(): Promise<void> {
    const { source, search, most } = this.#scope;
    const { line, lineStart, at, length } = search;
    // An empty hit at the end of the file is shown with the character before it.
    const least = at === source.size ? 1 : 0;
    const lead = Math.max(least, Math.floor((most - length) / 2));
    const part = await this.#partOf(
      { position: lineStart, column: this.#column },
      at - lead,
      (start) => start + most,
    );
    this.runs.put(part);
    this.lines.push(line);
    this.#lineEnd = part.endColumn === undefined ? part.end : undefined;
    if (this.#lineEnd !== undefined) return;
    // From `part.end - length + 1` on, the end of the page would divide a hit, which then
    // belongs to the next page.
    const after = Math.max(at + length, part.end - length + 1);
    this.#cutAt = length === 0 ? part.end : after;
  }

  /** Ends the page before a hit that the end of the page would divide. */
  async #endBeforeHit(): Promise<void> {
    const { length, line } = this.#scope.search;
    // If the length of hits varies, the hit begins where that before it ended, or later.
    const isKnown = length > 0 || this.#inLine === line;
    const start = this.#hitStart;
    if (isKnown && start < this.runs.last!.end) await this.#endAt(start);
  }

  /** Ends the last run inside its last line. */
  async #endAt(end: number): Promise<void> {
    const { source } = this.#scope;
    const run = this.runs.last!;
    const bytes = await source.copyOf(end, run.end);
    const endColumn = run.endColumn! - await countColumns(source, bytes);
    this.runs.put({ ...run, end, endColumn }, 1);
  }
}

function bytesIn({ start, end }: CountedSpan): number {
  return end - start;
}
