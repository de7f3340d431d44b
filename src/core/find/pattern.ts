// Runtime-agnostic.
import { CLASSES, CONTROLS, invert, LAST, LINE_ENDS } from "./characters.ts";
import type { Range } from "./characters.ts";

/** A zero-width assertion. */
export type Place = "start" | "end" | "boundary" | "inside";

/** A parsed pattern. */
export type Node =
  | {
    readonly kind: "set";
    readonly ranges: readonly Range[];
    /** Whether it matches all code points except these. */
    readonly isOthers?: boolean;
  }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "all" | "any"; readonly nodes: readonly Node[] }
  | {
    readonly kind: "repeat";
    readonly node: Node;
    readonly least: number;
    /** `Infinity` for no limit. */
    readonly most: number;
  };

/** A mistake in a pattern; the message is the rest of a sentence about it. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** The code points of `.`: one array, so that it is compiled once. */
let point: readonly Range[] | undefined;

/** The deepest nesting of groups. */
const MAX_DEPTH = 100;
/** The largest count of a repetition. */
const MAX_REPEAT = 1000;

/**
 * Parses a pattern in a part of the syntax of JavaScript, with the flag `u`.
 * Backreferences and lookaround, which need backtracking, are refused.
 */
export function parsePattern(pattern: string): Node {
  return new Parser(pattern).parse();
}

class Parser {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  parse(): Node {
    const node = this.#alternatives();
    if (this.#at < this.#characters.length) {
      throw this.#error("closes a group that is not open; write \\)");
    }
    return node;
  }

