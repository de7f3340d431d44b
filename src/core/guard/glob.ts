/** The most characters of a glob: as many as a path may have bytes. */
const MOST_CHARS = 4096;
const MOST_CHOICES = 1024;
/** The most parts that combining choices may copy, and characters in them, which limits the memory, and the time of parsing and matching. */
const MOST_PARTS = 65_536;
const TOO_LONG = "is too long";
/** The most groups that may be open at once. */
const MOST_OPEN = 32;
/** One token: an escape, a class, the opening of a group, a run of stars or of plain text, or a character. */
const TOKEN =
  /\\[^]|\[(?:\\[^]|[^\]\\])*\]|[@?*+!]\(|\*+|[^\\[{}()|,*?+!@/]+|[^]/gu;
/** A character of a class, or two with a hyphen between them. */
const RANGE = /\\?([^])(?:-\\?([^]))?/gu;

/** The tokens before and after a whole name; `undefined` stands for the ends of the glob. */
const NAME_FOLLOWS: readonly (string | undefined)[] = [
  undefined,
  "/",
  "{",
  ",",
];
const NAME_ENDS: readonly (string | undefined)[] = [undefined, "/", ",", "}"];

/** Tests whether a character, or a whole name, matches. */
export type Test = (text: string) => boolean;
/** A token of a name; `**` is a whole name, and any other star is `*`. */
type GlobPart = string | Test | Negation;
/** Matches all names but these. */
type Negation = readonly GlobName[];
export type GlobName = readonly GlobPart[];

/**
 * Parses a glob; each result is one combination of its choices, as names. The
 * grammar is `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `@(a|b)`, `?(a)`, `**` and
 * `!(a|b)` as a whole name, and `\` before a character. Throws a `SyntaxError` at
 * anything else; its message continues "the glob …". A glob that a model may write
 * can have fewer parts.
 */
export function readGlob(
  glob: string,
  mostParts: number = MOST_PARTS,
): readonly (readonly GlobName[])[] {
  if (glob.length > MOST_CHARS) throw new SyntaxError(TOO_LONG);
  const tokens: readonly string[] = glob.normalize("NFC").match(TOKEN) ?? [];
  let at = 0;
  let open = 0;
  let parts = 0;

  function combine(starts: GlobPart[][], ends: GlobPart[][]): GlobPart[][] {
    if (starts.length * ends.length > MOST_CHOICES) {
      throw new SyntaxError(`stands for more than ${MOST_CHOICES} choices`);
    }
    // Each end is copied for every start, and each start for every end but one.
    parts += starts.length * countNames(ends);
    // The starts are long, so they are counted only if they are copied.
    if (ends.length > 1) parts += (ends.length - 1) * countNames(starts);
    if (parts > mostParts) throw new SyntaxError(TOO_LONG);
    if (ends.length > 1) {
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
      } else choices = combine(choices, parsePart(token, closer));
    }
    open--;
    // At the end of the glob, both are `undefined`.
    if (tokens[at++] === closer) return done.concat(choices);
    throw new SyntaxError(
      `opens a group that has no "${closer}"; write "\\" before a bracket that is part of a name`,
    );
  }

  function parsePart(token: string, closer?: ")" | "}"): GlobPart[][] {
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
    const isWholeName = NAME_FOLLOWS.includes(tokens[at - 2]) &&
      NAME_ENDS.includes(tokens[at]);
    return [[token === "**" && !isWholeName ? "*" : token]];
  }

  return readChoices().map(splitNames);
}

/** How many parts names have, with those of the names in `!(`; a text counts as its characters. */
function countNames(names: readonly unknown[]): number {
  let count = 0;
  for (const part of names.flat(Infinity)) {
    count += typeof part === "string" ? part.length : 1;
  }
  return count;
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
    if (/^\.{0,2}$|\//.test(literalOf(name) ?? "*")) {
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

export function isGroup(part: GlobPart | undefined): part is Negation {
  return typeof part === "object";
}

/** Whether the name is `**`. */
export function isAnyDepth(name: GlobName): boolean {
  return name.length === 1 && name[0] === "**";
}

/** Whether the name is like `!(a|b)`. */
export function isNegation(name: GlobName): boolean {
  return isGroup(name[0]);
}

/** The text of a name that has no wildcards; `undefined` for other names. */
export function literalOf(name: GlobName): string | undefined {
  let text = "";
  for (const part of name) {
    if (typeof part !== "string" || part.startsWith("*")) return undefined;
    text += part.replace(/^\\/, "");
  }
  return text;
}
