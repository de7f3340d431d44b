// Runtime-agnostic.
import { unescapeHidden } from "../unicode/escape.ts";
import { renderPage } from "./frame.ts";
import { derive, type PageFacts, unescapeLines } from "./notice.ts";
import { isDerived, isOptions, isString, readNotice } from "./read_notice.ts";
import type { InexactLine, Page, PageLine } from "./page.ts";

/**
 * A page that came back from its rendering.
 */
export interface ParsedPage extends Omit<Page, "bytes"> {
  /**
   * Gives the bytes of the file that the page shows.
   *
   * @returns A copy of them; `null` if some are not UTF-8, as no text shows those.
   */
  bytes(): Uint8Array | null;
}

/**
 * Gives back the page that {@linkcode renderPage} rendered.
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
 * @param text The whole rendering, as it was given.
 * @returns The page.
 * @throws {TypeError} If the text is nothing that `renderPage` would give; a row that
 * was taken out, or rewritten as it might give it, may pass.
 */
export function parsePage(text: string): ParsedPage {
  if (typeof text !== "string") throw new TypeError(NO_NOTICE);
  const rows = text.split("\n");
  const notice = readNotice(rows.pop()!);
  if (notice === undefined) throw new TypeError(NO_NOTICE);
  const { range, also, next } = notice;
  const usual = notice.isCrLf ? "\r\n" : "\n";
  const lines = rows.map((row, index) => parseLine(row, index, usual));
  const total = / of (\d+)/.exec(range)?.[1];
  const [start, end, size] = notice.bytes;
  const told = {
    lines,
    inexact: parseInexact(notice.inexact, lines.length),
    shown: { start, end },
    size,
  };
  const options = next === undefined ? null : parseJson(next, isOptions);
  const { version } = notice;
  const facts: PageFacts = {
    ...told,
    path: parseJson(notice.path, isString),
    totalLines: total === undefined ? null : Number(total),
    empty: emptyOf(range),
    next: options,
    etag: version === undefined
      ? options?.etag ?? ""
      : parseJson(version, isString),
    ...derive(told),
    ...(also === undefined ? {} : parseJson(also, isDerived)),
  };
  // Only what says all of this, and in these words, is ours.
  if (renderPage(facts) !== text) throw changed();
  return { ...facts, bytes: () => bytesOf(facts) };
}

const NO_NOTICE = "Cannot parse the page: its last line is no notice";

const LINE = /^(-?\d+)(?::(\d+))?(?: (LF|CRLF|cut|no newline))?( esc)?¦([^]*)$/;

const ENDINGS: Readonly<Record<string, PageLine["ending"]>> = {
  LF: "\n",
  CRLF: "\r\n",
  cut: "",
  "no newline": "",
};

function parseLine(
  row: string,
  index: number,
  usual: PageLine["ending"],
): PageLine {
  const match = LINE.exec(row);
  if (match === null) {
    throw new TypeError(
      `Cannot parse the page: row ${index + 1} has no gutter`,
    );
  }
  const [, number, column = "1", ending, escape, text] = match;
  return {
    number: Number(number),
    column: Number(column),
    text: escape === undefined ? text! : unescapeHidden(text!),
    ending: ending === undefined ? usual : ENDINGS[ending]!,
  };
}

function emptyOf(range: string): Page["empty"] {
  if (range.startsWith("empty file")) return "empty file";
  if (range.startsWith("nothing, past the last col")) {
    return "past the last column";
  }
  return range.startsWith("nothing") ? "past the end" : null;
}

function parseInexact(listed: string, lines: number): InexactLine[] {
  const inexact: InexactLine[] = [];
  const runs = listed.matchAll(
    /lines? (-?\d+)(?:(?:-| to )(-?\d+))? \((not UTF-8|escaped)\)/g,
  );
  for (const [, first, last = first, reason] of runs) {
    const count = Number(last) - Number(first) + 1;
    // A line has two reasons at most; no two numbers make a list without end.
    if (inexact.length + count > lines * 2) throw changed();
    for (let number = Number(first); number <= Number(last); number++) {
      inexact.push({ number, reason: reason as InexactLine["reason"] });
    }
  }
  return inexact;
}

/** Takes JSON that is what it should be: whoever wrote it may have meant anything. */
function parseJson<Value>(
  text: string,
  isValue: (value: unknown) => value is Value,
): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw changed();
  }
  if (!isValue(value)) throw changed();
  return value;
}

function changed(): TypeError {
  return new TypeError(
    "Cannot parse the page: it is not as it was rendered",
  );
}

function bytesOf({ lines, inexact, exact }: PageFacts): Uint8Array | null {
  const isUtf8 = inexact.every(({ reason }) => reason === "escaped");
  if (!isUtf8 || !exact && inexact.length === 0) return null;
  const texts = unescapeLines(lines, inexact)
    .map(({ text, ending }) => text + ending);
  return new TextEncoder().encode(texts.join(""));
}
