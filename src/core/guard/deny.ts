// Runtime-agnostic.
import { type Pattern, patternOf } from "./glob.ts";
import { isWithin } from "./path.ts";

/**
 * How a denied path is refused.
 *
 * - `"refuse"`: with `POLICY_DENIED`, which names the rule.
 * - `"hide"`: as a path is at which nothing is, to the letter.
 */
export type DenyMode = "refuse" | "hide";

/** Which paths below a directory may not be read. */
export interface DenyRules {
  /** The directory that the rules' paths start from. */
  readonly base: string;
  /** How a denied path is refused. */
  readonly mode: DenyMode;
  /** The rules in order; the last one that matches a path decides. */
  readonly rules: readonly DenyRule[];
}

/** One glob. */
interface DenyRule {
  /** The glob as it was given. */
  readonly glob: string;
  readonly patterns: readonly Pattern[];
  /** The same, for paths as a disk may take them: each remembers what it was asked last. */
  readonly folded: readonly Pattern[];
  /** Whether it makes an exception of what it matches. */
  readonly allows: boolean;
}

/** Why a path may not be read. */
export interface Denial {
  readonly mode: DenyMode;
  /** The glob of the rule. */
  readonly rule: string;
}

/** Reads the globs of a policy; throws a `TypeError` at one that could never match. */
export function readDenyRules(
  base: string,
  globs: readonly string[],
  mode: DenyMode,
): DenyRules {
  if (mode !== "refuse" && mode !== "hide") {
    const shown = JSON.stringify(mode);
    throw cannotDeny(`mode is ${shown}, neither "refuse" nor "hide"`);
  }
  if (!Array.isArray(globs)) throw cannotDeny("globs are not in an array");
  return { base, mode, rules: globs.map(readRule) };
}

function readRule(glob: unknown): DenyRule {
  if (typeof glob !== "string") throw badGlob(glob, "is not a string");
  // "!(a|b)" is a glob of its own, for all but "a" and "b".
  const allows = /^!(?!\()/.test(glob);
  const below = glob.slice(allows ? 1 : 0);
  if (below.startsWith("/")) {
    throw badGlob(glob, "begins with a slash; write it from the root");
  }
  const trimmed = below.replace(/^(\.\/+)+/, "").replace(/\/+$/, "");
  if (trimmed.split("/").some((name) => /^\.{0,2}$/.test(name))) {
    throw badGlob(glob, "matches no path below the root");
  }
  // That a directory is there says enough: "dir/**" matches "dir" as well.
  const globs = new Set([trimmed, trimmed.replace(/(\/\*\*)+$/, "")]);
  try {
    const patterns = [...globs].map(patternOf);
    // What is excepted is so by its own name alone.
    const folded = allows ? [] : [...globs].map(patternOf);
    return { glob, patterns, folded, allows };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badGlob(glob, "has a class of characters that is none, as [z-a]");
  }
}

function badGlob(glob: unknown, problem: string): TypeError {
  return cannotDeny(`glob ${JSON.stringify(glob)} ${problem}`);
}

function cannotDeny(problem: string): TypeError {
  return new TypeError(`Cannot deny paths: the ${problem}`);
}

/**
 * Tells whether any of the rules denies `path`, by its spelling alone: it is
 * asked before the path is looked at. The directories above are asked first.
 *
 * The first set decides: sets that hide come before those that do not, so that
 * what a wider workspace hides is named by no narrower one.
 */
export function denialOf(
  sets: readonly DenyRules[],
  path: string,
): Denial | undefined {
  for (const { base, mode, rules } of sets) {
    if (rules.length === 0 || path === base || !isWithin(base, path)) continue;
    const below = path.slice(base === "/" ? 1 : base.length + 1);
    const folded = fold(below);
    const isFolded = folded !== below;
    const rule = rules.findLast((rule) =>
      rule.patterns.some((pattern) => pattern.test(below)) ||
      (isFolded && rule.folded.some((pattern) => pattern.test(folded)))
    );
    if (rule !== undefined && !rule.allows) return { mode, rule: rule.glob };
  }
  return undefined;
}

/** As {@linkcode denialOf}, for a path whose directories nobody has asked about. */
export function denialOnTheWay(
  sets: readonly DenyRules[],
  path: string,
): Denial | undefined {
  let at = 0;
  while ((at = path.indexOf("/", at + 1)) > 0) {
    const denial = denialOf(sets, path.slice(0, at));
    if (denial !== undefined) return denial;
  }
  return denialOf(sets, path);
}

/**
 * Some disks take `.ENV` for `.env`, a long s for the letter, and an accent for
 * the accented letter it makes: a rule must hold there too.
 */
function fold(path: string): string {
  if (!/\P{ASCII}/u.test(path)) return path;
  return path.normalize("NFC").toUpperCase();
}
