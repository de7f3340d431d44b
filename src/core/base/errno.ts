import { propertyOf } from "./check.ts";
import { ReadFileError } from "./errors.ts";
import type { ReadFileErrorCode, ReadFileErrorDetails } from "./errors.ts";
import { REASONS } from "./words.ts";

type Failure = {
  readonly [Code in ReadFileErrorCode]: [Code, ReadFileErrorDetails[Code]];
}[ReadFileErrorCode];

const INVALID: Failure = [
  "INVALID_ARGUMENT",
  { argument: "path", problem: "is not one the system can take" },
];

/** The meaning of each code of Node.js, or of the class of a Deno error without a code. */
const FAILURES: Readonly<Record<string, Failure>> = {
  ENOENT: ["NOT_FOUND", { reason: "missing" }],
  ENOTDIR: ["NOT_FOUND", { reason: "not_a_directory" }],
  EISDIR: ["NOT_A_FILE", { kind: "directory" }],
  ENXIO: ["NOT_A_FILE", { kind: "other" }],
  ENODEV: ["NOT_A_FILE", { kind: "other" }],
  EACCES: ["PERMISSION_DENIED", { by: "system" }],
  EPERM: ["PERMISSION_DENIED", { by: "system" }],
  ELOOP: ["SYMLINK_LOOP", {}],
  EXDEV: ["OUTSIDE_WORKSPACE", {}],
  // Another file has replaced the one that was opened.
  ESTALE: ["CHANGED", { how: "replaced" }],
  ENAMETOOLONG: INVALID,
  EINVAL: INVALID,
  ERR_INVALID_ARG_VALUE: INVALID,
  NotCapable: ["PERMISSION_DENIED", { by: "runtime" }],
  InvalidData: ["INVALID_ARGUMENT", {
    argument: "path",
    problem: "leads through a name that is not Unicode",
  }],
};

const PASSING = /^(EAGAIN|EBUSY|EINTR|EIO|EMFILE|ENFILE|ENOMEM|ETIMEDOUT)$/;

/** Turns the failure of a port into a failure of reading `path`. */
export function fromPort(error: unknown, path: string): ReadFileError {
  if (error instanceof ReadFileError) return error;
  const wordOf = (fact: string) => {
    const word = propertyOf(error, fact);
    // A text that is not one word might hold a path.
    return typeof word === "string" && /^\w+$/.test(word) ? word : "";
  };
  const errno = wordOf("code");
  const name = wordOf("name");
  const reason = wordOf("reason");
  const known = [errno, name].find((word) => Object.hasOwn(FAILURES, word));
  const [code, details]: Failure = known !== undefined
    ? FAILURES[known]!
    : ["IO", { errno: errno || null, passing: PASSING.test(errno) }];
  const takesReason = code === "PERMISSION_DENIED" || code === "IO";
  const hasReason = takesReason && Object.hasOwn(REASONS, reason);
  const facts = hasReason ? { ...details, reason } : details;
  // The system's message names an absolute path.
  const cause = new Error(`The system said ${errno || name || "nothing"}`);
  if (errno !== "") Object.assign(cause, { code: errno });
  // Cast, since the compiler does not pair a code with its facts.
  return new ReadFileError(code, path, facts as never, { cause });
}

/** The code of a port's failure, or else the name of its class. */
export function codeOf(error: unknown): string {
  const word = propertyOf(error, "code") ?? propertyOf(error, "name");
  return typeof word === "string" ? word : typeof word;
}
