// Runtime-agnostic.
import type { FileBytes } from "../base/port.ts";
import { takeLabel } from "../encodings/charsets.ts";
import type { FileEncoding } from "../lines/codec.ts";
import type { TextWindow } from "../lines/window.ts";
import { type Rules, takeOptions, tryRead } from "../base/check.ts";
import { refuseArgument } from "../base/errors.ts";
import type { HiddenCharacter } from "../unicode/hidden.ts";
import type { KeptLines, NewLines } from "./delta.ts";
import type { Beginning } from "../lines/locate.ts";
import type { PageSelection } from "../base/selection.ts";

/**
 * Which part of a file a page shows: lines from `start` on (`count` of them, or
 * up to `end`), the last `tail` lines, those `around` a line, or those that
 * `match`; by default the whole file. The options are plain JSON.
 */
export interface PageOptions {
  /** The first line; 1 by default. */
  readonly start?: number;
  /** The most lines to show; each next page shows as many, until the end of the file. */
  readonly count?: number;
  /** The last line to show; later pages end there too. */
  readonly end?: number;
  /** Shows this number of lines from the end of the file. */
  readonly tail?: number;
  /**
   * Whether the lines of a `tail` are numbered from the start of the file, for which
   * the whole file is read. True by default, but false for a `remote` file, as
   * with {@linkcode httpFs} and {@linkcode r2Fs}. With `false`, -1 is the last
   * line, and `totalLines` is `null`. A page has these numbers anyway if it begins at
   * line 1, or if `maxBytes` cuts it off before the end of the file.
   */
  readonly numbered?: boolean;
  /** Shows the lines around this one; no lines if the file does not have it. */
  readonly around?: number;
  /** Shows the lines that match this text, or this pattern, from `start` to `end`; {@linkcode Page.hits} has their number. */
  readonly match?: string;
  /** Whether `match` is a pattern: a part of JavaScript's syntax, without backreferences and lookaround, so that each line takes linear time. */
  readonly regex?: boolean;
  /** Whether `match` ignores case. */
  readonly ignoreCase?: boolean;
  /** Shows these lines, which another tool has found, and lines around them; or the whole file, if that takes no more bytes. */
  readonly lines?: readonly number[];
  /** The most hits of a page; `next` has the same limit. */
  readonly limit?: number;
  /** Whether each hit is shown with its block by indentation, up to the line that opens it. */
  readonly block?: boolean;
  /** How many lines before: by default 10 `around` a line, and none before hits and a range. */
  readonly before?: number;
  /** How many lines after, with the same defaults. */
  readonly after?: number;
  /** The most bytes of the file to show; at least one character is shown. */
  readonly maxBytes?: number;
  /** The most tokens of the text to show, by {@linkcode boundTokens} or the `countTokens` of the call; at least one character is shown. */
  readonly maxTokens?: number;
  /** The column of the first line to begin at: characters, from 1 on. Of a line that ends before it, only the ending is shown. */
  readonly column?: number;
  /** The most columns to show, all on one line. */
  readonly width?: number;
  /** Whether hidden characters are shown as `\u{202E}`. */
  readonly escape?: boolean;
  /** The encoding of the file, as a label that `TextDecoder` takes. `"auto"`, the default, detects it; legacy encodings only with {@linkcode WorkspaceOptions.detect}. */
  readonly encoding?: string;
  /**
   * The `etag` of an earlier page. The call fails with `CHANGED` if the file is
   * not that version any more. If this page continues that one, the call also
   * fails if that line and column are at another byte now.
   */
  readonly etag?: string;
  /**
   * The `receipt` of an earlier page: its unchanged lines are left out of this
   * one, and `hunks` lists them. Without a start, an end or a count, the page
   * shows the lines that are now where those lines were.
   */
  readonly since?: string;
  /** The name of a view, such as `"cells"`, or `"raw"` for the file itself; by default the first view that shows files of this kind. */
  readonly view?: string;
  /** The pages to show, such as `"3"`, `"3-5"` or `"3-"`, of a view that has pages. */
  readonly pages?: string;
}

const FROM_ZERO = { least: 0 } as const;
const FROM_ONE = { least: 1 } as const;
const COUNT = { least: 1, unlimited: true } as const;

