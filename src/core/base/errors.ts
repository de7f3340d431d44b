// Runtime-agnostic.
import {
  checkValue,
  copyOf,
  isA,
  readSafely,
  type Refuse,
  refuseMistake,
  takeOptions,
} from "./check.ts";
import type { FailureReason, FileKind } from "./port.ts";
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
export type ReadFileErrorFacts<
  Code extends ReadFileErrorCode = ReadFileErrorCode,
> = Pick<ReadFileErrorOf<Code>, "code" | "path" | "details">;

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

/** What {@linkcode ReadFileErrorOf.with} replaces. */
export interface ReadFileErrorChanges<Code extends ReadFileErrorCode>
  extends
    Pick<ReadFileErrorOptions, "words" | "hint">,
    Partial<Pick<ReadFileErrorOf<Code>, "path" | "details">> {}

/**
 * A {@linkcode ReadFileError} of one code.
 *
 * @example Usage
 * ```ts
 * import { ReadFileError, type ReadFileErrorOf } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const error: ReadFileErrorOf<"CHANGED"> = new ReadFileError("CHANGED", "a", { how: "shrank" });
 * assertEquals(error.with({ path: "b" }).message, 'Cannot read "b": it changed while it was read');
 * ```
 */
export class ReadFileErrorOf<Code extends ReadFileErrorCode> extends Error {
  /** The name of the class, which runtimes and test libraries print. */
  static override readonly name: string = "ReadFileError";

  /** Why it failed. */
  readonly code: Code;
  /** The path as the caller gave it; empty where there was none. */
  readonly path: string;
  /** The facts behind the code. */
  readonly details: ReadFileErrorDetails[Code];
  /** What to do next; `undefined` where there is nothing to do. */
  readonly hint: string | undefined;
  readonly #options: ReadFileErrorOptions;

  /** Always `"ReadFileError"`. */
  override get name(): string {
    return "ReadFileError";
  }

  /** Constructs a new instance. */
  constructor(
    code: Code,
    path: string,
    details: ReadFileErrorDetails[Code],
    options: ReadFileErrorOptions = {},
  ) {
    checkValue("code", code, Object.keys(SENTENCES), refuse);
    checkValue("path", path, "text", refuse);
    const taken = takeOptions(options, OPTIONS, refuse);
    const { words, hint, ...rest } = taken;
    const facts = { code, path, details: copyOf(details, "details", refuse) };
    const write = () => {
      const [message, next] = (words?.[code] ?? coreWords)(facts);
      return [String(message), next] as const;
    };
    const problem = `must be the details of ${code}`;
    const [message, next] = readSafely(write, "details", refuse, problem);
    super(message, rest.cause === undefined ? {} : rest);
    // Bun prints the name of an uncaught error only if it is a property of its own.
    Object.defineProperty(this, "name", { value: this.name });
    this.code = code;
    this.path = path;
    this.details = facts.details;
    const advice = hint === undefined ? next : hint;
    this.hint = advice ?? undefined;
    this.#options = taken;
  }

  /** The words, the hint and the cause it was made with. */
  get options(): ReadFileErrorOptions {
    return this.#options;
  }

  /** Narrows to one code, and so to its details; the same as comparing `code`. */
  is<Other extends ReadFileErrorCode>(
    code: Other,
  ): this is ReadFileErrorOf<Other> {
    return (this.code as ReadFileErrorCode) === code;
  }

  /** Makes the same error for another path, with other facts or words. */
  with(changes: ReadFileErrorChanges<Code>): ReadFileError<Code> {
    const taken = copyOf(changes, "changes", refuse);
    const { path = this.path, details = this.details, ...more } = taken;
    const options = { ...this.#options, ...more };
    return new ReadFileError(this.code, path, details, options);
  }
}

/** A read that failed; comparing `code` narrows `details`. */
export type ReadFileError<Code extends ReadFileErrorCode = ReadFileErrorCode> =
  Code extends ReadFileErrorCode ? ReadFileErrorOf<Code> : never;

/**
 * A failed read, with a code and with what to do next.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readFile, ReadFileError } from "@agent-tools/read-file";
 * import { assert, assertEquals, assertRejects } from "@std/assert";
 *
 * const workspace = await openWorkspace("/repo", { fs: memoryFs({ "/repo/a.txt": "" }) });
 * const error = await assertRejects(() => readFile(workspace, "A.txt"), ReadFileError);
 * assert(error.code === "NOT_FOUND");
 * assertEquals(error.message, 'Cannot read "A.txt": nothing is there');
 * assertEquals(error.details.suggestions, ["a.txt"]);
 * assertEquals(error.hint, 'did you mean "a.txt"?');
 * ```
 */
export const ReadFileError: {
  /** What `instanceof` narrows to. */
  readonly prototype: ReadFileError;
  /** Constructs a new instance. */
  new <Code extends ReadFileErrorCode>(
    ...args: ConstructorParameters<typeof ReadFileErrorOf<Code>>
  ): ReadFileError<Code>;
  /** For `assertRejects` and the like: TypeScript takes the type of the error from the last signature. */
  new (code: never): ReadFileError;
  // Cast, since a class cannot declare that it makes a union.
} = ReadFileErrorOf as never;

const refuse = /* @__PURE__ */ refuseMistake("Cannot make a ReadFileError");

const OPTIONS = { words: "any", hint: "any", cause: "any" } as const;

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
): ReadFileError<"INVALID_ARGUMENT"> {
  const details = { argument: "path", problem };
  return new ReadFileError("INVALID_ARGUMENT", path, details, options);
}

/**
 * Makes an error class for a tool. The property named `field` holds the tool's own
 * name for the code. `with()` returns an error of the same class.
 */
export function failureClass<Class>(
  name: string,
  field: string,
  namesOf: () => Readonly<Record<ReadFileErrorCode, string>>,
  words?: () => ReadFileErrorWords,
): Class {
  // Cast, since a class cannot declare that it makes a union.
  return class Failure<Code extends ReadFileErrorCode>
    extends ReadFileErrorOf<Code> {
    /** The name of the class, which test libraries print. */
    static override readonly name: string = name;

    override get name(): string {
      return name;
    }

    constructor(error: ReadFileErrorOf<Code>) {
      checkValue("error", error, FAILURE, refuse);
      const { code, path, details, options } = error;
      const own = words && { words: words() };
      super(code, path, details, { ...options, ...own });
      Object.assign(this, { [field]: namesOf()[code] });
    }

    override with(changes: ReadFileErrorChanges<Code>): ReadFileError<Code> {
      return new Failure(super.with(changes)) as never;
    }
  } as never;
}

const FAILURE = {
  wanted: "a ReadFileError",
  fits: (value: unknown) => isA(value, ReadFileErrorOf),
};
