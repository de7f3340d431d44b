// Runtime-agnostic.
import { checkValue, copyOf, takeOptions } from "./check.ts";
import type { Refuse, Rule, Rules } from "./check.ts";
import { quote } from "./words.ts";

/** Lines around an anchor that belong together by their indentation. */
export interface BlockSelection {
  /** Chosen by indentation. */
  readonly kind: "block";
  /** The line to begin from. */
  readonly anchor: number;
  /** How many levels of four columns to climb; `0` for all. */
  readonly maxLevels: number;
  /** Whether to include the neighbours at the outermost level. */
  readonly siblings: boolean;
  /** Whether to include the comments above the outermost line. */
  readonly header: boolean;
  /** The most lines to take. */
  readonly count: number;
}

/** Lines for a page; a line that does not fit is cut. */
export interface PageSelection {
  /** Chosen for a page. */
  readonly kind: "page";
  /** The first line; counted from the end of the file if it is negative. */
  readonly start: number;
  /** The column of the first line to begin at, from 1 on. */
  readonly column: number;
  /** The most lines to take. */
  readonly count: number;
  /** The most columns to take, all of the first line. */
  readonly width?: number | undefined;
  /** A line that the file must have; if it has no such line, the page is empty. */
  readonly around?: number | undefined;
  /** Whether lines from the end are numbered, which scans the whole file. By default they are, unless the file is `remote` and the page reaches its end. */
  readonly numbered?: boolean | undefined;
}

/** The lines that hold a text or a pattern, and lines around them. */
export interface MatchSelection {
  /** Chosen by what they hold. */
  readonly kind: "match";
  /** The text to search for, or the pattern. */
  readonly match: string;
  /** Whether `match` is a pattern, in JavaScript's syntax without backreferences and lookaround: each line takes linear time. */
  readonly regex?: boolean | undefined;
  /** Whether upper and lower case are the same. */
  readonly ignoreCase?: boolean | undefined;
  /** How many lines before each hit to take; 0 by default. */
  readonly before?: number | undefined;
  /** How many lines after each hit to take; 0 by default. */
  readonly after?: number | undefined;
  /** The most hits to take; no limit by default. */
  readonly limit?: number | undefined;
  /** Whether to take the block of each hit by its indentation, up to the line that opens it. */
  readonly block?: boolean | undefined;
  /** The first line to search; 1 by default. */
  readonly start?: number | undefined;
  /** The column of the first line to begin at; 1 by default. */
  readonly column?: number | undefined;
  /** The last line to search; the last of the file by default. */
  readonly end?: number | undefined;
  /** Whether to count all hits, also those that are not taken; by default, unless there is a `limit`. */
  readonly counts?: boolean | undefined;
}

/**
 * Which lines to read; they are numbered from 1.
 *
 * - `all`: every line.
 * - `lines`: `count` lines from `start` on, or as many as there are.
 * - `tail`: the last `count` lines.
 * - `page`: `count` lines from `start` on, to the byte, as the policy's
 *   `maxWindowBytes` and a `width` allow.
 * - `block`: the lines around an anchor, by indentation.
 * - `match`: the lines that hold a text or a pattern, and lines around them.
 */
export type Selection =
  | { readonly kind: "all" }
  | { readonly kind: "lines"; readonly start: number; readonly count: number }
  | { readonly kind: "tail"; readonly count: number }
  | PageSelection
  | BlockSelection
  | MatchSelection;

/** Whole lines, by their numbers. */
export type LineSelection = Exclude<
  Selection,
  PageSelection | BlockSelection | MatchSelection
>;

const FROM_ONE = { least: 1 } as const;
const COUNT = { least: 1, unlimited: true } as const;

const RULES: {
  readonly [Kind in Selection["kind"]]: Rules<
    Omit<Extract<Selection, { kind: Kind }>, "kind">
  >;
} = {
  all: {},
  lines: { start: FROM_ONE, count: COUNT },
  tail: { count: COUNT },
  page: {
    start: { least: -Infinity },
    column: FROM_ONE,
    count: COUNT,
    width: COUNT,
    around: FROM_ONE,
    numbered: "flag",
  },
  block: {
    anchor: FROM_ONE,
    maxLevels: { least: 0 },
    siblings: "flag",
    header: "flag",
    count: COUNT,
  },
  match: {
    match: "text",
    regex: "flag",
    ignoreCase: "flag",
    before: { least: 0 },
    after: { least: 0 },
    limit: COUNT,
    block: "flag",
    start: FROM_ONE,
    column: FROM_ONE,
    end: COUNT,
    counts: "flag",
  },
};

