// A page with hits: the search goes from hit to hit, each is added to the page with
// the lines around it (`hit_runs.ts`) until the page is full, the others are
// counted, and the page says what it left out.
import { type Call, runInSteps } from "../base/call.ts";
import { ReadFileError, refuseArgument } from "../base/errors.ts";
import { searchDecoded } from "../find/decoded.ts";
import { matcherOf } from "../find/query.ts";
import {
  type BeginSearch,
  lastHits,
  type Matcher,
  restFirst,
  searchText,
  visitLines,
} from "../find/search.ts";
import { BEGINNING } from "../lines/line_index.ts";
import { begin, continueAt, countOn, mostBytes } from "../lines/locate.ts";
import type {
  CountedSpan,
  LineBeginning,
  LocateOptions,
} from "../lines/locate.ts";
import { afterRun, readRun, type Run } from "../lines/run.ts";
import { nextLine, seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import type { ReadFields } from "../read_options.ts";
import { HitRuns, isShownWhole } from "./hit_runs.ts";
import type { Found, Gap, HitPlace, Hits } from "./page.ts";

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
  const { start = 1, column = 1 } = options;
  const from = at === undefined
    ? await begin(source, { start, column })
    : continueAt(source, at, { start, column });
  const isInside = matcher !== undefined && from.column > 1;
  const isWhole = isInside &&
    await isShownWhole(source, from.position, options);
  const located = await locateHits(source, matcher, options, from, {
    // Only a line with a hit is cut at the end of a page of hits.
    isRest: at !== undefined && isWhole,
    isInLong: isInside && !isWhole,
  });
  const { page, count, exact, more, total } = located;
  const runs: Run[] = [];
  for (const span of located.runs) {
    runs.push(await readRun(source, span, options));
    const yielding = source.yieldIfDue();
    if (yielding !== undefined) await yielding;
  }
  const [first, last] = [runs[0], runs.at(-1)];
  const after = last === undefined ? 0 : last.line! + last.lines;
  const around = page.left.filter(({ start, end }) =>
    end < (first?.line ?? 0) || start === after
  );
  const isOtherCase = options.saysOtherCase === true && count === 0 &&
    await hasOtherCase(source, options, from, located.last);
  const { places, ends } = matcher === undefined
    ? { places: [], ends: [] }
    : page;
  return {
    runs,
    total,
    next: more && last !== undefined ? afterRun(last, source.size) : null,
    hits: {
      ...hitsIn(runs, {
        count,
        exact,
        lines: page.lines,
        around,
        places,
        ends,
      }),
      ...(isOtherCase && { otherCase: true }),
    },
    from,
    places,
    ends,
    isMissed: matcher?.isAscii === false && count === 0,
    whole: page.whole,
  };
}

/** Where hits are: those of a page, as a reading has them. */
interface Where {
  readonly places: readonly HitPlace[];
  readonly ends: readonly number[];
}

/** What a page says of its hits; `around` are the lines above and below its runs that are not shown. After `until`, no hit was looked for. */
export function hitsIn(
  runs: readonly Run[],
  { count, exact, lines, around, until = Infinity, ...where }:
    & Pick<Hits, "count" | "exact" | "lines">
    & Where
    & {
      readonly around: readonly Gap[];
      readonly until?: number | undefined;
    },
): Hits {
  const gaps = [...around, ...gapsBetween(runs)]
    .sort((one, other) => one.start - other.start);
  return { count, exact, lines, gaps, ...inOneLine(runs, where, until) };
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
  matcher: Matcher | undefined,
  options: LocateOptions,
  from: LineBeginning,
  { isRest, isInLong }: {
    /** Whether the page begins with the rest of a line that the page before cut. */
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
  const beginSearch = searchOf(source, matcher, options);
  const inOrder = isRest
    ? restFirst(source, beginSearch, from, last)
    : beginSearch(source, from, last);
  const { search, before } = tail === undefined
    ? { search: inOrder, before: 0 }
    : await lastHits(inOrder, tail, async (from) => {
      const end = await nextLine(source, from.position);
      return beginSearch(source, from, Math.min(end, last));
    });
  const most = mostBytes(options);
  const scope = { source, search, options, from, last, most, isInLong };
  const page = new HitRuns(scope);
  const { runs, lines } = page;
  let count = before;
  /** The line of the previous hit. */
  let line = 0;
  /** Whether there are hits that the page does not show. */
  let more = false;
  /** Whether the search has passed all hits. */
  let isPast = false;
  while (!more && await search.next()) {
    if (search.line > line) count++;
    line = search.line;
    const isFull = lines.length >= limit && lines.at(-1) !== line;
    more = isFull || !await page.add();
    if (more) break;
    await page.goOn(isRest);
    if (page.hasRest) {
      // The rest of the line follows, and a hit that the page would divide.
      more = true;
      isPast = !await search.next();
      if (!isPast && search.line === line) await page.add();
      else if (!isPast) count++;
    }
  }
  /** Whether the page shows only a part of the rest of a line, so that no other hits were looked for. */
  const isCut = isRest && page.hasRest;
  await page.addBelow(more ? search.line : Infinity);
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
  return { page, runs: shown, last, count, exact, more, total };
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

function endOf(place: HitPlace | undefined): number {
  return place === undefined ? Infinity : place.at + place.length;
}

/** How many hits are shown of each long line that has several, and how many follow in the last one; an empty object if no line has several. */
function inOneLine(
  runs: readonly Run[],
  { places, ends }: Where,
  until: number,
): Pick<Hits, "inOneLine"> {
  const counts = new Map<number, number>();
  const last = runs.at(-1);
  const lastLine = last === undefined ? 0 : last.line! + last.lines - 1;
  let left = 0;
  let run = 0;
  let place = 0;
  for (const end of ends) {
    while (runs[run] !== undefined && runs[run]!.end < end) run++;
    // The hits of a run follow its first one.
    while (endOf(places[place + 1]) <= end) place++;
    const { line, length } = places[place]!;
    if (run === runs.length && line === lastLine) left++;
    if (end - length < (runs[run]?.start ?? Infinity)) continue;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const several = Array.from(counts, ([line, count]) => ({
    ...{ line, count },
    ...(left > 0 && line === lastLine && { left }),
    ...(left > 0 && until <= line && { leastLeft: true as const }),
  })).filter(({ count, left = 0 }) => count + left > 1);
  return several.length === 0 ? {} : { inOneLine: several };
}

/** The lines between runs. */
function gapsBetween(runs: readonly Run[]): Gap[] {
  const gaps = runs.slice(1).map((run, index) => {
    const before = runs[index]!;
    const start = before.line! + before.lines;
    return { start, end: run.line! - 1, bytes: run.start - before.end };
  });
  // Between two parts of one line, no line is left out.
  return gaps.filter(({ start, end }) => start <= end);
}
