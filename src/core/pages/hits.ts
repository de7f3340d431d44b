// Runtime-agnostic.
import { MAX_SHOWN_BYTES } from "../base/limits.ts";
import type { MatchSelection } from "../base/selection.ts";
import type { Matcher } from "../find/matcher.ts";
import { Search } from "../find/search.ts";
import { seek, type Source } from "../lines/source.ts";
import { begin, type Beginning } from "./locate.ts";
import { type Run, Windows } from "./windows.ts";

/** The lines with hits that fit a page. */
export interface Located {
  /** In the order of the file; lines that are not shown lie between them. */
  readonly runs: readonly Run[];
  /** The numbers of the lines with hits that are shown. */
  readonly lines: readonly number[];
  /** How many lines with hits were found, those that are not shown among them. */
  readonly count: number;
  /** Whether these are all, up to the end of what was asked. */
  readonly exact: boolean;
  /** Whether a hit follows that is not shown. */
  readonly more: boolean;
  /** Where the search began. */
  readonly from: Beginning;
  /** How many lines the file has; `null` if they were not counted. */
  readonly total: number | null;
}

/** Locates the lines with hits, and the lines around them, as far as they fit. */
export async function locateHits(
  source: Source,
  matcher: Matcher,
  selection: MatchSelection,
  maxBytes: number,
): Promise<Located> {
  const { start = 1, column = 1, end, limit = Infinity } = selection;
  const { counts = limit === Infinity } = selection;
  const { size } = source;
  const from = await begin(source, { start, column });
  if (from.position === size) {
    const none = { runs: [], lines: [], count: 0, exact: true, more: false };
    return { ...none, from, total: from.total };
  }
  const lines = (end ?? Infinity) - start + 1;
  const last = lines < Number.MAX_SAFE_INTEGER
    ? (await seek(source, from.position, lines, size)).position
    : size;
  const search = new Search(source, matcher, from, last);
  const most = Math.min(maxBytes, MAX_SHOWN_BYTES);
  const windows = new Windows(source, search, selection, { from, last, most });
  let count = 0;
  let more = false;
  // The line that the hit before is in.
  let line = 0;
  let isOver = true;
  while (await search.next()) {
    if (search.line > line) count++;
    line = search.line;
    if (!more) {
      const isFull = windows.lines.length >= limit && windows.last !== line;
      more = isFull || !await windows.add(matcher.length);
      if (more) windows.endBefore(search.lineStart, line);
    }
    if (more) {
      isOver = counts;
      if (!counts) break;
      await search.skipLine();
      count += await search.countOn();
      break;
    }
    if (windows.cutAt !== undefined) search.skipTo(windows.cutAt);
    else await search.skipLine(windows.lineEnd);
  }
  const { runs } = windows;
  const isAll = isOver && last === size;
  const total = isAll ? search.lines : from.total;
  return {
    ...{ runs, lines: windows.lines, count, exact: isOver, more, from },
    total,
  };
}
