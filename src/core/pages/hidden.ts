// Runtime-agnostic.
import {
  BYTE_ORDER_MARK,
  codeOf,
  HIDDEN,
  HIDDEN_RUNS,
  type HiddenRule,
  ruleOf,
} from "./hidden_rules.ts";
import type { PageLine } from "./page.ts";

/** A character that a reader does not see, or that moves what is seen. */
export interface HiddenCharacter {
  /** The number of its line. */
  readonly line: number;
  /** Its column: characters, from 1 on. */
  readonly column: number;
  /** Its code point: `U+202E`. */
  readonly code: string;
  /** What it is, in a few words: `right-to-left override`. */
  readonly name: string;
  /** `warning` where ordinary text has no use for it, and an attack has. */
  readonly level: "info" | "warning";
}

/** The most that are reported of each level, so that a file of NULs costs no more. */
const MAX_REPORTED = 10_000;

/** The zero-width characters in a row that carry a hidden message, and no text. */
const LONG_RUN = 4;

/** Where a run of hidden characters stands. */
interface Run {
  readonly line: PageLine;
  readonly start: number;
  readonly end: number;
  /** The visible characters beside it; `null` where the page does not tell. */
  readonly before: string | null;
  readonly after: string | null;
  /** How many of it are joiners or marks. */
  readonly joiners: number;
}

/**
 * Finds the hidden characters of some lines, in their order: the first 10,000 of each
 * level.
 */
export function findHidden(lines: readonly PageLine[]): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  const counts = { info: 0, warning: 0 };
  for (const line of lines) {
    if (!HIDDEN.test(line.text)) continue;
    for (const character of hiddenIn(line)) {
      if (++counts[character.level] <= MAX_REPORTED) found.push(character);
    }
  }
  return found;
}

function* hiddenIn(line: PageLine): Generator<HiddenCharacter> {
  const { number, text } = line;
  let { column } = line;
  let passed = 0;
  let directed: ReadonlySet<number> | undefined;
  for (const { 0: characters, index } of text.matchAll(HIDDEN_RUNS)) {
    column += countCharacters(text, passed, index);
    passed = index + characters.length;
    const run = runAt(line, index, passed);
    let at = index;
    for (const character of characters) {
      const point = character.codePointAt(0)!;
      const isFirst = number === 1 && column === 1 && point === 0xfeff;
      const rule = isFirst ? BYTE_ORDER_MARK : ruleOf(point);
      if (rule.kind === "direction") directed ??= ordinaryDirections(text);
      const isOrdinary = directed?.has(at) || isOrdinaryIn(run, at, rule);
      yield {
        line: number,
        column,
        code: codeOf(point),
        name: rule.name,
        level: isOrdinary ? "info" : "warning",
      };
      at += character.length;
      column++;
    }
  }
}

function countCharacters(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; count++) {
    at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  }
  return count;
}

function runAt(line: PageLine, start: number, end: number): Run {
  const { text, column, ending } = line;
  let joiners = 0;
  for (const character of text.slice(start, Math.min(end, start + 64))) {
    const { kind } = ruleOf(character.codePointAt(0)!);
    if (kind === "joiner" || kind === "mark") joiners++;
  }
  // A line begins and ends like a word between spaces, unless it was cut there.
  const outside = (isCut: boolean) => isCut ? null : " ";
  const before = start === 0 ? outside(column > 1) : lastOf(text, start);
  const after = end === text.length
    ? outside(ending === "")
    : String.fromCodePoint(text.codePointAt(end)!);
  return { line, start, end, before, after, joiners };
}

function lastOf(text: string, end: number): string {
  const pair = end > 1 ? text.codePointAt(end - 2)! : 0;
  return pair > 0xffff ? String.fromCodePoint(pair) : text[end - 1]!;
}

const ASCII = /^[\t -~]$/;
const ASCII_WORD = /^\w$/;
const HANGUL = /^\p{Script=Hangul}$/u;
const IDEOGRAPH = /^\p{Ideographic}$/u;
/** What is ASCII, and yet has a form as an emoji. */
const KEYCAP = /^[0-9#*]$/;

/** The flags of regions: of the United Kingdom, the United States and Canada. */
const FLAG = /^(?:gb(?:eng|sct|wls|nir)|(?:us|ca)[a-z]{2})\x7f/;

/** The letters that tag characters stand for; what is none of them makes no flag. */
function untag(text: string): string {
  const letters = Array.from(
    text,
    (character) => Math.max(0, character.codePointAt(0)! - 0xe0000),
  );
  return String.fromCodePoint(...letters);
}

function isOrdinaryIn(run: Run, at: number, rule: HiddenRule): boolean {
  const { line: { text }, start, end, before, after, joiners } = run;
  switch (rule.kind) {
    case "plain":
      return true;
    case "mark":
      return joiners < LONG_RUN && !(isWord(before) && isWord(after));
    case "joiner":
      return joiners < LONG_RUN &&
        !(isAscii(before) && isAscii(after) &&
          (isWord(before) || isWord(after)));
    case "selector":
      return at === start &&
        (before === null || !isAscii(before) || KEYCAP.test(before));
    case "ideograph selector":
      return at === start && (before === null || IDEOGRAPH.test(before));
    case "filler":
      return [before, after].some((side) => side !== null && HANGUL.test(side));
    case "tag": {
      if (before !== "\u{1F3F4}") return false;
      const tags = untag(text.slice(start, Math.min(end, start + 16)));
      // Each tag takes two places in the text.
      return at < start + 2 * (FLAG.exec(tags)?.[0].length ?? 0);
    }
    default:
      return false;
  }
}

function isAscii(character: string | null): boolean {
  return character !== null && ASCII.test(character);
}

function isWord(character: string | null): boolean {
  return character !== null && ASCII_WORD.test(character);
}

const RIGHT_TO_LEFT =
  /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

/** A direction opened and closed around words without a sign of any program. */
const DIRECTED_WORDS = /* @__PURE__ */ directedWords();

function directedWords(): RegExp {
  const words =
    "[\\p{L}\\p{M}\\p{N}\\p{Zs}\\u200C-\\u200F.,!?\\u060C\\u061F-]*";
  return new RegExp(
    `[\\u202A\\u202B]${words}\\u202C|[\\u2066-\\u2068]${words}\\u2069`,
    "gu",
  );
}

/** Where the directions stand that a text from right to left has a use for. */
function ordinaryDirections(text: string): ReadonlySet<number> {
  const places = new Set<number>();
  if (!RIGHT_TO_LEFT.test(text)) return places;
  for (const { 0: words, index } of text.matchAll(DIRECTED_WORDS)) {
    places.add(index).add(index + words.length - 1);
  }
  return places;
}
