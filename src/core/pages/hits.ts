import { type Call, runInSteps } from "../base/call.ts";
import { ReadFileError, refuseArgument } from "../base/errors.ts";
import { matcherOf } from "../find/query.ts";
import { searchDecoded } from "../find/decoded.ts";
import { searchText, visitLines } from "../find/search.ts";
import type {
  Beginning,
  BeginSearch,
  HitSearch,
  Matcher,
} from "../lines/hit_search.ts";
import { BEGINNING } from "../lines/line_index.ts";
import { begin, continueAt, countOn, mostBytes } from "../lines/locate.ts";
import type {
  CountedSpan,
  LineBeginning,
  LocateOptions,
} from "../lines/locate.ts";
import { afterRun, readRun, type Run } from "../lines/run.ts";
import { lineEndOf, nextLine, seek, seekBack } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import type { ReadFields } from "../read_options.ts";
import type { Found, Gap, HitPlace, Hits } from "./page.ts";
import { ENDING_BYTES, HitRuns, LONG_LINE_BYTES } from "./hit_runs.ts";

/** Makes the matcher of a call; `undefined` for hits that another tool has found. */
export async function makeMatcher(
  options: ReadFields,
  call: Call,
): Promise<Matcher | undefined> {
  if (options.match === undefined) return undefined;
  const steps = matcherOf(options, refuseArgument(call.path));
  return await runInSteps(steps, call);
}

/** Reads the lines that match, or that have the given numbers, and lines around them, as many as fit; `at` is the byte where the search begins, if that is known. */
export async function readHits(
  source: Source,
  matcher: Matcher | undefined,
  options: LocateOptions,
  at?: number,
): Promise<Found> {
  const beginSearch = searchOf(source, matcher, options);
  const { start = 1, column = 1 } = options;
  const from = at === undefined
    ? await begin(source, { start, column })
    : continueAt(source, at, { start, column });
  const isInside = matcher !== undefined && from.column > 1;
  const isWhole = isInside &&
    await isShownWhole(source, from.position, options);
  // Only a line with a hit is cut at the end of a page of hits.
  const isRest = at !== undefined && isWhole;
  const rest = { isCut: false };
  const located = await locateHits(
    source,
    isRest ? restFirst(beginSearch, rest) : beginSearch,
    options,
    from,
    { rest, isRest, isInLong: isInside && !isWhole },
  );
  const { count, exact, lines, more, total, left, places, end } = located;
  const runs: Run[] = [];
  for (const span of located.runs) {
    runs.push(await readRun(source, span, options));
    const yielding = source.yieldIfDue();
    if (yielding !== undefined) await yielding;
  }
  const last = runs.at(-1);
  const gaps = gapsOf(runs, left);
  const inside = inOneLine(runs, places);
  const isOtherCase = options.saysOtherCase === true && count === 0 &&
    await hasOtherCase(source, options, from, end);
  return {
    runs,
    total,
    next: more && last !== undefined ? afterRun(last, source.size) : null,
    hits: {
      count,
      exact,
      lines,
      gaps,
      ...inside,
      ...(isOtherCase && { otherCase: true }),
    },
    from,
    places: matcher === undefined ? [] : places,
    isMissed: matcher?.isAscii === false && count === 0,
    whole: located.hits,
  };
}

function searchOf(
  { codec }: Source,
  matcher: Matcher | undefined,
  { lines = [] }: ReadFields,
): BeginSearch {
  if (matcher === undefined) {
    return (source, ...range) => visitLines(source, lines, ...range);
  }
  return codec === undefined
    ? (source, ...range) => searchText(source, matcher, ...range)
    : (source, ...range) => searchDecoded(source, codec, matcher, ...range);
}

/** How far a line is looked for that matches in another case. */
const MOST_OTHER_CASE_BYTES = 256 * 1024;

