/** Parses the answers of the MCP server: the frame, and the lines of the file. */
import { unescapeHidden } from "../../mod.ts";

/** A shown line of a file. */
export interface Row {
  readonly number: number;
  readonly column: number;
  /** `cut`, `no newline`, `LF`, `CRLF`, `esc`, `not UTF-8`. */
  readonly marks: readonly string[];
  readonly text: string;
}

/** The parts of a page. */
export interface ParsedWords {
  readonly path: string;
  /** The first line, without the path. */
  readonly head: string;
  readonly notes: readonly string[];
  readonly rows: readonly Row[];
  /** The lines that say which lines are not shown. */
  readonly gaps: readonly string[];
  /** How many lines the file has, if the first line says so. */
  readonly total: number | null;
  /** Whether the first line says that more follows. */
  readonly more: boolean;
  /** The arguments of the call that continues. */
  readonly next: Readonly<Record<string, unknown>> | null;
  /** The last line. */
  readonly last: string;
  /** The shown text of the file, with line endings. */
  readonly content: string;
}

const ROW =
  /^(-?[1-9]\d*)(?::([1-9]\d*))?((?: (?:cut|no newline|LF|CRLF|esc|not UTF-8))*)\t(.*)$/s;

const HEAD = /^("(?:[^"\\]|\\.)*"): (.*)$/;
const NEXT = /^Next: read_file (?:with the same path and )?(\{.*\})$/;

/** Parses a line of the file; `undefined` for any other line. */
export function parseRow(line: string): Row | undefined {
  const match = ROW.exec(line);
  if (match === null) return undefined;
  const [, number, column = "1", words, shown] = match;
  const marks: readonly string[] =
    words!.match(/cut|no newline|LF|CRLF|esc|not UTF-8/g) ?? [];
  const text = marks.includes("esc") ? unescapeHidden(shown!) : shown!;
  return { number: Number(number), column: Number(column), marks, text };
}

/** Parses a page; throws for any other text. */
export function parseWords(text: string): ParsedWords {
  const lines = text.split("\n");
  const head = HEAD.exec(lines.shift() ?? "");
  const last = lines.pop() ?? "";
  if (head === null) throw new TypeError(`the first line is missing: ${text}`);
  const notes: string[] = [];
  while (lines[0]?.startsWith("Note: ")) notes.push(lines.shift()!.slice(6));
  const gaps: string[] = [];
  const shown = lines.filter((line) => !(isGap(line) && gaps.push(line)));
  const rows = shown.map((line) => {
    const row = parseRow(line);
    if (row === undefined) {
      throw new TypeError(`not a line of the file: ${line}`);
    }
    return row;
  });
  const next = NEXT.exec(last)?.[1];
  if (next === undefined && !last.startsWith("End of ")) {
    throw new TypeError(`not a last line: ${last}`);
  }
  const [, path, told] = head as unknown as [string, string, string];
  const total = / of (\d+)[.,]/.exec(told)?.[1];
  const usual = told.includes("Lines end in CRLF.") ? "\r\n" : "\n";
  return {
    path: JSON.parse(path),
    head: told,
    notes,
    rows,
    gaps,
    total: told.startsWith("an empty file")
      ? 0
      : total === undefined
      ? null
      : Number(total),
    more: told.includes(" More follows."),
    next: next === undefined ? null : JSON.parse(next),
    last,
    content: rows.map(({ text, marks }) => text + endingOf(marks, usual))
      .join(""),
  };
}

function isGap(line: string): boolean {
  return /^… lines? \d+(-\d+)? not shown$/.test(line);
}

function endingOf(marks: readonly string[], usual: string): string {
  if (marks.includes("cut") || marks.includes("no newline")) return "";
  if (marks.includes("LF")) return "\n";
  return marks.includes("CRLF") ? "\r\n" : usual;
}

/** The parts of an answer with several files. */
export interface ParsedBatch {
  readonly notes: readonly string[];
  readonly pages: readonly ParsedWords[];
  /** The messages of files that could not be read. */
  readonly errors: readonly string[];
  /** The call that reads the files for which the answer had no room. */
  readonly skipped: Readonly<Record<string, unknown>> | null;
}

/** Parses an answer with several files; an empty line separates them. */
export function parseBatch(text: string): ParsedBatch {
  const notes: string[] = [];
  let rest = text;
  for (let note; (note = /^Note: (.*)\n/.exec(rest)) !== null;) {
    notes.push(note[1]!);
    rest = rest.slice(note[0].length);
  }
  const pages: ParsedWords[] = [];
  const errors: string[] = [];
  let skipped: ParsedBatch["skipped"] = null;
  for (const part of rest.split("\n\n")) {
    if (part.startsWith('"')) pages.push(parseWords(part));
    else if (part.startsWith("Not read, ")) {
      skipped = JSON.parse(/\nNext: read_files (.*)$/.exec(part)![1]!);
    } else errors.push(part);
  }
  return { notes, pages, errors, skipped };
}
