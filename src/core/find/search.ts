import { CHUNK_BYTES, FIRST_CHUNK_BYTES } from "../base/limits.ts";
import type { Beginning, HitSearch, Matcher } from "../lines/hit_search.ts";
import { nextLine, seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { linesIn } from "../lines/scan.ts";

const LF = 0x0a;

/** If no more bytes than these are left in the buffer, they are searched together with the next chunk. The longest text has fewer. */
const MOST_LEFT = 8192;

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
