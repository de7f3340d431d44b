// Runtime-agnostic.
import type { PageSelection } from "../base/selection.ts";
import type { FoundWindow } from "./found.ts";
import type { HitSelection } from "./hits.ts";
import type { PageOptions } from "./page.ts";

/** How many lines `around` shows before and after its line, by default. */
const AROUND = 10;

export function selectPage(options: PageOptions): PageSelection {
  const { tail, around, before = AROUND, after = AROUND } = options;
  const { start = 1, count, end, column = 1, width, numbered } = options;
  const isWide = (options.before ?? options.after) !== undefined;
  if (end !== undefined && isWide) {
    const { before = 0, after = 0 } = options;
    const first = Math.max(1, start - before);
    const count = Math.min(Number.MAX_SAFE_INTEGER, end + after) - first + 1;
    const page = { kind: "page", start: first, column: 1, count } as const;
    return { ...page, around: start };
  }
  if (tail !== undefined) {
    return { kind: "page", start: -tail, column: 1, count: tail, numbered };
  }
  if (around !== undefined) {
    const first = Math.max(1, around - before);
    const last = Math.min(Number.MAX_SAFE_INTEGER, around + after);
    const count = Math.max(1, last - first + 1);
    return { kind: "page", start: first, column: 1, count, around };
  }
  const lines = count ??
    (end === undefined ? Number.MAX_SAFE_INTEGER : end - start + 1);
  return { kind: "page", start, column, count: lines, width };
}

/** The selection of hits for options; `undefined` if they select lines by numbers. */
export function selectHits(options: PageOptions): HitSelection | undefined {
  const { match, regex, ignoreCase, limit, block, before, after } = options;
  const { lines } = options;
  if ((match ?? lines) === undefined) return undefined;
  const { start, column, end, etag } = options;
  return {
    ...{ match, lines, regex, ignoreCase, limit, block, before, after },
    ...{ start, column, end },
    // A following page does not count again.
    counts: limit === undefined && etag === undefined,
  };
}

/** The options of the next page of hits: the same, from another position. */
export function nextHits(
  { next, nextColumn }: FoundWindow,
  { start: _, column: __, etag: ___, ...same }: PageOptions,
): PageOptions {
  const given = Object.entries(same).filter(([, it]) => it !== undefined);
  return {
    start: next!,
    ...(nextColumn > 1 && { column: nextColumn }),
    ...Object.fromEntries(given),
    // Leave out the lines that were shown.
    ...(same.lines !== undefined && {
      lines: same.lines.filter((line) =>
        nextColumn > 1 ? line > next! : line >= next!
      ),
    }),
  };
}
