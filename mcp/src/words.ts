// Runtime-agnostic.
import { escapeHidden } from "@agent-tools/read-file";
import type { Gap, Page, PageLine } from "@agent-tools/read-file";
import { MOST_PATH_CHARS } from "./bounds.ts";
import type { Json } from "./served_tool.ts";
import { listHidden, noteOf, visibleJson } from "./visible.ts";

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
}

/**
 * Writes a page for a model: a first line that says what is shown and whether
 * more follows, the lines of the file, and the next call.
 *
 * - Lines of the file begin with a number and a tab, and no other line does:
 *   control characters and line breaks in them are escaped, so no file can
 *   imitate the first or the last line. Lines counted from the end have a
 *   number below zero.
 * - The column follows the number where a line begins inside: `7:401`.
 * - Then comes a mark where a line ends unlike the others (`LF`, `CRLF`,
 *   `no newline`), is `cut`, is escaped (`esc`), or is not its very bytes.
 */
export function writeWords(shown: PageToWrite) {
  const { page, notes } = shown;
  const usual = usualEnding(page.lines);
  const inexact = new Set(
    page.inexact.map(({ number, reason }) => `${number} ${reason}`),
  );
  const reasons = inexact.size > 0 ? Object.keys(REASONS) : [];
  const marks = new Set<string>();
  const gaps = [...page.hits?.gaps ?? []];
  const rows = page.lines.map((line, index) => {
    const gap = gaps[0] !== undefined && gaps[0].end < line.number
      ? writeGap(gaps.shift()!)
      : "";
    const isLast = index === page.lines.length - 1;
    const words: string[] = [];
    if (line.ending === "") {
      words.push(isLast && page.shown.end >= page.size ? "no newline" : "cut");
    } else if (line.ending !== usual) {
      words.push(line.ending === "\n" ? "LF" : "CRLF");
    }
    const isEscaped = inexact.size > 0 &&
      inexact.has(`${line.number} escaped`);
    const text = isEscaped || !MOVES.test(line.text)
      ? line.text
      : escapeHidden(line.text);
    if (isEscaped || text !== line.text) words.push("esc");
    for (const reason of reasons) {
      if (inexact.has(`${line.number} ${reason}`)) words.push(reason);
    }
    for (const word of words) marks.add(word);
    const column = line.column === 1 ? "" : `:${line.column}`;
    return `${gap}${[`${line.number}${column}`, ...words].join(" ")}\t${text}`;
  });
  const head = headOf(shown, usual, marks);
  const before = [head, ...notes.map(noteOf), ""].join("\n");
  const last = lastOf(shown);
  const text = before + [...rows, last].join("\n");
  // The frame is what comes before and after the lines of the file.
  return { text, frame: before + last, rows };
}

/** Says which lines are not shown; it does not begin with a number. */
function writeGap({ start, end }: Gap): string {
  return `… ${linesIn([[start, end]])} not shown\n`;
}

/** Control characters and line breaks but the tab. */
const MOVES = /[\p{Cc}\u2028\u2029](?<!\t)/u;

function usualEnding(lines: readonly PageLine[]): "\n" | "\r\n" {
  const count = (wanted: string) =>
    lines.filter(({ ending }) => ending === wanted).length;
  return count("\r\n") > count("\n") ? "\r\n" : "\n";
}

/** The first line: which lines of which file, and whether more follow. */
function headOf(shown: PageToWrite, usual: string, marks: Set<string>): string {
  const { page, path, next } = shown;
  const suspects = page.warnings.filter(({ level }) => level === "warning");
  return [
    `${pathOf(path)}: ${rangeOf(shown)}.`,
    next !== null && "More follows.",
    page.view !== null &&
    `Shown as ${page.view}; "view": "raw" shows the file itself.`,
    page.encoding.label !== "utf-8" && sentenceOn(page.encoding),
    usual === "\r\n" && "Lines end in CRLF.",
    marks.has("esc") && ESCAPES,
    ...Object.entries(REASONS)
      .map(([reason, sentence]) => marks.has(reason) && sentence),
    suspects.length > 0 && `Hidden characters: ${listHidden(suspects)}.`,
  ].filter((sentence) => sentence !== false).join(" ");
}

const ESCAPES =
  "Lines marked esc show control characters as \\u{1B}, and a backslash before u{ as \\u{5C}.";

/** The marks of lines whose text does not give back their bytes. */
const REASONS = {
  "not UTF-8": "Lines marked not UTF-8 show \\uFFFD where bytes are not text.",
  undecodable:
    "Lines marked undecodable show \\uFFFD where bytes are not text.",
  ambiguous:
    "Lines marked ambiguous would have other bytes if they were written.",
} as const;

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

/** The path in quotes; of a long one, its end. */
export function pathOf(path: string): string {
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
  const { lines, empty, shown, size, hits } = page;
  const total = totalLines ?? `an unknown total (${size} bytes)`;
  if (empty === "empty file") return "an empty file";
  if (empty === "past the end") {
    return `nothing, past the last line of ${total}`;
  }
  if (empty === "no hit") return `no line matches, of ${total}`;
  if (empty === "past the last column") {
    return `nothing, past the last column of the last line of ${total}`;
  }
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return `no line of ${total}`;
  const numbers = linesIn([[first.number, last.number]]);
  const from = first.column === 1 ? "" : `, from column ${first.column}`;
  const isInside = last.ending === "" && shown.end < size;
  const to = isInside ? `, cut inside line ${last.number}` : "";
  const found = hits === undefined
    ? ""
    : `, with ${hits.lines.length} of ${
      hits.exact ? "" : "at least "
    }${hits.count} lines that match`;
  return `${numbers} of ${total}${from}${to}${found}`;
}

/** The last line: the next call, or why no call follows. */
function lastOf({ page, totalLines, next }: PageToWrite): string {
  const { lines, shown, size, empty, hits } = page;
  if (next !== null) return nextCall("read_file", next);
  if (empty === "past the end" && totalLines) {
    return `End of file. Start at line ${totalLines} or before.`;
  }
  if (empty === "past the last column" && totalLines) {
    return `End of file. Line ${totalLines} ends before that column.`;
  }
  if (hits !== undefined && empty !== "past the end") {
    return empty === "empty file"
      ? "End of file."
      : "End of the lines that match.";
  }
  if (shown.end < size && empty === null) {
    return "End of what was asked for; the file goes on.";
  }
  return lines.some(({ number }) => number < 0) ? FROM_END : "End of file.";
}

const FROM_END =
  'End of file. Line -1 is the last; "numbered": true counts lines from the first.';