/** The fields that a page may leave out; a match may leave out all but its text. */
const OPTIONAL: readonly string[] = ["width", "around", "numbered"];

/** Checks and copies a selection; a count may be `Infinity`. */
export function takeSelection(
  selection: Selection | undefined,
  refuse: Refuse,
): Selection {
  if (selection === undefined) return { kind: "all" };
  const { kind, ...fields } = copyOf(selection, "selection", refuse);
  checkValue("selection.kind", kind, Object.keys(RULES), refuse);
  const rules: Readonly<Record<string, Rule>> = RULES[kind];
  const taken = takeOptions<Record<string, unknown>>(fields, rules, refuse);
  for (const name of Object.keys(rules)) {
    const isNeeded = kind === "match"
      ? name === "match"
      : !OPTIONAL.includes(name);
    if (taken[name] === undefined && isNeeded) {
      throw refuse(name, `must be given with the kind ${quote(kind)}`);
    }
    if (taken[name] === Infinity) taken[name] = Number.MAX_SAFE_INTEGER;
  }
  if (kind === "page" && taken.start === 0) {
    throw refuse("start", "must not be 0: lines are numbered from 1", "range");
  }
  return { ...taken, kind } as Selection;
}

/**
 * What is shown of a binary file, and which files count as binary.
 *
 * - `"reject-nul"`: a NUL in the first 8,192 bytes is `BINARY`; other bytes that
 *   are not UTF-8 are shown as U+FFFD.
 * - `"reject-invalid"`: anything read that is not UTF-8 is `BINARY`.
 * - `"bytes"`: if the first 8,192 bytes hold a NUL or are not UTF-8, the answer
 *   is bytes instead of text.
 * - `"replace"`: every file is text; bytes that are not UTF-8 are U+FFFD.
 */
export type BinaryPolicy =
  | "reject-nul"
  | "reject-invalid"
  | "bytes"
  | "replace";

/** How much a call may read and show; every limit is inclusive. */
export interface ReadPolicy {
  /** The largest file that is read; larger ones are `TOO_LARGE`. */
  readonly maxFileBytes?: number;
  /** The most bytes that are shown, in whole lines. A first line that does not fit is `TOO_LARGE`; so is the file, if every line is asked for. A block has no limit but its `count`. */
  readonly maxWindowBytes?: number;
  /** The most bytes scanned to find and read whole lines by their numbers; past it, `SCAN_LIMIT`. A page, a block or a match has no such limit. */
  readonly maxScanBytes?: number;
  /** The most bytes kept of each line, without its ending; at least 1. */
  readonly maxLineBytes?: number;
  /** What to do about binary files; `"replace"` by default. */
  readonly binary?: BinaryPolicy;
  /** The encoding, as a label that `TextDecoder` takes, or `"auto"`: only a {@linkcode Workspace} detects it. */
  readonly encoding?: string | undefined;
  /** Whether to count the lines of the whole file, as far as `maxScanBytes` goes; for lines by their numbers. */
  readonly countAll?: boolean;
  /** Whether fewer lines than were asked for are `RANGE_OUT_OF_BOUNDS`; for `lines`. */
  readonly exactRange?: boolean;
  /** Aborts the read, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** A policy under which every answer is text. */
export interface TextPolicy extends ReadPolicy {
  /** What to do about binary files; `"replace"` by default. */
  readonly binary?: Exclude<BinaryPolicy, "bytes">;
}

const LIMIT = { least: 0, unlimited: true } as const;

const POLICY_RULES: Rules<ReadPolicy> = {
  maxFileBytes: LIMIT,
  maxWindowBytes: LIMIT,
  maxScanBytes: LIMIT,
  maxLineBytes: { least: 1, unlimited: true },
  binary: ["reject-nul", "reject-invalid", "bytes", "replace"],
  encoding: "text",
  countAll: "flag",
  exactRange: "flag",
  signal: "signal",
};

export function takePolicy(policy: ReadPolicy | undefined, refuse: Refuse) {
  return takeOptions(policy, POLICY_RULES, refuse, "policy");
}
