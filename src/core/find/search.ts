import { CHUNK_BYTES, FIRST_CHUNK_BYTES } from "../base/limits.ts";
import type { Beginning } from "../lines/locate.ts";
import { nextLine, seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { linesIn, type NewlineKernel } from "../lines/scan.ts";

const LF = 0x0a;

/** If no more bytes than these are left in the buffer, they are searched together with the next chunk. The longest text has fewer. */
const MOST_LEFT = 8192;

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
  /** Continues inside the line of the hit; a search that begins with a rest of a line, and is in that, ends at `end`. */
  skipTo(position: number, end?: number): void;
  /** Counts the lines that hold further hits. */
  countOn(): Promise<number>;
}

/** Begins a search from a position, up to another. */
export type BeginSearch = (
  source: Source,
  from: Beginning,
  limit: number,
) => HitSearch;

/** What a search looks at: a file, or the text of one. */
export interface Searched extends Pick<Source, "kernel" | "yieldIfDue"> {
  /** Where the bytes in the buffer begin and end. */
  readonly start: number;
  readonly end: number;
  /** Where the search ends; `Infinity` while that is unknown. */
  readonly limit: number;
  /** How many bytes are searched at first, and later, at a time. */
  readonly chunks: { readonly first: number; readonly most: number };
  /** Loads `[from, to)`, or all up to the limit, and forgets what is before; others may be held, too. */
  hold(from: number, to: number): Promise<void> | undefined;
  byteBefore(position: number): Promise<number | undefined>;
  /** Where the line after that of `position` begins. */
  nextLine(position: number): Promise<number>;
}

/** Begins a search for a text or a pattern in a file. */
export function searchText(
  source: Source,
  matcher: Matcher,
  from: Beginning,
  limit: number,
): HitSearch {
  const file: Searched = {
    get kernel() {
      return source.kernel;
    },
    get start() {
      return source.start;
    },
    get end() {
      return source.end;
    },
    limit,
    chunks: { first: FIRST_CHUNK_BYTES, most: CHUNK_BYTES },
    hold: (begin, to) => source.hold(begin, Math.min(to, limit)),
    byteBefore: async (position) =>
      (await source.piece(position - 1, position))[0],
    nextLine: (position) => nextLine(source, position),
    yieldIfDue: () => source.yieldIfDue(),
  };
  return searchIn(file, matcher, from);
}

/** Begins a search for a text or a pattern. */
export function searchIn(
  text: Searched,
  matcher: Matcher,
  { position, line, column }: Beginning,
): HitSearch {
  const { first, most: mostAtOnce } = text.chunks;
  let chunk = first;
  /** Whether the search continues inside a line. */
  let isInside = column > 1;

  /** How far to search: the end of the buffer, or of another chunk. */
  function endOfPart(): number {
    const { start, end } = text;
    const isHeld = position >= start && end - position > MOST_LEFT;
    const to = isHeld ? end : position + chunk;
    if (!isHeld) chunk = mostAtOnce;
    return to;
  }

  /** Moves to a position that the buffer holds, and counts the lines up to it. */
  function moveTo(to: number): void {
    const { kernel, start } = text;
    const from = position - start;
    const feeds = kernel.count(from, to - start);
    if (feeds > 0) {
      search.line += feeds;
      search.lineStart = start + kernel.nthLast(from, to - start, 1) + 1;
    }
    search.at = position = to;
  }

  /** Moves to the next hits, at most `most`, each in another line; returns how many. */
  async function pass(most: number): Promise<number> {
    let hits = 0;
    if (isInside) {
      // A pattern may ask whether a word begins here.
      matcher.begin(await text.byteBefore(position));
      isInside = false;
    }
    while (position < text.limit) {
      const part = endOfPart();
      const loading = text.hold(position, part);
      if (loading !== undefined) await loading;
      const { kernel, start, limit } = text;
      const to = Math.min(part, limit);
      const end = to - start;
      let at = position - start;
      /** Whether the line of the last hit ends beyond the part. */
      let isLineOpen = false;
      while (at < end) {
        const found = matcher.feed(kernel, at, end, to === limit);
        at = found < 0 ? ~found : found;
        // No line begins after the last line feed of the file.
        if (found < 0 || at === end && kernel.buffer[at - 1] === LF) break;
        hits++;
        if (hits === most) break;
        const feed = at < end ? kernel.nth(at, end, 1) : -1;
        isLineOpen = feed < 0;
        if (isLineOpen) break;
        matcher.begin();
        at = feed + 1;
      }
      // The matcher needs more bytes than it was given.
      if (start + at === position) chunk = mostAtOnce;
      moveTo(start + at);
      if (hits === most) break;
      if (isLineOpen) await search.skipLine();
      const yielding = text.yieldIfDue();
      if (yielding !== undefined) await yielding;
    }
    return hits;
  }

  const search = {
    length: matcher.length,
    line,
    lineStart: position,
    at: -1,
    get lines(): number {
      return search.lineStart < text.limit ? search.line : search.line - 1;
    },
    async next(): Promise<boolean> {
      return await pass(1) > 0;
    },
    countOn: (): Promise<number> => pass(Infinity),
    async skipLine(end?: number): Promise<void> {
      position = end ?? await text.nextLine(search.at);
      search.lineStart = position;
      search.line++;
      isInside = false;
      matcher.begin();
    },
    skipTo(to: number): void {
      position = to;
      isInside = true;
    },
  };
  matcher.begin();
  return search;
}

