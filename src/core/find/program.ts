// Runtime-agnostic.
import { invert, join, PatternError } from "./pattern.ts";
import type { Node, Place, Range } from "./pattern.ts";

export const STEPS = {
  /** Takes one byte from `low` to `high`. */
  byte: 0,
  /** Continues at both steps. */
  split: 1,
  /** Continues if the assertion holds. */
  start: 2,
  end: 3,
  boundary: 4,
  inside: 5,
  /** The pattern matches. */
  found: 6,
} as const;

/** A pattern over bytes: each step has a kind, two operands, and the next step. */
export interface Program {
  readonly kinds: readonly number[];
  /** The lowest byte, or the other step of a split. */
  readonly lows: readonly number[];
  readonly highs: readonly number[];
  readonly nexts: readonly number[];
  readonly begin: number;
}

/** The most steps of a program, which bounds the work for each byte. */
const MAX_STEPS = 4000;

/** Compiles a pattern into steps over the bytes of UTF-8. */
export function compile(pattern: Node, ignoreCase: boolean): Program {
  return new Compiler(pattern, ignoreCase);
}

type SetNode = Extract<Node, { readonly kind: "set" }>;

class Compiler implements Program {
  readonly kinds: number[] = [];
  readonly lows: number[] = [];
  readonly highs: number[] = [];
  readonly nexts: number[] = [];
  readonly begin: number;
  readonly #ignoreCase: boolean;
  /** A cache of the ranges of each set, since a repetition compiles a set for each count. */
  readonly #ranges = new Map<readonly Range[], readonly Range[]>();

  constructor(pattern: Node, ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
    this.begin = this.#compile(pattern, this.#add(STEPS.found, -1));
  }

  #add(kind: number, next: number, low = 0, high = 0): number {
    if (this.kinds.length >= MAX_STEPS) {
      throw new PatternError("is too large; repeat less in it");
    }
    this.lows.push(low);
    this.highs.push(high);
    this.nexts.push(next);
    return this.kinds.push(kind) - 1;
  }

  /** Compiles from the last step to the first; returns the first. */
  #compile(node: Node, next: number): number {
    switch (node.kind) {
      case "set":
        return this.#compileSet(node, next);
      case "place":
        return this.#add(STEPS[node.place satisfies Place], next);
      case "all":
        return node.nodes.reduceRight(
          (next, node) => this.#compile(node, next),
          next,
        );
      case "any":
        return this.#split(node.nodes.map((one) => this.#compile(one, next)));
      case "repeat":
        return this.#repeat(node.node, node.least, node.most, next);
    }
  }

  #split(ways: readonly number[]): number {
    if (ways.length === 0) return this.#add(STEPS.byte, 0, 1, 0);
    return ways.reduceRight((other, way) => this.#add(STEPS.split, way, other));
  }

  #repeat(node: Node, least: number, most: number, next: number): number {
    let begin = next;
    if (most === Infinity) {
      const loop = this.#add(STEPS.split, -1, next);
      this.nexts[loop] = this.#compile(node, loop);
      begin = loop;
    } else {
      for (let count = least; count < most; count++) {
        begin = this.#add(STEPS.split, this.#compile(node, begin), next);
      }
    }
    for (let count = 0; count < least; count++) {
      begin = this.#compile(node, begin);
    }
    return begin;
  }

  #rangesOf({ ranges, isOthers }: SetNode): readonly Range[] {
    const known = this.#ranges.get(ranges);
    if (known !== undefined) return known;
    const these = this.#ignoreCase ? withOtherCase(join(ranges)) : ranges;
    const all = isOthers ? invert(these) : join(these);
    this.#ranges.set(ranges, all);
    return all;
  }

  #compileSet(set: SetNode, next: number): number {
    const ways: number[] = [];
    for (const range of this.#rangesOf(set)) {
      for (const bytes of sequences(range)) {
        ways.push(bytes.reduceRight(
          (next, [low, high]) => this.#add(STEPS.byte, next, low, high),
          next,
        ));
      }
    }
    return this.#split(ways);
  }
}

