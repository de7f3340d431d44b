// Runtime-agnostic.
import { escapeHidden, ReadFileError } from "@agent-tools/read-file";
import type { ReadFileErrorCode } from "@agent-tools/read-file";
import { MOST_NAMED } from "./bounds.ts";

/** Characters that are invisible, or move visible text. */
const EACH_HIDDEN = /[\p{DI}\p{Cc}\u2028\u2029\ufff9-\ufffb]/gu;

/**
 * Writes JSON with all hidden characters escaped: a path must not hide a part
 * of itself or break its line.
 */
export function visibleJson(value: unknown): string {
  const escape = (unit: string) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value)
    .replace(EACH_HIDDEN, (found) => found.split("").map(escape).join(""));
}

/** Lists the first items and the number of the others. */
export function listFirst(items: readonly string[]): string {
  const more = items.length - MOST_NAMED;
  return items.slice(0, MOST_NAMED)
    .concat(more > 0 ? [`and ${more} more`] : []).join(", ");
}

/** Shortens a text in the middle, visibly. */
export function shorten(text: string, most: number): string {
  const seen = escapeHidden(text.replaceAll("\n", " "));
  if (seen.length <= most) return seen;
  const half = Math.floor((most - 3) / 2);
  return `${seen.slice(0, half)} … ${seen.slice(-half)}`;
}

export function hasCode<Code extends ReadFileErrorCode>(
  error: unknown,
  code: Code,
): error is ReadFileError<Code> {
  return error instanceof ReadFileError && error.is(code);
}

/** What went wrong and, if known, what to do next. */
export function sentenceOf(error: Error): string {
  const { message, hint } = error as Partial<ReadFileError> & Error;
  return hint === undefined ? message : `${message}; ${hint}`;
}

/** The sentence of a failure and its code, for a model. */
export function failureText(error: ReadFileError): string {
  return `${sentenceOf(error)} (${error.code})`;
}

/** The failure of an argument, without a path. */
export function wrongArgument(
  argument: string,
  problem: string,
): ReadFileError {
  return new ReadFileError("INVALID_ARGUMENT", "", { argument, problem }, {
    words: { INVALID_ARGUMENT: () => [`${argument} ${problem}`] },
  });
}

export function noteOf(note: string): string {
  return `Note: ${note}`;
}

export function withNotes(text: string, notes: readonly string[]): string {
  return [text, ...notes.map(noteOf)].join("\n");
}
