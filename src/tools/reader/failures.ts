import { ReadFileError, sentenceOf } from "../../core/base/errors.ts";
import { escapeHidden } from "../../core/unicode/escape.ts";

/** The failure of an argument, without a path. */
export function wrongArgument(
  argument: string,
  problem: string,
): ReadFileError {
  return new ReadFileError("INVALID_ARGUMENT", "", { argument, problem }, {
    words: { INVALID_ARGUMENT: () => [`${argument} ${problem}`] },
  });
}

/** What went wrong, what to do next if that is known, and the code, for a model. */
export function failureText(error: ReadFileError): string {
  return `${sentenceOf(error)} (${error.code})`;
}

/** Shortens a text in the middle, visibly. */
export function cutText(text: string, most: number): string {
  const seen = escapeHidden(text.replaceAll("\n", " "));
  if (seen.length <= most) return seen;
  if (most < 5) return seen.slice(0, most);
  const half = Math.floor((most - 3) / 2);
  return `${seen.slice(0, half)} … ${seen.slice(-half)}`;
}
