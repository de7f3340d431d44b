import {
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorDetails,
  visibleJson,
} from "@agent-tools/read-file";

/** What is wrong, as the rest of a sentence, and what to do next. */
export interface FaultFacts {
  readonly problem: string;
  readonly hint?: string;
}

/** A failure with the facts of its code. */
type Kinds = {
  readonly [Code in ReadFileErrorCode]: readonly [
    code: Code,
    details: ReadFileErrorDetails[Code],
  ];
};

/**
 * A failure of the repository. What was asked for, a path or a revision, is known
 * where it becomes an error of the library.
 */
export class Fault extends Error {
  readonly kind: Kinds[ReadFileErrorCode];
  readonly facts: FaultFacts;

  constructor(kind: Kinds[ReadFileErrorCode], facts: FaultFacts) {
    super(facts.problem);
    this.kind = kind;
    this.facts = facts;
  }

  /** Makes the error; `failed` is the beginning of its message. */
  toError(path: string, failed: string): ReadFileError {
    const [code, details] = this.kind;
    const { problem, hint } = this.facts;
    const words = () => [`${failed}: ${problem}`, hint] as const;
    // Cast, since the compiler does not pair a code with its facts.
    return new ReadFileError(code, path, details as never, {
      words: { [code]: words },
    });
  }
}

/** The failure of a repository whose bytes are not what they must be. */
export function damaged(problem: string): Fault {
  const details = { errno: "EBADMSG", passing: false } as const;
  const hint = "run git fsck in the repository, or read another revision";
  return new Fault(["IO", details], {
    problem: `the repository is damaged: ${problem}`,
    hint,
  });
}

/** The failure of a repository in a form that is not read. */
export function unsupported(problem: string, hint: string): Fault {
  const details = { errno: "ENOTSUP", passing: false } as const;
  return new Fault(["IO", details], { problem, hint });
}

/** The failure of an object, or of the work for it, that is too large. */
export function tooLarge(problem: string, size: number, limit: number): Fault {
  const details = { what: "file", size, limit } as const;
  const most = `${problem}: ${size} bytes exceed the limit of ${limit} bytes`;
  return new Fault(["TOO_LARGE", details], { problem: most });
}

/** The failure of a place outside of the repository that the repository names. */
export function outside(problem: string, hint?: string): Fault {
  return new Fault(["OUTSIDE_WORKSPACE", {}], { problem, ...hint && { hint } });
}

/** The failure of an object, or a name, that is not in the repository; `otherwise` is the hint if nothing is like it. */
export function missing(
  problem: string,
  suggestions: readonly string[] = [],
  otherwise = "name another revision",
): Fault {
  const meant = suggestions.map(quoted);
  const last = meant.pop();
  const hint = last === undefined
    ? otherwise
    : `did you mean ${[meant.join(", "), last].filter(Boolean).join(" or ")}?`;
  const found = suggestions.length > 0 ? { suggestions } : {};
  const details = { reason: "missing", ...found } as const;
  return new Fault(["NOT_FOUND", details], { problem, hint });
}

/** The failure of a revision that cannot be one. */
export function wrongRev(problem: string, hint?: string): Fault {
  const details = { argument: "rev", problem } as const;
  return new Fault(["INVALID_ARGUMENT", details], {
    problem: `rev ${problem}`,
    ...hint && { hint },
  });
}

/** Quotes untrusted text, so that its end and its hidden characters are visible. */
export function quoted(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return visibleJson(short);
}

/** Turns any failure into one of the library; `failed` begins the message of a fault. */
export function toError(
  error: unknown,
  path: string,
  failed: string,
): unknown {
  if (error instanceof Fault) return error.toError(path, failed);
  if (error instanceof ReadFileError) {
    // The library wrote it about a file of the repository.
    const about = quoted(error.path);
    const { message, hint, code, details } = error;
    const inside = error.is("ABORTED")
      ? "the call was aborted"
      : message.replace(`Cannot read ${about}`, `its file ${about}`);
    const words = () => [`${failed}: ${inside}`, hint] as const;
    // Cast, since the compiler does not pair a code with its facts.
    return new ReadFileError(code, path, details as never, {
      words: { [code]: words },
    });
  }
  return error;
}
