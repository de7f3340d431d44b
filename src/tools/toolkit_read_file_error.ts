// Runtime-agnostic.
import type { ReadFileErrorCode } from "../core/error_details.ts";
import { ReadFileError } from "../core/errors.ts";

/**
 * The names that the toolkit's `read_file` gives to what can go wrong.
 *
 * @example Usage
 * ```ts
 * import type { ToolkitReadFileCode } from "@agent-tools/read-file";
 * import { ReadFileError, ToolkitReadFileError } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const isPublic = (code: ToolkitReadFileCode) => code !== "INTERNAL";
 * const looped = new ReadFileError("SYMLINK_LOOP", "a.txt", {});
 * const { toolkitCode } = new ToolkitReadFileError(looped);
 * assertEquals([toolkitCode, isPublic(toolkitCode)], ["INTERNAL", false]);
 * ```
 */
export type ToolkitReadFileCode =
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "NOT_FILE"
  | "BINARY_NOT_SUPPORTED"
  | "SIZE_LIMIT_EXCEEDED"
  | "INTERNAL"
  | "SANDBOX_VIOLATION"
  | "POLICY_DENIED";

/**
 * A failure of the toolkit's `read_file`, under the name that the tool gives it.
 *
 * @example Usage
 * ```ts
 * import {
 *   createToolkitReadFile,
 *   memoryFs,
 *   openWorkspace,
 *   ToolkitReadFileError,
 * } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/src/a.ts": "" });
 * const tool = createToolkitReadFile(await openWorkspace("/repo", { fs }));
 * const error = await assertRejects(
 *   () => tool.call({ path: "src" }),
 *   ToolkitReadFileError,
 * );
 * assertEquals(error.toolkitCode, "NOT_FILE");
 * ```
 */
export class ToolkitReadFileError<
  Code extends ReadFileErrorCode = ReadFileErrorCode,
> extends ReadFileError<Code> {
  /** The tool's own name for the failure. */
  readonly toolkitCode: ToolkitReadFileCode;

  /**
   * Constructs a new instance from the core's.
   *
   * @param error The core's failure.
   */
  constructor(error: ReadFileError<Code>) {
    const { code, path, details, cause, message } = error;
    super(code, path, details, { cause, message });
    this.toolkitCode = CODES[code];
  }
}

const CODES = {
  INVALID_ARGUMENT: "INVALID_ARGUMENT",
  OUTSIDE_WORKSPACE: "SANDBOX_VIOLATION",
  POLICY_DENIED: "POLICY_DENIED",
  NOT_FOUND: "NOT_FOUND",
  NOT_A_FILE: "NOT_FILE",
  TOO_LARGE: "SIZE_LIMIT_EXCEEDED",
  BINARY: "BINARY_NOT_SUPPORTED",
  PERMISSION_DENIED: "INTERNAL",
  SYMLINK_LOOP: "INTERNAL",
  RANGE_OUT_OF_BOUNDS: "INTERNAL",
  SCAN_LIMIT: "INTERNAL",
  CHANGED: "INTERNAL",
  ABORTED: "INTERNAL",
  IO: "INTERNAL",
} satisfies Record<ReadFileErrorCode, ToolkitReadFileCode>;
