// Runtime-agnostic.
import { escapeHidden } from "@agent-tools/read-file";
import type { Gap, Page, PageLine } from "@agent-tools/read-file";
import type { Json } from "./messages.ts";
import { listFirst, visibleJson, withNotes } from "./visible.ts";

/** A page, and what its text needs besides. */
export interface PageToWrite {
  readonly page: Omit<Page, "bytes" | "receipt">;
  /** In the form that a call takes. */
  readonly path: string;
  readonly totalLines: number | null;
  /** The arguments of the next call; `null` at the end. */
  readonly next: Json | null;
  /** How arguments were understood. */
  readonly notes: readonly string[];
  /** The pages of a document to which the lines belong, if the call named them. */
  readonly pages?: string | undefined;
}

/**
 * Writes a page for a model: a first line that says what is shown and whether
 * more follows, the lines of the file, and the next call.
 *
 * - Lines of the file begin with a number and a tab, and no other line does:
 *   control characters and line breaks in them are escaped, so no file can
 *   imitate the first or the last line. Lines counted from the end have a
 *   number below zero.
 * - The column follows the number if the text begins inside the line: `7:401`.
 * - Then come marks, if the line ends unlike the others (`LF`, `CRLF`,
 *   `no newline`), is `cut` or escaped (`esc`), or differs from its bytes.
 */
export function writeWords(shown: PageToWrite) {
  const { page, notes } = shown;
  const { lines } = page;
  const usual = usualEnding(lines);
  const reasonsOf = reasonsByLine(page);
  /** The marks of all lines; the first line of the answer explains them. */
  const marks = new Set<string>();
  const gaps = [...page.hits?.gaps ?? []];
  /** Writes the gap just before a line, if there is one. */
  const gapBefore = (number: number) =>
    gaps[0] !== undefined && gaps[0].end < number
      ? writeGap(gaps.shift()!)
      : "";
  const rows = lines.map((line, index) => {
    const { number, ending, column } = line;
    const reasons = reasonsOf.get(number) ?? NO_REASONS;
    // The library has escaped some lines already.
    const wasEscaped = reasons.includes("escaped");
    const isPlain = wasEscaped || !CONTROLS.test(line.text);
    const text = isPlain ? line.text : escapeHidden(line.text);
    const own: string[] = [];
    if (ending !== usual) {
      const isLastOfPage = index === lines.length - 1;
      const endsFile = isLastOfPage && page.shown.end >= page.size;
      own.push(endsFile && ending === "" ? "no newline" : ENDINGS[ending]);
    }
    if (wasEscaped || text !== line.text) own.push("esc");
    own.push(...LOSSES.filter((loss) => reasons.includes(loss)));
    for (const mark of own) marks.add(mark);
    const start = column === 1 ? `${number}` : `${number}:${column}`;
    return `${gapBefore(number)}${[start, ...own].join(" ")}\t${text}`;
  });
  const head = headOf(shown, usual, marks);
  const before = `${withNotes(head, notes)}\n`;
  const last = lastOf(shown);
  const text = before + [...rows, last].join("\n");
  // The frame is what comes before and after the lines of the file.
  return { text, frame: before + last, rows };
}

const NO_REASONS: readonly string[] = [];

/** Why the text of a line does not give back its bytes, by the number of the line. */
function reasonsByLine({ inexact }: PageToWrite["page"]) {
  const byLine = new Map<number, string[]>();
  for (const { number, reason } of inexact) {
    const known = byLine.get(number);
    if (known === undefined) byLine.set(number, [reason]);
    else known.push(reason);
  }
  return byLine;
}

const ENDINGS = { "\n": "LF", "\r\n": "CRLF", "": "cut" };

/** Says which lines are not shown; it does not begin with a number. */
function writeGap({ start, end }: Gap): string {
  return `… ${linesIn([[start, end]])} not shown\n`;
}

/** Control characters and line breaks, except the tab. */
const CONTROLS = /[\p{Cc}\u2028\u2029](?<!\t)/u;

function usualEnding(lines: readonly PageLine[]): "\n" | "\r\n" {
  const count = (wanted: string) =>
    lines.filter(({ ending }) => ending === wanted).length;
  return count("\r\n") > count("\n") ? "\r\n" : "\n";
}