/** Whether a line that was searched matches if the case of letters is ignored. */
async function hasOtherCase(
  source: Source,
  options: LocateOptions,
  from: LineBeginning,
  last: number,
): Promise<boolean> {
  const { match = "", ignoreCase, etag } = options;
  if (ignoreCase || etag !== undefined || !/\p{L}/u.test(match)) return false;
  const { call } = source;
  const steps = matcherOf(
    { ...options, ignoreCase: true },
    refuseArgument(call.path),
  );
  let matcher: Matcher;
  try {
    matcher = await runInSteps(steps, call);
  } catch (error) {
    // With both cases, the pattern may be too large.
    call.check();
    if (error instanceof ReadFileError) return false;
    throw error;
  }
  const most = Math.min(last, from.position + MOST_OTHER_CASE_BYTES);
  return await searchOf(source, matcher, options)(source, from, most).next();
}

/** Locates the lines with hits, and the lines around them, as many as fit. */
async function locateHits(
  source: Source,
  beginSearch: BeginSearch,
  options: LocateOptions,
  from: LineBeginning,
  { rest, isRest, isInLong }: {
    readonly rest: { isCut: boolean };
    readonly isRest: boolean;
    readonly isInLong: boolean;
  },
) {
  const { start = 1, end, limit = Infinity, tail } = options;
  // With a `limit`, the search ends there, so that the hits after it are not counted. A
  // page with an `etag` follows another one, which has counted the hits.
  const counts = options.countLines === true ||
    options.limit === undefined && options.etag === undefined;
  const { size } = source;
  const asked = (end ?? Infinity) - start + 1;
  /** Where the last line to search ends. */
  const last = asked < Number.MAX_SAFE_INTEGER
    ? (await seek(source, from.position, asked, size)).position
    : size;
  const asIs = beginSearch(source, from, last);
  const { search, before } = tail === undefined
    ? { search: asIs, before: 0 }
    : await lastHits(asIs, tail, async (from) => {
      const end = await nextLine(source, from.position);
      return beginSearch(source, from, Math.min(end, last));
    });
  const most = mostBytes(options);
  const scope = { source, search, options, from, last, most, isInLong };
  const hitRuns = new HitRuns(scope);
  const { runs, lines } = hitRuns;
  let count = before;
  /** The line of the previous hit. */
  let line = 0;
  /** Whether there are hits that the page does not show. */
  let more = false;
  /** Whether the search has passed all hits. */
  let isPast = false;
  /** Whether the page shows only a part of the rest of a line, so that no other hits are looked for. */
  let isCut = false;
  while (await search.next()) {
    if (search.line > line) count++;
    line = search.line;
    const isFull = lines.length >= limit && lines.at(-1) !== line;
    more = isFull || !await hitRuns.add();
    if (more) break;
    if (hitRuns.cutAt !== undefined) {
      rest.isCut = hitRuns.hasRest;
      search.skipTo(hitRuns.skipAt ?? hitRuns.cutAt);
      if (hitRuns.hasRest) {
        // The rest of the line follows, and a hit that the page would divide.
        isCut = isRest;
        isPast = !await search.next();
        if (!isPast && search.line === line) await hitRuns.add();
        else if (!isPast) count++;
        more = true;
        break;
      }
    } else if (hitRuns.skipAt !== undefined) search.skipTo(hitRuns.skipAt);
    else await search.skipLine(hitRuns.lineEnd);
  }
  // Where the page ends inside a line, nothing follows it.
  if (hitRuns.cutAt === undefined) {
    await hitRuns.addBelow(more ? search.line : Infinity);
  }
  if (more && !isPast) runs.endBeforeLine(search.lineStart, line);
  if (more && counts && !isPast && !isCut) {
    await search.skipLine();
    count += await search.countOn();
  }
  const exact = !isCut && (counts || !more || isPast);
  const mayBeWhole = !more && options.lines !== undefined &&
    from.position === 0;
  const shown = mayBeWhole ? await wholeFile(source, runs.all, most) : runs.all;
  const all = exact && last === size ? search.lines : null;
  const total = from.total ?? all ?? totalAt(shown, size);
  const { left, places, hits } = hitRuns;
  const around = { left, places, hits, end: last };
  return { runs: shown, lines, count, exact, more, total, ...around };
}

