// Runtime-agnostic.

/**
 * What of a binary file is shown, and how one is told.
 *
 * - `"reject-nul"`: a NUL in the first 8,192 bytes is `BINARY`; what else is no
 *   UTF-8 is shown as U+FFFD.
 * - `"reject-invalid"`: anything read that is not UTF-8 is `BINARY`.
 * - `"bytes"`: if the first 8,192 bytes hold a NUL or are not UTF-8, the answer
 *   is bytes instead of text.
 * - `"replace"`: every file is text; what is no UTF-8 is shown as U+FFFD.
 *
 * @example Usage
 * ```ts
 * import { type BinaryPolicy, memoryFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/a.bin": "a\0b" }) });
 * const read = (binary: BinaryPolicy) =>
 *   readFile(workspace, "a.bin", { kind: "all" }, { binary });
 * assertEquals((await read("bytes")).kind, "binary");
 * assertEquals((await read("replace")).kind, "text");
 * await assertRejects(() => read("reject-nul"), Error, "it holds a NUL byte");
 * ```
 */
export type BinaryPolicy =
  | "reject-nul"
  | "reject-invalid"
  | "bytes"
  | "replace";

/**
 * How much a read may touch and show; every limit is inclusive.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readFile, type ReadPolicy } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/a.log": "1\n2\n3\n" }) });
 * const head = { kind: "lines", start: 1, count: 9 } as const;
 * const policy: ReadPolicy = { maxFileBytes: 1_000_000, maxWindowBytes: 4 };
 * const window = await readFile(workspace, "a.log", head, policy);
 * assertEquals(window.kind === "text" && [window.text, window.next], ["1\n2\n", 3]);
 * ```
 */
export interface ReadPolicy {
  /** The largest file that is read at all; larger ones are `TOO_LARGE`. */
  readonly maxFileBytes?: number;
  /**
   * The most bytes of the file that are shown. Lines are shown as long as they
   * fit whole; a first line that does not fit, or a whole file, is `TOO_LARGE`.
   */
  readonly maxWindowBytes?: number;
  /** The most bytes looked through to find and read lines; past it, `SCAN_LIMIT`. */
  readonly maxScanBytes?: number;
  /**
   * The most bytes kept of each line, without its ending; the rest of a longer
   * line is left out. At least 1.
   */
  readonly maxLineBytes?: number;
  /** What to do about binary files; `"replace"` by default. */
  readonly binary?: BinaryPolicy;
  /** Whether to count the lines of the whole file, as far as `maxScanBytes` goes. */
  readonly countAll?: boolean;
  /** Whether fewer lines than were asked for are `RANGE_OUT_OF_BOUNDS`. */
  readonly exactRange?: boolean;
  /** The `etag` of a page: if the file is no longer that version, it is `CHANGED`. */
  readonly etag?: string | undefined;
  /** Ends the read early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A policy under which every answer is text.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readFile, type TextPolicy } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const workspace = await openWorkspace("/", {
 *   fs: memoryFs({ "/min.js": "let a=1;let b=2\n" }),
 * });
 * const policy: TextPolicy = { binary: "reject-nul", maxLineBytes: 7 };
 * const { text, clipped } = await readFile(workspace, "min.js", { kind: "all" }, policy);
 * assertEquals([text, clipped], ["let a=1\n", true]);
 * ```
 */
export interface TextPolicy extends ReadPolicy {
  /** What to do about binary files; `"replace"` by default. */
  readonly binary?: Exclude<BinaryPolicy, "bytes">;
}

/** The limits, and the smallest that each can be. */
const LIMITS = [
  ["maxFileBytes", 0],
  ["maxWindowBytes", 0],
  ["maxScanBytes", 0],
  ["maxLineBytes", 1],
] as const;

/** Throws a `RangeError` for limits that no tool should have set. */
export function checkPolicy(policy: ReadPolicy): void {
  for (const [name, least] of LIMITS) {
    const limit = policy[name];
    if (limit === undefined || limit === Infinity) continue;
    if (Number.isInteger(limit) && limit >= least) continue;
    throw new RangeError(
      `Cannot read with this policy: ${name} is ${limit}, not a whole number from ${least} on`,
    );
  }
}
