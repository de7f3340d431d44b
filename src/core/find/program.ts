import type { Steps } from "../base/call.ts";
import { invert, joinRanges, PatternError, rangesOf } from "./pattern.ts";
import type { Assertion, PatternNode, Range } from "./pattern.ts";

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

/**
 * The most nodes to visit while compiling, with repetition: some milliseconds. A node
 * may add no step, so the limit of steps alone would let a pattern compile for ever.
 */
const MAX_VISITS = 50_000;

/**
 * Compiles a pattern into steps over the bytes of UTF-8: Thompson's construction of a
 * nondeterministic automaton. Only the other cases of letters take long, so the sets
 * come first, one in each step of the work.
 */
export function* compile(
  pattern: PatternNode,
  ignoreCase: boolean,
): Steps<Program> {
  const sets = new Map<SetNode, ByteRuns>();
  const known = new Map<string, ByteRuns>();
  for (const set of setsIn(pattern)) {
    const key = `${set.isOthers}:${set.ranges.join()}`;
    const runs = known.get(key) ?? (yield* byteRunsOf(set, ignoreCase));
    known.set(key, runs);
    sets.set(set, runs);
  }
  return assemble(pattern, sets);
}

/** Adds up the steps of a pattern, whose sets are given as bytes. */
function assemble(
  pattern: PatternNode,
  sets: ReadonlyMap<SetNode, ByteRuns>,
): Program {
  const kinds: number[] = [];
  const lows: number[] = [];
  const highs: number[] = [];
  const nexts: number[] = [];
  let visits = 0;

  function add(kind: number, next: number, low = 0, high = 0): number {
    if (kinds.length >= MAX_STEPS) throw tooLarge();
    lows.push(low);
    highs.push(high);
    nexts.push(next);
    return kinds.push(kind) - 1;
  }

  /** Adds the steps of a node from the last to the first; returns the first. */
  function addNode(node: PatternNode, next: number): number {
    if (++visits > MAX_VISITS) throw tooLarge();
    switch (node.kind) {
      case "set":
        return split(sets.get(node)!.map((bytes) => addBytes(bytes, next)));
      case "assertion":
        return add(STEPS[node.assertion satisfies Assertion], next);
      case "all":
        return node.nodes.reduceRight((next, one) => addNode(one, next), next);
      case "any":
        return split(node.nodes.map((one) => addNode(one, next)));
      case "repeat":
        return repeat(node, next);
    }
  }

  function split(ways: readonly number[]): number {
    // No byte is from 1 to 0, so this step matches nothing.
    if (ways.length === 0) return add(STEPS.byte, 0, 1, 0);
    return ways.reduceRight((other, way) => add(STEPS.split, way, other));
  }

  /** Repeats a node. One that adds no step takes no text, and neither do its repetitions. */
  function repeat({ node, least, most }: RepeatNode, next: number): number {
    let begin = next;
    if (most === Infinity) {
      begin = add(STEPS.split, -1, next);
      const first = addNode(node, begin);
      if (first === begin) {
        for (const column of [kinds, lows, highs, nexts]) column.pop();
        return next;
      }
      nexts[begin] = first;
    } else {
      for (let count = least; count < most; count++) {
        const first = addNode(node, begin);
        if (first === begin) return next;
        begin = add(STEPS.split, first, next);
      }
    }
    for (let count = 0; count < least; count++) {
      const first = addNode(node, begin);
      if (first === begin) break;
      begin = first;
    }
    return begin;
  }

  function addBytes(bytes: readonly Range[], next: number): number {
    return bytes.reduceRight(
      (next, [low, high]) => add(STEPS.byte, next, low, high),
      next,
    );
  }

  const begin = addNode(pattern, add(STEPS.found, -1));
  return { kinds, lows, highs, nexts, begin };
}

function tooLarge(): PatternError {
  return new PatternError("is too large; repeat less in it");
}

/** The sets of a pattern, each once. */
function* setsIn(node: PatternNode): Generator<SetNode> {
  if (node.kind === "set") yield node;
  if (node.kind === "repeat") yield* setsIn(node.node);
  if (node.kind !== "all" && node.kind !== "any") return;
  for (const one of node.nodes) yield* setsIn(one);
}

/** The runs of byte ranges that encode the code points of a set. */
function* byteRunsOf(
  { ranges, isOthers }: SetNode,
  ignoreCase: boolean,
): Steps<ByteRuns> {
  const these = ignoreCase ? yield* withOtherCase(ranges) : ranges;
  const all = isOthers ? invert(these) : joinRanges(these);
  return all.flatMap(sequences);
}

type ByteRuns = readonly (readonly Range[])[];
type SetNode = Extract<PatternNode, { readonly kind: "set" }>;
type RepeatNode = Extract<PatternNode, { readonly kind: "repeat" }>;

const ASCII_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The other letters that have cases; found when a search first needs them. */
let casedLetters: string | undefined;

/** Adds the other cases of each letter. A letter beyond ASCII does not match one of ASCII. */
function* withOtherCase(ranges: readonly Range[]): Steps<readonly Range[]> {
  // The intersection of two sets is the inverse of their inverses' union.
  const others = invert(ranges);
  const ascii = invert([...others, [0x80, Infinity]]);
  const beyond = invert([...others, [0, 0x7f]]);
  const cases = casesIn(ASCII_LETTERS, ascii);
  const holdsAll = beyond[0]?.[0] === 0x80 && beyond[0][1] >= LAST_CASED;
  if (beyond.length > 0 && !holdsAll) {
    casedLetters ??= yield* findCased();
    cases.push(...casesIn(casedLetters, beyond));
    yield;
  }
  return [...ranges, ...cases];
}

/** The letters that are in the ranges, or have another case there. */
function casesIn(letters: string, ranges: readonly Range[]): Range[] {
  const sign = (code: number) => `\\u{${code.toString(16)}}`;
  const signs = ranges.map((range) => range.map(sign).join("-"));
  const found = letters.match(new RegExp(`[${signs.join("")}]`, "giu")) ?? [];
  return found.flatMap(rangesOf);
}

/** Letters beyond this code point have no case. */
const LAST_CASED = 0x1ffff;

function* findCased(): Steps<string> {
  let letters = "";
  for (let from = 0x80; from < LAST_CASED; from += 0x1000) {
    const codes = Array.from({ length: 0x1000 }, (_, at) => from + at);
    const text = String.fromCodePoint(...codes);
    letters += text.replace(/\P{Changes_When_Casemapped}+/gu, "");
    yield;
  }
  return letters;
}

/** Ranges are divided after these: the last code point of each length in UTF-8, the last one before the surrogates, and the last surrogate. */
const LAST_CODES = [0x7f, 0x7ff, 0xd7ff, 0xdfff, 0xffff];

/** The runs of byte ranges that encode the code points of a range, surrogates left out. */
function sequences([from, to]: Range): (readonly Range[])[] {
  for (const last of LAST_CODES) {
    if (from <= last && to > last) {
      return [...sequences([from, last]), ...sequences([last + 1, to])];
    }
  }
  if (from >= 0xd800 && to <= 0xdfff) return [];
  if (to < 0x80) return [[[from, to]]];
  // A range may lie in one block of 64 (or 4,096, or 262,144) code points, or have
  // only whole blocks; any other is divided. Then each byte has a range of its own.
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
  const high = encode(to);
  return [encode(from).map((low, at): Range => [low, high[at]!])];
}

function encode(code: number): number[] {
  return [...new TextEncoder().encode(String.fromCodePoint(code))];
}
