// Runtime-agnostic.
import type { FileBytes } from "../base/port.ts";
import { doAtOnce } from "../base/call.ts";
import { charsetOf } from "../encodings/charsets.ts";
import { unescapeHidden } from "../unicode/escape.ts";
import { findHidden } from "../unicode/hidden.ts";
import { agrees } from "./agree.ts";
import { changed, isEscaped, readRow } from "./frame.ts";
import { type Gap, shownBytes } from "./found.ts";
import type { KeptLines } from "./delta.ts";
import {
  hunksOf,
  readEncoding,
  readGap,
  readHits,
  readKept,
  writeGap,
  writeKept,
} from "./notice_parts.ts";
import {
  endsInside,
  MARK,
  NOTHING,
  type PageFacts,
  readInexact,
  readNotice,
  usualEnding,
  writeNotice,
} from "./grammar.ts";
import { writeReceipt } from "./receipt.ts";
import { takePageOptions } from "./page.ts";
import type { InexactLine, Page, PageLine, PageOptions } from "./page.ts";

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
  if (typeof text !== "string") throw new TypeError(NO_NOTICE);
  const begin = text.lastIndexOf("\n") + 1;
  const words = readNotice(text.slice(begin));
  if (words === undefined) throw new TypeError(NO_NOTICE);
  const { path, what, total, start, end, size, version } = words;
  const usual = words.crLf ? "\r\n" : "\n";
  const rows = text.slice(0, begin);
  const isSeen = words.escapes === undefined && !ODD_ROWS.test(rows);
  const isWhole = end === size;
  const read = readLines(rows, { usual, isSeen, isWhole });
  const { lines, escapes, gaps, kept } = read;
  const inexact = readInexact(words.inexact ?? "", lines.length * 2);
  const next = words.next === undefined ? null : readJson(
    words.next,
    (value) => takePageOptions("", value as PageOptions),
  );
  const hits = words.hits === undefined
    ? undefined
    : readHits(words.hits, lines, gaps);
  if (inexact === undefined) throw changed();
  if (hits === undefined && (words.hits ?? gaps[0]) !== undefined) {
    throw changed();
  }
  const isSince = words.left !== undefined;
  if (kept.length > 0 && !isSince) throw changed();
  const shown = { start: Number(start), end: Number(end) };
  const facts = { lines, shown, size: Number(size) };
  const raw = rawOf(lines, inexact);
  const encoding = readEncoding(words.encoding, words.why, words.others);
  if (encoding === undefined) throw changed();
  const charset = charsetOf(encoding.label);
  const isPlain = isSeen && !escapes && raw === lines;
  const page: PageFacts = {
    ...facts,
    path: readJson<string>(path!),
    encoding,
    totalLines: /\d/.test(total!) ? Number(total) : null,
    empty: EMPTIES.find((empty) => NOTHING[empty] === what) ?? null,
    ...(hits !== undefined && { hits }),
    ...(isSince && { hunks: hunksOf(raw, kept) }),
    ...(words.since !== undefined && { since: words.since }),
    ...(words.now !== undefined && { receipt: words.now }),
    next,
    view: words.view === undefined ? null : readJson<string>(words.view),
    etag: version === undefined ? next?.etag ?? "" : readJson<string>(version),
    exact: inexact.length === 0,
    inexact,
    warnings: isPlain ? [] : findHidden(raw, { endsInside: endsInside(facts) }),
  };
  const bytesOf = (shown = raw) => {
    const text = shown.map((line) => line.text + line.ending).join("");
    return charset === undefined ? encoder.encode(text) : charset.encode(text);
  };
  const isUtf8 = inexact.every(({ reason }) => reason === "escaped");
  const others = new Set(
    inexact.map(({ number, reason }) => reason === "escaped" ? NaN : number),
  );
  const length = charset !== undefined
    // Bytes that the text does not give back may be any number.
    ? Math.max(
      bytesOf(raw.filter(({ number }) => !others.has(number)))?.length ?? NaN,
      isUtf8 ? 0 : shownBytes(page),
    )
    : isPlain && hits === undefined && !isSince
    ? plainLength(rows, lines)
    : bytesOf()!.length;
  const isOurs = agrees(page, raw, length) && usual === usualEnding(page) &&
    text.slice(begin) === writeNotice({ page, usual, escapes });
  if (!isOurs) throw changed();
  const { number: line = 1, column = 1 } = lines[0] ?? {};
  return {
    ...page,
    bytes: () => isUtf8 ? bytesOf()! : null,
    get receipt() {
      if (isSince) return words.now ?? null;
      // A page without lines does not show which line was asked for.
      if (!isUtf8 || lines.length === 0 || page.hits) return null;
      const bytes = bytesOf()!;
      const place = { line, column, isEnd: isWhole };
      return doAtOnce(
        writeReceipt({ ...place, bytes, encoding: encoding.label }),
      );
    },
  };
}

