// Runtime-agnostic.
import type { TextWindow } from "../core/lines/window.ts";

/** How much is put together at a time: a million short strings take their room. */
const PART_LENGTH = 32 * 1024;

/** The lines whose labels are kept: a label takes as long to make as its line to find. */
const KEPT_LABELS = 4096;

/** Makes what stands before a line, by its number; what most answers need is kept. */
export function keepLabels(
  make: (number: number) => string,
): (number: number) => string {
  const kept: string[] = [];
  return (number) =>
    number < KEPT_LABELS ? kept[number] ??= make(number) : make(number);
}

/**
 * Numbers the lines of a text. Each is written by `write`, which is given it with
 * an LF, whether it ended with that or with CR LF; but the last one has none.
 */
export function numberLines(
  text: string,
  first: number,
  write: (number: number, line: string) => string,
): string {
  if (text === "") return "";
  const lines = text.replaceAll("\r\n", "\n");
  const end = lines.length - (lines.endsWith("\n") ? 1 : 0);
  let numbered = "";
  let part = "";
  let from = 0;
  for (let number = first;; number++) {
    const next = lines.indexOf("\n", from) + 1;
    if (next === 0 || next > end) {
      return numbered + part + write(number, lines.slice(from, end));
    }
    part += write(number, lines.slice(from, next));
    from = next;
    if (part.length < PART_LENGTH) continue;
    // Only what is cut is made one string of those it was put together of.
    numbered += part.slice(0, -1) + part.slice(-1);
    part = "";
  }
}

const forgeLabelOf = /* @__PURE__ */ keepLabels((number) => `${number}| `);

/**
 * Numbers lines: the number, as wide as that of the `last` one, then `| `, then
 * the line.
 *
 * CR LF shows as LF. The view ends with a newline only if its last line does.
 */
export function numberedView(
  text: string,
  first: number,
  last: number,
): string {
  const { length } = forgeLabelOf(last);
  const view = numberLines(
    text,
    first,
    (number, line) => forgeLabelOf(number).padStart(length) + line,
  );
  return text.endsWith("\n") ? `${view}\n` : view;
}

/** A multiple of three, so that no part but the last is padded; small enough for one call. */
const PART_BYTES = 12_288;

/** Writes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let base64 = "";
  for (let from = 0; from < bytes.length; from += PART_BYTES) {
    const part = bytes.subarray(from, from + PART_BYTES);
    base64 += btoa(String.fromCharCode(...part));
  }
  return base64;
}

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

const encoder = /* @__PURE__ */ new TextEncoder();
const encoded = /* @__PURE__ */ new Uint8Array(MAX_LINE_BYTES);

const codexLabelOf = /* @__PURE__ */ keepLabels((number) => `L${number}: `);

/** Numbered lines, each as far as it is shown, and the numbers of those that were cut. */
export interface CodexLines {
  readonly content: string;
  readonly cut: readonly number[];
}

/** Writes a window as the model sees it. */
export function showCodexLines(
  { text, start }: TextWindow,
  tabs: CodexTabs,
): CodexLines {
  const expands = tabs === "expand" && text.includes("\t");
  const cut: number[] = [];
  const content = numberLines(text, start!, (number, line) => {
    const whole = expands ? expandTabs(line) : line;
    const shown = cutLine(whole);
    if (shown.length < whole.length) cut.push(number);
    return codexLabelOf(number) + shown;
  });
  return { content, cut };
}

/** Cuts between two characters, so that the text takes no more bytes than are shown. */
function cutLine(text: string): string {
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
