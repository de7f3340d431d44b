// Runtime-agnostic.
import { takeLabel } from "../encodings/charsets.ts";
import type { FileEncoding } from "../lines/codec.ts";
import { type Rules, takeOptions } from "../base/check.ts";
import { refuseArgument } from "../base/errors.ts";
import type { HiddenCharacter } from "../unicode/hidden.ts";
import type { KeptLines, NewLines } from "./delta.ts";
import type { Hits } from "./found.ts";

/**
 * Which part of a file a page shows: lines from `start` on (`count` of them, or
 * up to `end`), the last `tail` lines, those `around` a line, or those that
 * `match`; line 1 to the end if nothing is said. All of it is plain JSON.
 */
export interface PageOptions {
  /** The first line; 1 by default. */
  readonly start?: number;
  /** The most lines to show; the next page shows as many again, to the end of the file. */
  readonly count?: number;
  /** The last line to show; the pages after go up to it. */
  readonly end?: number;
  /** Shows that many of the last lines. */
  readonly tail?: number;
  /**
   * Whether the lines of a `tail` are numbered from the first line, for which the
   * whole file is read; true by default, unless the file is `remote`, as those of
   * {@linkcode httpFs} and {@linkcode r2Fs} are. If not, -1 is the last line, and
   * `totalLines` is `null`; a page that begins at line 1, or that `maxBytes` ends
   * before the end of the file, is numbered anyway.
   */
  readonly numbered?: boolean;
  /** Shows the lines around this one; none if the file does not have it. */
  readonly around?: number;
  /**
   * Shows the lines that hold this text, or this pattern, from `start` to `end`;
   * {@linkcode Page.hits} tells how many there are.
   */
  readonly match?: string;
  /**
   * Whether `match` is a pattern: a part of the syntax of JavaScript, in which
   * each line takes linear time. Backreferences and lookaround are refused.
   */
  readonly regex?: boolean;
  /** Whether `match` finds upper and lower case alike. */
  readonly ignoreCase?: boolean;
  /**
   * Shows these lines, which another tool has found, and lines around them; the
   * whole file where that is no longer.
   */
  readonly lines?: readonly number[];
  /** The most hits of a page; `next` shows as many again. */
  readonly limit?: number;
  /** Whether each hit is shown with its block by indentation, up to the line that opens it. */
  readonly block?: boolean;
  /** How many lines before: 10 by default `around` a line, and none before hits and a range. */
  readonly before?: number;
  /** How many lines after, by the same defaults. */
  readonly after?: number;
  /** The most bytes of the file to show, as long as one character fits. */
  readonly maxBytes?: number;
  /**
   * The most tokens of the text to show, as long as one character fits: by the
   * bound of {@linkcode boundTokens}, or by the `countTokens` of the call.
   */
  readonly maxTokens?: number;
  /** The column of the first line to begin at: characters, from 1 on. A line that ends before it shows its ending alone. */
  readonly column?: number;
  /** The most columns to show, all of one line. */
  readonly width?: number;
  /** Whether hidden characters are shown as `\u{202E}`. */
  readonly escape?: boolean;
  /**
   * The encoding of the file, as a label that `TextDecoder` takes. `"auto"`, the
   * default, tells it by the file's bytes; a legacy one only where
   * {@linkcode WorkspaceOptions.detect} is given.
   */
  readonly encoding?: string;
  /**
   * The `etag` of an earlier page. If that version of the file, or what was shown
   * of it, is gone, that is `CHANGED`; also if this page begins at the line and
   * column where that one ended, and they are now at another byte.
   */
  readonly etag?: string;
  /**
   * The `receipt` of an earlier page: its lines are left out of this one where
   * they are unchanged, and `hunks` tells which. Without a start, an end or a
   * count, the page shows the lines that stand where those stood.
   */
  readonly since?: string;
  /**
   * The name of a view, such as `"cells"`, or `"raw"` for the file itself; by
   * default the first view of the workspace that shows files of this kind.
   */
  readonly view?: string;
  /** The pages to show, such as `"3"`, `"3-5"` or `"3-"`, of a view that has pages. */
  readonly pages?: string;
}

const FROM_ONE = { least: 1 } as const;
const FROM_ZERO = { least: 0 } as const;
const MOST = { least: 1, unlimited: true } as const;

/** Every option; the `Infinity` of one that bounds the page means that it is absent. */
export const PAGE_RULES: Rules<PageOptions> = {
  start: FROM_ONE,
  count: MOST,
  end: MOST,
  tail: FROM_ONE,
  numbered: "flag",
  around: FROM_ONE,
  match: "text",
  regex: "flag",
  ignoreCase: "flag",
  lines: {
    wanted: "a list of whole numbers from 1 on",
    fits: isLineList,
  },
  limit: MOST,
  block: "flag",
  before: FROM_ZERO,
  after: FROM_ZERO,
  maxBytes: MOST,
  maxTokens: MOST,
  column: FROM_ONE,
  width: MOST,
  escape: "flag",
  encoding: "text",
  etag: "text",
  since: "text",
  view: "text",
  pages: {
    wanted: 'pages such as "3", "3-5" or "3-"',
    fits: (value) =>
      typeof value === "string" &&
      /^[1-9]\d{0,6}(?:-(?:[1-9]\d{0,6})?)?$/.test(value),
  },
};

