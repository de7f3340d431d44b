// Runtime-agnostic.

/** Most characters of a glob: as many as a path may have bytes. */
const MOST_CHARS = 4096;
/** The most combinations of the choices of one glob. */
const MOST_CHOICES = 1024;
/** Most parts that are copied to make them: reading a glob, and a name, cost as much. */
const MOST_PARTS = 65_536;
/** The most groups that may be open at once. */
const MOST_OPEN = 32;
/** One token: an escape, a class, the opening of a group, a run of stars or of plain text, or a character. */
const TOKEN =
  /\\[^]|\[(?:\\[^]|[^\]\\])*\]|[@?*+!]\(|\*+|[^\\[{}()|,*?+!@/]+|[^]/gu;
/** A character of a class, or two with a hyphen between them. */
const RANGE = /\\?([^])(?:-\\?([^]))?/gu;

/** Normalizes text for comparison. */
type Fold = (text: string) => string;
/** Tests whether a character, or a whole name, matches. */
type Test = (text: string) => boolean;
/** A token of a name; `**` is a whole name, and any other star is `*`. */
type GlobPart = string | Test | Negation;
/** Matches all names but these. */
type Negation = readonly GlobName[];
/** One name of a glob. */
type GlobName = readonly GlobPart[];

/**
 * Parses a glob; each result is one combination of its choices, as names.
 *
 * Throws a `SyntaxError`, whose message continues "the glob …", at anything
 * outside of the grammar: `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `@(a|b)`, `?(a)`,
 * `**` and `!(a|b)` as a whole name, and `\` before a character.
 */
export function readGlob(glob: string): readonly (readonly GlobName[])[] {
  if (glob.length > MOST_CHARS) {
    throw new SyntaxError(`has more than ${MOST_CHARS} characters`);
  }
  const tokens: readonly string[] = glob.normalize("NFC").match(TOKEN) ?? [];
  let at = 0;
  let open = 0;
  let parts = 0;

  /** Combines every start with every end. */
  function combine(starts: GlobPart[][], ends: GlobPart[][]): GlobPart[][] {
    if (starts.length * ends.length > MOST_CHOICES) {
      throw new SyntaxError(`stands for more than ${MOST_CHOICES} choices`);
    }
    const isCopied = ends.length > 1;
    parts += starts.length * sizeOf(ends);
    if (isCopied) parts += ends.length * sizeOf(starts);
    if (parts > MOST_PARTS) {
      throw new SyntaxError("has too many parts in its choices");
    }
    if (isCopied) {
      return starts.flatMap((start) => ends.map((end) => [...start, ...end]));
    }
    for (const start of starts) start.push(...ends[0]!);
    return starts;
  }

  /** Reads up to `closer`; each result is one choice, as a list of parts. */
  function readChoices(closer?: ")" | "}"): GlobPart[][] {
    const separator = closer === "}" ? "," : "|";
    const done: GlobPart[][] = [];
    let choices: GlobPart[][] = [[]];
    if (open++ > MOST_OPEN) {
      throw new SyntaxError(`has more than ${MOST_OPEN} groups in each other`);
    }
    while (at < tokens.length && tokens[at] !== closer) {
      const token = tokens[at++]!;
      if (closer !== undefined && token === separator) {
        done.push(...choices);
        choices = [[]];
      } else choices = combine(choices, readPart(token, closer));
    }
    open--;
    if (tokens[at++] === closer) return done.concat(choices);
    throw new SyntaxError(
      `opens a group that has no "${closer}"; write "\\" before a bracket that is part of a name`,
    );
  }

  function readPart(token: string, closer?: ")" | "}"): GlobPart[][] {
    if (token === "{") {
      const body = tokens.slice(at, tokens.indexOf("}", at)).join("");
      if (!/^[^,{]*\.\.[^,]*$/.test(body)) return readChoices("}");
      throw new SyntaxError(
        "has a range in braces; write the choices out, as in {1,2,3}",
      );
    }
    if (token === "@(") return readChoices(")");
    if (token === "?(") return [[], ...readChoices(")")];
    if (token === "!(") return [[readChoices(")")]];
    if (token === "*(" || token === "+(") {
      throw new SyntaxError(
        `repeats a group with "${token}"; write the choices out in braces`,
      );
    }
    if (/^\\[A-Za-z0-9]/.test(token)) {
      throw new SyntaxError(
        'has a "\\" before a letter; write "/" between names',
      );
    }
    if (token === "\\" || (token === "(" && closer === ")")) {
      throw new SyntaxError(
        `has a lone "${token}"; write "\\${token}" for the character`,
      );
    }
    if (token === "?") return [[() => true]];
    if (token.startsWith("[")) return [[readClass(token)]];
    const isWhole = "/{,".includes(tokens[at - 2] ?? "") &&
      "/,}".includes(tokens[at] ?? "");
    return [[token === "**" && !isWhole ? "*" : token]];
  }

  return readChoices().map(splitNames);
}

/** How many parts names have, with those of the names in `!(`. */
function sizeOf(names: readonly GlobName[]): number {
  let size = 0;
  for (const name of names) {
    size += name.length;
    for (const part of name) if (isGroup(part)) size += sizeOf(part);
  }
  return size;
}

function readClass(token: string): Test {
  const isNegated = token[1] === "!";
  const body = token.slice(isNegated ? 2 : 1, -1);
  if (body === "" || /^\^|\[[:.=]|\//.test(body)) {
    throw new SyntaxError(
      `has a class "${token}" that is not supported; write it like [abc], [a-z] or [!a-z]`,
    );
  }
  const ranges: (readonly [from: number, to: number])[] = [];
  for (const [, first = "", last = first] of body.matchAll(RANGE)) {
    const [from, to] = [first.codePointAt(0)!, last.codePointAt(0)!];
    if (to < from) {
      throw new SyntaxError("has a class whose range is reversed, as [z-a]");
    }
    ranges.push([from, to]);
  }
  const holds = (char: string) => {
    const code = char.codePointAt(0)!;
    return ranges.some(([from, to]) => from <= code && code <= to);
  };
  return (char) =>
    [char, char.toLowerCase(), char.toUpperCase()].some(holds) !== isNegated;
}

function splitNames(parts: GlobName): readonly GlobName[] {
  const names: GlobPart[][] = [[]];
  for (const part of parts) {
    if (part === "/") names.push([]);
    else names.at(-1)!.push(part);
  }
  for (const name of names) {
    if (/^\.{0,2}$|\//.test(textOf(name) ?? "*")) {
      throw new SyntaxError("matches no path below the root");
    }
    const others = name.find(isGroup) ?? [];
    const isPlain = !others.flat().some((one) => isGroup(one) || one === "/");
    if (others.length === 0 || name.length === 1 && isPlain) continue;
    throw new SyntaxError(
      'has "!(" inside of a name; only a whole name can be like !(a|b)',
    );
  }
  return names;
}

function isGroup(part: GlobPart | undefined): part is Negation {
  return typeof part === "object";
}

/** Whether the name is like `!(a|b)`. */
export function isNegation(name: GlobName): boolean {
  return isGroup(name[0]);
}

/** The text of a name that has no wildcards; `undefined` for other names. */
function textOf(name: GlobName): string | undefined {
  let text = "";
  for (const part of name) {
    if (typeof part !== "string" || part.startsWith("*")) return undefined;
    text += part.replace(/^\\/, "");
  }
  return text;
}

/** Makes the test of a name; the names that it gets must be folded as well. */
function nameTest(name: GlobName, fold: Fold): Test {
  const tests: (Test | undefined)[] = [];
  let longest = "";
  for (const part of name) {
    if (isGroup(part)) {
      const others = part.map((other) => nameTest(other, fold));
      return (text) => !others.some((test) => test(text));
    }
    const text = fold(textOf([part]) ?? "");
    if (typeof part === "function") tests.push(part);
    else if (part.startsWith("*")) tests.push(undefined);
    for (const one of text) tests.push((char) => char === one);
    if (text.length > longest.length) longest = text;
  }
  // Most names do not contain the longest text, and cost only this search.
  return (text) => text.includes(longest) && fits(tests, [...text]);
}

/**
 * Whether the characters pass the tests; `undefined` is a star. After a failed
 * test, the last star takes one more character. So each test sees each
 * character at most once.
 */
function fits(
  tests: readonly (Test | undefined)[],
  chars: readonly string[],
): boolean {
  let [at, next, afterStar, resume] = [0, 0, 0, 0];
  while (at < chars.length) {
    const test = tests[next];
    if (next < tests.length && test === undefined) {
      afterStar = ++next;
      resume = at;
    } else if (test?.(chars[at]!)) {
      next++;
      at++;
    } else if (afterStar > 0) {
      next = afterStar;
      at = ++resume;
    } else return false;
  }
  return tests.slice(next).every((test) => test === undefined);
}

/** A state of the automaton: some names of one or more globs have matched. */
class GlobNode {
  /** The number of the last glob that ends here, or -1. */
  last = -1;
  /** The node of `**`; and whether this is such a node, which stays active at any further name. */
  deep: GlobNode | undefined;
  isDeep = false;
  /** The next nodes for names without wildcards, by their folds. */
  readonly texts: Map<string, GlobNode> = new Map();
  readonly tests: { readonly test: Test; readonly next: GlobNode }[] = [];
}

/** The nodes that a path has reached. */
export interface GlobPlaces {
  readonly nodes: ReadonlySet<GlobNode>;
  /** The number of the last glob that matches the path, or -1. */
  readonly last: number;
}

/**
 * Matches many globs at once, one name at a time, as a nondeterministic
 * automaton: a name costs at most one step per node, without backtracking.
 * Globs with the same beginning share nodes; plain text is a map lookup.
 */
export class GlobTrie {
  /** Where globs begin: at the top of the file system, or at the base of the rules. */
  readonly top: GlobNode = new GlobNode();
  readonly base: GlobNode = new GlobNode();
  readonly #globFolds: readonly Fold[];
  readonly #nameFolds: readonly Fold[];

  /**
   * Constructs a new instance: a name matches if any of its folds matches any
   * fold of the glob. Text without wildcards is compared by the last fold alone.
   */
  constructor(globFolds: readonly Fold[], nameFolds: readonly Fold[]) {
    this.#globFolds = globFolds;
    this.#nameFolds = nameFolds;
  }

  /** Adds a glob; its number is higher than those before. */
  add(from: "top" | "base", names: readonly GlobName[], number: number): void {
    let node = this[from];
    for (const name of names) node = this.#go(node, name);
    node.last = number;
  }

  #go(node: GlobNode, name: GlobName): GlobNode {
    if (name.length === 1 && name[0] === "**") {
      node.deep ??= new GlobNode();
      node.deep.isDeep = true;
      return node.deep;
    }
    const text = textOf(name);
    if (text !== undefined) {
      const key = this.#globFolds.at(-1)!(text);
      const next = node.texts.get(key) ?? new GlobNode();
      node.texts.set(key, next);
      return next;
    }
    const next = new GlobNode();
    // All folds treat ASCII alike, so one test is enough for it.
    const isAscii = /^[\0-\x7f]*$/.test(JSON.stringify(name));
    for (const fold of this.#globFolds.slice(isAscii ? -1 : 0)) {
      node.tests.push({ test: nameTest(name, fold), next });
    }
    return next;
  }

  /** Adds the globs that begin at `from` to the nodes that are reached. */
  enter(from: "top" | "base", places?: GlobPlaces): GlobPlaces {
    return spread([...places?.nodes ?? [], this[from]]);
  }

  /** The nodes that one more name reaches. */
  step(places: GlobPlaces, name: string): GlobPlaces {
    const forms = new Set(this.#nameFolds.map((fold) => fold(name)));
    const found: GlobNode[] = [];
    for (const node of places.nodes) {
      if (node.isDeep) found.push(node);
      for (const form of forms) {
        const named = node.texts.get(form);
        if (named !== undefined) found.push(named);
        for (const { test, next } of node.tests) {
          if (test(form)) found.push(next);
        }
      }
    }
    return spread(found);
  }
}

/** Adds the nodes that need no further name: `a/**` matches `a` too. */
function spread(from: readonly GlobNode[]): GlobPlaces {
  const nodes = new Set(from);
  let last = -1;
  for (const node of nodes) {
    if (node.deep !== undefined) nodes.add(node.deep);
    last = Math.max(last, node.last);
  }
  return { nodes, last };
}
