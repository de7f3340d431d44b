// Runtime-agnostic.
import type { Refuse } from "../base/check.ts";
import type { MatchSelection } from "../base/selection.ts";
import { Automaton } from "./automaton.ts";
import { Literal } from "./literal.ts";
import type { Matcher } from "../lines/hit_search.ts";
import { literalPattern, parsePattern, PatternError } from "./pattern.ts";
import { compile } from "./program.ts";

/** The most characters of a text or pattern. */
const MAX_MATCH_CHARS = 1000;

/** Makes the matcher for a text or a pattern. */
export function matcherOf(
  { match, regex = false, ignoreCase = false }: Pick<
    MatchSelection,
    "match" | "regex" | "ignoreCase"
  >,
  refuse: Refuse,
): Matcher {
  if (match === "") throw refuse("match", "must not be empty");
  if (match.length > MAX_MATCH_CHARS) {
    throw refuse("match", `must have at most ${MAX_MATCH_CHARS} characters`);
  }
  if (!match.isWellFormed()) {
    throw refuse(
      "match",
      "must be well-formed: half a character is in no file",
    );
  }
  if (match.includes("\n")) {
    throw refuse(
      "match",
      "must not hold a line feed: each line is looked at by itself",
    );
  }
  if (!regex && !ignoreCase) {
    return new Literal(new TextEncoder().encode(match));
  }
  try {
    const pattern = regex ? parsePattern(match) : literalPattern(match);
    return new Automaton(compile(pattern, ignoreCase));
  } catch (error) {
    if (error instanceof PatternError) throw refuse("match", error.message);
    throw error;
  }
}
