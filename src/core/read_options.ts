import { ownOf, type Rules, takeOptions } from "./base/check.ts";
import { refuseArgument } from "./base/errors.ts";
import { takeLabel } from "./encodings/labels.ts";

/**
 * What is shown of a file: lines from `start` on (`count` of them, or up to
 * `end`), the last `tail` lines, those `around` a line, or those that `match`; by
 * default the whole file. Then how much of it, and as which text. The options are
 * plain JSON, and {@linkcode Page.next} is made of them.
 */
export interface ReadFields {
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
   * with {@linkcode httpFs} and {@linkcode r2Fs}, and for one that `countLines`
   * leaves uncounted. With `false`, -1 is the last line, and `totalLines` is
   * `null`. A page has these numbers anyway if it begins at line 1, or if
   * `maxBytes` cuts it off before the end of the file.
   */
  readonly numbered?: boolean;
  /** Whether limits leave out the first lines of a `tail`, instead of the last ones: `maxBytes`, `maxLines`, `maxChars` and `maxTokens`. */
  readonly keepEnd?: boolean;
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
  /** Whether lines are shown whole; by default, of a line of more than 1,000 bytes only what is around each hit, or its beginning if it is near one. */
  readonly wholeLines?: boolean;
  /** The most hits of a page; `next` has the same limit. */
  readonly limit?: number;
  /** Shows the block of the line `around`, or of each hit, by its indentation: by default what opens it, and the block itself, without its neighbours. */
  readonly block?: boolean | {
    /** How many levels of four columns to climb; 0 for all, 1 by default. */
    readonly levels?: number;
    /** Whether to include the neighbours at the outermost level; not by default. */
    readonly siblings?: boolean;
    /** Whether to include the comments above the outermost line; by default. */
    readonly header?: boolean;
    /** The most lines of the block, 200 by default; the line itself stays in the middle. */
    readonly count?: number;
  };
  /** How many lines before: by default 10 `around` a line, and none before hits and a range. */
  readonly before?: number;
  /** How many lines after, with the same defaults. */
  readonly after?: number;
  /** The column of the first line to begin at: characters, from 1 on. Of a line that ends before it, only the ending is shown. */
  readonly column?: number;
  /** The most columns to show, all on one line. */
  readonly width?: number;
  /** The most bytes of the file to show; at least one character is shown. */
  readonly maxBytes?: number;
  /** The most lines of the file to show; `next` shows those that follow. */
  readonly maxLines?: number;
  /** The most UTF-16 code units of {@linkcode renderPage}'s text; at least one character of the file is shown, and a hit of a long line whole. */
  readonly maxChars?: number;
  /** The most tokens of {@linkcode renderPage}'s text, by {@linkcode boundTokens} or the `countTokens` of the call; at least one character is shown. */
  readonly maxTokens?: number;
  /** The largest file that is read, in bytes; a larger one is `TOO_LARGE`, unless it is binary and shown as `"bytes"`. */
  readonly maxFileBytes?: number;
  /** Whether a file without the lines `start` to `end` is `RANGE_OUT_OF_BOUNDS`; otherwise the lines that it has are shown. */
  readonly exactRange?: boolean;
  /** The most bytes from the start of the file, or for a `tail` from its end, in which lines are looked for by their numbers; past them, `SCAN_LIMIT`. */
  readonly maxScanBytes?: number;
  /** The most bytes to show of each line, without its ending; what follows in a longer line is left out, and `next` goes on after that line. The `etag` proves only what follows the last such line. */
  readonly maxLineBytes?: number;
  /**
   * What to do about a file that is not text.
   *
   * - `"text"`, the default: every file is text; bytes that are not are U+FFFD.
   * - `"refuse-nul"`: a NUL in the first 8,192 bytes is `BINARY`.
   * - `"refuse-shown"`: the same, but only if what is shown looks binary: has a
   *   NUL or invalid bytes, or no lines.
   * - `"refuse-invalid"`: what is read and is not UTF-8 is `BINARY`.
   * - `"bytes"`: if the first 8,192 bytes hold a NUL or are not UTF-8, the page
   *   has no lines, and its `bytes()` are those of the file from the first on.
   *
   * A view is never refused.
   */
  readonly binary?:
    | "text"
    | "refuse-nul"
    | "refuse-shown"
    | "refuse-invalid"
    | "bytes";
  /** Whether all lines of the file are counted, if it is not larger than `maxScanBytes`; a number is the largest file, in bytes, whose lines are. By default, only what is read is counted. */
  readonly countLines?: boolean | number;
  /** Whether hidden characters are shown as `\u{202E}`. */
  readonly escape?: boolean;
  /** The encoding of the file, as a label that `TextDecoder` takes. `"auto"`, the default, detects it; legacy encodings only with {@linkcode WorkspaceOptions.detect}. */
  readonly encoding?: string;
  /** The `etag` of an earlier page. The call fails with `CHANGED` if the file is not that version any more. */
  readonly etag?: string;
  /** The name of a view, such as `"cells"`, or `"raw"` for the file itself; by default the first view that shows files of this kind. */
  readonly view?: string;
  /** The pages to show, such as `"3"`, `"3-5"` or `"3-"`, of a view that has pages. */
  readonly pages?: string;
}

