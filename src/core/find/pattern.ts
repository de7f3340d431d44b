/** A range of code points, both ends inclusive. */
export type Range = readonly [from: number, to: number];

/** A zero-width assertion. */
export type Assertion = "start" | "end" | "boundary" | "inside";

/** A parsed pattern. */
export type PatternNode =
  | {
    readonly kind: "set";
    readonly ranges: readonly Range[];
    /** Whether it matches all code points except these. */
    readonly isOthers?: boolean;
  }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "all" | "any"; readonly nodes: readonly PatternNode[] }
  | {
    readonly kind: "repeat";
    readonly node: PatternNode;
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
  ...[..." \u00a0\u1680\u202f\u205f\u3000\ufeff"].flatMap(rangesOf),
];

/** The character classes of a backslash and a lowercase letter; the uppercase letter is the inverse. */
const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: [[0x30, 0x39]],
  w: WORDS,
  s: SPACES,
};

/** The control characters that a sign after a backslash names. */
const ESCAPED_CONTROLS: Readonly<Record<string, string>> = {
  0: "\0",
  t: "\t",
  v: "\v",
  f: "\f",
  r: "\r",
  n: "\n",
};

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
export function parsePattern(pattern: string): PatternNode {
  /** The position in the pattern: the functions below read there, and move it. */
  let at = 0;
  let depth = 0;

  /** The next character; empty at the end. */
  function next(): string {
    const code = pattern.codePointAt(at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  /** Takes what a sticky expression matches; `null` if it does not match here. */
  function take(sign: RegExp): RegExpExecArray | null {
    sign.lastIndex = at;
    const found = sign.exec(pattern);
    at += found?.[0].length ?? 0;
    return found;
  }

  function error(problem: string, begin = at): PatternError {
    at = begin;
    const character = Array.from(pattern.slice(0, at)).length + 1;
    const sign = next();
    const what = sign === "" ? "its end" : `"${sign}" (character ${character})`;
    return new PatternError(`is not a valid pattern: ${what} ${problem}`);
  }

  function alternatives(): PatternNode {
    if (++depth > MAX_DEPTH) throw error("is nested too deep");
    const nodes = [sequence()];
    while (take(/\|/y)) nodes.push(sequence());
    depth--;
    return nodes.length === 1 ? nodes[0]! : { kind: "any", nodes };
  }

  function sequence(): PatternNode {
    const nodes: PatternNode[] = [];
    while (/[^|)]/.test(next())) nodes.push(repetition());
    return nodes.length === 1 ? nodes[0]! : { kind: "all", nodes };
  }

  function repetition(): PatternNode {
    const node = term();
    const begin = at;
    const counts = bounds();
    if (counts === undefined) return node;
    if (node.kind === "assertion") {
      throw error("repeats an assertion, which takes no text", begin);
    }
    // A lazy repetition matches the same lines.
    take(/\?/y);
    if (/[*+?]/.test(next())) {
      throw error("repeats a repetition; put a group round that");
    }
    const [least, most] = counts;
    return { kind: "repeat", node, least, most };
  }

  function bounds(): readonly [number, number] | undefined {
    const begin = at;
    if (take(/\?/y)) return [0, 1];
    const many = take(/[*+]/y)?.[0];
    if (many !== undefined) return [many === "+" ? 1 : 0, Infinity];
    if (next() !== "{") return undefined;
    const counts = take(/\{(\d{1,6})(?:(,)(\d{0,6}))?\}/y);
    if (counts === null) throw error("is no {count}; write \\{");
    const [, first, comma, last] = counts;
    const least = Number(first);
    const most = comma === undefined ? least : Number(last || Infinity);
    if (most < least) {
      throw error("has its counts in the wrong order", begin);
    }
    if (least > MAX_REPEAT || most < Infinity && most > MAX_REPEAT) {
      throw error(`repeats more than ${MAX_REPEAT} times`, begin);
    }
    return [least, most];
  }

  function term(): PatternNode {
    const sign = next();
    if (sign === "(") return group();
    if (sign === "[") return set();
    if (sign === "\\") return escape();
    if (/[*+?{]/.test(sign)) {
      throw error(`repeats nothing; write \\${sign}`);
    }
    if (/[}\]]/.test(sign)) throw error(`closes nothing; write \\${sign}`);
    at += sign.length;
    if (sign === "^") return { kind: "assertion", assertion: "start" };
    if (sign === "$") return { kind: "assertion", assertion: "end" };
    const ranges = sign === "." ? DOT : rangesOf(sign);
    return { kind: "set", ranges };
  }

  function group(): PatternNode {
    const begin = at;
    const opening = take(/\((?!\?)/y) ?? take(/\(\?:/y) ??
      take(/\(\?<(?![=!])[^>]*>?/y);
    if (opening === null) {
      const isLook = take(/\(\?[=!<]/y) !== null;
      const problem = isLook
        ? "begins a lookaround, which is not taken; find more, and look at the lines"
        : "begins a group that is not taken; write (?:…), and ignoreCase beside it";
      throw error(problem, begin);
    }
    const node = alternatives();
    if (take(/\)/y)) return node;
    throw error("opens a group that is not closed; write \\(", begin);
  }

  /** A backslash outside a set, and what follows. */
  function escape(): PatternNode {
    const begin = at;
    if (take(/\\b/y)) return { kind: "assertion", assertion: "boundary" };
    if (take(/\\B/y)) return { kind: "assertion", assertion: "inside" };
    if (take(/\\[1-9k]/y)) {
      throw error("begins a backreference, which is not taken", begin);
    }
    return { kind: "set", ranges: escaped() };
  }

  /** The code points of an escape. */
  function escaped(): readonly Range[] {
    const begin = at;
    const letter = take(/\\([dws])/iy)?.[1];
    if (letter !== undefined) {
      const ranges = CLASSES[letter.toLowerCase()]!;
      return /[DWS]/.test(letter) ? invert(ranges) : ranges;
    }
    const hex = take(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/iy,
    );
    if (hex !== null) {
      const code = parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      if (code <= LAST && !isSurrogate) return [[code, code]];
      throw error("names no character", begin);
    }
    // Only the signs of `ESCAPED_CONTROLS`, punctuation and a blank can be escaped.
    const sign = take(/\\(0(?!\d)|[tvfrn!-/:;=?@[-`{-~ ])/y)?.[1];
    if (sign === undefined) {
      throw error("begins an escape that is not taken");
    }
    return rangesOf(ESCAPED_CONTROLS[sign] ?? sign);
  }

  function set(): PatternNode {
    const begin = at++;
    const isOthers = take(/\^/y) !== null;
    const ranges: Range[] = [];
    while (!take(/\]/y)) {
      const from = member(begin);
      // A minus at the end of the set is a character.
      if (!take(/-(?!\]|$)/y)) {
        ranges.push(...from);
        continue;
      }
      const first = singleCodeIn(from);
      const last = singleCodeIn(member(begin));
      if (first === undefined || last === undefined) {
        throw error("has a class such as \\d in a range; write \\-", begin);
      }
      if (first > last) {
        throw error("has a range whose end comes first", begin);
      }
      ranges.push([first, last]);
    }
    return { kind: "set", ranges, isOthers };
  }

  function member(begin: number): readonly Range[] {
    const sign = next();
    if (sign === "") {
      throw error("opens a set that is not closed; write \\[", begin);
    }
    if (take(/\\b/y)) return [[8, 8]];
    if (sign === "\\") return escaped();
    at += sign.length;
    return rangesOf(sign);
  }

  const node = alternatives();
  if (next() === "") return node;
  throw error("closes a group that is not open; write \\)");
}

/** A character as ranges: one range of one code point. */
export function rangesOf(sign: string): readonly Range[] {
  const code = sign.codePointAt(0)!;
  return [[code, code]];
}

/** The code point that ranges consist of; `undefined` if they hold more. */
function singleCodeIn(
  [range, ...others]: readonly Range[],
): number | undefined {
  if (range === undefined || others.length > 0) return undefined;
  return range[0] === range[1] ? range[0] : undefined;
}

export function literalPattern(text: string): PatternNode {
  const node = (sign: string): PatternNode => ({
    kind: "set",
    ranges: rangesOf(sign),
  });
  return { kind: "all", nodes: Array.from(text, node) };
}

/** The code points outside of all ranges. */
export function invert(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 0;
  for (const [from, to] of joinRanges(ranges)) {
    if (from > next) others.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) others.push([next, LAST]);
  return others;
}

/** Sorts ranges, and joins adjacent ones. */
export function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((one, two) => one[0] - two[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) {
      last[1] = Math.max(last[1], to);
    } else joined.push([from, to]);
  }
  return joined;
}
