// Runtime-agnostic.
import {
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorDetails,
  type ReadFileErrorHint,
} from "../core/errors.ts";

/** The names that `open_file` gives to what can go wrong. */
export type OpenFileVariant =
  | "FileNotFound"
  | "PermissionDenied"
  | "InvalidLineRange"
  | "FileTooLarge"
  | "BinaryFileNotSupported"
  | "Io";

/** A failure of `open_file`, under the name that the tool gives it. */
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
    const hint = HINTS[error.code];
    const details: ReadFileErrorDetails[Code] & ReadFileErrorHint = {
      ...(hint === undefined ? {} : { hint }),
      ...error.details,
    };
    const message = messageFor(error);
    super(error.code, error.path, details, { cause: error.cause, message });
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

/** What to do next, where the seed's own sentence does not say it. */
const HINTS: { readonly [Code in ReadFileErrorCode]?: string } = {
  NOT_FOUND: "check the spelling of the path",
  OUTSIDE_WORKSPACE: "the path leads out of the workspace; name a file in it",
  POLICY_DENIED: "the workspace's policy keeps this file from being read",
  PERMISSION_DENIED: "the system does not let this process read the file",
  RANGE_OUT_OF_BOUNDS:
    "ask for lines from 1 to the number of lines, the first not after the last",
  TOO_LARGE: "read the file with a tool that shows parts of large files",
  BINARY: "only UTF-8 text can be opened",
};

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
