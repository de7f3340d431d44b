// Runtime-agnostic.
import { parse } from "@std/toml";
import { quote } from "../core/base/words.ts";

/**
 * What a key of a TOML text holds. Strings, floats, dates and arrays are given
 * as they are written: a configuration of ours has no use for them but to name
 * them in a message.
 */
export type TomlValue = number | boolean | string | TomlTable | TomlTable[];

/** A table, and what made it, which decides whether it may be added to. */
export interface TomlTable {
  made: "by its header" | "by a header below" | "by dotted keys" | "inline";
  readonly entries: Map<string, { readonly value: TomlValue; at: number }>;
}

/** The longest text, in UTF-16 code units, and the most keys and levels in it. */
export const MAX_TOML_LENGTH = 65_536;
const MAX_KEYS = 1_000;
const MAX_DEPTH = 32;

/**
 * Reads TOML. Broken TOML, and a key or table that is given twice, is a
 * `SyntaxError` with the line.
 *
 * The structure is read here, into maps; `@std/toml` is asked only what a single
 * integer, boolean or string means. Its own tables are not sound: it follows a
 * `__proto__` in a header to the prototype of every object, takes duplicate keys
 * and two statements on a line, takes time quadratic in the keys, and leaves
 * dates to the engine. It never sees a key, a table or a date of the text.
 *
 * @param failed The beginning of each message.
 */
export function readToml(text: string, failed: string): TomlTable {
  if (text.length > MAX_TOML_LENGTH) {
    throw tooMuch(failed, `${MAX_TOML_LENGTH} characters`);
  }
  return new TomlReader(text, failed).read();
}

function tooMuch(failed: string, most: string): RangeError {
  const advice = "leave out what belongs to other programs";
  return new RangeError(`${failed}: it has more than ${most}; ${advice}`);
}

const SPACE = /[ \t]+/y;
const COMMENT = /#[\P{Cc}\t]*/yu;
const GAP = /[ \t\n]+|\r\n|#[\P{Cc}\t]*/yu;
const DATE =
  /\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?/y;
const BOOLEAN_OR_INTEGER =
  /^(?:true|false|[+-]?(?:0|[1-9](?:_?\d)*)|0x[\da-fA-F](?:_?[\da-fA-F])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*)$/;
