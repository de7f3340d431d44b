// Runtime-agnostic.
import { checkText, readSafely, refuseMistake, show } from "../base/check.ts";
import { escapeHidden } from "../unicode/escape.ts";
import { MAY_HIDE } from "../unicode/rules.ts";
import { GUTTER, MARK, usualEnding, writeNotice } from "./grammar.ts";
import type { PageFacts } from "./grammar.ts";
import { leftOutOf, writeLeftOut } from "./notice_parts.ts";
import type { Page, PageLine } from "./page.ts";

/**
 * Renders a page for a model: each line after its number and a bar, and one
 * notice at the end that says which part of which file this is, and how to
 * continue.
 *
 * - The column follows the number if the text begins inside a line: `7:401¦`.
 *   Lines that are counted from the end have negative numbers: `-1¦` is the
 *   last.
 * - A word follows where the ending of a line differs: `LF`, `CRLF`, `cut` (the
 *   page ends inside the line), `no newline` (the file ends there).
 * - Between hits, a row says which lines are not shown: `¦ lines 4-9 not shown`.
 * - With `since`, a row replaces unchanged lines: `¦ lines 4-9 unchanged`.
 * - Control characters and other line breaks are shown as `\u{1B}`, in lines
 *   marked `esc`. So no text of a file can begin a line of the rendering.
 *
 * {@linkcode parsePage} gives the page back.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, renderPage } from "@agent-tools/read-file";
 * import { assertMatch } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const text = renderPage(await workspace.read("a.txt", { count: 2 }));
 * assertMatch(text, /^1¦one\n2¦two\n¦ "a\.txt": lines 1-2 of /);
 * assertMatch(text, /More follows: read this path again with \{"start":3,/);
 * ```
 *
 * @throws {TypeError} If the text of a line holds a line feed.
 */
export function renderPage(
  page: Omit<Page, "bytes" | "receipt"> & { readonly receipt?: string | null },
): string {
  const problem = `must be one that was read or parsed, not ${show(page)}`;
  const rendered = readSafely(() => render(page), "it", refuse, problem);
  if (typeof rendered === "string") return rendered;
  const { number } = rendered;
  throw refuse(`the text of line ${number}`, "holds a line feed");
}

const refuse = /* @__PURE__ */ refuseMistake("Cannot render the page");

/** Renders a page; returns a line instead if its text holds a line feed. */
export function render(page: PageFacts): string | PageLine {
  if (!Array.isArray(page.lines)) throw new TypeError();
  const usual = usualEnding(page);
  const { lines, shown: { end }, size } = page;
  const left = leftOutOf(page).toReversed();
  let rows = "";
  let escapes = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const { text, number, column, ending } = line;
    while ((left.at(-1)?.start ?? Infinity) < number) {
      rows += `${writeLeftOut(left.pop()!)}\n`;
    }
    const escape = isEscaped(text);
    if (escape && text.includes("\n")) return line;
    escapes ||= escape;
    const isEnd = index === lines.length - 1 && end >= size;
    let gutter = column === 1 ? `${number}` : `${number}:${column}`;
    if (ending === "") gutter += isEnd ? " no newline" : " cut";
    else if (ending !== usual) gutter += ending === "\n" ? " LF" : " CRLF";
    rows += escape
      ? `${gutter} esc${MARK}${escapeHidden(text)}\n`
      : `${gutter}${MARK}${text}\n`;
  }
  for (const part of left.reverse()) rows += `${writeLeftOut(part)}\n`;
  return rows + writeNotice(page, escapes);
}

/** Whether a text is shown with escapes: it has a character that some program treats as a line break, or a control other than the tab. */
function isEscaped(text: string): boolean {
  // Most lines are printable ASCII.
  return MAY_HIDE.test(text) && /[\p{Cc}\u2028\u2029](?<!\t)/u.test(text);
}

/**
 * Whether a text contains a rendering of a page, or a part of it: the notice,
 * or a line with its gutter, even after a prefix, as in diffs, quotes, comments
 * and lists. For tools that write files: a rendering should not be saved.
 *
 * @example Usage
 * ```ts
 * import { isRendered } from "@agent-tools/read-file";
 * import { assert } from "@std/assert";
 *
 * assert(isRendered("  12¦const a = 1;\n  13¦const b = 2;"));
 * assert(!isRendered("const a = 1;\nconst b = 2;"));
 * ```
 */
export function isRendered(text: string): boolean {
  checkText(text, "Cannot look for a page in a text");
  return text.includes(MARK) && rowPattern().test(text);
}

let rows: RegExp | undefined;

/** Compiled at the first use, not at import: that takes half a millisecond on Deno. */
function rowPattern(): RegExp {
  if (rows !== undefined) return rows;
  // A prefix: any signs, as of quotes, comments and lists, and the number or
  // letter of a list, or the name of a tag. Other letters or digits are not a
  // prefix, since the row would be the middle of a text. A prefix has no line
  // break, and can match in one way only, so that matching takes linear time.
  const signs = "[^\\p{L}\\p{N}_¦\\n\\r\\u2028\\u2029]*";
  const before =
    `${signs}(?:(?:\\d{1,9}|[A-Za-z]{1,4})(?:[.)\\]][ \\t]|>)${signs})?`;
  const notice =
    '¦ ?"(?:[^"\\\\\\n]|\\\\.)*": (?:lines? -?\\d|no line of |empty file, 0 lines of |nothing, past the last )';
  return rows = new RegExp(`^${before}(?:${GUTTER}|${notice})`, "mu");
}
