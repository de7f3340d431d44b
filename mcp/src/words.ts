import { escapeHidden, visibleJson } from "@agent-tools/read-file";
import type { ReadFileError } from "@agent-tools/read-file";

export { visibleJson };

// The core has the last two, too: as exports they would be two more names for all, and
// this package imports nothing else of the core's inside.

/** The hint after `SCAN_LIMIT`, if no other call reads less. */
export const ASK_FOR_MORE = "ask the user for a larger --max-scan";

/** Shortens a text in the middle, visibly. */
export function cutText(text: string, most: number): string {
  const seen = escapeHidden(text.replaceAll("\n", " "));
  if (seen.length <= most) return seen;
  if (most < 5) return seen.slice(0, most);
  const half = Math.floor((most - 3) / 2);
  return `${seen.slice(0, half)} … ${seen.slice(-half)}`;
}

/** What went wrong and, if known, what to do next. */
export function sentenceOf(error: Error): string {
  const { message, hint } = error as Partial<ReadFileError> & Error;
  return hint === undefined ? message : `${message}; ${hint}`;
}