const NO_NOTICE = "Cannot parse the page: its last line is no notice";

/** Anything but visible ASCII, tabs, line feeds and bars. */
const ODD_ROWS = /[^\t\n -~¦]/;

const encoder = new TextEncoder();

const EMPTIES = [
  "empty file",
  "past the end",
  "past the last column",
  "no hit",
] as const;

/** Reads the rows; each must end with a line feed, and be exactly as `writeRow` writes it. */
function readLines(
  rows: string,
  { usual, isSeen, isWhole }: {
    readonly usual: PageLine["ending"];
    /** Whether all rows are visible ASCII; not tested if some are marked as escaped. */
    readonly isSeen: boolean;
    /** Whether the page reaches the end of the file. */
    readonly isWhole: boolean;
  },
): {
  readonly lines: readonly PageLine[];
  readonly escapes: boolean;
  readonly gaps: readonly Gap[];
  readonly kept: readonly KeptLines[];
} {
  const lines: PageLine[] = [];
  const gaps: Gap[] = [];
  const kept: KeptLines[] = [];
  let escapes = false;
  let number = parseInt(rows, 10);
  for (let from = 0; from < rows.length;) {
    const to = rows.indexOf("\n", from);
    // Most gutters are only a number, the next one.
    const gutter = number + MARK;
    if (rows.startsWith(gutter, from)) {
      const text = rows.slice(from + gutter.length, to);
      if (!isSeen && isEscaped(text)) throw changed();
      lines.push({ number, column: 1, text, ending: usual });
    } else {
      const row = rows.slice(from, to);
      from = to + 1;
      const isOfLine = !row.startsWith(MARK);
      const gap = isOfLine ? undefined : readGap(row);
      if (gap !== undefined) {
        gaps.push(gap);
        if (writeGap(gap) !== row) throw changed();
        number = gap.end + 1;
        continue;
      }
      const left = isOfLine ? undefined : readKept(row);
      if (left !== undefined) {
        kept.push(left);
        if (writeKept(left) !== row) throw changed();
        number = left.start + left.kept[1] - left.kept[0] + 1;
        continue;
      }
      const isEnd = isWhole && to === rows.length - 1;
      const { line, escaped } = readRow(row, lines.length, usual, isEnd);
      escapes ||= escaped;
      lines.push(line);
      number = line.number;
    }
    number++;
    from = to + 1;
  }
  return { lines, escapes, gaps, kept };
}

/** The lines without the escapes of `escape`. */
function rawOf(
  lines: readonly PageLine[],
  inexact: readonly InexactLine[],
): readonly PageLine[] {
  const escaped = new Set<number>();
  for (const { number, reason } of inexact) {
    if (reason === "escaped") escaped.add(number);
  }
  if (escaped.size === 0) return lines;
  return lines.map((line) => {
    if (!escaped.has(line.number)) return line;
    return { ...line, text: unescapeHidden(line.text) };
  });
}

/** How many bytes lines of ASCII and broken bars have: each row has one bar more, and a bar is two bytes. */
function plainLength(rows: string, lines: readonly PageLine[]): number {
  let length = encoder.encode(rows).length - rows.length - lines.length;
  for (const { text, ending } of lines) length += text.length + ending.length;
  return length;
}

function readJson<Value>(
  json: string,
  take = (value: unknown) => value as Value,
): Value {
  try {
    return take(JSON.parse(json));
  } catch {
    throw changed();
  }
}