/** Options of a read. What cannot be combined does not compile: `tail` beside other lines, `regex` and `ignoreCase` without `match`. */
export type ReadOptions =
  & ReadFields
  & (
    | { readonly match: string }
    | { readonly regex?: never; readonly ignoreCase?: never }
  )
  & (
    | { readonly tail?: never }
    | {
      readonly start?: never;
      readonly end?: never;
      readonly count?: never;
      readonly around?: never;
      readonly column?: never;
    }
  );

/** Which lines belong to a block. */
export type BlockOptions = Exclude<ReadFields["block"], boolean | undefined>;

/** What a call has besides its options, and is not JSON: the last argument of every method that reads, and of every tool. */
export interface CallContext {
  /** Aborts the call, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Counts the tokens of a text, where they are limited; {@linkcode boundTokens} by default. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Called with each note of a tool for the model, a sentence besides the answer. */
  readonly note?: ((note: string) => void) | undefined;
}

const FROM_ZERO = { least: 0 } as const;
const FROM_ONE = { least: 1 } as const;
const COUNT = { least: 1, unlimited: true } as const;
const LIMIT = { least: 0, unlimited: true } as const;

const isNumber = (value: unknown, least: number) =>
  value === Infinity ||
  Number.isSafeInteger(value) && value as number >= least;

/** The rule of each option; `Infinity` for a limit means no limit. */
export const READ_RULES: Rules<ReadFields> = {
  start: FROM_ONE,
  count: COUNT,
  end: COUNT,
  tail: FROM_ONE,
  numbered: "flag",
  keepEnd: "flag",
  around: FROM_ONE,
  match: "text",
  regex: "flag",
  ignoreCase: "flag",
  lines: {
    wanted: "a list of whole numbers from 1 on",
    fits: (value) =>
      Array.isArray(value) &&
      Array.from(value)
        .every((line) => line !== Infinity && isNumber(line, 1)),
  },
  wholeLines: "flag",
  limit: COUNT,
  block: {
    wanted: "true or false, or the options of a block",
    fits: (value) => typeof value === "boolean" || typeof value === "object",
  },
  before: FROM_ZERO,
  after: FROM_ZERO,
  column: FROM_ONE,
  width: COUNT,
  maxBytes: COUNT,
  maxLines: COUNT,
  maxChars: COUNT,
  maxTokens: COUNT,
  maxFileBytes: LIMIT,
  exactRange: "flag",
  maxScanBytes: LIMIT,
  maxLineBytes: COUNT,
  binary: ["text", "refuse-nul", "refuse-shown", "refuse-invalid", "bytes"],
  countLines: {
    wanted: "true or false, or a number of bytes",
    fits: (value) => typeof value === "boolean" || isNumber(value, 0),
    shown: true,
  },
  escape: "flag",
  encoding: "text",
  etag: "text",
  view: "text",
  pages: {
    wanted: 'pages such as "3", "3-5" or "3-"',
    shown: true,
    fits: (value) =>
      typeof value === "string" &&
      /^[1-9]\d{0,6}(?:-(?:[1-9]\d{0,6})?)?$/.test(value),
  },
};

