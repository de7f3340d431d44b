// Runtime-agnostic.
import { globToRegExp } from "@std/path/posix/glob-to-regexp";
import { Automaton } from "./automaton.ts";

/** Tells whether a path is one that a glob means. */
export interface Pattern {
  test(path: string): boolean;
}

/**
 * Makes the pattern of a glob, which takes no heed of case; throws a
 * `SyntaxError` if it holds a class that is none.
 */
export function patternOf(glob: string): Pattern {
  const options = { caseInsensitive: true };
  const composed = glob.normalize("NFC");
  if (!isTame(composed)) return new Automaton(globToRegExp(composed, options));
  // Each name of each walk is put to every pattern, and most begin with two
  // stars: to begin anywhere is a quarter of the work that std's loop is.
  const [, stars = "", rest = composed] =
    /^((?:\*\*\/+)+)(.+)$/.exec(composed) ?? [];
  const { source, flags } = globToRegExp(rest, options);
  const begin = stars === "" ? "^" : "(?:^|\\/)";
  return new RegExp(source.replace(/^\^/, begin), flags);
}

/** How many stars a `RegExp` is trusted with: what it tries grows with each. */
const MOST_STARS = 3;

/** Whether a `RegExp` is soon done with whatever path there is, as with nearly all globs. */
function isTame(glob: string): boolean {
  // Two stars at the end take what is left, and give nothing back.
  const stars = glob.replace(/(\/\*\*)+$/, "").match(/\*+/g) ?? [];
  const doubles = stars.filter((run) => run.length > 1);
  const groups = glob.match(/[({]/g) ?? [];
  return stars.length <= MOST_STARS && doubles.length <= 1 &&
    groups.length <= 1 && !/[*+]\(/.test(glob);
}
