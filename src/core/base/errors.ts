import { copyOf, refuseMistake, takeOptions } from "./check.ts";
import type { Refuse, Rules } from "./check.ts";
import type { FailureReason, FileKind, FileStat } from "./port.ts";
import { quote, SENTENCES } from "./words.ts";

/** The type of a file, by its first bytes and never by its name. */
export interface FileMedia {
  /** Its media type, such as `"image/png"`. */
  readonly type: string;
  /** The same in words, such as `"a PNG image"`. */
  readonly name: string;
  /** The width of an image in pixels, if the first bytes hold it. */
  readonly width?: number;
  /** The height of an image in pixels, if the first bytes hold it. */
  readonly height?: number;
}

/** The facts behind each code. */
export interface ReadFileErrorDetails {
  /** An argument cannot be used; `problem` is the rest of a sentence about it. */
  readonly INVALID_ARGUMENT: {
    readonly argument: string;
    readonly problem: string;
  };
  /** The path leads out of the workspace. */
  readonly OUTSIDE_WORKSPACE: Record<never, never>;
  /** A rule, which is named, does not allow the call. */
  readonly POLICY_DENIED: { readonly rule: string };
  /** Nothing is at the path. */
  readonly NOT_FOUND: {
    /** Whether the name is missing, or a part before the last is not a directory. */
    readonly reason: "missing" | "not_a_directory";
    /** The files that may have been meant, from the root. */
    readonly suggestions?: readonly string[];
  };
  /** The path names no regular file. */
  readonly NOT_A_FILE: {
    /** What the path names; `"file"` only where a directory was asked for. */
    readonly kind: FileKind;
    /** What it is if that is `"other"`, where the system tells. */
    readonly special?: NonNullable<FileStat["special"]>;
    /** Some of what a directory holds; directories end with a slash. */
    readonly entries?: readonly string[];
    /** Whether it holds more than these. */
    readonly more?: boolean;
  };
  /** This process may not read it: the system or the runtime refused. */
  readonly PERMISSION_DENIED: {
    readonly by: "system" | "runtime";
    /** Why, if the port gave a reason. */
    readonly reason?: FailureReason;
  };
  /** The path leads through too many symbolic links. */
  readonly SYMLINK_LOOP: Record<never, never>;
  /** More bytes than the limit would have to be read or shown. */
  readonly TOO_LARGE: {
    /** What is too large: the file, one line of it, or the text of a view. */
    readonly what: "file" | "line" | "view";
    /**
     * The size in bytes. For a line or a view it may be a lower bound, since reading
     * stops at the limit. If a view limits the ratio of its text to the file, `size`
     * and `limit` are ratios.
     */
    readonly size: number;
    readonly limit: number;
  };
  /** The content is not text: it holds a NUL, or is not UTF-8. */
  readonly BINARY: {
    readonly sign: "nul" | "utf-8";
    /** The type of the file, if its first bytes show it. */
    readonly media?: FileMedia;
  };
  /** It cannot be shown in the form that was asked for. */
  readonly UNREADABLE: {
    /** The form: `"image"`, or the name of a view. */
    readonly as: string;
    /** Why, as a sentence about it. */
    readonly problem: string;
    /** The type of the file, if its first bytes show it. */
    readonly media?: FileMedia;
  };
  /** The file does not have the lines from `start` to `end`. */
  readonly RANGE_OUT_OF_BOUNDS: {
    readonly start: number;
    readonly end: number;
    readonly totalLines: number;
  };
  /** Finding the lines means looking through more bytes than the limit. */
  readonly SCAN_LIMIT: {
    readonly limit: number;
    /** How many lines lie within it, from the same end of the file. */
    readonly lines?: number;
  };
  /** The file, or its path, changed during the read. */
  readonly CHANGED: {
    readonly how: "path" | "replaced" | "shrank" | "grew" | "rewritten";
    /** How many lines are left, of a file that shrank between two of its pages. */
    readonly totalLines?: number;
  };
  /** The caller aborted the call. */
  readonly ABORTED: Record<never, never>;
  /** The system failed for another reason. */
  readonly IO: {
    /** The reason as Node.js spells it, such as `"EIO"`; `null` without one. */
    readonly errno: string | null;
    /** Why, if the port gave a reason. */
    readonly reason?: FailureReason;
    /** Whether the same call may succeed later. */
    readonly passing: boolean;
  };
}