/** The rule of each option; `Infinity` for a limit means no limit. */
export const PAGE_RULES: Rules<PageOptions> = {
  start: FROM_ONE,
  count: COUNT,
  end: COUNT,
  tail: FROM_ONE,
  numbered: "flag",
  around: FROM_ONE,
  match: "text",
  regex: "flag",
  ignoreCase: "flag",
  lines: {
    wanted: "a list of whole numbers from 1 on",
    fits: (value) =>
      tryRead(() =>
        Array.isArray(value) &&
        Array.from(value).every((line) =>
          Number.isSafeInteger(line) && line > 0
        )
      ) === true,
  },
  limit: COUNT,
  block: "flag",
  before: FROM_ZERO,
  after: FROM_ZERO,
  maxBytes: COUNT,
  maxTokens: COUNT,
  column: FROM_ONE,
  width: COUNT,
  escape: "flag",
  encoding: "text",
  etag: "text",
  since: "text",
  view: "text",
  pages: {
    wanted: 'pages such as "3", "3-5" or "3-"',
    shown: true,
    fits: (value) =>
      typeof value === "string" &&
      /^[1-9]\d{0,6}(?:-(?:[1-9]\d{0,6})?)?$/.test(value),
  },
};

type OptionNames = readonly (keyof PageOptions)[];

/** Options that exclude others. */
const CLASHES: readonly (readonly [keyof PageOptions, OptionNames])[] = [
  ["count", ["end"]],
  ["match", ["lines", "tail", "around", "count", "width", "since"]],
  ["lines", ["tail", "around", "count", "width", "since"]],
  ["tail", ["around", "start", "count", "end", "column", "width"]],
  ["around", ["start", "count", "end", "column", "width"]],
  ["tail", ["before", "after"]],
  ["count", ["before", "after"]],
  ["block", ["before", "after"]],
];

/** Options that need one of the others beside them; the message names the first of those. */
const NEEDS: readonly (readonly [OptionNames, OptionNames])[] = [
  [["regex", "ignoreCase"], ["match"]],
  [["limit", "block"], ["match", "lines"]],
  [["numbered"], ["tail"]],
];

/** Checks and copies options; fails with `INVALID_ARGUMENT` for invalid ones. */
export function takePageOptions(path: string, input: PageOptions): PageOptions {
  const fail = refuseArgument(path);
  const options = given(takeOptions(input, PAGE_RULES, fail));
  const { start = 1, end = Infinity, match, lines, encoding } = options;
  /** The first of the names that is given. */
  const oneOf = (names: OptionNames) =>
    names.find((name) => options[name] !== undefined);
  const refuseBoth = (one?: string, other?: string) => {
    if (one === undefined || other === undefined) return;
    throw fail(one, `and ${other} cannot be combined`);
  };
  for (const [name, others] of CLASHES) {
    if (options[name] !== undefined) refuseBoth(name, oneOf(others));
  }
  if (end < start) throw fail("end", "must not be less than start");
  for (const [names, needed] of NEEDS) {
    const name = oneOf(names);
    if (name === undefined || oneOf(needed) !== undefined) continue;
    throw fail(name, `means nothing without ${needed[0]}`);
  }
  const margin = oneOf(["before", "after"]);
  const isOfHits = (match ?? lines) !== undefined;
  if (margin !== undefined && !isOfHits) {
    if (oneOf(["around", "end"]) === undefined) {
      const problem = "mean nothing without around, match or end";
      throw fail("before and after", problem);
    }
    refuseBoth(oneOf(["column", "width"]), margin);
  }
  if (encoding !== undefined) takeLabel(encoding, fail);
  return options;
}

/** The options that are given: without those that are `undefined`, or `Infinity`, which JSON does not have. */
export function given(
  options: {
    readonly [Name in keyof PageOptions]: PageOptions[Name] | undefined;
  },
): PageOptions {
  const isGiven = ([, value]: [string, unknown]) =>
    value !== undefined && value !== Infinity;
  return Object.fromEntries(Object.entries(options).filter(isGiven));
}

/** A line of a page, or the part of it that the page shows. */
export interface PageLine {
  /** Its number, from 1 on; if the lines before were not counted, -1 is the last line. */
  readonly number: number;
  /** The column where the text begins: 1, unless the page begins inside the line. */
  readonly column: number;
  /** The text, without the line ending. */
  readonly text: string;
  /** The line ending; empty if the file, or the page, ends before it. */
  readonly ending: "" | "\n" | "\r\n";
}

/** A line whose text does not give back its bytes, and why; a line may have two reasons. */
export interface InexactLine {
  /** The number of the line on the page. */
  readonly number: number;
  /**
   * `"not UTF-8"`: it has invalid bytes. `"undecodable"`: its encoding cannot
   * decode some bytes. `"ambiguous"`: some bytes are an unusual form of a
   * character. `"escaped"`: its hidden characters were escaped on request.
   */
  readonly reason: "not UTF-8" | "undecodable" | "ambiguous" | "escaped";
}

/** Which part of the file a page shows. */
export interface Shown {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
}

/** Lines that are not shown, between lines that are. */
export interface Gap {
  /** The number of the first line. */
  readonly start: number;
  /** The number of the last line. */
  readonly end: number;
  /** How many bytes they have, with their endings. */
  readonly bytes: number;
}