/** Begins a visit of lines by their numbers: hits that another tool has found. */
export function visitLines(
  source: Source,
  numbers: readonly number[],
  { position, line }: Beginning,
  limit: number,
): HitSearch {
  /** The lines that are left, in reverse order. */
  const left = [...new Set(numbers.filter((number) => number >= line))]
    .sort((one, other) => other - one);
  const search = {
    length: 0,
    line,
    lineStart: position,
    at: position,
    lines: null as number | null,
    async next(): Promise<boolean> {
      const number = left.pop();
      if (number === undefined) return false;
      const feeds = number - search.line;
      const reach = await seek(source, position, feeds, limit);
      if (reach.passed < feeds || reach.position >= limit) {
        // This line does not exist, and so none after it.
        left.length = 0;
        if (limit < source.size) return false;
        const passed = search.line - 1 + reach.passed;
        // After the last line, `passed` counts it even without a line feed.
        const isPast = position === source.size;
        search.lines = isPast ? passed : await linesIn(source, passed);
        return false;
      }
      position = reach.position;
      if (feeds > 0) search.lineStart = search.at = position;
      search.line = number;
      return true;
    },
    async countOn(): Promise<number> {
      let count = 0;
      while (await search.next()) count++;
      return count;
    },
    async skipLine(end?: number): Promise<void> {
      position = end ?? await nextLine(source, search.at);
      search.lineStart = search.at = position;
      search.line++;
    },
    skipTo(to: number): void {
      position = to;
    },
  };
  return search;
}

/** A search that begins with the rest of a line that the page before cut, as a hit. */
export function restFirst(
  source: Source,
  beginSearch: BeginSearch,
  from: Beginning,
  limit: number,
): HitSearch {
  const { line, position } = from;
  let isBegun = false;
  /** The search after the rest, or inside it. */
  let after: HitSearch | undefined;
  const search = {
    length: beginSearch(source, from, limit).length,
    line,
    lineStart: position,
    at: position,
    get lines() {
      return after?.lines ?? null;
    },
    async next(): Promise<boolean> {
      if (!isBegun) return isBegun = true;
      if (after === undefined) await search.skipLine();
      const isFound = await after!.next();
      const { length, line: own, at } = after!;
      const lineStart = own === line ? position : after!.lineStart;
      Object.assign(search, { length, line: own, lineStart, at });
      return isFound;
    },
    async skipLine(end?: number): Promise<void> {
      if (after !== undefined) return await after.skipLine(end);
      const position = end ?? await nextLine(source, from.position);
      const next = { position, line: line + 1, column: 1 };
      after = beginSearch(source, next, limit);
    },
    skipTo(to: number, end = limit): void {
      if (after !== undefined) return after.skipTo(to);
      const inside = { position: to, line, column: 2 };
      after = beginSearch(source, inside, Math.min(limit, end));
    },
    async countOn(): Promise<number> {
      if (after === undefined) await search.skipLine();
      return await after!.countOn();
    },
  };
  return search;
}

/** A search that has passed all hits, and goes again through the last lines with hits. */
export async function lastHits(
  search: HitSearch,
  most: number,
  searchInLine: (from: Beginning) => Promise<HitSearch>,
) {
  const found: Pick<HitSearch, "line" | "lineStart" | "at" | "length">[] = [];
  let count = 0;
  while (await search.next()) {
    const { line, lineStart, at, length } = search;
    found.push({ line, lineStart, at, length });
    if (found.length > 2 * most) found.splice(0, most);
    count++;
    await search.skipLine();
  }
  const last = found.slice(-most).values();
  /** Where to look for another hit in the line. */
  let resume: number | undefined;
  /** The search for those. */
  let inLine: HitSearch | undefined;
  const again = {
    length: search.length,
    line: 0,
    lineStart: 0,
    at: 0,
    lines: search.lines,
    async next(): Promise<boolean> {
      if (resume !== undefined) {
        const { line } = again;
        if (inLine !== undefined) inLine.skipTo(resume);
        else inLine = await searchInLine({ position: resume, line, column: 2 });
        resume = undefined;
        if (await inLine.next()) {
          const { at, length } = inLine;
          Object.assign(again, { at, length });
          return true;
        }
      }
      inLine = undefined;
      const { value } = last.next();
      if (value !== undefined) Object.assign(again, value);
      return value !== undefined;
    },
    skipLine(): Promise<void> {
      resume = undefined;
      return Promise.resolve();
    },
    skipTo(position: number): void {
      resume = position;
    },
    countOn: () => Promise.resolve([...last].length),
  };
  // How many lines come before the last ones.
  return { search: again, before: Math.max(0, count - most) };
}
