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

/**
 * Reads TOML. Broken TOML, and a key or table that is given twice, is a
 * `SyntaxError` with the line.
 *
 * The structure is read here, into maps; `@std/toml` parses single integers,
 * booleans and strings. Its tables are not safe: it follows a `__proto__` in a
 * header to the prototype of every object, accepts duplicate keys and two
 * statements on a line, takes time quadratic in the keys, and leaves dates to
 * the engine.
 */
export function readToml(text: string): TomlTable {
  if (text.length > MAX_TOML_LENGTH) {
    throw tooMuch(`${MAX_TOML_LENGTH} characters`);
  }
  return new TomlReader(text).read();
}

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

class TomlReader {
  readonly #text: string;
  #at: number;
  #keys = 0;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith("\uFEFF") ? 1 : 0;
  }

  read(): TomlTable {
    const root = newTable("by its header");
    let table = root;
    // A constant would be parsed at import, and classes of Unicode take long.
    const end = /[ \t]*(?:#[\P{Cc}\t]*)?(?:\r?\n|$)/yu;
    for (this.#skipGap(); this.#at < this.#text.length; this.#skipGap()) {
      const from = this.#at;
      const open = this.#match(/\[\[?/y);
      if (open === undefined) this.#readPair(table, 0);
      else table = this.#readHeader(root, open, from);
      this.#expect(end, "a line holds one statement");
    }
    return root;
  }

  /** Skips white space, line breaks and comments. */
  #skipGap(): void {
    while (this.#match(/[ \t\n]+|\r\n|#[\P{Cc}\t]*/yu));
  }

  /** Reads the rest of a header; returns its table. */
  #readHeader(root: TomlTable, open: string, from: number): TomlTable {
    const path = this.#readPath();
    const isList = open === "[[";
    this.#expect(isList ? /\]\]/y : /\]/y, "a header is not closed");
    const [entries, name] = this.#above(root, path, "by a header below", from);
    const made = newTable("by its header");
    const entry = entries.get(name);
    if (entry === undefined) {
      this.#add(entries, name, isList ? [made] : made, from);
      return made;
    }
    const { value } = entry;
    if (isList && Array.isArray(value)) {
      value.push(made);
      return made;
    }
    const isOpen = isTable(value) && value.made === "by a header below";
    if (isList || !isOpen) throw this.#twice(path, from);
    entry.at = from;
    value.made = "by its header";
    return value;
  }

  #readPair(table: TomlTable, depth: number): void {
    const from = this.#at;
    const path = this.#readPath();
    this.#expect(/=[ \t]*/y, '"=" is missing');
    const value = this.#readValue(depth);
    const [entries, name] = this.#above(table, path, "by dotted keys", from);
    if (entries.has(name)) throw this.#twice(path, from);
    this.#add(entries, name, value, from);
  }

  /** Returns where the last name of a path belongs; makes missing tables. */
  #above(
    table: TomlTable,
    path: readonly string[],
    made: "by a header below" | "by dotted keys",
    from: number,
  ): [TomlTable["entries"], name: string] {
    let above = table;
    for (const name of path.slice(0, -1)) {
      const value = above.entries.get(name)?.value ??
        this.#add(above.entries, name, newTable(made), from);
      const inner = Array.isArray(value) ? value.at(-1) : value;
      const isOpen = isTable(inner) && inner.made !== "inline" &&
        (made === "by a header below" || inner.made === made);
      if (!isOpen) throw this.#twice(path, from);
      above = inner;
    }
    return [above.entries, path.at(-1)!];
  }

  #add<Value extends TomlValue>(
    entries: TomlTable["entries"],
    name: string,
    value: Value,
    at: number,
  ): Value {
    entries.set(name, { value, at });
    if (++this.#keys <= MAX_KEYS) return value;
    throw tooMuch(`${MAX_KEYS} keys`);
  }

  /** Reads a key, dotted or not, with the space around it. */
  #readPath(): string[] {
    const path: string[] = [];
    do {
      this.#match(SPACE);
      const bare = this.#match(/[\w-]+/y);
      path.push(bare ?? String(this.#parse(STRING, "a key is missing")));
      this.#match(SPACE);
    } while (this.#match(/\./y));
    return path;
  }

  #readValue(depth: number): TomlValue {
    if (depth > MAX_DEPTH) throw this.#broken("its values are nested too deep");
    const from = this.#at;
    const sign = this.#text[from];
    if (sign === '"' || sign === "'") {
      const isLong = this.#text.startsWith(sign.repeat(3), from);
      this.#parse(isLong ? LONG_STRING : STRING, "a string is not closed");
    } else if (this.#match(/\[/y)) {
      for (this.#skipGap(); !this.#match(/\]/y); this.#skipGap()) {
        this.#readValue(depth + 1);
        this.#skipGap();
        this.#expect(/,|(?=\])/y, "an array is not closed");
      }
    } else if (this.#match(/\{[ \t]*/y)) {
      return this.#readInline(depth);
    } else if (!this.#match(DATE) && !this.#match(FLOAT)) {
      const missing = "a value is missing or invalid";
      return this.#parse(SCALAR, missing) as number | boolean;
    }
    return this.#text.slice(from, this.#at);
  }

  #readInline(depth: number): TomlTable {
    const table = newTable("by its header");
    if (this.#text[this.#at] !== "}") {
      do this.#readPair(table, depth + 1); while (this.#match(/[ \t]*,/y));
    }
    this.#expect(/[ \t]*\}/y, '"}" is missing');
    table.made = "inline";
    return table;
  }

  /** Parses a single integer, boolean or string with `@std/toml`. */
  #parse(pattern: RegExp, missing: string): unknown {
    const from = this.#at;
    const raw = this.#expect(pattern, missing);
    try {
      return parse(`value = ${raw}`).value;
    } catch {
      throw this.#broken("a value is invalid", from);
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #expect(pattern: RegExp, problem: string): string {
    const found = this.#match(pattern);
    if (found === undefined) throw this.#broken(problem);
    return found;
  }

  #broken(problem: string, at = this.#at): SyntaxError {
    const line = lineAt(this.#text, at);
    return new SyntaxError(`${FAILED}: line ${line} is not TOML: ${problem}`);
  }

  #twice(path: readonly string[], from: number): SyntaxError {
    const name = quote(path.join("."));
    return this.#broken(`${name}, or a part of it, is given twice`, from);
  }
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