const BLOCK_RULES: Rules<BlockOptions> = {
  levels: FROM_ZERO,
  siblings: "flag",
  header: "flag",
  count: COUNT,
};

export const CONTEXT_RULES: Rules<CallContext> = {
  signal: "signal",
  countTokens: "function",
  note: "function",
};

type OptionNames = readonly (keyof ReadFields)[];

/** Options that exclude others. */
const CLASHES: readonly (readonly [keyof ReadFields, OptionNames])[] = [
  ["count", ["end"]],
  [
    "match",
    ["lines", "around", "count", "width", "maxScanBytes", "keepEnd"],
  ],
  ["lines", ["tail", "around", "count", "width", "maxScanBytes"]],
  ["tail", ["around", "start", "count", "end", "column", "width"]],
  ["around", ["start", "count", "end", "column", "width"]],
  ["count", ["before", "after"]],
  ["block", ["before", "after", "tail", "maxScanBytes"]],
];

/** Options that need one of the others beside them; the message names the first of those. */
const NEEDS: readonly (readonly [OptionNames, OptionNames])[] = [
  [["regex", "ignoreCase"], ["match"]],
  [["wholeLines"], ["match"]],
  [["limit"], ["match", "lines"]],
  [["block"], ["around", "match", "lines"]],
  [["numbered", "keepEnd"], ["tail"]],
  [["exactRange"], ["end"]],
];

/** Checks and copies options; fails with `INVALID_ARGUMENT` for invalid ones. */
export function takeReadOptions(path: string, input: ReadFields): ReadFields {
  const fail = refuseArgument(path);
  const taken = takeOptions(input, READ_RULES, fail);
  const options = given(
    taken.countLines === Infinity ? { ...taken, countLines: true } : taken,
  );
  const { start = 1, end = Infinity, match, lines, encoding, block } = options;
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
  return typeof block === "object"
    ? ownOf({
      ...options,
      block: takeOptions(block, BLOCK_RULES, fail, "block"),
    })
    : options;
}

/** Checks and copies what a call has besides its options. */
export function takeContext(
  path: string,
  context?: CallContext,
): CallContext {
  return takeOptions(context, CONTEXT_RULES, refuseArgument(path), "context");
}

/** The options that are given: without those that are `undefined`, or `Infinity`, which JSON does not have. */
export function given(
  options: {
    readonly [Name in keyof ReadFields]: ReadFields[Name] | undefined;
  },
): ReadFields {
  const taken = ownOf<Record<string, unknown>>({});
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && value !== Infinity) taken[name] = value;
  }
  return taken;
}

/** How many lines `around` shows before and after its line, by default. */
const AROUND = 10;

/** Consecutive lines by their numbers. */
export interface WantedLines {
  readonly start: number;
  readonly column: number;
  /** The most lines of a page. */
  readonly count: number;
  readonly width: number | undefined;
  /** A line that the file must have; if it has no such line, the page is empty. */
  readonly around: number | undefined;
}

/** The lines that are asked for by their numbers: with neither `tail`, nor hits, nor a block. */
export function rangeOf(options: ReadFields): WantedLines {
  const { start = 1, end = Infinity, around, column = 1, width } = options;
  const usual = around === undefined ? 0 : AROUND;
  const { before = usual, after = usual } = options;
  const first = Math.max(1, (around ?? start) - before);
  const last = Math.min(Number.MAX_SAFE_INTEGER, (around ?? end) + after);
  const { count = Math.max(1, last - first + 1) } = options;
  // If the file lacks the lines that were asked for, those around them are not shown either.
  const hasMargin = (options.before ?? options.after) !== undefined;
  return around !== undefined || hasMargin
    ? {
      start: first,
      count,
      column: 1,
      width: undefined,
      around: around ?? start,
    }
    : { start: first, count, column, width, around: undefined };
}
