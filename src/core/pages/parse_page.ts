// Runtime-agnostic.
import { unescapeHidden } from "./escape.ts";
import { renderPage } from "./frame.ts";
import {
  derive,
  type Derived,
  ESCAPES,
  type PageFacts,
  unescapeLines,
} from "./notice.ts";
import type { PageOptions } from "./options.ts";
import type { InexactLine, Page, PageLine } from "./page.ts";

/** A page that came back from its rendering. */
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
 * @throws {TypeError} If the text is no rendering, or not all of it, or was changed.
 */
export function parsePage(text: string): ParsedPage {
  const rows = text.split("\n");
  const notice = NOTICE.exec(rows.pop()!);
  if (notice === null) {
    throw new TypeError("Cannot parse the page: its last line is no notice");
  }
  const [, path, range, start, end, size, crLf, , listed, also] = notice;
  const [version, next] = notice.slice(10);
  const usual = crLf === undefined ? "\n" : "\r\n";
  const lines = rows.map((row, index) => parseLine(row, index, usual));
  const options = next === undefined ? null : parseJson<PageOptions>(next);
  const total = / of (\d+)/.exec(range!)?.[1];
  const inexact = parseInexact(listed ?? "", lines.length);
  const facts: PageFacts = {
    path: parseJson<string>(path!),
    lines,
    shown: { start: Number(start), end: Number(end) },
    size: Number(size),
    totalLines: total === undefined ? null : Number(total),
    empty: emptyOf(range!),
    next: options,
    etag: version === undefined
      ? options?.etag ?? ""
      : parseJson<string>(version),
    inexact,
    ...derive(lines, inexact),
    ...(also === undefined ? {} : parseJson<Partial<Derived>>(also)),
  };
  // Only what says all of this, and in these words, is ours.
  if (renderPage(facts) !== text) throw changed();
  return { ...facts, bytes: () => bytesOf(facts) };
}

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const OBJECT = `\\{(?:[^"]|${STRING})*\\}`;
// A bundler that sees no use of the call leaves it out.
const NOTICE = /* @__PURE__ */ noticePattern();

function noticePattern(): RegExp {
  const escapes = ESCAPES.replace(/[\\{}.]/g, "\\$&");
  return new RegExp(
    `^¦ (${STRING}): ([^"{]*), bytes (\\d+) to (\\d+) of (\\d+)\\.` +
      `( Lines end in CRLF\\.)?( ${escapes})?` +
      '(?: Not the exact text: ([^"{]*?)\\.)?(?: Hidden characters: [^"{.]*\\.)?' +
      `(?: Also (${OBJECT})\\.)?(?: Version (${STRING})\\.)?` +
      ` (?:End of [^"{]*\\.|More follows: read this path again with (${OBJECT})\\.)$`,
  );
}

const LINE = /^(\d+)(?::(\d+))?(?: (LF|CRLF|cut|no newline))?( esc)?¦([^]*)$/;

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
  return range.startsWith("nothing") ? "past the end" : null;
}

function parseInexact(listed: string, lines: number): InexactLine[] {
  const inexact: InexactLine[] = [];
  const runs = listed.matchAll(
    /lines? (\d+)(?:-(\d+))? \((not UTF-8|escaped)\)/g,
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

function parseJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw changed();
  }
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
