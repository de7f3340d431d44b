// Runtime-agnostic.
import type { ReadFileErrorCode } from "../core/error_details.ts";
import { ReadFileError } from "../core/errors.ts";
import { quote } from "../core/quote.ts";

/** Whose words tell why a file could not be read. */
export type CodexWords = "system" | "ours";

/** Says a failure of the core in the tool's words. */
export function codexError(
  error: ReadFileError,
  words: CodexWords,
): ReadFileError {
  const message = error.is("OUTSIDE_WORKSPACE")
    ? "file_path must be inside the workspace"
    : `failed to read file: ${reasonFor(error, words)}`;
  return withMessage(error, message);
}

/** The failure of a line number that the file does not have. */
export function pastTheEnd(
  path: string,
  name: "offset" | "anchor_line",
  start: number,
  totalLines: number,
): ReadFileError {
  const facts = { start, end: start, totalLines };
  const error = new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
  return withMessage(error, `${name} exceeds file length`);
}

function withMessage(error: ReadFileError, message: string): ReadFileError {
  const { code, path, details, cause } = error;
  const hint = HINTS[code];
  const facts = hint === undefined ? details : { hint, ...details };
  const options = cause === undefined ? { message } : { message, cause };
  return new ReadFileError(code, path, facts, options);
}

function reasonFor(error: ReadFileError, words: CodexWords): string {
  const theirs = words === "system" ? systemReason(error) : undefined;
  if (theirs !== undefined) return theirs;
  // The path is among the arguments that the model has just written.
  const start = `Cannot read ${quote(error.path)}: `;
  const { message } = error;
  return message.startsWith(start) ? message.slice(start.length) : message;
}

/** The sentence of the system, in the form Rust gives it. */
function systemReason(error: ReadFileError): string | undefined {
  if (error.is("NOT_FOUND")) {
    return error.details.reason === "missing"
      ? "No such file or directory (os error 2)"
      : "Not a directory (os error 20)";
  }
  if (error.is("NOT_A_FILE") && error.details.kind === "directory") {
    return "Is a directory (os error 21)";
  }
  if (error.is("PERMISSION_DENIED")) return "Permission denied (os error 13)";
  if (error.is("SYMLINK_LOOP")) {
    return "Too many levels of symbolic links (os error 40)";
  }
  return undefined;
}

/** What to do next, for the codes that a read for this tool can end with. */
const HINTS: { readonly [Code in ReadFileErrorCode]?: string } = {
  INVALID_ARGUMENT: "name the file by a path that the system can take",
  OUTSIDE_WORKSPACE: "name a file below the workspace's root",
  NOT_FOUND: "check the spelling, or look at what the directory holds",
  NOT_A_FILE: "name a regular file",
  PERMISSION_DENIED: "read another file: this process may not read this one",
  SYMLINK_LOOP: "name the file itself instead of a link",
  RANGE_OUT_OF_BOUNDS: "begin at a line that the file has",
  CHANGED: "read the file again",
};
