// Runtime-agnostic.
import { refuseArgument } from "./base/errors.ts";
import type { ReadPolicy } from "./base/policy.ts";
import { Numbered } from "./find/numbered.ts";
import { matcherOf } from "./find/query.ts";
import { Search } from "./find/search.ts";
import { locateAll } from "./lines/locate.ts";
import type { Source } from "./lines/source.ts";
import { readFoundWindow } from "./pages/found.ts";
import {
  type BeginSearch,
  type HitSelection,
  locateHits,
} from "./pages/hits.ts";
import type { Finder } from "./read.ts";

/** Finds the lines that match, or have one of the numbers, and lines around them. */
export function findMatch(selection: HitSelection, path: string): Finder {
  const begin = searchOf(selection, path);
  const locate = (source: Source, policy: ReadPolicy) =>
    locateHits(source, begin, selection, policy.maxWindowBytes ?? Infinity);
  return {
    find: locateAll,
    read: async (source, policy) =>
      await readFoundWindow(source, await locate(source, policy), policy),
  };
}

function searchOf(selection: HitSelection, path: string): BeginSearch {
  const { match, lines = [] } = selection;
  if (match === undefined) {
    return (source, from, limit) => new Numbered(source, lines, from, limit);
  }
  const query = { ...selection, match };
  const matcher = matcherOf(query, refuseArgument(path));
  return (source, from, limit) => new Search(source, matcher, from, limit);
}
