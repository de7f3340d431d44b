import type { Steps } from "../base/call.ts";
import type { Refuse } from "../base/check.ts";
import { Automaton } from "./automaton.ts";
import type { Matcher } from "./search.ts";
import { NeededFirst, neededTexts } from "./needed.ts";
import { literalPattern, parsePattern, PatternError } from "./pattern.ts";
import type { ReadFields } from "../read_options.ts";
import { compile } from "./program.ts";
import type { NewlineKernel } from "../lines/scan.ts";

/** The most characters of a text or pattern. */
const MAX_MATCH_CHARS = 1000;

/** Makes the matcher for a text or a pattern. */
export function* matcherOf(
  options: Pick<ReadFields, "match" | "regex" | "ignoreCase">,
  refuse: Refuse,
): Steps<Matcher> {
  const { match = "", regex = false, ignoreCase = false } = options;
  const problem = problemOf(match);
  if (problem !== undefined) throw refuse("match", problem);
  if (!regex && !ignoreCase) {
    return new Literal(new TextEncoder().encode(match));
  }
  try {
    const pattern = regex ? parsePattern(match) : literalPattern(match);
    const automaton = new Automaton(yield* compile(pattern, ignoreCase));
    const texts = ignoreCase ? undefined : neededTexts(pattern);
    if (texts === undefined) return automaton;
    const encoder = new TextEncoder();
    const literals = texts.map((text) => new Literal(encoder.encode(text)));
    return new NeededFirst(automaton, literals);
  } catch (error) {
    if (error instanceof PatternError) throw refuse("match", error.message);
    throw error;
  }
}

function problemOf(match: string): string | undefined {
  if (match === "") return "must not be empty";
  if (match.length > MAX_MATCH_CHARS) {
    return `must have at most ${MAX_MATCH_CHARS} characters`;
  }
  if (!match.isWellFormed()) {
    return "must be well-formed: half a character is in no file";
  }
  return match.includes("\n")
    ? "must not hold a line feed: each line is looked at by itself"
    : undefined;
}

const LF = 0x0a;
const CR = 0x0d;