/** The first line: which lines of which file, and whether more follow. */
function headOf(shown: PageToWrite, usual: string, marks: Set<string>): string {
  const { page, path, next } = shown;
  const hidden = page.warnings.filter(({ level }) => level === "warning")
    .map(({ line, column, code, name }) =>
      `${code} ${name} (line ${line}, column ${column})`
    );
  return [
    `${quotePath(path)}: ${rangeOf(shown)}.`,
    next !== null && "More follows.",
    page.view !== null && sentenceOnView(page.view),
    page.encoding.label !== "utf-8" && sentenceOn(page.encoding),
    usual === "\r\n" && "Lines end in CRLF.",
    ...Object.entries(MARKS)
      .map(([mark, sentence]) => marks.has(mark) && sentence),
    hidden.length > 0 && `Hidden characters: ${listFirst(hidden)}.`,
  ].filter((sentence) => sentence !== false).join(" ");
}

/** The marks of lines that are escaped, and of those whose text does not give back their bytes. */
const MARKS = {
  esc:
    "Lines marked esc show control characters as \\u{1B}, and a backslash before u{ as \\u{5C}.",
  "not UTF-8": "Lines marked not UTF-8 show \\uFFFD where bytes are not text.",
  undecodable:
    "Lines marked undecodable show \\uFFFD where bytes are not text.",
  ambiguous:
    "Lines marked ambiguous would have other bytes if they were written.",
};
const LOSSES = Object.keys(MARKS).filter((mark) => mark !== "esc");

/** The sentence about a view. The bytes of a gzip file are never text. */
function sentenceOnView(view: string): string {
  const raw = view === "gunzip" ? "" : '; "view": "raw" shows the file itself';
  return `Shown as ${view}${raw}.`;
}

/** The sentence about the encoding of a file, and how it was found. */
function sentenceOn({ label, why, runnersUp }: Page["encoding"]): string {
  const others = runnersUp === undefined ? "" : `, or ${runnersUp.join(", ")}`;
  return `In ${label} (${why}${others}).`;
}

/** Writes the next call, without a very long path. */
export function nextCall(tool: string, next: Json): string {
  const same = "path" in next ? "" : "with the same path and ";
  return `Next: ${tool} ${same}${visibleJson(next)}`;
}

/** The longest path that a frame shows whole. */
const MOST_PATH_CHARS = 200;

/** The path in quotes; of a long one, its end. */
export function quotePath(path: string): string {
  const shown = visibleJson(path);
  return shown.length <= MOST_PATH_CHARS
    ? shown
    : `"…${shown.slice(-MOST_PATH_CHARS)}`;
}

/** The path of a next call, unless it is very long. */
export function shortPath(path: string): { readonly path?: string } {
  return visibleJson(path).length <= MOST_PATH_CHARS ? { path } : {};
}

/** Names runs of lines by their first and last numbers. */
export function linesIn(runs: readonly (readonly [number, number])[]): string {
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

function rangeOf({ page, totalLines }: PageToWrite): string {
  const { lines: [first], empty, shown, size, hits } = page;
  const total = totalLines ?? `an unknown total (${size} bytes)`;
  if (empty === "empty file") return "an empty file";
  if (empty === "no hit") return `no line matches, of ${total}`;
  if (empty !== null) {
    const line = empty === "past the end" ? "line" : "column of the last line";
    return `nothing, past the last ${line} of ${total}`;
  }
  const last = page.lines.at(-1);
  if (first === undefined || last === undefined) return `no line of ${total}`;
  const numbers = linesIn([[first.number, last.number]]);
  const from = first.column === 1 ? "" : `, from column ${first.column}`;
  const isInside = last.ending === "" && shown.end < size;
  const to = isInside ? `, cut inside line ${last.number}` : "";
  const least = hits?.exact ? "" : "at least ";
  const found = hits === undefined
    ? ""
    : `, with ${hits.lines.length} of ${least}${hits.count} lines that match`;
  return `${numbers} of ${total}${from}${to}${found}`;
}

/** The last line: the next call, or why no call follows. */
function lastOf({ page, totalLines, next, pages }: PageToWrite): string {
  const { lines, shown, size, empty, hits } = page;
  if (next !== null) return nextCall("read_file", next);
  const end = pages === undefined
    ? "End of file."
    : `End of "pages": ${visibleJson(pages)}.`;
  if (empty === "past the end" && totalLines) {
    return `${end} Start at line ${totalLines} or before.`;
  }
  if (empty === "past the last column" && totalLines) {
    return `${end} Line ${totalLines} ends before that column.`;
  }
  if (hits !== undefined && empty !== "past the end") {
    return empty === "empty file" ? end : "End of the lines that match.";
  }
  if (shown.end < size && empty === null) {
    return "End of what was asked for; the file goes on.";
  }
  return lines.some(({ number }) => number < 0) ? `${end} ${FROM_END}` : end;
}

const FROM_END =
  'Line -1 is the last; "numbered": true counts lines from the first.';
