// Runtime-agnostic.
import { ReadFileError } from "@agent-tools/read-file";
import type { Json } from "./served_tool.ts";
import { shorten } from "./visible.ts";

/** The key of `_meta` with the code of a failure, for programs. */
const ERROR_KEY = "agent-tools/error";

/** Writes a failure as the result of a tool: a message for the model, a code for programs. */
export function failureOf(
  error: unknown,
  notes: readonly string[],
  maxChars: number,
): Json {
  const { code, words } = codeAndMessage(error);
  const text = [words, ...notes.map(noteOf)].join("\n");
  const shown = text.length > maxChars ? shorten(text, maxChars) : text;
  return {
    content: [{ type: "text", text: shown }],
    isError: true,
    _meta: { [ERROR_KEY]: notes.length > 0 ? { code, notes } : { code } },
  };
}

interface WordedFailure {
  readonly code: string;
  readonly message: string;
  /** The message, the hint and the code. */
  readonly words: string;
}

/** Reads a thrown value. The message of a foreign error is not shown: it may hold what a model should not see. */
export function codeAndMessage(error: unknown): WordedFailure {
  if (!(error instanceof ReadFileError)) {
    const message = "The tool failed for a reason of its own";
    return { code: "UNKNOWN", message, words: message };
  }
  const { code, message } = error;
  return { code, message, words: `${sentenceOf(error)} (${code})` };
}

/** What went wrong and, if known, what to do next. */
export function sentenceOf(error: Error): string {
  const { message, hint } = error as Partial<ReadFileError> & Error;
  return hint === undefined ? message : `${message}; ${hint}`;
}

/** The failure of an argument, without a path. */
export function badArgument(argument: string, problem: string): ReadFileError {
  return new ReadFileError("INVALID_ARGUMENT", "", { argument, problem }, {
    words: { INVALID_ARGUMENT: () => [`${argument} ${problem}`] },
  });
}

export function noteOf(note: string): string {
  return `Note: ${note}`;
}