/** Whether the line of `at` is shown whole if it has a hit, on several pages if need be. */
async function isShownWhole(
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

/** A search that begins with the rest of a line that the page before cut, as a hit. */
function restFirst(
  beginSearch: BeginSearch,
  rest: { readonly isCut: boolean },
): BeginSearch {
  return (source, from, limit) => {
    const { line, position } = from;
    const { length } = beginSearch(source, from, limit);
    const search = {
      length,
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
      skipTo(to: number): void {
        if (after !== undefined) return after.skipTo(to);
        // If the page ends there, only a hit that its end divides is looked for.
        const most = rest.isCut ? to + 2 * search.length : Infinity;
        const end = Math.min(limit, most);
        const inside = { position: to, line, column: 2 };
        after = beginSearch(source, inside, end);
      },
      async countOn(): Promise<number> {
        if (after === undefined) await search.skipLine();
        return await after!.countOn();
      },
    };
    let isBegun = false;
    /** The search in the lines after that. */
    let after: HitSearch | undefined;
    return search;
  };
}

/** The lines between runs, and those around them that did not fit. */
function gapsOf(runs: readonly Run[], left: readonly Gap[]): readonly Gap[] {
  const first = runs[0]?.line ?? 0;
  const last = runs.at(-1);
  const end = last === undefined ? 0 : last.line! + last.lines;
  const above = left.filter((gap) => gap.end < first);
  const below = left.filter((gap) => gap.start === end);
  return [...above, ...gapsBetween(runs), ...below];
}

/** A search that has passed all hits, and goes again through the last lines with hits. */
async function lastHits(
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

/** About how many bytes the row of a gap takes. */
const GAP_BYTES = 40;

/** The whole file, if that is shorter than the runs and the rows between them. */
async function wholeFile(
  source: Source,
  runs: readonly CountedSpan[],
  most: number,
): Promise<readonly CountedSpan[]> {
  const { size } = source;
  const shown = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  const cost = shown + GAP_BYTES * (runs.length + 1);
  const isCut = runs.some(({ endColumn }) => endColumn !== undefined);
  if (runs.length === 0 || isCut || size > cost || size > most) return runs;
  const lines = await countOn(source, BEGINNING);
  return [{ start: 0, end: size, line: 1, lines, total: lines }];
}

/** How many lines the file has, if the last run reaches its end. */
function totalAt(runs: readonly CountedSpan[], size: number): number | null {
  const last = runs.at(-1);
  if (last?.end !== size || last.endColumn !== undefined) return null;
  return last.line + last.lines - 1;
}

/** How many hits are shown of each long line of which several are; nothing if there is none. */
export function inOneLine(
  runs: readonly Run[],
  places: readonly HitPlace[] = [],
): Pick<Hits, "inOneLine"> {
  const counts = new Map<number, number>();
  let run = 0;
  for (const { line, at, length, isPart } of places) {
    while (run < runs.length && runs[run]!.end < at + length) run++;
    if (!isPart || at < (runs[run]?.start ?? Infinity)) continue;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const several = Array.from(counts, ([line, count]) => ({ line, count }))
    .filter(({ count }) => count > 1);
  return several.length === 0 ? {} : { inOneLine: several };
}

/** The lines between runs. */
export function gapsBetween(runs: readonly Run[]): Gap[] {
  const gaps = runs.slice(1).map((run, index) => {
    const before = runs[index]!;
    const start = before.line! + before.lines;
    return { start, end: run.line! - 1, bytes: run.start - before.end };
  });
  // Between two parts of one line, no line is left out.
  return gaps.filter(({ start, end }) => start <= end);
}
