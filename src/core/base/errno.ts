// Runtime-agnostic.
import {
  invalidPath,
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorDetails,
  REASONS,
} from "./errors.ts";
import type { FailureReason } from "./port.ts";

/** Turns the failure of a port into a failure of reading `path`. */
export function fromPort(error: unknown, path: string): ReadFileError {
  if (error instanceof ReadFileError) return error;
  const told = Object(error) as Readonly<Record<string, unknown>>;
  const [code, name] = [told.code, told.name].map(asWord);
  const why = isReason(told.reason) ? { reason: told.reason } : {};
  const cause = withoutPaths(code, name);
  const failure = <Code extends ReadFileErrorCode>(
    code: Code,
    details: ReadFileErrorDetails[Code],
  ) => new ReadFileError(code, path, details, { cause });
  switch (code) {
    case "ENOENT":
      return failure("NOT_FOUND", { reason: "missing" });
    case "ENOTDIR":
      return failure("NOT_FOUND", { reason: "not_a_directory" });
    case "EISDIR":
      return failure("NOT_A_FILE", { kind: "directory" });
    case "ENXIO":
    case "ENODEV":
      return failure("NOT_A_FILE", { kind: "other" });
    case "EACCES":
    case "EPERM":
      return failure("PERMISSION_DENIED", { by: "system", ...why });
    case "ELOOP":
      return failure("SYMLINK_LOOP", {});
    case "EXDEV":
      return failure("OUTSIDE_WORKSPACE", {});
    case "ESTALE":
      // Another file is there in place of the one that was opened.
      return failure("CHANGED", { how: "replaced" });
    case "ENAMETOOLONG":
    case "EINVAL":
    case "ERR_INVALID_ARG_VALUE":
      return invalidPath(path, "is not one the system can take", { cause });
  }
  // Deno's own refusals carry a class name instead of a code.
  if (name === "NotCapable") {
    return failure("PERMISSION_DENIED", { by: "runtime", ...why });
  }
  if (name === "InvalidData") {
    return invalidPath(path, "leads through a name that is not Unicode", {
      cause,
    });
  }
  const errno = code ?? null;
  const passing = PASSING.test(String(errno));
  return failure("IO", { errno, passing, ...why });
}

/** What a port failed with, as a word: its code, or the name of its class. */
export function codeOf(error: unknown): string {
  const { code, name } = Object(error) as Readonly<Record<string, unknown>>;
  return String(code ?? name);
}

function isReason(value: unknown): value is FailureReason {
  return typeof value === "string" && Object.hasOwn(REASONS, value);
}

/** A single word; a longer text might hold a path. */
function asWord(value: unknown): string | undefined {
  return typeof value === "string" && /^\w+$/.test(value) ? value : undefined;
}

const PASSING = /^(EAGAIN|EBUSY|EINTR|EIO|EMFILE|ENFILE|ENOMEM|ETIMEDOUT)$/;

// The system's own error names the absolute path, perhaps one outside.
function withoutPaths(
  code: string | undefined,
  name: string | undefined,
): Error {
  const error = new Error(`The system said ${code ?? name ?? "nothing"}`);
  return code === undefined ? error : Object.assign(error, { code });
}
