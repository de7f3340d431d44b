// Runtime-agnostic.

/** A range of code points, both ends inclusive. */
export type Range = readonly [from: number, to: number];

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

/** The last code point. */
const LAST = 0x10ffff;

/** The letters, digits and underscore of ASCII. */
export const WORDS: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** The white space of JavaScript. */
const SPACES: readonly Range[] = [
  [0x09, 0x0d],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  ...[..." \u00a0\u1680\u202f\u205f\u3000\ufeff"].flatMap(one),
];

/** The character classes of a backslash and a lowercase letter; the uppercase letter is the inverse. */
const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: [[0x30, 0x39]],
  w: WORDS,
  s: SPACES,
};

/** The signs that name a control character after a backslash, and these characters. */
const CONTROL_SIGNS = "0tvfrn";
const CONTROLS = "\0\t\v\f\r\n";

/** All but the ends of lines, for `.`: one array, so that it is compiled once. */
const DOT: readonly Range[] = [[0, 9], [11, 12], [14, 0x2027], [0x202a, LAST]];

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
  readonly #pattern: string;
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): Node {
    const node = this.#alternatives();
    if (this.#next !== "") {
      throw this.#error("closes a group that is not open; write \\)");
    }
    return node;
  }

  /** The next character; empty at the end. */
  get #next(): string {
    const code = this.#pattern.codePointAt(this.#at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  /** Takes what a sticky expression matches; `null` if it does not match here. */
  #take(sign: RegExp): RegExpExecArray | null {
    sign.lastIndex = this.#at;
    const found = sign.exec(this.#pattern);
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #error(problem: string, at = this.#at): PatternError {
    this.#at = at;
    const character = Array.from(this.#pattern.slice(0, at)).length + 1;
    const place = this.#next === ""
      ? "its end"
      : `"${this.#next}" (character ${character})`;
    return new PatternError(`is not a valid pattern: ${place} ${problem}`);
  }

  #alternatives(): Node {
    if (++this.#depth > MAX_DEPTH) throw this.#error("is nested too deep");
    const nodes = [this.#sequence()];
    while (this.#take(/\|/y)) nodes.push(this.#sequence());
    this.#depth--;
    return nodes.length === 1 ? nodes[0]! : { kind: "any", nodes };
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    while (/[^|)]/.test(this.#next)) nodes.push(this.#repetition());
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
    this.#take(/\?/y);
    if (/[*+?]/.test(this.#next)) {
      throw this.#error("repeats a repetition; put a group round that");
    }
    const [least, most] = bounds;
    return { kind: "repeat", node, least, most };
  }

  #bounds(): readonly [number, number] | undefined {
    const begin = this.#at;
    if (this.#take(/\?/y)) return [0, 1];
    const many = this.#take(/[*+]/y)?.[0];
    if (many !== undefined) return [many === "+" ? 1 : 0, Infinity];
    if (this.#next !== "{") return undefined;
    const counts = this.#take(/\{(\d{1,6})(?:(,)(\d{0,6}))?\}/y);
    if (counts === null) throw this.#error("is no {count}; write \\{");
    const [, first, comma, last] = counts;
    const least = Number(first);
    const most = comma === undefined ? least : Number(last || Infinity);
    if (most < least) {
      throw this.#error("has its counts in the wrong order", begin);
    }
    if (least > MAX_REPEAT || most < Infinity && most > MAX_REPEAT) {
      throw this.#error(`repeats more than ${MAX_REPEAT} times`, begin);
    }
    return [least, most];
  }

  #term(): Node {
    const sign = this.#next;
    if (sign === "(") return this.#group();
    if (sign === "[") return this.#set();
    if (sign === "\\") return this.#escape();
    if (/[*+?{]/.test(sign)) {
      throw this.#error(`repeats nothing; write \\${sign}`);
    }
    if (/[}\]]/.test(sign)) throw this.#error(`opens nothing; write \\${sign}`);
    this.#at += sign.length;
    if (sign === "^") return { kind: "place", place: "start" };
    if (sign === "$") return { kind: "place", place: "end" };
    const ranges = sign === "." ? DOT : one(sign);
    return { kind: "set", ranges };
  }

  #group(): Node {
    const begin = this.#at;
    if (!this.#take(/\((?:\?(?:<(?![=!])[^>]*>?|:)|(?!\?))/y)) {
      const isLook = this.#take(/\(\?[=!<]/y) !== null;
      const problem = isLook
        ? "begins a lookaround, which is not taken; find more, and look at the lines"
        : "begins a group that is not taken; write (?:…), and ignoreCase beside it";
      throw this.#error(problem, begin);
    }
    const node = this.#alternatives();
    if (this.#take(/\)/y)) return node;
    throw this.#error("opens a group that is not closed; write \\(", begin);
  }

  /** A backslash outside a set, and what follows. */
  #escape(): Node {
    const begin = this.#at;
    if (this.#take(/\\b/y)) return { kind: "place", place: "boundary" };
    if (this.#take(/\\B/y)) return { kind: "place", place: "inside" };
    if (this.#take(/\\[1-9k]/y)) {
      throw this.#error("begins a backreference, which is not taken", begin);
    }
    return { kind: "set", ranges: this.#escaped() };
  }

  /** The code points of an escape. */
  #escaped(): readonly Range[] {
    const begin = this.#at;
    const letter = this.#take(/\\([dws])/iy)?.[1];
    if (letter !== undefined) {
      const ranges = CLASSES[letter.toLowerCase()]!;
      return /[DWS]/.test(letter) ? invert(ranges) : ranges;
    }
    const hex = this.#take(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/iy,
    );
    if (hex !== null) {
      const code = parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      if (code <= LAST && !isSurrogate) return [[code, code]];
      throw this.#error("names no character", begin);
    }
    const sign = this.#take(/\\(0(?!\d)|[tvfrn!-/:;=?@[-`{-~ ])/y)?.[1];
    if (sign === undefined) {
      throw this.#error("begins an escape that is not taken");
    }
    return one(CONTROLS[CONTROL_SIGNS.indexOf(sign)] ?? sign);
  }

  #set(): Node {
    const begin = this.#at++;
    const isOthers = this.#take(/\^/y) !== null;
    const ranges: Range[] = [];
    while (!this.#take(/\]/y)) {
      const from = this.#member(begin);
      // A minus at the end of the set is a character.
      if (!this.#take(/-(?!\]|$)/y)) {
        ranges.push(...from);
        continue;
      }
      const [first, last] = [codeOf(from), codeOf(this.#member(begin))];
      if (first === undefined || last === undefined || first > last) {
        throw this.#error("has a range whose end comes first", begin);
      }
      ranges.push([first, last]);
    }
    return { kind: "set", ranges, isOthers };
  }

  #member(begin: number): readonly Range[] {
    const sign = this.#next;
    if (sign === "") {
      throw this.#error("opens a set that is not closed; write \\[", begin);
    }
    if (this.#take(/\\b/y)) return [[8, 8]];
    if (sign === "\\") return this.#escaped();
    this.#at += sign.length;
    return one(sign);
  }
}

/** The code point of a character. */
export function one(sign: string): readonly Range[] {
  const code = sign.codePointAt(0)!;
  return [[code, code]];
}

function codeOf([range, ...others]: readonly Range[]): number | undefined {
  if (range === undefined || others.length > 0) return undefined;
  return range[0] === range[1] ? range[0] : undefined;
}

export function literalPattern(text: string): Node {
  const nodes = Array.from(
    text,
    (sign): Node => ({ kind: "set", ranges: one(sign) }),
  );
  return { kind: "all", nodes };
}

/** The code points outside of all ranges. */
export function invert(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 0;
  for (const [from, to] of join(ranges)) {
    if (from > next) others.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) others.push([next, LAST]);
  return others;
}

/** Sorts ranges, and joins adjacent ones. */
export function join(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((one, two) => one[0] - two[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) {
      last[1] = Math.max(last[1], to);
    } else joined.push([from, to]);
  }
  return joined;
}
