// Runtime-agnostic.
import { shown } from "../base/check.ts";
import { foldCase, foldName, foldText, isShortName } from "./fold.ts";
import { readGlob } from "./glob.ts";
import { type GlobName, isNegation } from "./glob_name.ts";
import { GlobNode, type GlobPlaces, GlobTrie } from "./glob_trie.ts";
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
  /** The rules; `undefined` if there are none. */
  readonly paths: DeniedPaths | undefined;
}

/** Why a path may not be read. */
export interface Denial {
  readonly mode: DenyMode;
  /** The glob of the rule. */
  readonly rule: string;
}

/** A rule that denies a path, or a directory on the way to it. */
interface Verdict {
  readonly rule: string;
  /** The length of the path that it denies. */
  readonly length: number;
}

/** The state of all rules for one path. */
interface Level {
  readonly denied: GlobPlaces;
  readonly excepted: GlobPlaces;
  readonly verdict: Verdict | undefined;
}

/** Reads the globs of a policy; throws a `TypeError` at one that could never match. */
export function readDenyRules(
  base: string,
  globs: readonly string[],
  mode: DenyMode,
): DenyRules {
  if (mode !== "refuse" && mode !== "hide") {
    throw cannotDeny(`mode is ${shown(mode)}, neither "refuse" nor "hide"`);
  }
  if (!Array.isArray(globs)) throw cannotDeny("globs are not in an array");
  const paths = globs.length === 0 ? undefined : new DeniedPaths(base, globs);
  return { base, mode, paths };
}

/** How many paths the cache holds: more than are read at once. */
const KEPT_LEVELS = 1024;

/** The rule for short names of Windows, which do not tell what their long names are. No exception holds for them. */
const SHORT_NAMES = "**/*~[0-9]*";

/** The rules of one policy, with a cache of verdicts. */
class DeniedPaths {
  readonly #globs: readonly string[];
  readonly #base: string;
  /** Whether a rule is no exception. Without one, nothing would be denied. */
  #denies = false;
  readonly #denied = new GlobTrie(
    [foldCase, foldText],
    [foldCase, foldText, foldName],
  );
  /** Exceptions hold for the exact spelling alone. */
  readonly #excepted = new GlobTrie([foldCase], [foldCase]);
  readonly #top: Level;
  /** By path: the next path is usually below the last one. */
  readonly #levels = new Map<string, Level>();

  /** Constructs a new instance. */
  constructor(base: string, globs: readonly string[]) {
    this.#globs = globs;
    this.#base = base;
    const denied = { top: new GlobNode(), base: new GlobNode() };
    const excepted = { top: new GlobNode(), base: new GlobNode() };
    for (const [number, glob] of globs.entries()) {
      const { allows, from, choices } = readRule(glob);
      for (const names of choices) {
        if (allows) this.#excepted.add(excepted[from], names, number);
        else this.#denied.add(denied[from], names, number);
      }
      if (!allows) this.#denies = true;
    }
    if (!this.#denies) {
      throw cannotDeny(
        "globs are all exceptions; write what they except first",
      );
    }
    let level: Level = {
      denied: this.#denied.enter(denied.top),
      excepted: this.#excepted.enter(excepted.top),
      verdict: undefined,
    };
    for (const name of base.split("/").filter((name) => name !== "")) {
      level = this.#levelBelow(level, name, 0);
    }
    this.#top = {
      denied: this.#denied.enter(denied.base, level.denied),
      excepted: this.#excepted.enter(excepted.base, level.excepted),
      verdict: level.verdict,
    };
  }

  /** Which rule denies `path`, or the first directory on the way to it. */
  verdictOf(path: string): Verdict | undefined {
    return this.#levelOf(path).verdict;
  }

  #levelOf(path: string): Level {
    if (path === this.#base) return this.#top;
    const known = this.#levels.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf("/");
    const above = this.#levelOf(path.slice(0, slash) || "/");
    const name = path.slice(slash + 1);
    const level =
      above.verdict === undefined && this.#denies && isShortName(name)
        ? { ...above, verdict: { rule: SHORT_NAMES, length: path.length } }
        : this.#levelBelow(above, name, path.length);
    if (this.#levels.size === KEPT_LEVELS) {
      this.#levels.delete(this.#levels.keys().next().value!);
    }
    this.#levels.set(path, level);
    return level;
  }

  #levelBelow(above: Level, name: string, length: number): Level {
    // An exception opens no directory that is denied.
    if (above.verdict !== undefined) return above;
    const denied = this.#denied.step(above.denied, name);
    const excepted = this.#excepted.step(above.excepted, name);
    const verdict = denied.last > excepted.last
      ? { rule: this.#globs[denied.last]!, length }
      : undefined;
    return { denied, excepted, verdict };
  }
}

/** One glob, read. */
interface Rule {
  /** Whether it makes an exception of what it matches. */
  readonly allows: boolean;
  /** Where its paths start: at `/`, or at the directory that the rules are for. */
  readonly from: "top" | "base";
  /** One list of names for each choice of its braces. */
  readonly choices: readonly (readonly GlobName[])[];
}

function readRule(glob: unknown): Rule {
  if (typeof glob !== "string") throw badGlob(glob, "is not a string");
  // A list that was split leaves blanks and line breaks, and the rule matches nothing.
  if (/^\s|\s$|\p{Cc}/u.test(glob)) {
    throw badGlob(
      glob,
      "has a blank at its end, or a control character; write ? for one that is part of a name",
    );
  }
  // "!(a|b)" is a glob of its own, for all but "a" and "b".
  const allows = /^!(?!\()/.test(glob);
  const below = glob.slice(allows ? 1 : 0);
  // "/**/.ssh/*" holds as well where the root is ".ssh", or lies in it.
  const from = below.startsWith("/**/") ? "top" : "base";
  if (below.startsWith("/") && from === "base") {
    throw badGlob(glob, "begins with a slash; write it from the root");
  }
  const trimmed = below.replace(/^(\/|(\.\/+)+)/, "").replace(/\/+$/, "");
  try {
    const choices = readGlob(trimmed);
    if (allows && choices.some((names) => names.some(isNegation))) {
      throw badGlob(
        glob,
        'is an exception with "!("; deny those names instead',
      );
    }
    return { allows, from, choices };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badGlob(glob, error.message);
  }
}

function badGlob(glob: unknown, problem: string): TypeError {
  return cannotDeny(`glob ${shown(glob)} ${problem}`);
}

function cannotDeny(problem: string): TypeError {
  return new TypeError(`Cannot deny paths: the ${problem}`);
}

/**
 * Tells whether any of the rules denies `path` or a directory on the way to it,
 * by the spelling alone: it is asked before the path is looked at.
 *
 * The first directory that is denied decides, and for it the first set: sets
 * that hide come before those that do not, so that what a wider workspace hides
 * is named by no narrower one.
 */
export function denialOf(
  sets: readonly DenyRules[],
  path: string,
): Denial | undefined {
  let denial: Denial | undefined;
  let least = Infinity;
  for (const { base, mode, paths } of sets) {
    if (paths === undefined || !isWithin(base, path)) continue;
    const verdict = paths.verdictOf(path);
    if (verdict === undefined || verdict.length >= least) continue;
    least = verdict.length;
    denial = { mode, rule: verdict.rule };
  }
  return denial;
}
