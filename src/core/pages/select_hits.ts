// Runtime-agnostic.
import type { MatchSelection } from "../base/selection.ts";
import type { FoundWindow } from "./found.ts";
import type { PageOptions } from "./page.ts";

/** The hits that options ask for; `undefined` if they ask for lines by their numbers. */
export function selectHits(options: PageOptions): MatchSelection | undefined {
  const { match, regex, ignoreCase, limit, block, before, after } = options;
  if (match === undefined) return undefined;
  const { start, column, end, etag } = options;
  return {
    ...{ kind: "match", match, regex, ignoreCase, limit, block, before, after },
    ...{ start, column, end },
    // A page that goes on does not count again.
    counts: limit === undefined && etag === undefined,
  };
}

/** The options of the page after some hits: the same, from another place on. */
export function nextHits(
  { next, nextColumn }: FoundWindow,
  { start: _, column: __, etag: ___, ...same }: PageOptions,
): PageOptions {
  const given = Object.entries(same).filter(([, it]) => it !== undefined);
  return {
    start: next!,
    ...(nextColumn > 1 && { column: nextColumn }),
    ...Object.fromEntries(given),
  };
}