/** Adds the other cases of each letter that are single letters. */
function withOtherCase(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = [...ranges];
  const isAscii = (ranges.at(-1)?.[1] ?? 0) <= LAST_ASCII;
  const pairs = isAscii
    ? asciiPairs ??= makeCasePairs(LAST_ASCII)
    : casePairs ??= makeCasePairs(LAST_CASED);
  let at = 0;
  for (const [code, other] of pairs) {
    while (at < ranges.length && ranges[at]![1] < code) at++;
    const [from, to] = ranges[at] ?? [Infinity, Infinity];
    const isThere = other >= from && other <= to;
    if (from <= code && !isThere) all.push([other, other]);
  }
  return all;
}

/** Letters and their other cases, sorted; made at the first use. */
let casePairs: readonly Range[] | undefined;
let asciiPairs: readonly Range[] | undefined;

/** Letters beyond this code point have no case. */
const LAST_CASED = 0x1ffff;
const LAST_ASCII = 0x7f;

function makeCasePairs(last: number): readonly Range[] {
  const letters: Range[] = [];
  const alike = new Map<number, number[]>();
  for (let from = 0; from <= last; from += 0x1000) {
    const length = Math.min(0x1000, last + 1 - from);
    const codes = Array.from({ length }, (_, at) => from + at);
    const text = String.fromCodePoint(...codes);
    const cased = text.match(/\p{Changes_When_Casemapped}/gu) ?? [];
    for (const letter of cased) {
      const code = letter.codePointAt(0)!;
      // Three letters can be the same, such as those for sigma.
      const key = toCase(toCase(code, "toUpperCase"), "toLowerCase");
      letters.push([code, key]);
      alike.set(key, [...alike.get(key) ?? [], code]);
    }
  }
  // A letter beyond ASCII does not match one of ASCII.
  return letters.flatMap(([code, key]) =>
    alike.get(key)!
      .filter((other) => other !== code && other < 0x80 === code < 0x80)
      .map((other): Range => [code, other])
  );
}

/** The other case of a letter, if that is a single letter; otherwise the letter. */
function toCase(code: number, to: "toUpperCase" | "toLowerCase"): number {
  const other = String.fromCodePoint(code)[to]();
  const first = other.codePointAt(0)!;
  return String.fromCodePoint(first) === other ? first : code;
}

/** The last code point of each length of UTF-8. */
const LENGTHS = [0x7f, 0x7ff, 0xffff, 0x10ffff];

/** The runs of byte ranges that encode the code points of a range, surrogates left out. */
function sequences([from, to]: Range): (readonly Range[])[] {
  if (from < 0xd800 && to > 0xd7ff) {
    return [...sequences([from, 0xd7ff]), ...sequences([0xd800, to])];
  }
  if (from >= 0xd800 && from <= 0xdfff) {
    return to <= 0xdfff ? [] : sequences([0xe000, to]);
  }
  for (const last of LENGTHS) {
    if (from <= last && to > last) {
      return [...sequences([from, last]), ...sequences([last + 1, to])];
    }
  }
  if (to < 0x80) return [[[from, to]]];
  // A whole block of continuation bytes is one run.
  for (const bits of [6, 12, 18]) {
    const mask = (1 << bits) - 1;
    if ((from & ~mask) === (to & ~mask)) continue;
    if ((from & mask) !== 0) {
      return [
        ...sequences([from, from | mask]),
        ...sequences([(from | mask) + 1, to]),
      ];
    }
    if ((to & mask) !== mask) {
      return [
        ...sequences([from, (to & ~mask) - 1]),
        ...sequences([to & ~mask, to]),
      ];
    }
  }
  const [low, high] = [encode(from), encode(to)];
  return [low.map((byte, at): Range => [byte, high[at]!])];
}

function encode(code: number): number[] {
  return [...new TextEncoder().encode(String.fromCodePoint(code))];
}
