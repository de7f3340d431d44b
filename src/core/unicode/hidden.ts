import {
  BYTE_ORDER_MARK,
  hasRightToLeft,
  type HiddenRule,
  hiddenRule,
  isCode,
  MAY_HIDE,
  ordinaryDirections,
} from "./rules.ts";
import { STEP_ITEMS, type Steps } from "../base/call.ts";

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

/** From this many on, consecutive zero-width characters may carry a hidden message. */
const LONG_RUN = 4;

/** A run of hidden characters. */
interface HiddenRun {
  /** The text of its line. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The code points of the visible characters beside it; `null` if the page does not show them. */
  readonly before: number | null;
  readonly after: number | null;
  /** How many of its characters are joiners or marks. */
  readonly joiners: number;
  /** Whether the page shows only a part of the line. */
  readonly isCut: boolean;
}

/** A line, and whether it continues on the next page. */
interface LinePart {
  readonly line: TextLine;
  readonly isOpen: boolean;
}

function runAt({ line, isOpen }: LinePart, start: number): HiddenRun {
  const { text, column } = line;
  let end = start;
  let joiners = 0;
  // A longer run is checked in parts.
  while (end < text.length && end < start + 4096) {
    const point = text.codePointAt(end)!;
    const kind = hiddenRule(point)?.kind;
    if (kind === undefined) break;
    if (kind === "joiner" || kind === "mark") joiners++;
    end += point > 0xffff ? 2 : 1;
  }
  // The ends of a line count as spaces, unless the line was cut there.
  const outside = (isCut: boolean) => isCut ? null : SPACE;
  const before = start === 0 ? outside(column > 1) : pointBefore(text, start);
  const after = end === text.length ? outside(isOpen) : text.codePointAt(end)!;
  const isCut = isOpen || column > 1;
  return { text, start, end, before, after, joiners, isCut };
}

function pointBefore(text: string, at: number): number {
  const point = text.codePointAt(at - 2) ?? 0;
  return point > 0xffff ? point : text.charCodeAt(at - 1);
}

const SPACE = 0x20;

/** Visible ASCII, and the tab. */
function isVisibleAscii(point: number | null): boolean {
  return point !== null && (point >= SPACE && point < 0x7f || point === 0x09);
}

/** A letter, a digit or an underscore of ASCII. */
function isWord(point: number | null): boolean {
  if (point === null) return false;
  const isUpper = point >= 0x41 && point <= 0x5a;
  const isLower = point >= 0x61 && point <= 0x7a;
  return isUpper || isLower || isDigit(point) || point === 0x5f;
}

function isDigit(point: number | null): boolean {
  return point !== null && point >= 0x30 && point <= 0x39;
}

function matches(pattern: RegExp, point: number | null): boolean {
  return point !== null && pattern.test(String.fromCodePoint(point));
}

