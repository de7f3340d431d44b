// Runtime-agnostic.
import { checkText, readSafely, refuseMistake, show } from "../base/check.ts";
import { type PageFacts, usualEnding, writeNotice } from "./grammar.ts";
import { writeGap, writeKept } from "./notice_parts.ts";
import type { Page, PageLine } from "./page.ts";
import { GUTTER, isEscaped, MARK, writeRow } from "./rows.ts";

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
function render(page: PageFacts): string | PageLine {
  if (!Array.isArray(page.lines)) throw new TypeError();
  const usual = usualEnding(page);
  const { lines, shown: { end }, size } = page;
  const between = rowsBetween(page).reverse();
  let rows = "";
  let escapes = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const { text, number, column, ending } = line;
    while ((between.at(-1)?.start ?? Infinity) < number) {
      rows += between.pop()!.row;
    }
    const escape = isEscaped(text);
    if (!escape && column === 1 && ending === usual) {
      rows += number + MARK + text + "\n";
      continue;
    }
    if (escape && text.includes("\n")) return line;
    escapes ||= escape;
    const isEnd = index === lines.length - 1 && end >= size;
    rows += writeRow(line, usual, isEnd, escape) + "\n";
  }
  for (const { row } of between.reverse()) rows += row;
  return rows + writeNotice({ page, usual, escapes });
}

/** The rows between lines, by the number of the next line. */
function rowsBetween(
  { hits, hunks = [] }: PageFacts,
): { readonly start: number; readonly row: string }[] {
  const gaps = (hits?.gaps ?? []).map((gap) => ({
    start: gap.start,
    row: `${writeGap(gap)}\n`,
  }));
  const kept = hunks.flatMap((hunk) =>
    "kept" in hunk ? { start: hunk.start, row: `${writeKept(hunk)}\n` } : []
  );
  return [...gaps, ...kept].sort((one, other) => one.start - other.start);
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
  return text.includes(MARK) &&
    (GUTTER_ROW.test(text) || NOTICE_ROW.test(text));
}

/**
 * A prefix of a row: any signs, as of quotes, comments and lists, and the
 * number or letter of a list, or the name of a tag. Other letters or digits are
 * not a prefix, since the row would be the middle of a text. A prefix has no
 * line break, and can match in one way only, so that matching takes linear
 * time.
 */
const SIGNS = "[^\\p{L}\\p{N}_¦\\n\\r\\u2028\\u2029]*";

// Calls, so that bundlers can tree-shake them.
const GUTTER_ROW = /* @__PURE__ */ rowPattern(GUTTER);

const NOTICE_ROW = /* @__PURE__ */ rowPattern(
  '¦ ?"(?:[^"\\\\\\n]|\\\\.)*": (?:lines? -?\\d|no line of |empty file, 0 lines of |nothing, past the last )',
);

function rowPattern(row: string): RegExp {
  const before =
    `${SIGNS}(?:(?:\\d{1,9}|[A-Za-z]{1,4})(?:[.)\\]][ \\t]|>)${SIGNS})?`;
  return new RegExp(`^${before}${row}`, "mu");
}
