import { checkValue, listOf, refuseMistake } from "../base/check.ts";
import type { PathSpelling } from "../base/port.ts";
import { isDeviceName, nameMistake } from "../base/windows_paths.ts";
import { CONTROLS, quote } from "../base/words.ts";
import {
  foldCase,
  foldName,
  foldText,
  isAtOrBelow,
  isShortName,
  splitPath,
} from "./path.ts";
import { originalsOf } from "./copies.ts";
import { type GlobName, isNegation, literalOf, readGlob } from "./glob.ts";
import { type GlobState, globTrie } from "./glob_trie.ts";

/** How a denied path fails: with `POLICY_DENIED`, which names the rule, or like a missing path. */
export type DenyMode = "refuse" | "hide";

/** Which paths below a directory may not be read. */
export interface DenyRules {
  /** The directory from which the paths of the rules start. */
  readonly base: string;
  readonly mode: DenyMode;
  /** What the rules say about a path below it; `undefined` without rules. */
  readonly stateOf: ((path: string) => DenyState) | undefined;
}

/** The glob that denies a path, and how it is refused. */
export type Denial = { readonly mode: DenyMode; readonly rule: string };

/** What the rules have matched so far, after the names of one path. */
interface DenyState {
  readonly denied: GlobState;
  /** Computed only if it is asked for: most paths are not denied, and need no exception. */
  readonly excepted: () => GlobState;
  /** The rule that denies the path, or the first denied directory above it. */
  readonly rule?: string | undefined;
  /** The length of the path that the rule denies. */
  readonly length: number;
}

/** Reads the globs of a policy; throws a `TypeError` at one that could never match. */
export function readDenyRules(
  base: string,
  globs: readonly string[],
  mode: DenyMode,
  spelling?: PathSpelling,
): DenyRules {
  checkValue("denied", mode, MODES, refuse);
  const list = listOf(globs, "deny", refuse, "an array of globs");
  for (const [at, glob] of list.entries()) {
    checkValue(`deny[${at}]`, glob, "text", refuse);
  }
  const rules = list as readonly string[];
  const isOfWindows = spelling?.form === "windows";
  if (isOfWindows) rules.forEach(refuseBackslash);
  const stateOf = rules.length === 0
    ? undefined
    : stateFinder(base, rules, isOfWindows);
  return { base, mode, stateOf };
}

/** On Windows, `\` stands for a separator: as an escape, it would deny another path than was meant. */
function refuseBackslash(glob: string): void {
  if (!glob.includes("\\")) return;
  const meant = quote(glob.replaceAll("\\", "/"));
  const problem =
    `has a "\\"; write ${meant}, or a class such as [[] for a character`;
  throw refuse(`the glob ${quote(glob)}`, problem);
}

/** On Windows, such a name is in no path, so that its rule would protect nothing. */
function refuseNameless(
  name: GlobName,
  fail: (problem: string) => Error,
): void {
  // What a wildcard stands for is not known; "x" makes no mistake.
  const text = name.map((part) =>
    typeof part === "string" && !part.startsWith("*") ? part : "x"
  ).join("");
  if (/^[a-z]:$/i.test(text)) {
    throw fail("begins with a drive; write it from the root");
  }
  const mistake = nameMistake(text);
  // A rule for "nul" is harmless: that name is always refused.
  if (mistake !== undefined && !isDeviceName(text)) {
    throw fail(`${mistake.problem}; ${mistake.hint}`);
  }
  if (isShortName(literalOf(name) ?? "")) {
    throw fail(
      "has a short name, which is always denied, and does not deny the long one; write the long one",
    );
  }
}

const MODES: readonly DenyMode[] = ["refuse", "hide"];

const refuse = refuseMistake("Cannot deny paths");

const MAX_CACHED_STATES = 1024;
/** The rule for short names of Windows: they do not show the long names, so they are always denied. */
export const SHORT_NAMES = "**/*~[0-9]*";

