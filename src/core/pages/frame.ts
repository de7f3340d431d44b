// Runtime-agnostic.
import { runAtOnce } from "../base/call.ts";
import { checkText, readSafely, refuseMistake, show } from "../base/check.ts";
import type { FileBytes } from "../base/port.ts";
import { charsetOf } from "../encodings/charsets.ts";
import { escapeHidden, unescapeHidden } from "../unicode/escape.ts";
import { findHidden } from "../unicode/hidden.ts";
import { MAY_HIDE } from "../unicode/rules.ts";
import { agrees } from "./agree.ts";
import type { KeptLines } from "./delta.ts";
import {
  endsInside,
  GUTTER,
  MARK,
  type PageFacts,
  readNotice,
  usualEnding,
  writeNotice,
} from "./grammar.ts";
import {
  EMPTY_WORDS,
  hunksOf,
  lastOf,
  leftOutOf,
  rawOf,
  readEncoding,
  readHits,
  readInexact,
  readLeftOut,
  writeLeftOut,
} from "./notice_parts.ts";
import { takePageOptions } from "./page.ts";
import type { Gap, Page, PageLine } from "./page.ts";
import { writeReceipt } from "./receipt.ts";

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
  const rendered = readSafely(
    () => render(page),
    "it",
    refuseRendering,
    problem,
  );
  if (typeof rendered === "string") return rendered;
  const { number } = rendered;
  throw refuseRendering(`the text of line ${number}`, "holds a line feed");
}

const refuseRendering = /* @__PURE__ */ refuseMistake("Cannot render the page");

