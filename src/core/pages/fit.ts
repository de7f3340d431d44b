import { Call, STEP_ITEMS } from "../base/call.ts";
import { ownOf } from "../base/check.ts";
import { LEAST_HIT_UNITS } from "../base/limits.ts";
import { type CountTokens, tokensIn } from "../base/tokens.ts";
import { optionsOf, readingOf, rowBytes, shownBytes } from "./page.ts";
import { shorten } from "./shorten.ts";
import type { Page } from "./page.ts";

/** How long the text of a page may be, and how much of the file it may show. */
export interface FitLimits {
  /** UTF-16 code units of the text. */
  readonly chars?: number | undefined;
  /** Bytes of the text in UTF-8. */
  readonly bytes?: number | undefined;
  /** Lines of the text. */
  readonly lines?: number | undefined;
  /** Tokens of the text. */
  readonly tokens?: number | undefined;
  /** Bytes of the file. */
  readonly fileBytes?: number | undefined;
}

/** The text of a page. */
export interface Written {
  /** A line before the rows, the rows, and a line after them. */
  readonly text: string;
  /** The text without the rows. */
  readonly frame: string;
  /** What the text has for each line of the page. */
  readonly rows: readonly string[];
}

/** Who counts the tokens; {@linkcode boundTokens} by default. And the call that is in progress. */
export interface FitContext {
  readonly countTokens?: CountTokens | undefined;
  readonly call?: Call;
}

/** A page, and its text. */
export interface Fitted<Text extends Written = Written> {
  readonly page: Page;
  readonly written: Text;
  /** Whether the text is within the limits; if not, it has only one character of the file, or of a search a line of at most 200, or so many of a line. */
  readonly isWithin: boolean;
}

/** How often the text of a page is written at most, to find how many rows fit, or how much of one. */
const MOST_TRIES = 6;

/**
 * Shortens a page until its text is within limits. Nothing is read again. The
 * page keeps the whole rows that fit, or a part of the first one, and at least
 * one character. However long the page is, its text is written a few times.
 */
export async function fit<Text extends Written>(
  whole: Page,
  limits: FitLimits,
  write: (page: Page) => Text,
  context: FitContext = {},
): Promise<Fitted<Text>> {
  const ruler = new Ruler(whole, limits, context);
  const { call } = ownOf(context);
  const show = async (page: Page): Promise<Fitted<Text>> => {
    // A batch shortens many pages, each of which is written at once.
    await call?.yieldThenCheck();
    const written = write(page);
    const isWithin = await ruler.fits(page, written.text);
    return { page, written, isWithin };
  };
  // Each row takes a line, so that of a page with very many only these are written.
  const { lines: most = Infinity } = ownOf(limits);
  const first = await show(
    whole.lineCount > most
      ? shorten(whole, rowsToKeep(whole, Math.max(1, most)))
      : whole,
  );
  const { rows } = first.written;
  if (first.isWithin || rows.length === 0) return first;
  const some = await search(first, rows.length, {
    isSure: true,
    guess: ({ written: { frame } }) => ruler.rowsWithin(rows, frame),
    show: (count) => show(shorten(whole, rowsToKeep(whole, count))),
  });
  if (some.isWithin) return some;
  // Not even one row fits: a part of one.
  const from = rowToCut(whole);
  const row = { from, to: from + 1 };
  const alone = await show(shorten(whole, row));
  const units = alone.page.text.replace(/\r?\n$/, "").length;
  if (alone.isWithin || units === 0) return alone;
  const cut = await search(alone, units + 1, {
    isSure: false,
    guess: ({ page, written }) => ruler.unitsWithin(page, written),
    show: (units) => show(shorten(whole, { ...row, units })),
  });
  // A search that goes on by single characters would show no hit.
  const isSearch = optionsOf(whole).match !== undefined &&
    limits.fileBytes === undefined;
  if (!isSearch) return cut;
  // Where a hit of varying length begins is unknown, so a short cut might show only its end.
  const isLess = cut.page.text.length < LEAST_HIT_UNITS / 4 &&
    isAroundEnd(whole, from);
  if (cut.isWithin && !isLess) return cut;
  const least = { ...row, units: LEAST_HIT_UNITS };
  return units <= LEAST_HIT_UNITS ? alone : await show(shorten(whole, least));
}

/** How a search makes the page of a number of rows, or of code units. */
interface FitSearch<Text extends Written> {
  /** Whether no more than a guess can fit. */
  readonly isSure: boolean;
  /** About how many fit, by a page with more or fewer. */
  guess(shown: Fitted<Text>): Promise<number>;
  /** The page with so many. */
  show(count: number): Promise<Fitted<Text>>;
}