/** Every way a read can fail. */
export type ReadFileErrorCode = keyof ReadFileErrorDetails;

/** The facts from which the sentence about a failure is made. */
export interface ReadFileErrorFacts<
  Code extends ReadFileErrorCode = ReadFileErrorCode,
> {
  readonly code: Code;
  readonly path: string;
  readonly details: ReadFileErrorDetails[Code];
}

/** A failure of one code, or of some. */
export type FailureOf<Code extends ReadFileErrorCode> = ReadFileError & {
  readonly code: Code;
  readonly details: ReadFileErrorDetails[Code];
};

/** What went wrong, and what to do next. */
export type ReadFileErrorSentence = readonly [
  message: string,
  hint?: string | undefined,
];

/** How each failure is put into words. */
export type ReadFileErrorWords = {
  readonly [Code in ReadFileErrorCode]: (
    facts: ReadFileErrorFacts<Code>,
  ) => ReadFileErrorSentence;
};

/** Options for a new {@linkcode ReadFileError}. */
export interface ReadFileErrorOptions extends ErrorOptions {
  /** The words to use; the package's own for each code that is left out. */
  readonly words?: Partial<ReadFileErrorWords> | undefined;
  /** What to do next, instead of what the words say; `null` for nothing. */
  readonly hint?: string | null | undefined;
}

/** The options that an error was made with, to make it anew for a tool. */
export let optionsOf: (error: ReadFileError) => ReadFileErrorOptions;

/**
 * A failed read, with a code and with what to do next.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, ReadFileError } from "@agent-tools/read-file";
 * import { assert, assertEquals, assertRejects } from "@std/assert";
 *
 * const workspace = await openWorkspace("/repo", { fs: memoryFs({ "/repo/a.txt": "" }) });
 * const error = await assertRejects(() => workspace.read("A.txt"), ReadFileError);
 * assert(error.is("NOT_FOUND"));
 * assertEquals(error.message, 'Cannot read "A.txt": nothing is there');
 * assertEquals(error.details.suggestions, ["a.txt"]);
 * assertEquals(error.hint, 'did you mean "a.txt"?');
 * assertEquals(error.with({ path: "b" }).message, 'Cannot read "b": nothing is there');
 * ```
 */
export class ReadFileError extends Error {
  static {
    optionsOf = (error) => error.#options;
  }

  /** The name of the class, which runtimes and test libraries print. */
  static override readonly name: string = "ReadFileError";

  /** Why it failed. */
  readonly code: ReadFileErrorCode;
  /** The path as the caller gave it; empty where there was none. */
  readonly path: string;
  /** The facts behind the code; {@linkcode ReadFileError.is} tells which. */
  readonly details: ReadFileErrorDetails[ReadFileErrorCode];
  /** What to do next; `undefined` where there is nothing to do. */
  readonly hint: string | undefined;
  readonly #options: ReadFileErrorOptions;

  /** Always `"ReadFileError"`. */
  override get name(): string {
    return "ReadFileError";
  }

  /** Constructs a new instance: of a code, the path, the details of that code, and options. */
  constructor(...made: ReadFileErrorArguments);
  /** For `assertRejects` and the like, which take a class that can be made of anything, and for the subclasses in the package that JSR serves. */
  constructor(...made: never[]);
  constructor(
    code: ReadFileErrorCode,
    path: string,
    details: ReadFileErrorDetails[ReadFileErrorCode],
    options?: ReadFileErrorOptions,
  ) {
    const taken = takeOptions(options, OPTIONS, refuse);
    const { words, hint, cause } = taken;
    const facts = { code, path, details: { ...details } };
    // Cast, since the compiler does not pair a code with its details.
    const write = (words?.[code] ?? coreWords) as AnyWords;
    const [message, next] = write(facts);
    super(message, cause === undefined ? {} : { cause });
    // Bun prints the name of an uncaught error only if it is a property of its own.
    Object.defineProperty(this, "name", { value: this.name });
    this.code = code;
    this.path = path;
    this.details = facts.details;
    const advice = hint === undefined ? next : hint;
    this.hint = advice ?? undefined;
    this.#options = taken;
  }