  get #next(): string | undefined {
    return this.#characters[this.#at];
  }

  #takes(sign: string): boolean {
    const { length } = sign;
    const found = this.#characters.slice(this.#at, this.#at + length).join("");
    if (found !== sign) return false;
    this.#at += length;
    return true;
  }

  #error(problem: string): PatternError {
    const sign = this.#next ?? "its end";
    return new PatternError(
      `is no pattern: ${
        sign === "its end" ? sign : `"${sign}" (character ${this.#at + 1})`
      } ${problem}`,
    );
  }

  #alternatives(): Node {
    if (++this.#depth > MAX_DEPTH) throw this.#error("is nested too deep");
    const nodes = [this.#sequence()];
    while (this.#takes("|")) nodes.push(this.#sequence());
    this.#depth--;
    return nodes.length === 1 ? nodes[0]! : { kind: "any", nodes };
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    while (this.#next !== undefined && !/[|)]/.test(this.#next)) {
      nodes.push(this.#repetition());
    }
    return nodes.length === 1 ? nodes[0]! : { kind: "all", nodes };
  }

  #repetition(): Node {
    const node = this.#term();
    const bounds = this.#bounds();
    if (bounds === undefined) return node;
    if (node.kind === "place") {
      throw this.#error("follows a repeated place, which repeats nothing");
    }
    // A lazy repetition matches the same lines.
    this.#takes("?");
    if (/[*+?]/.test(this.#next ?? "")) {
      throw this.#error("repeats a repetition; put a group round that");
    }
    const [least, most] = bounds;
    return { kind: "repeat", node, least, most };
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#takes("*")) return [0, Infinity];
    if (this.#takes("+")) return [1, Infinity];
    if (this.#takes("?")) return [0, 1];
    if (this.#next !== "{") return undefined;
    const rest = this.#characters.slice(this.#at, this.#at + 16).join("");
    const match = /^\{(\d{1,6})(?:(,)(\d{0,6}))?\}/.exec(rest);
    if (match === null) throw this.#error("is no {count}; write \\{");
    const [all, first, comma, last] = match;
    const least = Number(first);
    const most = comma === undefined
      ? least
      : last === ""
      ? Infinity
      : Number(last);
    if (most < least) throw this.#error("has its counts in the wrong order");
    if (least > MAX_REPEAT || most < Infinity && most > MAX_REPEAT) {
      throw this.#error(`repeats more than ${MAX_REPEAT} times`);
    }
    this.#at += all.length;
    return [least, most];
  }

  #term(): Node {
    const sign = this.#next!;
    if (sign === "(") return this.#group();
    if (sign === "[") return this.#set();
    if (sign === "\\") return this.#escape();
    if (/[*+?{]/.test(sign)) {
      throw this.#error(`repeats nothing; write \\${sign}`);
    }
    if (/[}\]]/.test(sign)) throw this.#error(`opens nothing; write \\${sign}`);
    this.#at++;
    if (sign === "^") return { kind: "place", place: "start" };
    if (sign === "$") return { kind: "place", place: "end" };
    if (sign === ".") {
      return { kind: "set", ranges: point ??= invert(LINE_ENDS) };
    }
    return only(sign.codePointAt(0)!);
  }

  #group(): Node {
    const begin = this.#at;
    this.#at++;
    if (this.#takes("?")) {
      const isNamed = this.#next === "<" &&
        !/[=!]/.test(this.#characters[this.#at + 1] ?? "");
      if (isNamed) {
        while (this.#next !== undefined && !this.#takes(">")) this.#at++;
      } else if (!this.#takes(":")) {
        const isLook = /[=!<]/.test(this.#next ?? "");
        this.#at = begin;
        throw this.#error(
          isLook
            ? "begins a lookaround, which is not taken; find more, and look at the lines"
            : "begins a group that is not taken; write (?:…), and ignoreCase beside it",
        );
      }
    }
    const node = this.#alternatives();
    if (this.#takes(")")) return node;
    this.#at = begin;
    throw this.#error("opens a group that is not closed; write \\(");
  }

  /** A backslash outside a set, and what follows. */
  #escape(): Node {
    const sign = this.#characters[this.#at + 1];
    if (sign === "b" || sign === "B") {
      this.#at += 2;
      return { kind: "place", place: sign === "b" ? "boundary" : "inside" };
    }
    if (/[1-9k]/.test(sign ?? "")) {
      throw this.#error("begins a backreference, which is not taken");
    }
    return { kind: "set", ranges: this.#escaped() };
  }

  /** The code points of an escape. */
  #escaped(): readonly Range[] {
    const sign = this.#characters[this.#at + 1] ?? "";
    const ranges = CLASSES[sign.toLowerCase()];
    if (ranges !== undefined && sign !== "") {
      this.#at += 2;
      return /[DWS]/.test(sign) ? invert(ranges) : ranges;
    }
    const rest = this.#characters.slice(this.#at + 1, this.#at + 12).join("");
    const hex = /^(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/i.exec(
      rest,
    );
    if (hex !== null) {
      const code = parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      if (code > LAST || isSurrogate) throw this.#error("names no character");
      this.#at += 1 + hex[0].length;
      return [[code, code]];
    }
    const isZero = sign === "0" && !/\d/.test(rest[1] ?? "");
    const control = isZero ? 0 : CONTROLS[sign];
    if (control === undefined && !/^[!-/:;=?@[-`{-~ ]$/.test(sign)) {
      throw this.#error("begins an escape that is not taken");
    }
    this.#at += 2;
    const code = control ?? sign.codePointAt(0)!;
    return [[code, code]];
  }

  #set(): Node {
    const begin = this.#at;
    this.#at++;
    const isOthers = this.#takes("^");
    const ranges: Range[] = [];
    while (!this.#takes("]")) {
      const from = this.#member(begin);
      const isRange = this.#next === "-" &&
        (this.#characters[this.#at + 1] ?? "]") !== "]";
      if (!isRange) {
        ranges.push(...from);
        continue;
      }
      this.#at++;
      const to = this.#member(begin);
      const [first, last] = [codeOf(from), codeOf(to)];
      if (first === undefined || last === undefined || first > last) {
        this.#at = begin;
        throw this.#error("has a range that is none");
      }
      ranges.push([first, last]);
    }
    return { kind: "set", ranges, isOthers };
  }

  #member(begin: number): readonly Range[] {
    const sign = this.#next;
    if (sign === undefined) {
      this.#at = begin;
      throw this.#error("opens a set that is not closed; write \\[");
    }
    if (sign === "\\") {
      if (this.#characters[this.#at + 1] !== "b") return this.#escaped();
      this.#at += 2;
      return [[8, 8]];
    }
    this.#at++;
    const code = sign.codePointAt(0)!;
    return [[code, code]];
  }
}

function only(code: number): Node {
  return { kind: "set", ranges: [[code, code]] };
}

function codeOf([range, ...others]: readonly Range[]): number | undefined {
  if (range === undefined || others.length > 0) return undefined;
  return range[0] === range[1] ? range[0] : undefined;
}

export function literalPattern(text: string): Node {
  const nodes = Array.from(text, (sign) => only(sign.codePointAt(0)!));
  return { kind: "all", nodes };
}
