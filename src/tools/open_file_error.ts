// Runtime-agnostic.
import { coreWords, NamedFailure, wordsAfter } from "../core/base/errors.ts";
import type { AnyWords, ReadFileErrorCode } from "../core/base/errors.ts";
import type { ReadFileErrorOf } from "../core/base/errors.ts";
import type { ReadFileError, ReadFileErrorWords } from "../core/base/errors.ts";
import { showHidden } from "../core/base/words.ts";
import { forCodes } from "./call.ts";

/** The names of failures of `open_file`. */
export type OpenFileVariant =
  | "FileNotFound"
  | "PermissionDenied"
  | "InvalidLineRange"
  | "FileTooLarge"
  | "BinaryFileNotSupported"
  | "Io";

class OpenFileFailure<Code extends ReadFileErrorCode>
  extends NamedFailure<Code> {
  readonly variant: OpenFileVariant = variants()[this.code];

  override get name(): string {
    return "OpenFileError";
  }

  constructor(error: ReadFileErrorOf<Code>) {
    super(error, words());
  }
}

/** A failure of `open_file`, with the tool's name for it. */
export type OpenFileError<Code extends ReadFileErrorCode = ReadFileErrorCode> =
  & ReadFileError<Code>
  & {
    /** The tool's own name for the failure. */
    readonly variant: OpenFileVariant;
  };

/**
 * A failure of `open_file`, with the tool's name for it.
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
export const OpenFileError: {
  readonly prototype: OpenFileError;
  new (error: ReadFileError): OpenFileError;
  // Cast, since a class cannot declare that it makes a union.
} = OpenFileFailure as never;

function variants(): Record<ReadFileErrorCode, OpenFileVariant> {
  return {
    NOT_FOUND: "FileNotFound",
    ...forCodes("PermissionDenied", "OUTSIDE_WORKSPACE", "POLICY_DENIED"),
    PERMISSION_DENIED: "PermissionDenied",
    RANGE_OUT_OF_BOUNDS: "InvalidLineRange",
    TOO_LARGE: "FileTooLarge",
    BINARY: "BinaryFileNotSupported",
    ...forCodes("Io", "UNREADABLE", "INVALID_ARGUMENT", "NOT_A_FILE"),
    ...forCodes("Io", "SYMLINK_LOOP", "SCAN_LIMIT", "CHANGED", "ABORTED", "IO"),
  };
}

/** One sentence for three failures; the hint says which it is. */
const denied: AnyWords = (facts) => {
  const message = `permission denied: ${showHidden(facts.path)}`;
  return [message, wordsAfter("", facts).join("; ")];
};

/** The sentences of the tool, and the core's for other codes. */
function words(): ReadFileErrorWords {
  return {
    ...forCodes(denied, "OUTSIDE_WORKSPACE", "POLICY_DENIED"),
    PERMISSION_DENIED: denied,
    ...forCodes(coreWords, "UNREADABLE", "NOT_A_FILE", "SYMLINK_LOOP"),
    ...forCodes(coreWords, "SCAN_LIMIT", "CHANGED", "ABORTED", "IO"),
    NOT_FOUND: (facts) => [
      `file not found: ${showHidden(facts.path)}`,
      wordsAfter("", facts)[1],
    ],
    RANGE_OUT_OF_BOUNDS: ({ details: { start, end, totalLines } }) => [
      `invalid line range ${start}..=${end} for a file with ${totalLines} lines`,
      totalLines === 0
        ? "the file is empty; open it without a range"
        : `ask for lines from 1 to ${totalLines}, the first not after the last`,
    ],
    TOO_LARGE: ({ details: { limit } }) => [
      `file exceeds maximum allowed size of ${limit} bytes`,
      "read it with a tool that shows parts of large files",
    ],
    BINARY: () => [
      "binary file cannot be displayed as text",
      "only UTF-8 text can be opened",
    ],
    INVALID_ARGUMENT: (facts) => {
      const { argument, problem } = facts.details;
      return argument === "path"
        ? coreWords(facts)
        : [`${argument} ${problem}`];
    },
  };
}
