// Runtime-agnostic.
import { refuseArgument } from "./base/errors.ts";
import type { ReadPolicy } from "./base/policy.ts";
import type { MatchSelection } from "./base/selection.ts";
import { matcherOf } from "./find/query.ts";
import { locateAll } from "./lines/locate.ts";
import type { Source } from "./lines/source.ts";
import { readFoundWindow } from "./pages/found.ts";
import { locateHits } from "./pages/hits.ts";
import type { Finder } from "./read.ts";

/** Finds the lines that hold something, and lines around them. */
export function findMatch(selection: MatchSelection, path: string): Finder {
  const matcher = matcherOf(selection, refuseArgument(path));
  const locate = (source: Source, policy: ReadPolicy) =>
    locateHits(source, matcher, selection, policy.maxWindowBytes ?? Infinity);
  return {
    find: locateAll,
    read: async (source, policy) =>
      await readFoundWindow(source, await locate(source, policy), policy),
  };
}
