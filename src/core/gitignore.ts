import type { Steps } from "./base/call.ts";
import type { GlobName, Test } from "./guard/glob.ts";
import { type GlobState, globTrie } from "./guard/glob_trie.ts";

/** What some rules of a `.gitignore` file have matched, after the names of a path from its directory. */
interface RulesState {
  readonly rules: IgnoreRules;
  readonly ofFiles: GlobState;
  readonly ofDirectories: GlobState;
}

/** The rules that hold in a directory: those of its own `.gitignore` last. */
export type IgnoreState = readonly RulesState[];

const asIs = [(name: string) => name];

/** About how many characters of rules are matched in one step: each of them may be compared with each of a name. */
const STEP_CHARS = 8192;
/** A rule takes as much time and memory as so many characters more. */
const RULE_CHARS = 32;
/** The most characters of all rules that hold in a directory; further ones are not obeyed. */
const MOST_ALL_CHARS = 512 * 1024;

/** Some rules of a `.gitignore` file: the last one that matches decides. */
class IgnoreRules {
  /** How many characters they have. */
  chars = 0;
  /** The rules for files; those that end in a slash are for directories alone. */
  readonly files = globTrie(asIs, asIs);
  readonly directories = globTrie(asIs, asIs);
  /** Whether the rule of each number is an exception. */
  readonly isException: boolean[] = [];

  add({ names, isException, isOfDirectories }: IgnoreRule): void {
    const number = this.isException.push(isException) - 1;
    this.directories.add("top", names, number);
    if (!isOfDirectories) this.files.add("top", names, number);
  }
}

/** Adds the rules of the `.gitignore` file of a directory to those that hold there. */
export function* withRules(
  above: IgnoreState,
  text: string,
): Steps<IgnoreState> {
  let chars = above.reduce((sum, { rules }) => sum + rules.chars, 0);
  const all: IgnoreRules[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?(?:\n|$)/)) {
    const rule = readRule(line);
    if (rule === undefined) continue;
    const taken = line.length + RULE_CHARS;
    chars += taken;
    if (chars > MOST_ALL_CHARS) break;
    let last = all.at(-1);
    if (last === undefined || last.chars > STEP_CHARS) {
      if (last !== undefined) yield;
      all.push(last = new IgnoreRules());
    }
    last.chars += taken;
    last.add(rule);
  }
  const added = all.map((rules) => ({
    rules,
    ofFiles: rules.files.enter("top"),
    ofDirectories: rules.directories.enter("top"),
  }));
  return [...above, ...added];
}

/** Whether the rules ignore a name in their directory: the last one of the innermost `.gitignore` that has one that matches. */
export function* isIgnored(
  state: IgnoreState,
  name: string,
  isDirectory: boolean,
): Steps<boolean> {
  for (let at = state.length - 1; at >= 0; at--) {
    const { rules, ofFiles, ofDirectories } = state[at]!;
    const { last } = isDirectory
      ? rules.directories.step(ofDirectories, name)
      : rules.files.step(ofFiles, name);
    if (last >= 0) return !rules.isException[last];
    if (at > 0) yield;
  }
  return false;
}

/** The rules that hold in a directory below; those that can match nothing there are dropped. */
export function* rulesBelow(
  state: IgnoreState,
  name: string,
): Steps<IgnoreState> {
  const below: RulesState[] = [];
  for (const [at, { rules, ...now }] of state.entries()) {
    if (at > 0) yield;
    const ofDirectories = rules.directories.step(now.ofDirectories, name);
    if (ofDirectories.nodes.size === 0) continue;
    const ofFiles = rules.files.step(now.ofFiles, name);
    below.push({ rules, ofFiles, ofDirectories });
  }
  return below;
}

/** The most characters of a rule: no path is longer. */
const MOST_CHARS = 4096;

interface IgnoreRule {
  readonly names: readonly GlobName[];
  readonly isException: boolean;
  readonly isOfDirectories: boolean;
}

/** Reads a line of a `.gitignore` file; `undefined` if it has no rule, or one that matches nothing. */
function readRule(line: string): IgnoreRule | undefined {
  if (line.startsWith("#") || line.length > MOST_CHARS) return undefined;
  // Blanks at the end do not count, except after a backslash.
  let end = line.length;
  while (line[end - 1] === " " && line[end - 2] !== "\\") end--;
  const trimmed = line.slice(0, end);
  const isException = trimmed.startsWith("!");
  const rule = trimmed.slice(isException ? 1 : 0);
  const isOfDirectories = rule.endsWith("/");
  const path = rule.replace(/\/$/, "");
  const texts = path.replace(/^\//, "").split("/");
  const names: GlobName[] = path.includes("/") ? [] : [ANY_DEPTH];
  for (const text of texts) {
    const name = text === "**" ? ANY_DEPTH : readName(text);
    if (name === undefined) return undefined;
    names.push(name);
  }
  // What is below a directory, and not the directory itself.
  if (texts.at(-1) === "**") names.push(["*"]);
  return { names, isException, isOfDirectories };
}

const ANY_DEPTH: GlobName = ["**"];

/** One character with its backslash, a class, a run of stars, or a character. */
const TOKEN = /\\[^]|\[[!^]?\]?(?:\[:\w+:\]|\\[^]|[^\]\\])*\]|\*+|[^]/gu;

/** Reads a name as git does; `undefined` for one that matches nothing. */
function readName(text: string): GlobName | undefined {
  if (text === "") return undefined;
  const parts: (string | Test)[] = [];
  for (const token of text.match(TOKEN) ?? []) {
    // A class that is not closed, or is empty.
    if (/^(?:\\|\[|\[[!^]?\])$/.test(token)) return undefined;
    if (token.startsWith("*")) parts.push("*");
    else if (token === "?") parts.push(() => true);
    else if (token.startsWith("[")) parts.push(readClass(token));
    else parts.push(token.startsWith("\\") ? token : `\\${token}`);
  }
  return parts;
}

/** The named classes of characters, which are of ASCII. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z\d]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /[^ -~]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[\da-f]/i,
};

/** A member of a class: a named class, a range, or a character. */
const MEMBER = /\[:(\w+):\]|\\?([^])(?:-(?!$)\\?([^]))?/gu;

function readClass(token: string): Test {
  const isNegated = /^\[[!^]/.test(token);
  const body = token.slice(isNegated ? 2 : 1, -1);
  const named: RegExp[] = [];
  const ranges: (readonly [from: number, to: number])[] = [];
  for (const [, name, first = "", last = first] of body.matchAll(MEMBER)) {
    if (name === undefined) {
      ranges.push([first.codePointAt(0)!, last.codePointAt(0)!]);
    } else if (Object.hasOwn(CLASSES, name)) named.push(CLASSES[name]!);
  }
  return (char) => {
    const code = char.codePointAt(0)!;
    const holds = ranges.some(([from, to]) => from <= code && code <= to) ||
      code < 0x80 && named.some((pattern) => pattern.test(char));
    return holds !== isNegated;
  };
}
