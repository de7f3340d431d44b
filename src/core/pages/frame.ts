// What stands around the lines of a file in each text for a model: names, notes and
// calls, of which no file or path can make what it does not mean.
import { CONTROLS, visibleJson } from "../base/words.ts";
import { escapeHidden } from "../unicode/escape.ts";

/** Writes the next call. */
export function nextCall(tool: string, next: object): string {
  const same = "path" in next ? "" : "with the same path and ";
  return `Next: ${onOneLine(tool)} ${same}${visibleJson(next)}`;
}

/** Adds a line for each note to the first line of an answer. */
export function withNotes(text: string, notes: readonly string[]): string {
  return [text, ...notes.map(noteOf)].join("\n");
}

/** Writes a note. */
export function noteOf(note: string): string {
  return `Note: ${onOneLine(note)}`;
}

/** The most characters of a quoted path that are shown. */
const MOST_PATH_CHARS = 200;

/** The path in quotes; of a long one, its end. */
export function quotePath(path: string): string {
  const quoted = visibleJson(path);
  if (quoted.length <= MOST_PATH_CHARS) return quoted;
  // Cut between characters: inside an escape, a quote in the path could end it.
  const parts = Array.from(path).slice(-MOST_PATH_CHARS)
    .map((character) => visibleJson(character).slice(1, -1));
  let length = parts.join("").length;
  // The closing quote is one more.
  while (length >= MOST_PATH_CHARS) length -= parts.shift()!.length;
  return `"…${parts.join("")}"`;
}

/** The path of a next call, unless it is too long to be shown. */
export function shortPath(path: string): { readonly path?: string } {
  return visibleJson(path).length <= MOST_PATH_CHARS ? { path } : {};
}

/** Names runs of lines by their first and last numbers. */
export function nameLines(
  runs: readonly (readonly [number, number])[],
): string {
  const texts = runs.map(([first, last]) =>
    first === last
      ? `${first}`
      // A dash before a number below zero would be misread.
      : `${first}${first < 0 ? " to " : "-"}${last}`
  );
  const [[first, last] = []] = runs;
  const isOne = runs.length === 1 && first === last;
  return `${isOne ? "line" : "lines"} ${texts.join(", ")}`;
}

/** How many items a sentence lists. */
export const MOST_NAMED = 5;

/** Lists the first items and the number of the others. */
export function listFirst(items: readonly string[]): string {
  const more = items.length - MOST_NAMED;
  return items.slice(0, MOST_NAMED)
    .concat(more > 0 ? [`and ${more} more`] : []).join(", ");
}

/** A control character or a line break, except the tab. */
const CONTROL = new RegExp(`(?!\\t)[${CONTROLS}]`, "u");

/** The text on one line: escaped if it has control characters or line breaks. */
export function onOneLine(text: string): string {
  if (!CONTROL.test(text)) return text;
  // For escapeHidden, a line feed and the CR before it are visible.
  return escapeHidden(text)
    .replaceAll("\r", "\\u{D}")
    .replaceAll("\n", "\\u{A}");
}
