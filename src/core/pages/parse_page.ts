// Runtime-agnostic.
import type { FileBytes } from "../base/port.ts";
import { doAtOnce } from "../base/call.ts";
import { readSafely, refuseMistake } from "../base/check.ts";
import { charsetOf } from "../encodings/charsets.ts";
import { unescapeHidden } from "../unicode/escape.ts";
import { findHidden } from "../unicode/hidden.ts";
import { agrees } from "./agree.ts";
import { render } from "./frame.ts";
import type { KeptLines } from "./delta.ts";
import { hunksOf, lastOf, rawOf, readEncoding } from "./notice_parts.ts";
import { readHits, readInexact, readLeftOut } from "./notice_parts.ts";
import { endsInside, GUTTER, MARK, NOTHING, readNotice } from "./grammar.ts";
import type { PageFacts } from "./grammar.ts";
import { writeReceipt } from "./receipt.ts";
import { shownBytes, takePageOptions } from "./page.ts";
import type { Gap, InexactLine, Page, PageLine } from "./page.ts";

/** A page that was parsed from its rendering. */
export interface ParsedPage extends Omit<Page, "bytes" | "receipt"> {
  /**
   * The receipt of the page; `null` if it shows no line or several runs of lines,
   * or if some bytes are not UTF-8. That of a page with `since`, and `since`
   * itself, are for {@linkcode applyDelta} alone.
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
  if (words === undefined) throw refuse("its last line", "is not a notice");
  const { path, what, total, next, view, version } = words;
  const rows = readRows(text.slice(0, begin), words.crLf ? "\r\n" : "\n");
  const { lines, gaps, kept } = rows;
  const inexact = readInexact(words.inexact ?? "", lines.length * 2);
  const encoding = readEncoding(words.encoding, words.why, words.others);
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
  const hits = words.hits === undefined
    ? undefined
    : readHits(words.hits, lines, gaps);
  const isSince = words.left !== undefined;
  const shown = { start: Number(words.start), end: Number(words.end) };
  const facts = { lines, shown, size: Number(words.size) };
  const raw = rawOf(lines, inexact);
  const empties = Object.keys(NOTHING) as (keyof typeof NOTHING)[];
  const page: PageFacts = {
    ...facts,
    path: json.path,
    encoding,
    totalLines: /\d/.test(total!) ? Number(total) : null,
    empty: empties.find((empty) => NOTHING[empty] === what) ?? null,
    ...(hits !== undefined && { hits }),
    ...(isSince && { hunks: doAtOnce(hunksOf(raw, kept)) }),
    ...(words.since !== undefined && { since: words.since }),
    ...(words.now !== undefined && { receipt: words.now }),
    next: json.next,
    view: json.view,
    etag: json.etag ?? json.next?.etag ?? "",
    exact: inexact.length === 0,
    inexact,
    warnings: findHidden(raw, { endsInside: endsInside(facts) }),
  };
  const charset = charsetOf(encoding.label);
  const bytesOf = (shown = raw) => {
    const text = shown.map((line) => line.text + line.ending).join("");
    return charset === undefined ? encoder.encode(text) : charset.encode(text);
  };
  const isLost = ({ reason }: InexactLine) => reason !== "escaped";
  const lost = new Set(inexact.filter(isLost).map(({ number }) => number));
  const isUtf8 = lost.size === 0;
  const length = charset === undefined
    ? bytesOf()!.length
    // Bytes that the text does not give back may be any number.
    : Math.max(
      bytesOf(raw.filter(({ number }) => !lost.has(number)))?.length ?? NaN,
      isUtf8 ? 0 : shownBytes(page),
    );
  // The rows were read leniently; if one was changed, the page renders as another text.
  if (!agrees(page, raw, length) || render(page) !== text) throw changed();
  const { number: line = 1, column = 1 } = lines[0] ?? {};
  return {
    ...page,
    bytes: () => isUtf8 ? bytesOf()! : null,
    get receipt() {
      if (isSince) return words.now ?? null;
      // A page without lines does not show which line was asked for.
      if (!isUtf8 || lines.length === 0 || page.hits) return null;
      const isEnd = shown.end === page.size;
      const place = { line, column, isEnd, encoding: encoding.label };
      return doAtOnce(writeReceipt(bytesOf()!, place));
    },
  };
}

const refuse = /* @__PURE__ */ refuseMistake("Cannot parse the page");

const changed = () => refuse("it", "is not as it was rendered");

const encoder = new TextEncoder();

/** The line ending for a word of a gutter. */
const ENDINGS: Readonly<Record<string, PageLine["ending"]>> = {
  LF: "\n",
  CRLF: "\r\n",
};

/** Reads the rows, each of which ends with a line feed. */
function readRows(rows: string, usual: PageLine["ending"]) {
  const lines: PageLine[] = [];
  const gaps: Gap[] = [];
  const kept: KeptLines[] = [];
  const pattern = new RegExp(`^${GUTTER}`);
  let number = parseInt(rows, 10);
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
    const left = readLeftOut(row);
    if (left !== undefined) {
      if ("kept" in left) kept.push(left);
      else gaps.push(left);
      number = lastOf(left);
      continue;
    }
    const match = pattern.exec(row);
    if (match === null) {
      throw refuse(`row ${lines.length + 1}`, "has no gutter");
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
