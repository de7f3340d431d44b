// Runtime-agnostic.
import {
  type CharTest,
  type GlobName,
  type GlobPart,
  textOf,
} from "./glob_name.ts";

/** Most combinations of the choices of one glob. */
const MOST_CHOICES = 1024;

/** Most groups that may be open at once. */
const MOST_OPEN = 32;

/** One token: an escape, a class, the opening of a group, a run of stars or of plain text, or a character. */
const TOKEN =
  /\\[^]|\[(?:\\[^]|[^\]\\])*\]|[@?*+!]\(|\*+|[^\\[{}()|,*?+!@/]+|[^]/gu;

/**
 * Parses a glob; each result is one combination of its choices, as names.
 *
 * Throws a `SyntaxError`, whose message goes on after "the glob …", at anything
 * outside of the grammar: `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `@(a|b)`, `?(a)`,
 * `**` as a whole name, `!(a|b)` as a whole name, and `\` before a character.
 */
export function readGlob(glob: string): readonly (readonly GlobName[])[] {
  const tokens: readonly string[] = glob.normalize("NFC").match(TOKEN) ?? [];
  let at = 0;
  let open = 0;

  /** Reads up to `closer`; each result is one choice, as parts in a row. */
  function readChoices(closer?: ")" | "}"): GlobPart[][] {
    const separator = closer === "}" ? "," : "|";
    const done: GlobPart[][] = [];
    let choices: GlobPart[][] = [[]];
    if (open++ > MOST_OPEN) {
      throw new SyntaxError(`has more than ${MOST_OPEN} groups in each other`);
    }
    while (at < tokens.length) {
      const token = tokens[at++]!;
      if (token === closer) {
        open--;
        return done.concat(choices);
      }
      if (closer !== undefined && token === separator) {
        done.push(...choices);
        choices = [[]];
      } else choices = combine(choices, readPart(token, closer));
    }
    if (closer === undefined) return choices;
    throw new SyntaxError(
      `opens a group that has no "${closer}"; write "\\" before a bracket that is part of a name`,
    );
  }

  function readPart(token: string, closer?: ")" | "}"): GlobPart[][] {
    switch (token) {
      case "{":
        return readBraces();
      case "@(":
        return readChoices(")");
      case "?(":
        return [[], ...readChoices(")")];
      case "!(":
        return [[{ kind: "none", of: readChoices(")") }]];
      case "*(":
      case "+(":
        throw new SyntaxError(
          `repeats a group with "${token}"; write the choices out in braces`,
        );
      case "/":
        return [[{ kind: "slash" }]];
      case "?":
        return [[{ kind: "one", takes: () => true }]];
    }
    if (token.startsWith("*")) {
      const isDeep = token === "**" && "/{,".includes(tokens[at - 2] ?? "") &&
        "/,}".includes(tokens[at] ?? "");
      return [[{ kind: "star", isDeep }]];
    }
    if (token.startsWith("[")) {
      return [[{ kind: "one", takes: readClass(token) }]];
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
    return [[{
      kind: "text",
      text: token[0] === "\\" ? token.slice(1) : token,
    }]];
  }

  function readBraces(): GlobPart[][] {
    const body = tokens.slice(at, tokens.indexOf("}", at)).join("");
    if (/^[^,{]*\.\.[^,]*$/.test(body)) {
      throw new SyntaxError(
        "has a range in braces; write the choices out, as in {1,2,3}",
      );
    }
    return readChoices("}");
  }

  return readChoices().map(splitNames);
}

/** Every start followed by every end. */
function combine(starts: GlobPart[][], ends: GlobPart[][]): GlobPart[][] {
  if (starts.length * ends.length > MOST_CHOICES) {
    throw new SyntaxError(`stands for more than ${MOST_CHOICES} choices`);
  }
  if (starts.length === 1 && ends.length === 1) {
    starts[0]!.push(...ends[0]!);
    return starts;
  }
  return starts.flatMap((start) => ends.map((end) => [...start, ...end]));
}

function readClass(token: string): CharTest {
  const isNegated = token[1] === "!";
  const body = token.slice(isNegated ? 2 : 1, -1);
  if (body === "" || /^\^|\[[:.=]|\//.test(body)) {
    throw new SyntaxError(
      `has a class "${token}" that is not supported; write it like [abc], [a-z] or [!a-z]`,
    );
  }
  const chars = body.match(/\\[^]|[^]/gu)!;
  const ranges: (readonly [from: number, to: number])[] = [];
  for (let at = 0; at < chars.length; at++) {
    const from = codeOf(chars[at]!);
    const isRange = chars[at + 1] === "-" && at + 2 < chars.length;
    const to = isRange ? codeOf(chars[at += 2]!) : from;
    if (to < from) {
      throw new SyntaxError("has a class whose range is reversed, as [z-a]");
    }
    ranges.push([from, to]);
  }
  const holds = (char: string) => {
    const code = codeOf(char);
    return ranges.some(([from, to]) => from <= code && code <= to);
  };
  return (char) =>
    [char, char.toLowerCase(), char.toUpperCase()].some(holds) !== isNegated;
}

/** The code point of a character, which may have a backslash before it. */
function codeOf(char: string): number {
  return char.codePointAt(char.length > 1 && char[0] === "\\" ? 1 : 0)!;
}

function splitNames(parts: readonly GlobPart[]): readonly GlobName[] {
  const names: GlobPart[][] = [[]];
  for (const part of parts) {
    if (part.kind === "slash") names.push([]);
    else names.at(-1)!.push(part);
  }
  for (const name of names) checkName(name);
  return names;
}

function checkName(name: GlobName): void {
  const text = textOf(name);
  if (text !== undefined && /^\.{0,2}$|\//.test(text)) {
    throw new SyntaxError("matches no path below the root");
  }
  for (const part of name) {
    if (part.kind !== "none") continue;
    const isWhole = name.length === 1 &&
      part.of.every((other) =>
        other.every(({ kind }) => kind !== "none" && kind !== "slash")
      );
    if (isWhole) continue;
    throw new SyntaxError(
      'has "!(" inside of a name; only a whole name can be like !(a|b)',
    );
  }
}
