// Runtime-agnostic.
import type {
  ReadFileErrorCode,
  ReadFileErrorDetails,
  ReadFileErrorHint,
} from "../core/error_details.ts";
import { ReadFileError } from "../core/errors.ts";

/**
 * The names that `open_file` gives to what can go wrong.
 *
 * @example Usage
 * ```ts
 * import { OpenFileError, type OpenFileVariant, ReadFileError } from "@agent-tools/read-file";
 * import { assert } from "@std/assert";
 *
 * const worthAnotherPath: readonly OpenFileVariant[] = ["FileNotFound", "PermissionDenied"];
 * const error = new OpenFileError(new ReadFileError("OUTSIDE_WORKSPACE", "../a.txt", {}));
 * assert(worthAnotherPath.includes(error.variant));
 * ```
 */
export type OpenFileVariant =
  | "FileNotFound"
  | "PermissionDenied"
  | "InvalidLineRange"
  | "FileTooLarge"
  | "BinaryFileNotSupported"
  | "Io";

/**
 * A failure of `open_file`, under the name that the tool gives it.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, memoryFs, OpenFileError, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n" });
 * const tool = createOpenFile(await openWorkspace("/repo", { fs }));
 * const range = { file_path: "a.txt", start_line: 2, end_line: 3 };
 * const error = await assertRejects(() => tool.call(range), OpenFileError);
 * assertEquals(error.variant, "InvalidLineRange");
 * assertEquals(error.message, "invalid line range 2..=3 for a file with 2 lines");
 * ```
 */
export class OpenFileError<
  Code extends ReadFileErrorCode = ReadFileErrorCode,
> extends ReadFileError<Code> {
  /** The tool's own name for the failure. */
  readonly variant: OpenFileVariant;

  /**
   * Constructs a new instance from the core's.
   *
   * @param error The core's failure.
   */
  constructor(error: ReadFileError<Code>) {
    const { code, path, cause } = error;
    const hint = hintFor(error);
    const details: ReadFileErrorDetails[Code] & ReadFileErrorHint = {
      ...(hint === undefined ? {} : { hint }),
      ...error.details,
    };
    const options = cause === undefined ? {} : { cause };
    super(code, path, details, { ...options, message: messageFor(error) });
    this.variant = VARIANTS[error.code];
  }
}

const VARIANTS = {
  NOT_FOUND: "FileNotFound",
  OUTSIDE_WORKSPACE: "PermissionDenied",
  POLICY_DENIED: "PermissionDenied",
  PERMISSION_DENIED: "PermissionDenied",
  RANGE_OUT_OF_BOUNDS: "InvalidLineRange",
  TOO_LARGE: "FileTooLarge",
  BINARY: "BinaryFileNotSupported",
  INVALID_ARGUMENT: "Io",
  NOT_A_FILE: "Io",
  SYMLINK_LOOP: "Io",
  SCAN_LIMIT: "Io",
  CHANGED: "Io",
  ABORTED: "Io",
  IO: "Io",
} satisfies Record<ReadFileErrorCode, OpenFileVariant>;

/** What is the case and what to do next, where the seed's own sentence does not say it. */
function hintFor(error: ReadFileError): string | undefined {
  if (error.is("NOT_FOUND")) {
    return error.details.reason === "missing"
      ? "nothing is there; check the spelling of the path"
      : "a part of the path before the last is not a directory; check the path";
  }
  if (error.is("OUTSIDE_WORKSPACE")) {
    return "the path leads out of the workspace; name a file in it";
  }
  if (error.is("POLICY_DENIED")) {
    return "a rule does not allow it; name another file";
  }
  if (error.is("PERMISSION_DENIED")) {
    return `the ${error.details.by} does not let this process read it; name another file, or have it allowed`;
  }
  if (error.is("RANGE_OUT_OF_BOUNDS")) {
    const { totalLines } = error.details;
    return totalLines === 0
      ? "the file is empty; open it without a range"
      : `ask for lines from 1 to ${totalLines}, the first not after the last`;
  }
  if (error.is("TOO_LARGE")) {
    return "read it with a tool that shows parts of large files";
  }
  if (error.is("BINARY")) return "only UTF-8 text can be opened";
  return undefined;
}

/** The seed's sentence, where it has one, and the core's where it has none. */
function messageFor(error: ReadFileError): string {
  const { path } = error;
  if (error.is("NOT_FOUND")) return `file not found: ${path}`;
  if (VARIANTS[error.code] === "PermissionDenied") {
    return `permission denied: ${path}`;
  }
  if (error.is("RANGE_OUT_OF_BOUNDS")) {
    const { start, end, totalLines } = error.details;
    return `invalid line range ${start}..=${end} for a file with ${totalLines} lines`;
  }
  if (error.is("TOO_LARGE")) {
    return `file exceeds maximum allowed size of ${error.details.limit} bytes`;
  }
  if (error.is("BINARY")) return "binary file cannot be displayed as text";
  return error.message;
}
