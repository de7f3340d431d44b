// Runtime-agnostic.
import type { TextWindow } from "../core/lines/window.ts";
import { keepLabels, numberLines } from "./numbered.ts";

/** What becomes of tabs in the text that is shown. */
export type CodexTabs = "expand" | "keep";

/** The most bytes of UTF-8 that are shown of a line. */
const MAX_LINE_BYTES = 500;

/**
 * How much of a line has to be read so that what is shown of it is right.
 *
 * Decoded, no text is shorter than it was: a byte that is no UTF-8 becomes three,
 * and so do two or three that belong together; a tab becomes one space at least.
 * Only the last three bytes kept may decode to something else than in the whole
 * line, where they go on to be one character. So with 503 the first 500 are right.
 */
export const MAX_KEPT_BYTES = MAX_LINE_BYTES + 3;

const TAB_COLUMNS = 4;

const encoder = new TextEncoder();
const encoded = new Uint8Array(MAX_LINE_BYTES);

const labelOf = /* @__PURE__ */ keepLabels((number) => `L${number}: `);

/** Writes a window as the model sees it: of each line its number, and its text as far as it is shown. */
export function showCodexLines(
  { text, start }: TextWindow,
  tabs: CodexTabs,
): string {
  const expands = tabs === "expand" && text.includes("\t");
  return numberLines(
    text,
    start!,
    (number, line) => labelOf(number) + cut(expands ? expandTabs(line) : line),
  );
}

/** Cuts between two characters, so that the text takes no more bytes than are shown. */
function cut(text: string): string {
  // No code unit takes more than three bytes; most lines need no encoding.
  if (text.length * 3 <= MAX_LINE_BYTES) return text;
  const ending = text.endsWith("\n") ? "\n" : "";
  const line = text.slice(0, text.length - ending.length);
  return line.slice(0, encoder.encodeInto(line, encoded).read) + ending;
}

function expandTabs(text: string): string {
  if (!text.includes("\t")) return text;
  let expanded = "";
  let column = 0;
  for (const character of text) {
    const isTab = character === "\t";
    const width = isTab ? TAB_COLUMNS - column % TAB_COLUMNS : 1;
    expanded += isTab ? " ".repeat(width) : character;
    column += width;
  }
  return expanded;
}
