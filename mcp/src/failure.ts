// Runtime-agnostic.
import { ReadFileError } from "@agent-tools/read-file";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** Where a failure is told to programs. */
export const ERROR_KEY = "agent-tools/error";

/**
 * Writes a failure as a tool's result: the sentence and its code in words, for
 * the model, and both beside them, for programs.
 *
 * @param error What was thrown.
 * @param path The path as the caller gave it, if it did.
 * @returns The result.
 */
export function failureOf(error: unknown, path: unknown): CallToolResult {
  const { code, message, words } = codeAndMessage(error, path);
  return {
    content: [textOf(words)],
    isError: true,
    _meta: { [ERROR_KEY]: { code, message } },
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
export function codeAndMessage(error: unknown, path: unknown): ToldFailure {
  if (!(error instanceof ReadFileError)) {
    const message = "The tool failed for a reason of its own";
    return { code: "UNKNOWN", message, words: message };
  }
  const { code, details: { hint } } = error;
  const message = asCalled(error, path);
  const sentence = hint === undefined ? message : `${message}; ${hint}`;
  return { code, message, words: `${sentence} (${code})` };
}

/** The message with the path as the caller gave it, where a root was told apart from it. */
function asCalled(error: ReadFileError, path: unknown): string {
  if (typeof path !== "string" || path === error.path) return error.message;
  return error.message.replace(
    JSON.stringify(error.path),
    () => JSON.stringify(path),
  );
}

/** A text as tools give it. */
export function textOf(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}
