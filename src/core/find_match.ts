// Runtime-agnostic.
import { refuseArgument } from "./base/errors.ts";
import type { Awaitable } from "./base/port.ts";
import { Numbered, Search } from "./find/search.ts";
import { matcherOf } from "./find/query.ts";
import { type BeginSearch, locateAll } from "./lines/locate.ts";
import type { Source } from "./lines/source.ts";
import { readFoundWindow } from "./pages/found.ts";
import { type HitSelection, locateHits } from "./pages/hits.ts";
import type { Finder } from "./read.ts";

/** Finds the lines that match, or have one of the numbers, and lines around them. */
export function findMatch(selection: HitSelection, path: string): Finder {
  const { isAscii, beginIn } = searchOf(selection, path);
  return {
    find: locateAll,
    async read(source, policy) {
      const begin = await beginIn(source);
      const most = policy.maxWindowBytes ?? Infinity;
      const located = await locateHits(source, begin, selection, most);
      return await readFoundWindow(source, located, policy, isAscii);
    },
  };
}

/** A search in a file of any encoding. */
interface Searching {
  /** Whether it matches only ASCII. */
  readonly isAscii: boolean;
  beginIn(source: Source): Awaitable<BeginSearch>;
}

function searchOf(selection: HitSelection, path: string): Searching {
  const { match, lines = [] } = selection;
  if (match === undefined) {
    const begin: BeginSearch = (source, from, limit) =>
      new Numbered(source, lines, from, limit);
    return { isAscii: true, beginIn: () => begin };
  }
  const query = { ...selection, match };
  const matcher = matcherOf(query, refuseArgument(path));
  return {
    isAscii: matcher.isAscii,
    async beginIn({ codec }) {
      if (codec === undefined) {
        return (source, from, limit) =>
          new Search(source, matcher, from, limit);
      }
      return await codec.searchWith(matcher, path);
    },
  };
}