/** The page with the most that fits, fewer than `tooMany`; if nothing fits, the one with the least that was tried. */
async function search<Text extends Written>(
  tooLong: Fitted<Text>,
  tooMany: number,
  { isSure, guess, show }: FitSearch<Text>,
): Promise<Fitted<Text>> {
  let shown = tooLong;
  let best: Fitted<Text> | undefined;
  let enough = 0;
  for (let tries = 1; enough + 1 < tooMany; tries++) {
    const isLast = tries >= MOST_TRIES;
    if (isLast && best !== undefined) break;
    // If all tries were too long, only the least is left to try.
    const about = isLast ? 1 : Math.max(1, await guess(shown));
    if (isSure && about <= enough) break;
    const isBetween = about > enough && about < tooMany;
    // A guess outside is about right at first; later it tells nothing new.
    const other = tries < 3 ? tooMany - 1 : (enough + tooMany) >> 1;
    const count = isBetween ? about : Math.max(1, other);
    shown = await show(count);
    if (shown.isWithin) {
      best = shown;
      enough = count;
    } else tooMany = count;
  }
  return best ?? shown;
}

/** Whether a page keeps its last rows if it is shortened: if the caller said so, and if its lines are counted from the end, since no next page could name the others. */
function keepsEnd(page: Page): boolean {
  const { keepEnd = false, tail } = optionsOf(page);
  return tail !== undefined && (keepEnd || (page.lines[0]?.number ?? 0) < 0);
}

function rowToCut(page: Page): number {
  if (keepsEnd(page)) return page.lineCount - 1;
  const [hit] = page.hits?.lines ?? [];
  return Math.max(0, page.lines.findIndex(({ number }) => number === hit));
}

/** Whether a row is a part of a line around a hit of which only the end is known. */
function isAroundEnd(page: Page, row: number): boolean {
  const number = page.lines[row]?.number;
  return readingOf(page).places?.some(({ line, length, isPart }) =>
    line === number && length === 0 && isPart
  ) ?? false;
}

/** The rows `[from, to)` of a page. */
interface Rows {
  readonly from: number;
  readonly to: number;
}

/** Which rows to keep if `count` fit, fewer than the page has and at least one. */
export function rowsToKeep(page: Page, count: number): Rows {
  if (page.hits !== undefined) return rowsOfHits(page, count);
  const { lineCount } = page;
  return keepsEnd(page)
    ? { from: lineCount - count, to: lineCount }
    : { from: 0, to: count };
}

/** The same for hits: the page ends after a hit with all lines after it, and without those before the next one. */
function rowsOfHits(page: Page, count: number): Rows {
  const { lines } = page;
  const { lines: hits } = page.hits!;
  const { after = 0 } = optionsOf(page);
  // Between two parts of a long line, the page may end.
  if (lines[count]?.number === lines[count - 1]!.number) {
    return { from: 0, to: count };
  }
  const rowOf = new Map(lines.map(({ number }, at) => [number, at]));
  for (let at = hits.length - 1; at >= 0; at--) {
    const end = Math.min(hits[at]! + after, (hits[at + 1] ?? Infinity) - 1);
    let to = rowOf.get(hits[at]!)! + 1;
    while (to < lines.length && lines[to]!.number <= end) to++;
    if (to <= count) return { from: 0, to };
  }
  // The first hit, and as many lines around it as fit.
  const row = lines.findIndex(({ number }) => number === hits[0]);
  if (row < 0) return { from: 0, to: count };
  const from = Math.max(0, row - Math.floor((count - 1) / 2));
  return { from, to: Math.min(from + count, row + after + 1) };
}

const encoder = new TextEncoder();
const IS_ASCII = /^[\0-\x7f]*$/;

/** How a text is measured, in units that those of its parts add up to. */
export const MEASURES = {
  chars: (text: string) => text.length,
  bytes: (text: string) =>
    IS_ASCII.test(text) ? text.length : encoder.encode(text).length,
  lines(text: string) {
    let lines = 1;
    let at = -1;
    while ((at = text.indexOf("\n", at + 1)) >= 0) lines++;
    return lines;
  },
};
type Measured = keyof typeof MEASURES;

/** Parts of a row may have more tokens than their share: so much of it is left free. */
const TOKENS_SLACK = 0.03;

/** Measures the pages that a page is shortened to, and their texts. */
class Ruler {
  readonly #whole: Page;
  readonly #countTokens: CountTokens | undefined;
  readonly #call: Call;
  readonly #tokens: number;
  readonly #fileBytes: number;
  /** The other limits that there are. */
  readonly #limits: readonly (readonly [Measured, number])[];

