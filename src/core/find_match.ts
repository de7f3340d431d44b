// Runtime-agnostic.
import { refuseArgument } from "./base/errors.ts";
import { Numbered, Search } from "./find/search.ts";
import { matcherOf } from "./find/query.ts";
import { type BeginSearch, locateAll } from "./lines/locate.ts";
import type { Source } from "./lines/source.ts";
import { readFoundWindow } from "./pages/found.ts";
import { type HitSelection, locateHits } from "./pages/hits.ts";
import type { Finder } from "./read.ts";

/** Finds the lines that match, or have one of the numbers, and lines around them. */
export function findMatch(selection: HitSelection, path: string): Finder {
  const { match, lines = [] } = selection;
  const matcher = match === undefined
    ? undefined
    : matcherOf({ ...selection, match }, refuseArgument(path));
  const beginIn = async ({ codec }: Source): Promise<BeginSearch> => {
    if (matcher === undefined) {
      return (source, ...range) => new Numbered(source, lines, ...range);
    }
    if (codec !== undefined) return await codec.searchWith(matcher, path);
    return (source, ...range) => new Search(source, matcher, ...range);
  };
  return {
    find: locateAll,
    async read(source, policy) {
      const begin = await beginIn(source);
      const most = policy.maxWindowBytes ?? Infinity;
      const located = await locateHits(source, begin, selection, most);
      const isAscii = matcher?.isAscii ?? true;
      return await readFoundWindow(source, located, policy, isAscii);
    },
  };
}
