/** Parses what `renderPage()` writes, without its code: the frame, and the lines of the file. */
import { assertEquals } from "@std/assert";
import { isRendered, type Page, renderPage } from "../../mod.ts";
import { unescapeHidden } from "../../src/core/unicode/escape.ts";

/** A shown line of a file. */
export interface Row {
  readonly number: number;
  readonly column: number;
  /** `cut`, `no newline`, `LF`, `CRLF`, `esc`, `not UTF-8`, `undecodable`, `clipped`. */
  readonly marks: readonly string[];
  readonly text: string;
  /** The line ending that the mark, or the first line, names; empty inside a line. */
  readonly ending: "" | "\n" | "\r\n";
}

/** Lines that are not shown. */
interface LeftOut {
  readonly start: number;
  readonly end: number;
}

/** The parts of a page. */
export interface ParsedWords {
  readonly path: string;
  /** The first line, without the path. */
  readonly head: string;
  readonly notes: readonly string[];
  readonly rows: readonly Row[];
  /** Which lines are not shown, between lines that are. */
  readonly gaps: readonly LeftOut[];
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
  /^(-?[1-9]\d*)(?::([1-9]\d*))?((?: (?:cut|no newline|LF|CRLF|esc|not UTF-8|undecodable|clipped))*)\t(.*)$/s;
const MARKS = /cut|no newline|LF|CRLF|esc|not UTF-8|undecodable|clipped/g;

const HEAD = /^("(?:[^"\\]|\\.)*"): (.*)$/;
const GAP = /^… lines? (-?[1-9]\d*)(?:(?:-| to )(-?[1-9]\d*))? not shown$/;
const NEXT = /^Next: \S+ (?:with the same path and )?(\{.*\})$/;

/** Parses a line of the file, among lines that usually end with `usual`; `undefined` for any other line. */
export function parseRow(
  line: string,
  usual: "\n" | "\r\n" = "\n",
): Row | undefined {
  const match = ROW.exec(line);
  if (match === null) return undefined;
  const [, number, column = "1", words, shown] = match;
  const marks: readonly string[] = words!.match(MARKS) ?? [];
  const text = marks.includes("esc") ? unescapeHidden(shown!) : shown!;
  return {
    number: Number(number),
    column: Number(column),
    marks,
    text,
    ending: endingOf(marks, usual),
  };
}

/** Parses a page; throws for any other text. */
export function parseWords(text: string): ParsedWords {
  const lines = text.split("\n");
  const head = HEAD.exec(lines.shift() ?? "");
  const last = lines.pop() ?? "";
  if (head === null) throw new TypeError(`the first line is missing: ${text}`);
  const [, path, told] = head as unknown as [string, string, string];
  const usual = told.includes("Lines end in CRLF.") ? "\r\n" : "\n";
  const notes: string[] = [];
  while (lines[0]?.startsWith("Note: ")) notes.push(lines.shift()!.slice(6));
  const gaps: LeftOut[] = [];
  const rows: Row[] = [];
  for (const line of lines) {
    const [, start, end = start] = GAP.exec(line) ?? [];
    if (start !== undefined) {
      gaps.push({ start: Number(start), end: Number(end) });
      continue;
    }
    const row = parseRow(line, usual);
    if (row === undefined) {
      throw new TypeError(`not a line of the file: ${line}`);
    }
    rows.push(row);
  }
  const next = NEXT.exec(last)?.[1];
  if (next === undefined && !last.startsWith("End of ")) {
    throw new TypeError(`not a last line: ${last}`);
  }
  const total = / of (\d+)[.,]/.exec(told)?.[1];
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
    content: rows.map(({ text, ending }) => text + ending).join(""),
  };
}

function endingOf(marks: readonly string[], usual: "\n" | "\r\n") {
  if (marks.includes("cut") || marks.includes("no newline")) return "";
  if (marks.includes("LF")) return "\n";
  return marks.includes("CRLF") ? "\r\n" : usual;
}

/** Fails if the rendering of a page does not give back what the page has. */
export function checkRendering(page: Page): void {
  const { lines, hits, totalLines, next, inexact } = page;
  const text = renderPage(page);
  const parsed = parseWords(text);
  assertEquals(
    parsed.rows.map(({ marks: _, ...row }) => row),
    lines.map((line) => {
      const reasons = reasonsOf(page, line.number);
      const text = reasons.includes("escaped")
        ? unescapeHidden(line.text)
        : line.text;
      return { ...line, text };
    }),
  );
  for (const loss of ["not UTF-8", "undecodable", "clipped"]) {
    assertEquals(
      parsed.rows.map(({ marks }) => marks.includes(loss)),
      lines.map(({ number }) => reasonsOf(page, number).includes(loss)),
    );
  }
  // Between lines that all match, nothing says what is left out.
  const isOfHits = lines.every(({ number }) => hits?.lines.includes(number));
  const [least, most] = [lines[0]?.number ?? 0, lines.at(-1)?.number ?? 0];
  const gaps = hits?.gaps.map(({ start, end }) => ({ start, end })) ?? [];
  assertEquals(
    parsed.gaps,
    gaps.filter(({ start, end }) => !isOfHits || end < least || start > most),
  );
  assertEquals(parsed.next, next && { path: page.path, ...next });
  assertEquals(
    [parsed.path, parsed.notes, parsed.total, parsed.more],
    [page.path, [], totalLines, next !== null],
  );
  const { label, why } = page.encoding;
  assertEquals(
    parsed.head.includes(` In ${label} (${why}`),
    label !== "utf-8",
  );
  // However other programs split lines, there are no more.
  assertEquals(
    text.split(/\r\n|[\n\r\v\f\x85\u2028\u2029]/).length,
    1 + lines.length + parsed.gaps.length + 1,
  );
  const isExact = inexact.every(({ reason }) => reason === "escaped");
  if (label === "utf-8" && isExact && page.empty !== "binary") {
    const bytes = new TextEncoder().encode(parsed.content);
    assertEquals(bytes, Uint8Array.from(page.bytes()));
  }
  assertEquals(isRendered(text), lines.length > 0, text);
}

/** Why a line does not give back its bytes. */
function reasonsOf({ inexact }: Page, number: number): readonly string[] {
  return inexact.filter((line) => line.number === number)
    .map(({ reason }) => reason);
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
      skipped = JSON.parse(/\nNext: read_files? (.*)$/.exec(part)![1]!);
    } else errors.push(part);
  }
  return { notes, pages, errors, skipped };
}
