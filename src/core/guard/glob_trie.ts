import {
  type GlobName,
  isAnyDepth,
  isGroup,
  isNegation,
  literalOf,
  type Test,
} from "./glob.ts";

/** The forms of a name that are compared. */
type Folds = readonly ((text: string) => string)[];

/** What one character of a name must be; `undefined` is a star. */
type CharTest = string | Test | undefined;

/** Makes the test of a name; the names that it gets must be folded as well. */
function nameTest(name: GlobName, fold: Folds[number]): Test {
  const tests: CharTest[] = [];
  let longest = "";
  for (const part of name) {
    if (isGroup(part)) {
      const others = part.map((other) => nameTest(other, fold));
      return (text) => !others.some((test) => test(text));
    }
    const text = fold(literalOf([part]) ?? "");
    if (typeof part === "function") tests.push(part);
    else if (part.startsWith("*")) tests.push(undefined);
    for (const char of text) tests.push(char);
    if (text.length > longest.length) longest = text;
  }
  // Most names do not contain the longest text, and cost only this search.
  return (text) => text.includes(longest) && fits(tests, [...text]);
}

/**
 * Whether the characters pass the tests. After a failed test, the last star takes
 * one more character. So each test sees each character at most once.
 */
function fits(tests: readonly CharTest[], chars: readonly string[]) {
  let at = 0;
  let next = 0;
  /** The first test after the last star; 0 before any star. */
  let afterStar = 0;
  /** The first character that this star left to that test. */
  let resume = 0;
  while (at < chars.length) {
    const test = tests[next];
    const char = chars[at]!;
    if (next < tests.length && test === undefined) {
      afterStar = ++next;
      resume = at;
    } else if (typeof test === "string" ? test === char : test?.(char)) {
      next++;
      at++;
    } else if (afterStar > 0) {
      next = afterStar;
      at = ++resume;
    } else return false;
  }
  return tests.slice(next).every((test) => test === undefined);
}

/** The way from a node along names with wildcards. */
interface NamedEdge {
  readonly test: Test;
  readonly next: GlobNode;
  /** Whether it is `!(a|b)`. */
  readonly isNegation: boolean;
}

/** A node of the trie: some names of one or more globs have matched. */
class GlobNode {
  /** The number of the last glob that ends here, or -1. */
  last = -1;
  /** The next node for `**`. */
  deep: GlobNode | undefined;
  /** Whether this is the node of a `**`, which stays active at any further name. */
  isDeep = false;
  /** The next nodes for names without wildcards, by their folds. */
  readonly texts: Map<string, GlobNode> = new Map();
  readonly tests: NamedEdge[] = [];
}

/** The state of the automaton: the nodes that a path has reached. */
export interface GlobState {
  readonly nodes: ReadonlySet<GlobNode>;
  /** The number of the last glob that matches the path, or -1. */
  readonly last: number;
}

/** Whether a glob may match a longer path. */
export function mayGoOn({ nodes }: GlobState): boolean {
  for (const { isDeep, deep, texts, tests } of nodes) {
    if (isDeep || deep !== undefined || texts.size + tests.length > 0) {
      return true;
    }
  }
  return false;
}

/**
 * Matches many globs at once, one name at a time, as a nondeterministic
 * automaton: a name costs at most one step per node, without backtracking. A
 * name matches if any of its folds matches any fold of the glob; text without
 * wildcards has only the last fold, and is a map lookup. With `originalsOf`, a name
 * also matches where one of its originals does, unless the glob's name is `!(a|b)`:
 * `a.bak` is no reason to deny what `!(*.bak)` leaves out.
 */
export function globTrie(
  globFolds: Folds,
  nameFolds: Folds,
  originalsOf?: (folded: string) => readonly string[],
) {
  /** Where globs begin: at the top of the file system, or at the base of the rules. */
  const starts = { top: new GlobNode(), base: new GlobNode() };

  /** Returns the node to which one more name of a glob leads; makes it if necessary. */
  function go(node: GlobNode, name: GlobName): GlobNode {
    if (isAnyDepth(name)) {
      node.deep ??= new GlobNode();
      node.deep.isDeep = true;
      return node.deep;
    }
    const text = literalOf(name);
    if (text !== undefined) {
      const key = globFolds.at(-1)!(text);
      const next = node.texts.get(key) ?? new GlobNode();
      node.texts.set(key, next);
      return next;
    }
    const next = new GlobNode();
    // All folds treat ASCII alike, so one test is enough for it.
    const isAscii = /^[\0-\x7f]*$/.test(JSON.stringify(name));
    for (const fold of globFolds.slice(isAscii ? -1 : 0)) {
      const test = nameTest(name, fold);
      node.tests.push({ test, next, isNegation: isNegation(name) });
    }
    return next;
  }

  return {
    /** Adds a glob; its number is higher than those before. */
    add(from: "top" | "base", names: readonly GlobName[], number: number) {
      names.reduce(go, starts[from]).last = number;
    },
    /** Adds the globs that begin at `from` to the reached nodes. */
    enter: (from: "top" | "base", state?: GlobState): GlobState =>
      spread([...state?.nodes ?? [], starts[from]]),
    /** The nodes that one more name reaches. */
    step(state: GlobState, name: string): GlobState {
      const own = new Set(nameFolds.map((fold) => fold(name)));
      const forms = [...own].map((form) => ({ form, isOwn: true }));
      for (const form of originalsOf ? [...own].flatMap(originalsOf) : []) {
        forms.push({ form, isOwn: false });
      }
      const found: GlobNode[] = [];
      for (const node of state.nodes) {
        if (node.isDeep) found.push(node);
        for (const { form, isOwn } of forms) {
          const named = node.texts.get(form);
          if (named !== undefined) found.push(named);
          for (const { test, next, isNegation } of node.tests) {
            if ((isOwn || !isNegation) && test(form)) found.push(next);
          }
        }
      }
      return spread(found);
    },
  };
}

/** Adds the nodes that need no further name: `a/**` matches `a` too. */
function spread(from: readonly GlobNode[]): GlobState {
  const nodes = new Set(from);
  let last = -1;
  for (const node of nodes) {
    if (node.deep !== undefined) nodes.add(node.deep);
    last = Math.max(last, node.last);
  }
  return { nodes, last };
}
