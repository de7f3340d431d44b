// Runtime-agnostic.
import { escapeHidden, unescapeHidden } from "../unicode/escape.ts";
import { MAY_HIDE } from "../unicode/rules.ts";
import type { PageLine } from "./page.ts";

/** The character that ends a gutter and begins the notice; source files hardly use it. */
export const MARK = "¦";

/** A gutter: the number, the column unless it is 1, the word of an unusual ending, the sign of an escaped line. */
export const GUTTER =
  "(-?[1-9]\\d{0,15})(?::([1-9]\\d{0,15}))?(?: (LF|CRLF|cut|no newline))?( esc)?¦";

/** Characters that some program treats as a line break, and controls except the tab. */
const MOVES = /[\p{Cc}\u2028\u2029](?<!\t)/u;
/** Whether a text is shown with escapes. */
export function isEscaped(text: string): boolean {
  // Most lines are printable ASCII.
  return MAY_HIDE.test(text) && MOVES.test(text);
}

/** Writes the row of a line: its gutter, and its text, with escapes if it `isEscaped`. */
export function writeRow(
  line: PageLine,
  usual: PageLine["ending"],
  isEnd: boolean,
  escaped: boolean,
): string {
  const { number, column, text } = line;
  const word = endingWord(line, usual, isEnd);
  let gutter = column === 1 ? `${number}` : `${number}:${column}`;
  if (word !== undefined) gutter += ` ${word}`;
  return escaped
    ? `${gutter} esc${MARK}${escapeHidden(text)}`
    : `${gutter}${MARK}${text}`;
}

/** The word of a gutter for a line ending that is not the usual one. */
function endingWord(
  { ending }: PageLine,
  usual: PageLine["ending"],
  isEnd: boolean,
): string | undefined {
  if (ending === "") return isEnd ? "no newline" : "cut";
  if (ending === usual) return undefined;
  return ending === "\n" ? "LF" : "CRLF";
}

/** The line ending for a word of a gutter. */
function endingOf(
  word: string | undefined,
  usual: PageLine["ending"],
): PageLine["ending"] {
  if (word === undefined) return usual;
  return word === "LF" ? "\n" : word === "CRLF" ? "\r\n" : "";
}

// A function call, since bundlers do not tree-shake a template with a variable.
const ROW = /* @__PURE__ */ rowPattern(GUTTER);

function rowPattern(gutter: string): RegExp {
  return new RegExp(`^${gutter}`);
}

/** Reads the row of a line, which must be exactly as `writeRow` writes it. */
export function readRow(
  row: string,
  index: number,
  usual: PageLine["ending"],
  isEnd: boolean,
): { readonly line: PageLine; readonly escaped: boolean } {
  const match = ROW.exec(row);
  if (match === null) {
    const row = index + 1;
    throw new TypeError(`Cannot parse the page: row ${row} has no gutter`);
  }
  const [gutter, digits, columns, word, escape] = match;
  const shown = row.slice(gutter.length);
  const escaped = escape !== undefined;
  const text = escaped ? unescapeHidden(shown) : shown;
  const [number, column] = [Number(digits), Number(columns ?? 1)];
  const line = { number, column, text, ending: endingOf(word, usual) };
  const isOurs = Number.isSafeInteger(number) &&
    Number.isSafeInteger(column) && columns !== "1" &&
    endingWord(line, usual, isEnd) === word &&
    isEscaped(text) === escaped &&
    (!escaped || escapeHidden(text) === shown);
  if (!isOurs) throw changed();
  return { line, escaped };
}

/** The failure of a changed rendering. */
export function changed(): TypeError {
  return new TypeError("Cannot parse the page: it is not as it was rendered");
}
