// Runtime-agnostic.
import type { FailureReason, FileKind } from "./port.ts";

/**
 * The facts behind each code.
 *
 * @example Usage
 * ```ts
 * import { ReadFileError, type ReadFileErrorDetails } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * function advice(error: ReadFileError): string {
 *   return error.is("TOO_LARGE") ? `at most ${error.details.limit} bytes` : error.message;
 * }
 *
 * const facts: ReadFileErrorDetails["TOO_LARGE"] = { what: "file", size: 9, limit: 5 };
 * assertEquals(advice(new ReadFileError("TOO_LARGE", "a.log", facts)), "at most 5 bytes");
 * ```
 */
export interface ReadFileErrorDetails {
  /** An argument cannot be used. */
  readonly INVALID_ARGUMENT: {
    /** Its name. */
    readonly argument: string;
    /** What is wrong with it, as the rest of a sentence. */
    readonly problem: string;
  };
  /** The path leads out of the workspace. */
  readonly OUTSIDE_WORKSPACE: Record<never, never>;
  /** A rule does not allow the call. */
  readonly POLICY_DENIED: {
    /** The rule. */
    readonly rule: string;
  };
  /** Nothing is at the path. */
  readonly NOT_FOUND: {
    /** Whether the name is missing, or a part before the last is no directory. */
    readonly reason: "missing" | "not_a_directory";
    /** The files that may have been meant, from the root. */
    readonly suggestions?: readonly string[];
  };
  /** The path names no regular file. */
  readonly NOT_A_FILE: {
    /** What it names instead. */
    readonly kind: Exclude<FileKind, "file">;
    /** Some of what a directory holds; directories end with a slash. */
    readonly entries?: readonly string[];
    /** Whether it holds more than these. */
    readonly more?: boolean;
  };
  /** Whoever runs this process may not read it. */
  readonly PERMISSION_DENIED: {
    /** Who refused: the system, or the runtime's own permissions. */
    readonly by: "system" | "runtime";
    /** Why, where the file system told. */
    readonly reason?: FailureReason;
  };
  /** The path goes through more links than any real one does. */
  readonly SYMLINK_LOOP: Record<never, never>;
  /** More bytes than the limit would have to be read or shown. */
  readonly TOO_LARGE: {
    /** What is too large: the file, or one line of it. */
    readonly what: "file" | "line";
    /** How large it is, in bytes; of a line, how large it is at least. */
    readonly size: number;
    /** The limit in bytes. */
    readonly limit: number;
  };
  /** The content is not text. */
  readonly BINARY: {
    /** What gave it away. */
    readonly sign: "nul" | "utf-8";
  };
  /** The file does not have those lines. */
  readonly RANGE_OUT_OF_BOUNDS: {
    /** The first line asked for. */
    readonly start: number;
    /** The last line asked for. */
    readonly end: number;
    /** How many lines the file has. */
    readonly totalLines: number;
  };
  /** Finding the lines means looking through more bytes than the limit. */
  readonly SCAN_LIMIT: {
    /** The limit in bytes. */
    readonly limit: number;
  };
  /** The file, or the way to it, changed during the read. */
  readonly CHANGED: {
    /** What changed: the way to it, or the file. */
    readonly how: "path" | "replaced" | "shrank" | "grew" | "rewritten";
    /** How many lines are left, of a file that shrank between two of its pages. */
    readonly totalLines?: number;
  };
  /** The caller gave up. */
  readonly ABORTED: Record<never, never>;
  /** The system failed for a reason of its own. */
  readonly IO: {
    /** The reason as Node.js spells it, `"EIO"` for one; `null` if there is none. */
    readonly errno: string | null;
    /** Why, where the file system told. */
    readonly reason?: FailureReason;
    /** Whether the same call may succeed later. */
    readonly passing: boolean;
  };
}

/**
 * Every way a read can fail.
 *
 * @example Usage
 * ```ts
 * import { ReadFileError, type ReadFileErrorCode } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const statuses: { [Code in ReadFileErrorCode]?: number } = {
 *   NOT_FOUND: 404,
 *   POLICY_DENIED: 403,
 * };
 * const error: ReadFileError = new ReadFileError("NOT_FOUND", "a.txt", { reason: "missing" });
 * assertEquals(statuses[error.code] ?? 500, 404);
 * ```
 */
export type ReadFileErrorCode = keyof ReadFileErrorDetails;

/**
 * What may stand beside the facts of any code.
 *
 * @example Usage
 * ```ts
 * import { OpenFileError, ReadFileError, type ReadFileErrorHint } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const found = new ReadFileError("BINARY", "logo.png", { sign: "nul" });
 * const { message, details } = new OpenFileError(found);
 * const { hint }: ReadFileErrorHint = details;
 * assertEquals(
 *   `${message}: ${hint}`,
 *   "binary file cannot be displayed as text: only UTF-8 text can be opened",
 * );
 * ```
 */
export interface ReadFileErrorHint {
  /** What to do next, where the message itself does not say it. */
  readonly hint?: string;
}
