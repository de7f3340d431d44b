// Runtime-agnostic.
import {
  BYTE_ORDER_MARK,
  codeOf,
  hiddenPatterns,
  type HiddenRule,
  hiddenRule,
  isCode,
  MAY_HIDE,
  ordinaryDirections,
  RIGHT_TO_LEFT,
} from "./rules.ts";
import { doAtOnce, STEP, type Steps } from "../base/call.ts";
import { checkText } from "../base/check.ts";

/** The part of a line that is checked. */
interface TextLine {
  readonly number: number;
  readonly column: number;
  readonly text: string;
}

/** A character that is invisible, or moves visible text. */
export interface HiddenCharacter {
  /** The number of its line on the page. */
  readonly line: number;
  /** Its column: characters, from 1 on. */
  readonly column: number;
  /** Its code point: `U+202E`. */
  readonly code: string;
  /** Its name: `right-to-left override`. */
  readonly name: string;
  /** `warning` if it has no use in ordinary text, but in an attack. */
  readonly level: "info" | "warning";
}

/** So many consecutive zero-width characters may carry a hidden message. */
const LONG_RUN = 4;

/** A run of hidden characters. */
interface Run {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The visible characters beside it; `null` if the page does not show them. */
  readonly before: string | null;
  readonly after: string | null;
  /** How many of its characters are joiners or marks. */
  readonly joiners: number;
  /** Whether the page shows only a part of the line. */
  readonly isCut: boolean;
}

/** A line, and whether it continues on the next page. */
interface Part {
  readonly line: TextLine;
  readonly isOpen: boolean;
}

function runAt({ line, isOpen }: Part, start: number): Run {
  const { text, column } = line;
  let end = start;
  // A longer run is checked in parts.
  while (end < text.length && end < start + 4096) {
    const point = text.codePointAt(end)!;
    if (hiddenRule(point) === undefined) break;
    end += point > 0xffff ? 2 : 1;
  }
  let joiners = 0;
  for (const character of text.slice(start, Math.min(end, start + 64))) {
    const kind = hiddenRule(character.codePointAt(0)!)?.kind;
    if (kind === "joiner" || kind === "mark") joiners++;
  }
  // The ends of a line count as spaces, unless the line was cut there.
  const outside = (isCut: boolean) => isCut ? null : " ";
  const before = start === 0
    ? outside(column > 1)
    : Array.from(text.slice(Math.max(0, start - 2), start)).at(-1)!;
  const after = end === text.length
    ? outside(isOpen)
    : String.fromCodePoint(text.codePointAt(end)!);
  const isCut = isOpen || column > 1;
  return { text, start, end, before, after, joiners, isCut };
}

const ASCII = /^[\t -~]$/;
const WORD = /^\w$/;
const DIGIT = /^[0-9]$/;
/** The scripts, and musical notation, that use fillers. */
const FILLED =
  /^[\p{sc=Hangul}\p{sc=Braille}\p{sc=Tifinagh}\p{sc=Brahmi}\p{sc=Egyptian_Hieroglyphs}\u{18b00}-\u{18cff}\p{sc=Duployan}\u{1d100}-\u{1d1ff}]$/u;