/** The ASCII characters that can be emoji. */
const KEYCAP = /^[0-9#*]$/;

/** The tag that ends a flag. */
const CANCEL = "\x7f";
/** The flags of regions: those of the United Kingdom, and any two letters after "us" or "ca". */
const FLAGS = ["gbeng", "gbsct", "gbwls", "gbnir", "us??", "ca??"];
const BLACK_FLAG = 0x1f3f4;

/** How many tags at the beginning of a run belong to a flag, by what the page shows. */
function countFlagTags(tags: string, { before, after }: HiddenRun): number {
  // The beginning of the flag may be on the previous page.
  const isBegun = before === null;
  if (!isBegun && before !== BLACK_FLAG) return 0;
  const cancel = tags.indexOf(CANCEL);
  // The rest of the flag may be on the next page.
  if (cancel < 0 && after !== null) return 0;
  const shown = cancel < 0 ? tags : tags.slice(0, cancel + 1);
  const isSpelt = (flag: string) =>
    Array.from(shown).every((letter, at) =>
      flag[at] === "?" ? /[a-z]/.test(letter) : flag[at] === letter
    );
  const isFlag = FLAGS.some((letters) => {
    const flag = letters + CANCEL;
    if (!isBegun) return isSpelt(flag);
    return Array.from(flag).some((_, begin) => isSpelt(flag.slice(begin)));
  });
  return isFlag ? shown.length : 0;
}

/** The letters of tag characters. */
function untag(text: string): string {
  const tags = Array.from(text, (tag) => tag.codePointAt(0)! - 0xe0000);
  return String.fromCodePoint(...tags.map((letter) => Math.max(0, letter)));
}

function isOrdinaryIn(
  run: HiddenRun,
  at: number,
  kind: HiddenRule["kind"],
): boolean {
  const { text, start, end, before, after, joiners, isCut } = run;
  const isInWord = isWord(before) && isWord(after);
  switch (kind) {
    case "hyphen":
      return !(isInWord && isCode(text));
    case "mark":
      if (joiners >= LONG_RUN) return false;
      if (!isInWord) return true;
      // Between digits, a mark keeps the order of a number in right-to-left text.
      if (!isDigit(before) || !isDigit(after)) return false;
      return isCut || hasRightToLeft(text);
    case "joiner": {
      if (joiners >= LONG_RUN) return false;
      const isInAscii = isVisibleAscii(before) && isVisibleAscii(after);
      return !(isInAscii && (isWord(before) || isWord(after)));
    }
    case "selector":
      return at === start &&
        (!isVisibleAscii(before) || matches(KEYCAP, before));
    case "ideograph selector":
      return at === start &&
        (before === null || matches(/^\p{Ideographic}$/u, before));
    case "filler":
      return usesFillers(before) || usesFillers(after);
    case "tag": {
      const tags = untag(text.slice(start, Math.min(end, start + 16)));
      // Each tag is two UTF-16 code units.
      return at < start + 2 * countFlagTags(tags, run);
    }
    default:
      return false;
  }
}

/** Whether a character is of the scripts, or the musical notation, that use fillers. */
function usesFillers(point: number | null): boolean {
  return matches(FILLED, point);
}

const FILLED =
  /^[\p{sc=Hangul}\p{sc=Braille}\p{sc=Tifinagh}\p{sc=Brahmi}\p{sc=Egyptian_Hieroglyphs}\u{18b00}-\u{18cff}\p{sc=Duployan}\u{1d100}-\u{1d1ff}]$/u;

/** The most hidden characters that are reported of each level: a file may be full of NULs. */
export const MAX_REPORTED = 10_000;

/** Collects the hidden characters of lines. */
export class HiddenReport {
  readonly found: HiddenCharacter[] = [];
  /** How many of each level were seen. */
  readonly counts = { info: 0, warning: 0 };

  /** Adds the hidden characters of a line; returns the rest of the work for a long one. */
  add(line: TextLine, isOpen: boolean): Steps<void> | undefined {
    const isFull = this.counts.warning >= MAX_REPORTED;
    if (!(isFull ? MAY_BE_INFO : MAY_HIDE).test(line.text)) return undefined;
    const scan = new LineScan({ line, isOpen }, this);
    return scan.step() ? undefined : stepsOf(scan);
  }
}

function* stepsOf(scan: LineScan): Steps<void> {
  do yield; while (!scan.step());
}

/** Matches text that may have a hidden character of another kind than `"suspect"`. */
const MAY_BE_INFO = /[\f\x80-\uffff]/;

/** Searches a line for hidden characters, in steps. */
class LineScan {
  readonly #part: LinePart;
  readonly #report: HiddenReport;
  #at = 0;
  #column: number;
  #run: HiddenRun | undefined;
  #runStart = 0;
  #directed: ReadonlySet<number> | undefined;

  constructor(part: LinePart, report: HiddenReport) {
    this.#part = part;
    this.#report = report;
    this.#column = part.line.column - 1;
  }

  /** Searches the next characters; returns whether it reached the end. */
  step(): boolean {
    const { text } = this.#part.line;
    let column = this.#column;
    const last = column + STEP_ITEMS;
    let at = this.#at;
    while (at < text.length && column < last) {
      const point = text.codePointAt(at)!;
      column++;
      const isPrintable = point > 0x1f && point < 0x7f;
      const rule = isPrintable ? undefined : hiddenRule(point);
      const next = at + (point > 0xffff ? 2 : 1);
      if (rule === undefined) this.#runStart = next;
      else this.#take(rule, point, at, column);
      at = next;
    }
    this.#at = at;
    this.#column = column;
    return at >= text.length;
  }

  #take(rule: HiddenRule, point: number, at: number, column: number): void {
    const { counts, found } = this.#report;
    const { number: line } = this.#part.line;
    const isFirst = line === 1 && column === 1;
    const isByteOrderMark = isFirst && point === 0xfeff;
    const { kind, name, code } = isByteOrderMark ? BYTE_ORDER_MARK : rule;
    if (kind === "suspect" && counts.warning >= MAX_REPORTED) return;
    const level = this.#isOrdinary(kind, at) ? "info" : "warning";
    if (++counts[level] > MAX_REPORTED) return;
    found.push({ line, column, code, name, level });
  }

  #isOrdinary(kind: HiddenRule["kind"], at: number): boolean {
    if (kind === "plain" || kind === "suspect") return kind === "plain";
    const { line: { text, column }, isOpen } = this.#part;
    if (kind === "direction") {
      const cut = { begun: column > 1, goesOn: isOpen };
      this.#directed ??= ordinaryDirections(text, cut);
      return this.#directed.has(at);
    }
    let run = this.#run;
    if (run === undefined || run.end <= this.#runStart) {
      run = runAt(this.#part, this.#runStart);
    }
    while (run.end <= at) run = runAt(this.#part, run.end);
    this.#run = run;
    return isOrdinaryIn(run, at, kind);
  }
}