const FLOAT =
  /^[+-]?(?:inf|nan|(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?)$/;

class TomlReader {
  readonly #text: string;
  readonly #failed: string;
  #at: number;
  #keys = 0;

  constructor(text: string, failed: string) {
    this.#text = text;
    this.#failed = failed;
    this.#at = text.startsWith("\uFEFF") ? 1 : 0;
  }

  read(): TomlTable {
    const root = newTable("by its header");
    let table = root;
    for (this.#skipGap(); this.#at < this.#text.length; this.#skipGap()) {
      const from = this.#at;
      const open = this.#match(/\[\[?/y);
      if (open === undefined) {
        this.#readPair(table, 0);
      } else {
        const path = this.#readPath();
        this.#expect(open === "[" ? "]" : "]]");
        table = this.#enter(root, path, open, from);
      }
      this.#match(SPACE);
      this.#match(COMMENT);
      if (this.#at < this.#text.length && !this.#match(/\r?\n/y)) {
        throw this.#broken("a line holds one statement");
      }
    }
    return root;
  }

  /** Skips white space, line breaks and comments. */
  #skipGap(): void {
    while (this.#match(GAP));
  }

  #readPair(table: TomlTable, depth: number): void {
    const from = this.#at;
    const path = this.#readPath();
    this.#expect("=");
    this.#match(SPACE);
    const value = this.#readValue(depth);
    const name = path.at(-1)!;
    let inner = table;
    for (const above of path.slice(0, -1)) {
      inner = this.#into(inner, above, "by dotted keys", from);
      if (inner.made !== "by dotted keys") throw this.#twice(path, from);
    }
    if (inner.entries.has(name)) throw this.#twice(path, from);
    this.#add(inner, name, value, from);
  }

  /** Goes into a table, which is made where nothing is; what is no table is closed. */
  #into(
    table: TomlTable,
    name: string,
    made: TomlTable["made"],
    from: number,
  ): TomlTable {
    const value = table.entries.get(name)?.value ??
      this.#add(table, name, newTable(made), from);
    const held = Array.isArray(value) ? value.at(-1)! : value;
    return isTable(held) ? held : newTable("inline");
  }

  /** Reads a key, dotted or not, with the space around it. */
  #readPath(): string[] {
    const path: string[] = [];
    do {
      this.#match(SPACE);
      path.push(this.#readName());
      this.#match(SPACE);
    } while (this.#match(/\./y));
    return path;
  }

  #readName(): string {
    const bare = this.#match(/[A-Za-z0-9_-]+/y);
    if (bare !== undefined) return bare;
    const from = this.#at;
    const raw = this.#readString();
    if (raw === undefined || /^(?:"""|''')/.test(raw)) {
      throw this.#broken("a key is missing", from);
    }
    return String(this.#meaningOf(raw, from));
  }

  /** Enters the table that a header names, and makes it. */
  #enter(
    root: TomlTable,
    path: readonly string[],
    open: string,
    from: number,
  ): TomlTable {
    const name = path.at(-1)!;
    let table = root;
    for (const above of path.slice(0, -1)) {
      table = this.#into(table, above, "by a header below", from);
      if (table.made === "inline") throw this.#twice(path, from);
    }
    const made = newTable("by its header");
    const entry = table.entries.get(name);
    if (entry === undefined) {
      this.#add(table, name, open === "[" ? made : [made], from);
      return made;
    }
    const { value } = entry;
    if (open === "[[" && Array.isArray(value)) {
      value.push(made);
      return made;
    }
    const isOpen = open === "[" && isTable(value) &&
      value.made === "by a header below";
    if (!isOpen) throw this.#twice(path, from);
    entry.at = from;
    value.made = "by its header";
    return value;
  }

  #add<Value extends TomlValue>(
    table: TomlTable,
    name: string,
    value: Value,
    from: number,
  ): Value {
    if (++this.#keys > MAX_KEYS) {
      throw tooMuch(this.#failed, `${MAX_KEYS} keys`);
    }
    table.entries.set(name, { value, at: from });
    return value;
  }

  #readValue(depth: number): TomlValue {
    if (depth > MAX_DEPTH) throw this.#broken("its values are nested too deep");
    const from = this.#at;
    const string = this.#readString();
    if (string !== undefined) {
      this.#meaningOf(string, from);
      return string;
    }
    if (this.#match(/\[/y)) {
      this.#skipGap();
      while (!this.#match(/\]/y)) {
        this.#readValue(depth + 1);
        this.#skipGap();
        if (!this.#match(/,/y) && this.#text[this.#at] !== "]") {
          throw this.#broken("an array is not closed");
        }
        this.#skipGap();
      }
      return this.#text.slice(from, this.#at);
    }
    if (this.#match(/\{/y)) return this.#readInline(depth);
    const date = this.#match(DATE);
    const scalar = this.#match(/[A-Za-z0-9_+.:-]+/y);
    if (date !== undefined && scalar === undefined) return date;
    if (date === undefined && scalar !== undefined) {
      if (BOOLEAN_OR_INTEGER.test(scalar)) {
        return this.#meaningOf(scalar, from) as number | boolean;
      }
      if (FLOAT.test(scalar)) return scalar;
    }
    throw this.#broken("a value is missing, or is none", from);
  }

  #readInline(depth: number): TomlTable {
    const table = newTable("by its header");
    this.#match(SPACE);
    if (this.#text[this.#at] !== "}") {
      do this.#readPair(table, depth + 1); while (this.#match(/[ \t]*,/y));
    }
    this.#expect("}");
    table.made = "inline";
    return table;
  }

  /** Reads a string as it is written, if there is one. */
  #readString(): string | undefined {
    const from = this.#at;
    const quote = this.#match(/"""|'''|"|'/y);
    if (quote === undefined) return undefined;
    const isLong = quote.length > 1;
    while (this.#at < this.#text.length) {
      if (this.#text.startsWith(quote, this.#at)) {
        this.#at += quote.length;
        // The text may itself end with one or two of its quotes.
        for (let extra = 0; isLong && extra < 2; extra++) {
          if (this.#text[this.#at] === quote[0]) this.#at++;
        }
        return this.#text.slice(from, this.#at);
      }
      const sign = this.#text[this.#at];
      if (sign === "\n" && !isLong) break;
      this.#at += sign === "\\" && quote[0] === '"' ? 2 : 1;
    }
    throw this.#broken("a string is not closed", from);
  }

  /** What a single integer, boolean or string means. */
  #meaningOf(raw: string, from: number): unknown {
    try {
      return parse(`value = ${raw}`).value;
    } catch {
      throw this.#broken("a value is none", from);
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #expect(sign: string): void {
    this.#match(SPACE);
    if (!this.#text.startsWith(sign, this.#at)) {
      throw this.#broken(`${quote(sign)} is missing`);
    }
    this.#at += sign.length;
  }

  #broken(problem: string, at = this.#at): SyntaxError {
    return new SyntaxError(
      `${this.#failed}: line ${lineAt(this.#text, at)} is no TOML: ${problem}`,
    );
  }

  #twice(path: readonly string[], from: number): SyntaxError {
    const name = quote(path.join("."));
    return this.#broken(`${name}, or a part of it, is given twice`, from);
  }
}

function newTable(made: TomlTable["made"]): TomlTable {
  return { made, entries: new Map() };
}

/** Whether a value is a table. */
export function isTable(value: TomlValue): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value);
}

/** The line of a position in a text, from 1 on. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
