// Runtime-agnostic.
import { type Refuse, type Rules, takeOptions } from "./check.ts";

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
  /**
   * The most bytes of the file that are shown, in whole lines; a first line that
   * does not fit, or a whole file, is `TOO_LARGE`.
   */
  readonly maxWindowBytes?: number;
  /** The most bytes scanned to find and read lines; past it, `SCAN_LIMIT`. */
  readonly maxScanBytes?: number;
  /** The most bytes kept of each line, without its ending; at least 1. */
  readonly maxLineBytes?: number;
  /** What to do about binary files; `"replace"` by default. */
  readonly binary?: BinaryPolicy;
  /**
   * The encoding of the file, as a label that `TextDecoder` takes, or `"auto"` to
   * detect it. Only a {@linkcode Workspace} detects encodings.
   */
  readonly encoding?: string | undefined;
  /** Whether to count the lines of the whole file, as far as `maxScanBytes` goes. */
  readonly countAll?: boolean;
  /** Whether fewer lines than were asked for are `RANGE_OUT_OF_BOUNDS`. */
  readonly exactRange?: boolean;
  /** The `etag` of a page; if the file is another version, it is `CHANGED`. */
  readonly etag?: string | undefined;
  /** Aborts the read, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** A policy under which every answer is text. */
export interface TextPolicy extends ReadPolicy {
  /** What to do about binary files; `"replace"` by default. */
  readonly binary?: Exclude<BinaryPolicy, "bytes">;
}

const LIMIT = { least: 0, unlimited: true } as const;

const RULES: Rules<ReadPolicy> = {
  maxFileBytes: LIMIT,
  maxWindowBytes: LIMIT,
  maxScanBytes: LIMIT,
  maxLineBytes: { least: 1, unlimited: true },
  binary: ["reject-nul", "reject-invalid", "bytes", "replace"],
  encoding: "text",
  countAll: "flag",
  exactRange: "flag",
  etag: "text",
  signal: "signal",
};

/** Checks and copies a policy. */
export function takePolicy(
  policy: ReadPolicy | undefined,
  refuse: Refuse,
): ReadPolicy {
  return takeOptions(policy, RULES, refuse, "policy");
}