  constructor(whole: Page, limits: FitLimits, context: FitContext) {
    const { chars, bytes, lines, tokens, fileBytes } = ownOf(limits);
    this.#whole = whole;
    const { countTokens, call = new Call(whole.path) } = ownOf(context);
    this.#countTokens = countTokens;
    this.#call = call;
    this.#tokens = tokens ?? Infinity;
    this.#fileBytes = fileBytes ?? Infinity;
    this.#limits = Object.entries({ chars, bytes, lines })
      .map(([unit, limit = Infinity]) => [unit as Measured, limit] as const)
      .filter(([, limit]) => limit < Infinity);
  }

  async fits(page: Page, text: string): Promise<boolean> {
    if (shownBytes(page) > this.#fileBytes) return false;
    const isLong = this.#limits
      .some(([unit, limit]) => MEASURES[unit](text) > limit);
    if (isLong || this.#tokens === Infinity) return !isLong;
    return await this.#tokensOf(text) <= this.#tokens;
  }

  /** How many rows of the whole page fit into a frame. */
  async rowsWithin(all: readonly string[], frame: string): Promise<number> {
    const isFromEnd = keepsEnd(this.#whole);
    const rows = isFromEnd ? all.toReversed() : all;
    let count = rows.length;
    for (const [unit, limit] of this.#limits) {
      const measure = MEASURES[unit];
      let left = limit - measure(frame);
      for (let at = 0; at < count; at++) {
        if (at % STEP_ITEMS === 0) await this.#call.yieldThenCheck();
        // A line break follows each row.
        left -= measure(`${rows[at]}\n`) - measure("");
        if (left < 0) count = at;
      }
    }
    if (this.#fileBytes < Infinity) {
      const sizes = rowBytes(this.#whole);
      if (isFromEnd) sizes.reverse();
      count = Math.min(count, countWithin(sizes, this.#fileBytes));
    }
    return this.#tokens === Infinity
      ? count
      : await this.#rowsByTokens(rows.slice(0, count), frame);
  }

  /** The same by tokens: those of a text are only about the sum of those of its parts. */
  async #rowsByTokens(rows: readonly string[], frame: string): Promise<number> {
    const most = this.#tokens;
    const tokensOf = (count: number) =>
      this.#tokensOf([frame, ...rows.slice(0, count)].join("\n"));
    let [few, many] = [0, rows.length];
    let [fewTokens, manyTokens] = [await tokensOf(few), await tokensOf(many)];
    if (manyTokens <= most) return many;
    if (fewTokens > most) return 0;
    for (let step = 0; few + 1 < many; step++) {
      // As if all rows between were alike; and every other time halfway, in case they are not.
      const part = step % 2 === 1
        ? 0.5
        : (most - fewTokens) / (manyTokens - fewTokens);
      const guess = few + Math.floor(part * (many - few));
      const count = Math.min(Math.max(guess, few + 1), many - 1);
      const tokens = await tokensOf(count);
      if (tokens <= most) [few, fewTokens] = [count, tokens];
      else [many, manyTokens] = [count, tokens];
    }
    return few;
  }

  /** About how many code units of a row fit, by a page that shows some of them. */
  async unitsWithin(page: Page, { text, frame }: Written): Promise<number> {
    const { length } = page.text;
    /** How many if each takes as much as those of the page: `used` of which `room` may be taken. */
    const alike = (room: number, used: number) =>
      length * room / Math.max(1, used);
    /** The same, if each takes at least 1. */
    const counted = (room: number, used: number) =>
      Math.max(alike(room, used), room < used ? length - used + room : 0);
    let least = counted(this.#fileBytes, shownBytes(page));
    for (const [unit, limit] of this.#limits) {
      const [all, around] = [MEASURES[unit](text), MEASURES[unit](frame)];
      // A shorter row takes as many lines.
      if (unit !== "lines") {
        least = Math.min(least, counted(limit - around, all - around));
      } else if (all > limit) return 0;
    }
    if (this.#tokens < Infinity) {
      const around = await this.#tokensOf(frame);
      const used = await this.#tokensOf(text) - around;
      const some = alike(this.#tokens - around, used) * (1 - TOKENS_SLACK);
      least = Math.min(least, some);
    }
    return Math.floor(least);
  }

  #tokensOf(text: string): Promise<number> {
    return tokensIn(text, this.#countTokens, this.#call, this.#tokens);
  }
}

/** How many of the first sizes together are within a limit. */
function countWithin(sizes: readonly number[], limit: number): number {
  let sum = 0;
  const over = sizes.findIndex((size) => (sum += size) > limit);
  return over < 0 ? sizes.length : over;
}
