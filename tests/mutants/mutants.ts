// Makes mutants of a source file: the same code with one small fault.

/** A mutant. */
export interface Mutant {
  /** The path of the file, relative to the root of the repository. */
  readonly path: string;
  /** The number of the changed line, counted from 1. */
  readonly line: number;
  /** The trimmed line before and after the change. */
  readonly was: string;
  readonly is: string;
  /** The content of the changed file. */
  readonly text: string;
}

/** A replacement of a few characters. */
interface Edit {
  readonly at: number;
  readonly length: number;
  readonly put: string;
}

/** Operators, and their replacements. */
const SWAPS: readonly (readonly [RegExp, string])[] = [
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ <= /g, " < "],
  [/ >= /g, " > "],
  [/ < (?=[\w(])/g, " <= "],
  [/ > (?=[\w(])/g, " >= "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ \?\? /g, " && "],
  [/ \+ 1\b/g, ""],
  [/ - 1\b/g, ""],
  [/\.some\(/g, ".every("],
  [/\.every\(/g, ".some("],
  [/\breturn true\b/g, "return false"],
  [/\breturn false\b/g, "return true"],
  [/(?<=[(,=>?:&|] )!(?=[\w(])|(?<=\()!(?=[\w(])/g, ""],
  [/\bcontinue;/g, ";"],
  [/\bbreak;/g, ";"],
  [/\bMath\.max\(/g, "Math.min("],
  [/\bMath\.min\(/g, "Math.max("],
];

/** Statements that are only a call or a throw. Removing one removes its check. */
const STATEMENT =
  /^ +(?:await )?(?:throw |this\.#?\w+\(|\w+(?:\.#?\w+)*\().*;$/gm;

/** All mutants of a file that these rules produce. */
export function mutantsOf(path: string, source: string): Mutant[] {
  const code = withoutText(source);
  const edits: Edit[] = [];
  for (const [pattern, put] of SWAPS) {
    for (const { 0: { length }, index } of code.matchAll(pattern)) {
      edits.push({ at: index, length, put });
    }
  }
  for (const { index } of code.matchAll(/\b(?:if|while) \(/g)) {
    const at = code.indexOf("(", index) + 1;
    const length = closingOf(code, at) - at;
    edits.push({ at, length, put: "false" });
    if (code.startsWith("if", index)) edits.push({ at, length, put: "true" });
  }
  for (const { 0: text, index } of code.matchAll(STATEMENT)) {
    edits.push({ at: index, length: text.length, put: ";" });
  }
  if (OF_NAMES.test(path)) edits.push(...lessOf(source));
  return edits.toSorted((one, other) => one.at - other.at)
    .map((edit) => mutantOf(path, source, edit));
}

/** The files whose regular expressions decide which names are safe. */
const OF_NAMES = /\/(?:windows_paths|win32)\.ts$/;

const REGEXP =
  /(?<=[=(,:] ?|^ +)\/(?![*/ ])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//gm;
/** A class; its first character may negate it. */
const CLASS = /\[\^?((?:[^\]\\]|\\.)+)\]/g;
/** One character of a class, an escape, or a range of them. */
const MEMBER =
  /(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\?.)(?:-(?:\\x[0-9a-f]{2}|.))?/g;
/** One choice of a group, with the bar before or after it. */
const CHOICE = /(?<=[(|:\/])[^()|[\]/?]+\||\|[^()|[\]/]+(?=[)/])/g;

/** Regular expressions that lack one character of a class, or one choice. */
function* lessOf(source: string): Iterable<Edit> {
  for (const { 0: regexp, index } of source.matchAll(REGEXP)) {
    for (const found of regexp.matchAll(CLASS)) {
      const start = index + found.index + found[0].length - 1 -
        found[1]!.length;
      const members = Array.from(found[1]!.matchAll(MEMBER));
      if (members.length === 1) continue;
      for (const { 0: { length }, index: at } of members) {
        yield { at: start + at, length, put: "" };
      }
    }
    for (const { 0: { length }, index: at } of regexp.matchAll(CHOICE)) {
      yield { at: index + at, length, put: "" };
    }
  }
}

function mutantOf(path: string, source: string, edit: Edit): Mutant {
  const { at, length, put } = edit;
  const text = source.slice(0, at) + put + source.slice(at + length);
  const begin = source.lastIndexOf("\n", at - 1) + 1;
  const end = source.indexOf("\n", at + length);
  const isEnd = end + put.length - length;
  return {
    path,
    line: source.slice(0, at).split("\n").length,
    was: source.slice(begin, end).replaceAll(/\s+/g, " ").trim(),
    is: text.slice(begin, isEnd).replaceAll(/\s+/g, " ").trim(),
    text,
  };
}

/** The code with comments, strings, regular expressions and type headers replaced by spaces. */
function withoutText(source: string): string {
  return source
    .replaceAll(
      /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|\/(?![*/ ])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g,
      (text) => text.replaceAll(/[^\n]/g, "_"),
    )
    .replaceAll(
      /^(?:import|export type|type|interface|export interface)\b[^;{]*(?:;|\{[^}]*\})/gm,
      (text) => text.replaceAll(/[^\n]/g, "_"),
    );
}

/** The position of the bracket that closes the one before `at`. */
function closingOf(code: string, at: number): number {
  let open = 1;
  let index = at;
  for (; open > 0 && index < code.length; index++) {
    if (code[index] === "(") open++;
    else if (code[index] === ")") open--;
  }
  return index - 1;
}
