// Runtime-agnostic.
import { parse } from "@std/toml";
import { quote } from "../core/base/words.ts";

/** A value; strings, floats, dates and arrays are kept as source text, for messages. */
export type TomlValue = number | boolean | string | TomlTable | TomlTable[];

/** A table, and the syntax that made it, which decides whether keys may be added. */
export interface TomlTable {
  made: "by its header" | "by a header below" | "by dotted keys" | "inline";
  readonly entries: Map<string, { readonly value: TomlValue; at: number }>;
}

/** The longest text, in UTF-16 code units, and the most keys and levels in it. */
export const MAX_TOML_LENGTH = 65_536;
const MAX_KEYS = 1_000;
const MAX_DEPTH = 32;

/** The beginning of each message. */
export const FAILED = "Cannot read the configuration";

function tooMuch(most: string): RangeError {
  const advice = "leave out what belongs to other programs";
  return new RangeError(`${FAILED}: it has more than ${most}; ${advice}`);
}

const SPACE = /[ \t]*/y;
const STRING = /"[^"\\\n]*(?:\\[^][^"\\\n]*)*"|'[^'\n]*'/y;
// The content may end with one or two quotes.
const LONG_STRING =
  /"""[^"\\]*(?:(?:\\[^]|""?(?!"))[^"\\]*)*"{3,5}|'''[^']*(?:''?(?!')[^']*)*'{3,5}/y;
/** An integer or a boolean. */
const SCALAR =
  /(?:true|false|[+-]?(?:0|[1-9](?:_?\d)*)|0x[\da-fA-F](?:_?[\da-fA-F])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*)(?![\w+.:-])/y;
const FLOAT =
  /[+-]?(?:inf|nan|(?:0|[1-9](?:_?\d)*)(?=[.eE])(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?)(?![\w+.:-])/y;
const DATE =
  /(?:\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?)(?![\w+.:-])/y;

/**
 * Reads the structure of TOML into maps; `@std/toml` parses integers, booleans and
 * strings. Its tables are not safe: it follows a `__proto__` in a header to the
 * prototype of every object, accepts duplicate keys and two statements on a line,
 * takes time quadratic in the keys, and leaves dates to the engine.
 */
export function readToml(text: string): TomlTable {
  if (text.length > MAX_TOML_LENGTH) {
    throw tooMuch(`${MAX_TOML_LENGTH} characters`);
  }
  const root = newTable("by its header");
  /** The position in the text. The functions below read from there, and move it past what they read. */
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  /** How many keys all tables have, for the limit. */
  let keys = 0;

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  }

  function expect(pattern: RegExp, problem: string): string {
    const found = match(pattern);
    if (found === undefined) throw broken(problem);
    return found;
  }

  function broken(problem: string, place = at): SyntaxError {
    const line = lineAt(text, place);
    return new SyntaxError(`${FAILED}: line ${line} is not TOML: ${problem}`);
  }

  function twice(path: readonly string[], from: number): SyntaxError {
    const name = quote(path.join("."));
    return broken(`${name}, or a part of it, is given twice`, from);
  }

  /** Skips white space, line breaks and comments. */
  function skipGap(): void {
    while (match(/[ \t\n]+|\r\n|#[\P{Cc}\t]*/yu));
  }

  /** Parses a single integer, boolean or string with `@std/toml`. */
  function scalar(pattern: RegExp, missing: string): TomlValue {
    const from = at;
    const raw = expect(pattern, missing);
    try {
      return parse(`value = ${raw}`).value as TomlValue;
    } catch {
      throw broken("a value is invalid", from);
    }
  }

  function add<Value extends TomlValue>(
    { entries }: TomlTable,
    name: string,
    value: Value,
    from: number,
  ): Value {
    entries.set(name, { value, at: from });
    if (++keys > MAX_KEYS) throw tooMuch(`${MAX_KEYS} keys`);
    return value;
  }

  /** Reads a key, dotted or not, with the space around it. */
  function readPath(): string[] {
    const path: string[] = [];
    do {
      match(SPACE);
      const bare = match(/[\w-]+/y);
      path.push(bare ?? String(scalar(STRING, "a key is missing")));
      match(SPACE);
    } while (match(/\./y));
    return path;
  }

  /** Returns the table that holds the last name of a path; makes missing tables. */
  function above(
    table: TomlTable,
    path: readonly string[],
    made: "by a header below" | "by dotted keys",
    from: number,
  ): TomlTable {
    let last = table;
    for (const name of path.slice(0, -1)) {
      const value = last.entries.get(name)?.value ??
        add(last, name, newTable(made), from);
      const inner = Array.isArray(value) ? value.at(-1) : value;
      const isOpen = isTable(inner) && inner.made !== "inline" &&
        (made === "by a header below" || inner.made === made);
      if (!isOpen) throw twice(path, from);
      last = inner;
    }
    return last;
  }

  /** Reads the rest of a header; returns its table. */
  function readHeader(isList: boolean, from: number): TomlTable {
    const path = readPath();
    expect(isList ? /\]\]/y : /\]/y, "a header is not closed");
    const outer = above(root, path, "by a header below", from);
    const made = newTable("by its header");
    const entry = outer.entries.get(path.at(-1)!);
    if (entry === undefined) {
      add(outer, path.at(-1)!, isList ? [made] : made, from);
      return made;
    }
    const { value } = entry;
    if (isList && Array.isArray(value)) {
      value.push(made);
      return made;
    }
    const isOpen = isTable(value) && value.made === "by a header below";
    if (isList || !isOpen) throw twice(path, from);
    entry.at = from;
    value.made = "by its header";
    return value;
  }

  function readPair(table: TomlTable, depth: number): void {
    const from = at;
    const path = readPath();
    expect(/=[ \t]*/y, '"=" is missing');
    const value = readValue(depth);
    const outer = above(table, path, "by dotted keys", from);
    if (outer.entries.has(path.at(-1)!)) throw twice(path, from);
    add(outer, path.at(-1)!, value, from);
  }

  function readValue(depth: number): TomlValue {
    if (depth > MAX_DEPTH) throw broken("its values are nested too deep");
    const from = at;
    const sign = text[from];
    if (sign === '"' || sign === "'") {
      const isLong = text.startsWith(sign.repeat(3), from);
      scalar(isLong ? LONG_STRING : STRING, "a string is not closed");
    } else if (match(/\[/y)) {
      for (skipGap(); !match(/\]/y); skipGap()) {
        readValue(depth + 1);
        skipGap();
        expect(/,|(?=\])/y, "an array is not closed");
      }
    } else if (match(/\{[ \t]*/y)) {
      return readInline(depth);
    } else if (!match(DATE) && !match(FLOAT)) {
      return scalar(SCALAR, "a value is missing or invalid");
    }
    return text.slice(from, at);
  }

  function readInline(depth: number): TomlTable {
    const table = newTable("inline");
    if (text[at] !== "}") {
      do readPair(table, depth + 1); while (match(/[ \t]*,/y));
    }
    expect(/[ \t]*\}/y, '"}" is missing');
    return table;
  }

  let table = root;
  // Not a constant of the module, since its class of Unicode takes long to compile.
  const lineEnd = /[ \t]*(?:#[\P{Cc}\t]*)?(?:\r?\n|$)/yu;
  for (skipGap(); at < text.length; skipGap()) {
    const from = at;
    const open = match(/\[\[?/y);
    if (open === undefined) readPair(table, 0);
    else table = readHeader(open === "[[", from);
    expect(lineEnd, "a line holds one statement");
  }
  return root;
}

export function newTable(made: TomlTable["made"]): TomlTable {
  return { made, entries: new Map() };
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value);
}

/** The line of a position in a text, from 1 on. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