const IDEOGRAPH = /^\p{Ideographic}$/u;
/** The ASCII characters that can be emoji. */
const KEYCAP = /^[0-9#*]$/;

/** The tag that ends a flag. */
const CANCEL = "\x7f";
/** The regional flags: of the United Kingdom, and with any two letters of two other countries. */
const FLAGS = ["gbeng", "gbsct", "gbwls", "gbnir", "us??", "ca??"];
const BLACK_FLAG = "\u{1F3F4}";

/** How many tags at the beginning of a run belong to a flag, by what the page shows. */
function countFlagTags(tags: string, { before, after }: Run): number {
  const isBegun = before === null;
  if (!isBegun && before !== BLACK_FLAG) return 0;
  const cancel = tags.indexOf(CANCEL);
  const isWhole = cancel >= 0;
  // The rest of the flag may be on the next page.
  if (!isWhole && after !== null) return 0;
  const shown = isWhole ? tags.slice(0, cancel + 1) : tags;
  const isFlag = FLAGS.some((letters) => {
    const flag = letters + CANCEL;
    const last = flag.length - shown.length;
    const first = isWhole ? last : 0;
    const most = isBegun ? last : 0;
    for (let begin = Math.max(0, first); begin <= most; begin++) {
      const isSpelt = Array.from(shown).every((letter, at) => {
        const wanted = flag[begin + at];
        return wanted === "?" ? /[a-z]/.test(letter) : wanted === letter;
      });
      if (isSpelt) return true;
    }
    return false;
  });
  return isFlag ? shown.length : 0;
}

/** The letters of tag characters. */
function untag(text: string): string {
  const tags = Array.from(text, (tag) => tag.codePointAt(0)! - 0xe0000);
  return String.fromCodePoint(...tags.map((letter) => Math.max(0, letter)));
}

function isOrdinaryIn(run: Run, at: number, { kind }: HiddenRule): boolean {
  const { text, start, end, before, after, joiners, isCut } = run;
  switch (kind) {
    case "hyphen":
      return !(is(WORD, before) && is(WORD, after) && isCode(text));
    case "mark":
      if (joiners >= LONG_RUN) return false;
      // Between digits, it keeps the order of a number in right-to-left text.
      return !(is(WORD, before) && is(WORD, after)) ||
        is(DIGIT, before) && is(DIGIT, after) &&
          (isCut || RIGHT_TO_LEFT.test(text));
    case "joiner":
      return joiners < LONG_RUN &&
        !(is(ASCII, before) && is(ASCII, after) &&
          (is(WORD, before) || is(WORD, after)));
    case "selector":
      return at === start &&
        (!is(ASCII, before) || is(KEYCAP, before));
    case "ideograph selector":
      return at === start && (before === null || IDEOGRAPH.test(before));
    case "filler":
      return is(FILLED, before) || is(FILLED, after);
    case "tag": {
      const tags = untag(text.slice(start, Math.min(end, start + 16)));
      // Each tag is two UTF-16 code units.
      return at < start + 2 * countFlagTags(tags, run);
    }
    default:
      return false;
  }
}

function is(pattern: RegExp, side: string | null): boolean {
  return side !== null && pattern.test(side);
}

/** The most that are reported of each level: a file of NULs has no limit. */
export const MAX_REPORTED = 10_000;

/** Finds the hidden characters of lines; with `endsInside`, the last line continues on the next page. */
export function findHidden(
  lines: readonly TextLine[],
  { endsInside = false }: { readonly endsInside?: boolean } = {},
): HiddenCharacter[] {
  const report = new HiddenReport();
  for (const [index, line] of lines.entries()) {
    if (!MAY_HIDE.test(line.text)) continue;
    const isOpen = endsInside && index === lines.length - 1;
    doAtOnce(report.add({ line, isOpen }));
  }
  return report.found;
}

/** Collects the hidden characters of lines. */
export class HiddenReport {
  readonly found: HiddenCharacter[] = [];
  readonly #counts = { info: 0, warning: 0 };

  /** Adds the hidden characters of a line. */
  *add(part: Part): Steps<void> {
    const { line: { number, text, column: first }, isOpen } = part;
    const counts = this.#counts;
    let column = first - 1;
    let run: Run | undefined;
    let runStart = 0;
    let directed: ReadonlySet<number> | undefined;
    let next = 0;
    for (let at = 0; at < text.length; at = next) {
      const point = text.codePointAt(at)!;
      next = at + (point > 0xffff ? 2 : 1);
      if (++column % STEP === 0) yield;
      const isSeen = point > 0x1f && point < 0x7f;
      const found = isSeen ? undefined : hiddenRule(point);
      if (found === undefined) {
        runStart = next;
        continue;
      }
      const isMark = point === 0xfeff && number === 1 && column === 1;
      const rule = isMark ? BYTE_ORDER_MARK : found;
      const { kind, name } = rule;
      if (kind === "suspect" && counts.warning >= MAX_REPORTED) continue;
      let isOrdinary = kind === "plain";
      if (kind === "direction") {
        const cut = { begun: first > 1, goesOn: isOpen };
        directed ??= ordinaryDirections(text, cut);
        isOrdinary = directed.has(at);
      } else if (!isOrdinary && kind !== "suspect") {
        if (run === undefined || run.end <= runStart) {
          run = runAt(part, runStart);
        }
        while (run.end <= at) run = runAt(part, run.end);
        isOrdinary = isOrdinaryIn(run, at, rule);
      }
      const level = isOrdinary ? "info" : "warning";
      if (++counts[level] > MAX_REPORTED) continue;
      const code = codeOf(point);
      this.found.push({ line: number, column, code, name, level });
    }
  }
}

/**
 * Shows the hidden characters of a text as `\u{202E}`: controls, zero-width
 * characters, directions, tags. The backslash of a `\u{` in the text is shown as
 * `\u{5C}`, so that it is not mistaken for an escape.
 *
 * @example Usage
 * ```ts
 * import { escapeHidden } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(escapeHidden("user\u200b"), "user\\u{200B}");
 * assertEquals(escapeHidden("plain\r\n"), "plain\r\n");
 * ```
 *
 * @returns The text without hidden characters; {@linkcode unescapeHidden} reverses it.
 */
export function escapeHidden(text: string): string {
  checkText(text, "Cannot escape a text");
  const marked = text.includes(OPENING)
    ? text.replaceAll(OPENING, "\\u{5C}u{")
    : text;
  const { one, same } = hiddenPatterns();
  return one.test(marked) ? marked.replace(same, escapesOf) : marked;
}

/** The same for a line that may be cut at its end: joining it with the rest must not create a new escape. */
export function escapeText(line: string, isCut: boolean): string {
  const text = escapeHidden(line);
  return isCut ? text.replace(/\\(u?)$/, "\\u{5C}$1") : text;
}

const OPENING = "\\u{";

const escapes = new Map<string, string>();

/** The escapes of a repeated character. */
function escapesOf(run: string, character: string): string {
  let escape = escapes.get(character);
  if (escape === undefined) {
    const digits = character.codePointAt(0)!.toString(16).toUpperCase();
    escapes.set(character, escape = `\\u{${digits}}`);
  }
  return escape.repeat(run.length / character.length);
}

/**
 * Reverses {@linkcode escapeHidden}. Pass the whole text: a cut text may end
 * inside an escape.
 *
 * @example Usage
 * ```ts
 * import { escapeHidden, unescapeHidden } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const text = "if (admin\u2066) { say('\\u{2066}') }";
 * assertEquals(unescapeHidden(escapeHidden(text)), text);
 * ```
 *
 * @param text What `escapeHidden()` gave.
 * @returns The original text; anything that is not an escape stays as it is.
 */
export function unescapeHidden(text: string): string {
  checkText(text, "Cannot unescape a text");
  return text.replace(ESCAPES, (run, escape: string, digits: string) => {
    const point = parseInt(digits, 16);
    if (point > 0x10ffff) return run;
    return String.fromCodePoint(point).repeat(run.length / escape.length);
  });
}

/** A repeated escape. */
const ESCAPES = /(\\u\{([0-9A-F]{1,6})\})\1{0,4095}/g;
