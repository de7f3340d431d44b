// Runtime-agnostic.
import { ReadFileError } from "@agent-tools/read-file";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { shorten } from "./visible.ts";

/** Where a failure is told to programs. */
export const ERROR_KEY = "agent-tools/error";

/**
 * Writes a failure as a tool's result: the sentence with its code for the
 * model, and beside it what a program needs to tell failures apart.
 */
export function failureOf(
  error: unknown,
  notes: readonly string[],
  maxChars: number,
): CallToolResult {
  const { code, words } = codeAndMessage(error);
  const text = [words, ...notes.map(noteOf)].join("\n");
  return {
    content: [textOf(text.length > maxChars ? shorten(text, maxChars) : text)],
    isError: true,
    _meta: { [ERROR_KEY]: notes.length > 0 ? { code, notes } : { code } },
  };
}

/** A failure in words, and the parts of it. */
export interface ToldFailure {
  /** Why it failed. */
  readonly code: string;
  /** The sentence. */
  readonly message: string;
  /** Both, and what to do next. */
  readonly words: string;
}

/** Reads what was thrown; what is not ours may name what a model should not see. */
export function codeAndMessage(error: unknown): ToldFailure {
  if (!(error instanceof ReadFileError)) {
    const message = "The tool failed for a reason of its own";
    return { code: "UNKNOWN", message, words: message };
  }
  const { code, message, hint } = error;
  return { code, message, words: `${withHint(message, hint)} (${code})` };
}

/** The failure of an argument; there is no path to say it of. */
export function badArgument(argument: string, problem: string): ReadFileError {
  return new ReadFileError("INVALID_ARGUMENT", "", { argument, problem }, {
    words: {
      INVALID_ARGUMENT: ({ details: { argument, problem } }) => [
        `${argument} ${problem}`,
      ],
    },
  });
}

/** A text as tools give it. */
export function textOf(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}

/** A note as a model reads it: a sentence. */
export function noteOf(note: string): string {
  return `Note: ${note}${isEnded(note) ? "" : "."}`;
}

function withHint(message: string, hint: string | undefined): string {
  if (hint === undefined) return message;
  return isEnded(message)
    ? `${message} ${hint.charAt(0).toUpperCase()}${hint.slice(1)}`
    : `${message}; ${hint}`;
}

function isEnded(sentence: string): boolean {
  return /[.?!]$/.test(sentence);
}