/** Returns a function that matches a path with all rules, and caches the state. */
function stateFinder(
  base: string,
  globs: readonly string[],
  isOfWindows: boolean,
) {
  const rules = globs.map((glob) => readRule(glob, isOfWindows));
  // With exceptions only, nothing would be denied.
  if (rules.every(({ allows }) => allows)) {
    throw refuse("deny", "holds only exceptions; write what they except first");
  }
  const nameFolds = [foldCase, foldText, foldName];
  const denied = globTrie([foldCase, foldText], nameFolds, originalsOf);
  // Exceptions apply only to the exact spelling.
  const excepted = globTrie([foldCase], [foldCase]);
  for (const [number, { allows, from, choices }] of rules.entries()) {
    const trie = allows ? excepted : denied;
    for (const names of choices) trie.add(from, names, number);
  }
  const enter = (from: "top" | "base", above?: DenyState) => ({
    denied: denied.enter(from, above?.denied),
    excepted: once(() => excepted.enter(from, above?.excepted())),
    length: 0,
  });
  let top: DenyState = enter("top");
  for (const name of splitPath(base)) {
    top = nextState(top, name, 0);
  }
  top = { ...top, ...enter("base", top) };
  /** By path; the next path is usually below the last one. */
  const states = new Map<string, DenyState>();

  function stateOf(path: string): DenyState {
    if (path === base) return top;
    const known = states.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf("/");
    const above = stateOf(path.slice(0, slash) || "/");
    const name = path.slice(slash + 1);
    const state = above.rule === undefined && isShortName(name)
      ? { ...above, rule: SHORT_NAMES, length: path.length }
      : nextState(above, name, path.length);
    const [oldest] = states.keys();
    if (states.size === MAX_CACHED_STATES) states.delete(oldest!);
    states.set(path, state);
    return state;
  }

  function nextState(
    above: DenyState,
    name: string,
    length: number,
  ): DenyState {
    // An exception does not apply below a denied directory.
    if (above.rule !== undefined) return above;
    const exception = once(() => excepted.step(above.excepted(), name));
    const denial = denied.step(above.denied, name);
    const isDenied = denial.last >= 0 && denial.last > exception().last;
    const rule = isDenied ? globs[denial.last] : undefined;
    return { denied: denial, excepted: exception, rule, length };
  }

  return stateOf;
}

/** Makes a function that computes its value at the first call. */
function once<T>(compute: () => T): () => T {
  let value: { readonly is: T } | undefined;
  return () => (value ??= { is: compute() }).is;
}

/** Parses a glob: whether it is an exception, where its paths start, and one list of names for each choice. */
function readRule(glob: string, isOfWindows: boolean) {
  const fail = (problem: string) => refuse(`the glob ${quote(glob)}`, problem);
  if (LEFT_OVER.test(glob)) {
    throw fail(
      "has a blank at its end, or a control character; write ? for one that is part of a name",
    );
  }
  // "!(a|b)" is not an exception: it matches all names but "a" and "b".
  const allows = /^!(?!\()/.test(glob);
  const below = glob.slice(allows ? 1 : 0);
  // "/**/.ssh/*" also applies if the root is ".ssh", or lies in it.
  const from = below.startsWith("/**/") ? "top" as const : "base" as const;
  if (below.startsWith("/") && from === "base") {
    throw fail("begins with a slash; write it from the root");
  }
  const home = SHELL.exec(below)?.[1];
  if (home !== undefined) {
    const orName = isOfWindows ? "" : `, or "\\${home}" for a name`;
    const advice = `write it from the root${orName}`;
    throw fail(`begins with ${home}, which only a shell expands; ${advice}`);
  }
  const trimmed = below.replace(/^(\/|(\.\/+)+)/, "").replace(/\/+$/, "");
  try {
    const choices = readGlob(trimmed);
    if (allows && choices.some((names) => names.some(isNegation))) {
      throw fail('is an exception with "!("; deny those names instead');
    }
    if (isOfWindows) {
      for (const name of choices.flat()) refuseNameless(name, fail);
    }
    return { allows, from, choices };
  } catch (error) {
    throw error instanceof SyntaxError ? fail(error.message) : error;
  }
}

/** Blanks and line breaks remain where a list was split; with them, a rule would match nothing. */
const LEFT_OVER = new RegExp(String.raw`^\s|\s$|[${CONTROLS}]`, "u");

/** A first name that a shell would expand; taken literally, it would deny nothing. */
const SHELL = /^(?:\.\/+)*(~|\$\{?[A-Z_]+\}?|%[A-Z_]+%)(?:\/|$)/;

/**
 * Finds the rule that denies `path` or a directory above it, by the spelling
 * alone. The first denied directory decides. If several sets of rules deny it, the
 * first of them does: the set of the widest workspace, so that a narrower one names
 * nothing hidden.
 */
export function denialOf(
  sets: readonly DenyRules[],
  path: string,
): Denial | undefined {
  let denial: Denial | undefined;
  let least = Infinity;
  for (const { base, mode, stateOf } of sets) {
    if (stateOf === undefined || !isAtOrBelow(base, path)) continue;
    const { rule, length } = stateOf(path);
    if (rule === undefined || length >= least) continue;
    least = length;
    denial = { mode, rule };
  }
  return denial;
}