/** Whether a value is a list of numbers of lines. */
function isLineList(value: unknown): boolean {
  try {
    return Array.isArray(value) &&
      Array.from(value).every((it) => Number.isSafeInteger(it) && it > 0);
  } catch {
    // A revoked proxy, or a getter, threw.
    return false;
  }
}

type OptionNames = readonly (keyof PageOptions)[];

/** Options that cannot stand with others. */
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

/** Options that say how `match` finds. */
const OF_MATCH: OptionNames = ["regex", "ignoreCase"];
const OF_HITS: OptionNames = ["limit", "block"];

/** Takes a copy of options; fails with `INVALID_ARGUMENT` for those that select no page. */
export function takePageOptions(path: string, asked: PageOptions): PageOptions {
  const fail = refuseArgument(path);
  const options = withoutInfinity(takeOptions(asked, PAGE_RULES, fail));
  for (const [one, others] of CLASHES) {
    if (options[one] === undefined) continue;
    const other = others.find((name) => options[name] !== undefined);
    if (other !== undefined) {
      throw fail(one, `and ${other} cannot be combined`);
    }
  }
  const { start = 1, end = Infinity, around, before, after } = options;
  if (end < start) throw fail("end", "must not be less than start");
  const isOfHits = (options.match ?? options.lines) !== undefined;
  const stray = [
    ...(options.match === undefined ? OF_MATCH : []),
    ...(isOfHits ? [] : OF_HITS),
  ].find((name) => options[name] !== undefined);
  if (stray !== undefined) throw fail(stray, "means nothing without match");
  if (!isOfHits) {
    const isBounded = around !== undefined || options.end !== undefined;
    if ((before ?? after) !== undefined) {
      if (!isBounded) {
        throw fail(
          "before and after",
          "mean nothing without around, match or end",
        );
      }
      for (const name of ["column", "width"] as const) {
        if (options[name] === undefined) continue;
        throw fail(
          name,
          `and ${before === undefined ? "after" : "before"} cannot be combined`,
        );
      }
    }
  }
  if (options.tail === undefined && options.numbered !== undefined) {
    throw fail("numbered", "means nothing without tail");
  }
  if (options.encoding !== undefined) takeLabel(options.encoding, fail);
  return options;
}

/** The `next` of a page is plain JSON, which has no `Infinity`. */
function withoutInfinity(options: PageOptions): PageOptions {
  const given = Object.entries(options);
  return given.some(([, value]) => value === Infinity)
    ? Object.fromEntries(given.filter(([, value]) => value !== Infinity))
    : options;
}

/** A line on a page, or as much of it as the page shows. */
export interface PageLine {
  /** Its number, from 1 on; where the lines before were not counted, -1 is the last. */
  readonly number: number;
  /** The column that the text begins at: 1, unless the page before showed some of the line. */
  readonly column: number;
  /** The text, without the line's ending. */
  readonly text: string;
  /** The line's ending; empty where the file, or the page, ends before it. */
  readonly ending: "" | "\n" | "\r\n";
}

/** A line whose text is not the very bytes of the file, and why; one may have two reasons. */
export interface InexactLine {
  /** The number of the line, as the page has it. */
  readonly number: number;
  /**
   * It is not UTF-8, or has bytes that are no text in the encoding of the file,
   * or that are another spelling of it; or its hidden characters were asked to be
   * escaped.
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

/** Some lines of a file, to the byte, and how to go on. Facts about the file are beside its text, never in it. */
export interface Page {
  /** The path that was asked for, from the root. */
  readonly path: string;
  /** The lines. */
  readonly lines: readonly PageLine[];
  /** The bytes of the file that it shows. */
  readonly shown: Shown;
  /** The size of the file in bytes. */
  readonly size: number;
  /** The encoding of the file, and why it is taken for that. */
  readonly encoding: FileEncoding;
  /** How many lines the file has; `null` if they were not counted. */
  readonly totalLines: number | null;
  /** Why a page has no lines: the file has none, or not that line, or its last line ends before the column, or no line matches; `null` if it has some. */
  readonly empty:
    | "empty file"
    | "past the end"
    | "past the last column"
    | "no hit"
    | null;
  /** What was found, and what lies between the lines shown; only if the page is of a `match`. */
  readonly hits?: Hits;
  /** The options of the call that goes on, as plain JSON; `null` at the end. */
  readonly next: PageOptions | null;
  /** The name of the view that it is a page of; `null` for the file itself. Its bytes, lines and size are those of the view. */
  readonly view: string | null;
  /** Names the version of the file, the bytes shown since the walk began, and where it goes on. */
  readonly etag: string;
  /**
   * Stands for exactly the lines shown, for {@linkcode Workspace.recheck}: a
   * digest of 128 bits, and four characters for each line. The same page has the
   * same receipt in every process, runtime and port. A page of hits has one for
   * each run of lines, with `~` between them.
   */
  readonly receipt: string;
  /** The receipt that was asked with: `lines`, `bytes()`, `inexact` and `warnings` are those of the new lines alone. */
  readonly since?: string;
  /** With `since`, the lines of the page in order: those that were shown before, and those that are new. */
  readonly hunks?: readonly (KeptLines | NewLines)[];
  /** Whether the texts and endings, put together, are the very bytes shown. */
  readonly exact: boolean;
  /** The lines that are not, and why. */
  readonly inexact: readonly InexactLine[];
  /** The characters that a reader does not see, or sees elsewhere: the first 10,000 of each level. */
  readonly warnings: readonly HiddenCharacter[];
  /** Gives the bytes of the file that the page shows. */
  bytes(): Uint8Array;
}