/** Renders a page. Returns instead the first line whose text holds a line feed, which cannot be rendered. */
function render(page: PageFacts): string | PageLine {
  if (!Array.isArray(page.lines)) throw new TypeError();
  const usual = usualEnding(page);
  const { lines, shown: { end }, size } = page;
  const leftOut = leftOutOf(page);
  let passed = 0;
  let rows = "";
  let escapes = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const { text, number, column, ending } = line;
    while ((leftOut[passed]?.start ?? Infinity) < number) {
      rows += `${writeLeftOut(leftOut[passed++]!)}\n`;
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
  for (const part of leftOut.slice(passed)) rows += `${writeLeftOut(part)}\n`;
  return rows + writeNotice(page, escapes);
}

/** Whether a text is shown with escapes: it has a character that some program treats as a line break, or a control other than the tab. */
function isEscaped(text: string): boolean {
  // Most lines are printable ASCII.
  return MAY_HIDE.test(text) && /[\p{Cc}\u2028\u2029](?<!\t)/u.test(text);
}

/**
 * Whether a text contains a rendering of a page, or a part of it: the notice, a
 * line with its gutter, or a row in place of lines; even after a prefix, as in
 * diffs, quotes, comments and lists. For tools that write files: a rendering
 * should not be saved.
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

let compiled: RegExp | undefined;

/** Matches a row of a rendering. Compiled at the first use, not at import: that takes half a millisecond on Deno. */
function rowPattern(): RegExp {
  if (compiled !== undefined) return compiled;
  // A prefix: any signs, as of quotes, comments and lists, and the number or
  // letter of a list, or the name of a tag. After other letters or digits, the
  // match would be in the middle of a sentence, and not a rendered row. A prefix
  // has no line break, and can match in one way only, so that matching takes
  // linear time.
  const signs = "[^\\p{L}\\p{N}_¦\\n\\r\\u2028\\u2029]*";
  const before =
    `${signs}(?:(?:\\d{1,9}|[A-Za-z]{1,4})(?:[.)\\]][ \\t]|>)${signs})?`;
  const notice =
    '"(?:[^"\\\\\\n]|\\\\.)*": (?:lines? -?\\d|no line of |empty file, 0 lines of |no hit, 0 lines of |nothing, past the last )';
  const leftOut =
    "lines? -?\\d+(?:(?:-| to )-?\\d+)? (?:not shown, \\d|unchanged)";
  const row = `(?:${GUTTER}|¦ ?(?:${notice}|${leftOut}))`;
  return compiled = new RegExp(`^${before}${row}`, "mu");
}

/** A page that was parsed from its rendering. */
export interface ParsedPage extends Omit<Page, "bytes" | "receipt"> {
  /**
   * The receipt of the page; `null` if it shows no line or shows hits, or if the
   * text does not give all bytes back. The receipt of a page with `since`, and
   * `since` itself, are only for {@linkcode applyDelta}.
   */
  readonly receipt: string | null;
  /**
   * Returns the bytes of the file that the page shows.
   *
   * @returns A copy of them; `null` if the text does not give all of them back.
   */
  bytes(): FileBytes | null;
}

/**
 * Parses the rendering of {@linkcode renderPage}.
 *
 * Changed renderings are refused: rows that were added, removed or renumbered,
 * wrong counts of bytes, a `next` that does not continue where the page ends. A
 * row whose text was replaced by as many bytes is not noticed.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, parsePage, renderPage } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\r\ntwo" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const page = await workspace.read("a.txt");
 * const parsed = parsePage(renderPage(page));
 * assertEquals(parsed.lines, page.lines);
 * assertEquals(parsed.bytes(), page.bytes());
 * ```
 *
 * @throws {TypeError} If the text is not the rendering of a page that was read.
 */
export function parsePage(text: string): ParsedPage {
  const begin = typeof text === "string" ? text.lastIndexOf("\n") + 1 : -1;
  const words = begin < 0 ? undefined : readNotice(text.slice(begin));
  if (words === undefined) {
    throw refuseParsing("its last line", "is not a notice");
  }
  const { path, what, total, next, view, version } = words;
  const rows = readRows(text.slice(0, begin), words.crLf ? "\r\n" : "\n");
  const { lines, gaps, kept } = rows;
  // A line may be listed twice: as escaped, and for another reason.
  const inexact = readInexact(words.inexact ?? "", lines.length * 2);
  const encoding = readEncoding(words);
  if (inexact === undefined || encoding === undefined) throw changed();
  const json = readSafely(
    () => ({
      path: JSON.parse(path!) as string,
      next: next === undefined ? null : takePageOptions("", JSON.parse(next)),
      view: view === undefined ? null : JSON.parse(view) as string,
      etag: version === undefined ? undefined : JSON.parse(version) as string,
    }),
    "it",
    changed,
    "",
  );
  const hits = readHits(words.hits, lines, gaps, kept);
  const isDelta = words.delta !== undefined;
  const shown = { start: Number(words.start), end: Number(words.end) };
  const facts = { lines, shown, size: Number(words.size) };
  const raw = rawOf(lines, inexact);
  const empties = Object.keys(EMPTY_WORDS) as (keyof typeof EMPTY_WORDS)[];
  const page: PageFacts = {
    ...facts,
    path: json.path,
    encoding,
    totalLines: /\d/.test(total!) ? Number(total) : null,
    empty: empties.find((empty) => EMPTY_WORDS[empty] === what) ?? null,
    ...(hits !== undefined && { hits }),
    ...(isDelta && { hunks: runAtOnce(hunksOf(raw, kept)) }),
    ...(words.since !== undefined && { since: words.since }),
    ...(words.now !== undefined && { receipt: words.now }),
    next: json.next,
    view: json.view,
    etag: json.etag ?? json.next?.etag ?? "",
    exact: inexact.length === 0,
    inexact,
    warnings: findHidden(raw, { endsInside: endsInside(facts) }),
  };
  const lost = new Set(
    inexact.flatMap(({ number, reason }) => reason === "escaped" ? [] : number),
  );
  const isLossless = lost.size === 0;
  const bytesOf = () => encodeLines(raw, encoding.label)!;
  // In UTF-8, `agrees` knows how many bytes a U+FFFD may replace. In other
  // encodings, a line that does not give its bytes back may have any number of
  // them, so it is not measured.
  const measured = encoding.label === "utf-8"
    ? raw
    : raw.filter(({ number }) => !lost.has(number));
  const length = encodeLines(measured, encoding.label)?.length ?? NaN;
  const isMinimum = measured.length < raw.length;
  // The rows were read leniently; if one was changed, the page renders as another text.
  if (!agrees(page, raw, length, isMinimum) || render(page) !== text) {
    throw changed();
  }
  const { number: line = 1, column = 1 } = lines[0] ?? {};
  return {
    ...page,
    bytes: () => isLossless ? bytesOf() : null,
    get receipt() {
      if (isDelta) return words.now ?? null;
      // A page without lines does not show which line was asked for.
      if (!isLossless || lines.length === 0 || page.hits) return null;
      const isEnd = shown.end === page.size;
      const place = { line, column, isEnd, encoding: encoding.label };
      return runAtOnce(writeReceipt(bytesOf(), place));
    },
  };
}

const refuseParsing = /* @__PURE__ */ refuseMistake("Cannot parse the page");

const changed = () => refuseParsing("it", "is not as it was rendered");

const encoder = /* @__PURE__ */ new TextEncoder();

/** Encodes lines with their endings; `undefined` if the encoding lacks a character. */
function encodeLines(
  lines: readonly PageLine[],
  label: string,
): FileBytes | undefined {
  const text = lines.map((line) => line.text + line.ending).join("");
  return (charsetOf(label) ?? encoder).encode(text);
}

/** The line ending for a word of a gutter. */
const ENDINGS: Record<string, PageLine["ending"]> = { LF: "\n", CRLF: "\r\n" };

/** Reads the rows, each of which ends with a line feed. */
function readRows(rows: string, usual: PageLine["ending"]) {
  const lines: PageLine[] = [];
  const gaps: Gap[] = [];
  const kept: KeptLines[] = [];
  const pattern = new RegExp(`^${GUTTER}`);
  let number = 0;
  for (let from = 0; from < rows.length; number++) {
    const begin = from;
    const to = rows.indexOf("\n", from);
    from = to + 1;
    // Most gutters are only a number, the next one.
    const gutter = number + MARK;
    if (rows.startsWith(gutter, begin)) {
      const text = rows.slice(begin + gutter.length, to);
      lines.push({ number, column: 1, text, ending: usual });
      continue;
    }
    const row = rows.slice(begin, to);
    const leftOut = readLeftOut(row);
    if (leftOut !== undefined) {
      if ("kept" in leftOut) kept.push(leftOut);
      else gaps.push(leftOut);
      number = lastOf(leftOut);
      continue;
    }
    const match = pattern.exec(row);
    if (match === null) {
      const rowNumber = lines.length + gaps.length + kept.length + 1;
      throw refuseParsing(`row ${rowNumber}`, "has no gutter");
    }
    const [start, digits, column = 1, word, escape] = match;
    const shown = row.slice(start.length);
    number = Number(digits);
    lines.push({
      number,
      column: Number(column),
      text: escape === undefined ? shown : unescapeHidden(shown),
      ending: word === undefined ? usual : ENDINGS[word] ?? "",
    });
  }
  return { lines, gaps, kept };
}