/** Roughly how often a byte occurs in text: the rarest bytes are searched first. */
function frequencyOf(byte: number): number {
  const letter = String.fromCharCode(byte);
  const common = " etaoinsrlhdcumfpg".indexOf(letter);
  if (common >= 0) return 100 - common;
  if (/[a-z0]/.test(letter)) return 60;
  if (/[-_.,:;/"'=(){}\t1-9]/.test(letter)) return 50;
  return byte >= 0x80 ? 40 : 20;
}

/** The two rare bytes are chosen among the first 128: kernels load at most 255 bytes ahead. */
const NEAR_BYTES = 128;

/**
 * Finds bytes by the two rarest of them; where these are found too often, as in a
 * line of one byte repeated, byte by byte in linear time.
 */
class Literal implements Matcher {
  readonly length: number;
  readonly isAscii: boolean;
  readonly #bytes: Uint8Array;
  /** The index of the first rare byte. */
  readonly #one: number;
  readonly #other: number;
  /** How many comparisons were made since the last pause. */
  #work = 0;
  /** How many more comparisons may be made; each byte that is passed adds some. */
  #budget = FIRST_BUDGET;
  /** For each beginning of the bytes, how many bytes at its end are such a beginning, too; made once the budget is used up. */
  #borders: Uint16Array | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.length = bytes.length;
    this.isAscii = bytes.every((byte) => byte < 0x80);
    const places = [...bytes.subarray(0, NEAR_BYTES).keys()];
    const [one = 0, ...others] = places.sort((at, to) =>
      frequencyOf(bytes[at]!) - frequencyOf(bytes[to]!)
    );
    // Two equal bytes are found together more often.
    const other = others.find((at) => bytes[at] !== bytes[one]) ??
      others.at(-1) ?? one;
    this.#one = Math.min(one, other);
    this.#other = Math.max(one, other);
  }

  begin(): void {}

  feed(
    kernel: NewlineKernel,
    from: number,
    to: number,
    isEnd: boolean,
  ): number {
    if (this.#work >= MAX_WORK) {
      this.#work = 0;
      return ~from;
    }
    const { buffer } = kernel;
    const one = this.#one;
    // A carriage return at the end of the bytes must not be part of the line ending.
    const endsInReturn = this.#bytes.at(-1) === CR;
    const end = to - this.length - (endsInReturn && !isEnd ? 1 : 0);
    if (this.#budget <= 0) {
      return this.#feedSlowly(buffer, from, to, end, isEnd);
    }
    const before = this.#work;
    let at = from;
    let isHit = false;
    while (at <= end && this.#work < MAX_WORK) {
      at = this.#candidate(kernel, at + one, end + one + 1) - one;
      if (at > end) break;
      if (this.#isAt(buffer, at)) {
        const after = at + this.length;
        const isEnding = endsInReturn && after < to && buffer[after] === LF;
        isHit = !isEnding;
        if (isHit) break;
      }
      at++;
    }
    this.#budget += BUDGET_OF_BYTE * (at - from) - (this.#work - before);
    if (isHit) return at;
    const isDone = isEnd && at > end;
    const rest = isDone ? to : Math.min(at, end + 1);
    return ~Math.max(from, rest);
  }

  /** Looks at each byte once, as Knuth, Morris and Pratt do. `end` is where the last hit may begin. */
  #feedSlowly(
    buffer: Uint8Array,
    from: number,
    to: number,
    end: number,
    isEnd: boolean,
  ): number {
    const bytes = this.#bytes;
    const borders = this.#borders ??= bordersOf(bytes);
    const last = Math.min(end, from + MAX_WORK);
    let matched = 0;
    for (let at = from; at < last + bytes.length; at++) {
      while (matched > 0 && bytes[matched] !== buffer[at]) {
        matched = borders[matched - 1]!;
      }
      if (bytes[matched] === buffer[at]) matched++;
      if (matched < bytes.length) continue;
      const isEnding = bytes.at(-1) === CR && at + 1 < to &&
        buffer[at + 1] === LF;
      if (!isEnding) return at + 1 - bytes.length;
      matched = borders[matched - 1]!;
    }
    return ~(isEnd && last === end ? to : Math.max(from, last + 1));
  }

  /** The next position where both rare bytes match; `to` if they match nowhere. */
  #candidate(kernel: NewlineKernel, from: number, to: number): number {
    const { buffer, pair } = kernel;
    const first = this.#bytes[this.#one]!;
    const apart = this.#other - this.#one;
    const second = this.#bytes[this.#other]!;
    // To find a candidate takes about as long as eight comparisons.
    this.#work += 8;
    if (pair !== undefined) {
      const at = pair(from, to, first, second, apart);
      return at < 0 ? to : at;
    }
    for (let at = from; at < to; at++) {
      at = buffer.indexOf(first, at);
      if (at < 0 || at >= to) return to;
      if (buffer[at + apart] === second) return at;
    }
    return to;
  }

  #isAt(buffer: Uint8Array, at: number): boolean {
    const bytes = this.#bytes;
    for (let index = 0; index < bytes.length; index++) {
      if (buffer[at + index] === bytes[index]) continue;
      this.#work += index;
      return false;
    }
    return true;
  }
}

/** For each beginning of the bytes: how long the longest shorter beginning is with which it ends. */
function bordersOf(bytes: Uint8Array): Uint16Array {
  const borders = new Uint16Array(bytes.length);
  let border = 0;
  for (let at = 1; at < bytes.length; at++) {
    while (border > 0 && bytes[at] !== bytes[border]) {
      border = borders[border - 1]!;
    }
    if (bytes[at] === bytes[border]) border++;
    borders[at] = border;
  }
  return borders;
}

/** The comparisons that are made before the bytes that were passed are looked at. */
const FIRST_BUDGET = 100_000;
/** How many comparisons a byte that is passed allows: to look at each byte is then as fast. */
const BUDGET_OF_BYTE = 2;
/** The most comparisons between two pauses: about a millisecond. */
const MAX_WORK = 250_000;