  /** Whether it has this code; narrows to its details. */
  is<Code extends ReadFileErrorCode>(code: Code): this is ReadFileError & {
    readonly code: Code;
    readonly details: ReadFileErrorDetails[Code];
  } {
    return this.code === code;
  }

  /** Makes the same error for another path, with other facts, words or another hint. */
  with(changes: {
    readonly path?: string;
    readonly details?: ReadFileErrorDetails[ReadFileErrorCode];
    /** A sentence for each code, and what to do next. */
    readonly words?: {
      readonly [Code in ReadFileErrorCode]?: (facts: {
        readonly code: Code;
        readonly path: string;
        readonly details: ReadFileErrorDetails[Code];
      }) => readonly [message: string, hint?: string | undefined];
    };
    readonly hint?: string | null;
  }): ReadFileError {
    const taken = copyOf(changes, "changes", refuse);
    return new ReadFileError(...argumentsOf(this, taken));
  }
}

/** What a {@linkcode ReadFileError} is made of: a code, with the details of that code. */
export type ReadFileErrorArguments = {
  [Code in ReadFileErrorCode]: [
    code: Code,
    path: string,
    details: ReadFileErrorDetails[Code],
    options?: ReadFileErrorOptions | undefined,
  ];
}[ReadFileErrorCode];

type ErrorChanges = Parameters<ReadFileError["with"]>[0];

/** What makes the same error again, with some changes. */
export function argumentsOf(
  error: ReadFileError,
  changes: ErrorChanges = {},
): ReadFileErrorArguments {
  const { path = error.path, details = error.details, ...more } = changes;
  const options = { ...optionsOf(error), ...more };
  // Cast, since the compiler does not pair a code with its details.
  return [error.code, path, details, options] as ReadFileErrorArguments;
}

const refuse = refuseMistake("Cannot make a ReadFileError");

const OPTIONS: Rules<ReadFileErrorOptions> = {
  words: "any",
  hint: "any",
  cause: "any",
};

export type AnyWords = <Code extends ReadFileErrorCode>(
  facts: ReadFileErrorFacts<Code>,
) => ReadFileErrorSentence;

/** The package's own words, for codes that a tool has no words of its own for. */
export const coreWords: AnyWords = (facts) =>
  wordsAfter(`Cannot read ${quote(facts.path)}: `, facts);

/** What the failure is, after a prefix, and what to do next. */
export function wordsAfter<Code extends ReadFileErrorCode>(
  prefix: string,
  facts: ReadFileErrorFacts<Code>,
): ReadFileErrorSentence {
  const [what, hint] = SENTENCES[facts.code](facts);
  return [prefix + what, hint];
}

/** Makes an `INVALID_ARGUMENT`, for calls whose arguments a model may have sent. */
export function refuseArgument(path: unknown): Refuse {
  const shown = typeof path === "string" ? path : "";
  return (argument, problem) =>
    new ReadFileError("INVALID_ARGUMENT", shown, { argument, problem });
}

/** The failure of a malformed path, which is not passed to the file system. */
export function invalidPath(
  path: string,
  problem: string,
  options?: ReadFileErrorOptions,
): ReadFileError {
  const details = { argument: "path", problem };
  return new ReadFileError("INVALID_ARGUMENT", path, details, options);
}

/** What went wrong and, if known, what to do next. */
export function sentenceOf(error: Error): string {
  const { message, hint } = error as Partial<ReadFileError> & Error;
  return hint === undefined ? message : `${message}; ${hint}`;
}