/** The hits of a search in a file. */
export interface Hits {
  /** How many lines were found, shown or not, from where the search began to the end of the searched lines. */
  readonly count: number;
  /** Whether `count` is exact; if not, there are more. */
  readonly exact: boolean;
  /** The numbers of the shown lines with hits. */
  readonly lines: readonly number[];
  /** The lines between the shown ones. */
  readonly gaps: readonly Gap[];
}

/** Some lines of a file, exact to the byte, and how to continue. Facts about the file are separate from its text. */
export interface Page {
  /** The path that was asked for, from the root. */
  readonly path: string;
  /** The lines. */
  readonly lines: readonly PageLine[];
  /** The bytes of the file that it shows. */
  readonly shown: Shown;
  /** The size of the file in bytes. */
  readonly size: number;
  /** The encoding of the file, and how it was found. */
  readonly encoding: FileEncoding;
  /** How many lines the file has; `null` if they were not counted. */
  readonly totalLines: number | null;
  /** Why the page has no lines: the file is empty, or lacks that line, or its last line ends before the column, or no line matches; `null` if the page has lines. */
  readonly empty:
    | "empty file"
    | "past the end"
    | "past the last column"
    | "no hit"
    | null;
  /** The hits, and the gaps between the shown lines; only for `match` and `lines`. */
  readonly hits?: Hits;
  /** The options of the next call, as plain JSON; `null` at the end. */
  readonly next: PageOptions | null;
  /** The name of the view, whose bytes, lines and size the page has; `null` for the file itself. */
  readonly view: string | null;
  /** Identifies the version of the file, the bytes shown since the first page, and where the next page begins. */
  readonly etag: string;
  /**
   * Identifies exactly the shown lines, for {@linkcode Workspace.recheck}: a
   * digest of 128 bits, and four characters for each line. Equal pages have
   * equal receipts in every process, runtime and port. A page of hits has a
   * receipt for each run of lines, joined by `~`.
   */
  readonly receipt: string;
  /** The receipt in the request: `lines`, `bytes()`, `inexact` and `warnings` are of the new lines only. */
  readonly since?: string;
  /** With `since`, the lines of the page in order: lines that were shown before, and new ones. */
  readonly hunks?: readonly (KeptLines | NewLines)[];
  /** Whether the texts and endings, joined and encoded, are exactly the shown bytes. */
  readonly exact: boolean;
  /** The lines whose text does not give back their bytes, and why. */
  readonly inexact: readonly InexactLine[];
  /** The characters that are invisible, or move visible text: the first 10,000 of each level. */
  readonly warnings: readonly HiddenCharacter[];
  /** Returns the bytes of the file that the page shows. */
  bytes(): FileBytes;
}

/** How many lines `around` shows before and after its line, by default. */
const AROUND = 10;

/** The lines to locate, for options without `match` and `lines`. */
export function selectPage(options: PageOptions): PageSelection {
  const { start = 1, end = Infinity, tail, numbered, around } = options;
  const { column = 1, width } = options;
  if (tail !== undefined) {
    return { kind: "page", start: -tail, column: 1, count: tail, numbered };
  }
  const usual = around === undefined ? 0 : AROUND;
  const { before = usual, after = usual } = options;
  const first = Math.max(1, (around ?? start) - before);
  const last = Math.min(Number.MAX_SAFE_INTEGER, (around ?? end) + after);
  const { count = Math.max(1, last - first + 1) } = options;
  const page = { kind: "page", start: first, count } as const;
  // If the file lacks the lines that were asked for, those around them are not shown either.
  const hasMargin = (options.before ?? options.after) !== undefined;
  return around !== undefined || hasMargin
    ? { ...page, column: 1, around: around ?? start }
    : { ...page, column, width };
}

/** How many bytes a page shows, without the bytes of its gaps. */
export function shownBytes({ shown, hits }: Pick<Page, "shown" | "hits">) {
  let size = shown.end - shown.start;
  for (const { bytes } of hits?.gaps ?? []) size -= bytes;
  return size;
}

export function hasHits(window: TextWindow): window is HitsWindow {
  return "parts" in window;
}

/** The runs of lines of a window, at least one. */
export function partsOf(window: TextWindow): readonly TextWindow[] {
  return hasHits(window) && window.parts.length > 0 ? window.parts : [window];
}

/** Several runs of lines of a file. */
export interface HitsWindow extends TextWindow {
  readonly parts: readonly TextWindow[];
  readonly hits: Hits;
  /** Where the search began. */
  readonly from: Beginning;
  /** Whether a search for text beyond ASCII found none: the file may have another encoding. */
  readonly isMissed: boolean;
  /** Whether a larger `maxBytes` would show more of the first hit's line, or of the lines around it. */
  readonly isShrunk: boolean;
}
