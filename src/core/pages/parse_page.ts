// Runtime-agnostic.
import { unescapeHidden } from "../unicode/escape.ts";
import { findHidden } from "../unicode/hidden.ts";
import { agrees } from "./agree.ts";
import { renderPage } from "./frame.ts";
import {
  endingOf,
  endsInside,
  GUTTER,
  NOTHING,
  type PageFacts,
  readInexact,
  readNotice,
} from "./grammar.ts";
import {
  type Page,
  type PageLine,
  type PageOptions,
  takePageOptions,
} from "./page.ts";

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
 * What a page cannot be is refused: rows that were added, removed or renumbered,
 * counts of bytes that are not those of the rows, a `next` that does not go on
 * where the page ends. A row whose text was replaced by as many bytes may pass.
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
 * @throws {TypeError} If the text is not the rendering of a page that was read.
 */
export function parsePage(text: string): ParsedPage {
  if (typeof text !== "string") throw new TypeError(NO_NOTICE);
  const begin = text.lastIndexOf("\n") + 1;
  const words = readNotice(text.slice(begin));
  if (words === undefined) throw new TypeError(NO_NOTICE);
  const { path, what, total, start, end, size, version } = words;
  const lines = readLines(text.slice(0, begin), words.crLf ? "\r\n" : "\n");
  const inexact = readInexact(words.inexact ?? "", lines.length * 2);
  const next = words.next === undefined ? null : readOptions(words.next);
  if (inexact === undefined) throw changed();
  const shown = { start: Number(start), end: Number(end) };
  const facts = { lines, shown, size: Number(size) };
  const escaped = new Set<number>();
  for (const { number, reason } of inexact) {
    if (reason === "escaped") escaped.add(number);
  }
  // As the file has them.
  const raw = escaped.size === 0
    ? lines
    : lines.map((line) =>
      escaped.has(line.number)
        ? { ...line, text: unescapeHidden(line.text) }
        : line
    );
  const page: PageFacts = {
    ...facts,
    path: readJson(path!) as string,
    totalLines: /\d/.test(total!) ? Number(total) : null,
    empty: EMPTIES.find((empty) => NOTHING[empty] === what) ?? null,
    next,
    etag: version === undefined
      ? next?.etag ?? ""
      : readJson(version) as string,
    exact: inexact.length === 0,
    inexact,
    warnings: findHidden(raw, { endsInside: endsInside(facts) }),
  };
  const bytes = new TextEncoder().encode(
    raw.map((line) => line.text + line.ending).join(""),
  );
  if (!agrees(page, raw, bytes.length) || renderPage(page) !== text) {
    throw changed();
  }
  const isUtf8 = inexact.every(({ reason }) => reason === "escaped");
  return { ...page, bytes: () => isUtf8 ? bytes.slice() : null };
}

const NO_NOTICE = "Cannot parse the page: its last line is no notice";

const EMPTIES = [
  "empty file",
  "past the end",
  "past the last column",
] as const;

const ROW = /* @__PURE__ */ rowPattern(GUTTER);

function rowPattern(gutter: string): RegExp {
  return new RegExp(`^${gutter}([^]*)$`);
}

/** Reads the rows, each of which ends with a line feed. */
function readLines(rows: string, usual: PageLine["ending"]): PageLine[] {
  const lines: PageLine[] = [];
  let guess = 1;
  for (let from = 0; from < rows.length;) {
    const to = rows.indexOf("\n", from);
    const plain = `${guess}¦`;
    let line: PageLine;
    // Most rows have a number alone, and it is the next one.
    if (rows.startsWith(plain, from)) {
      const text = rows.slice(from + plain.length, to);
      line = { number: guess, column: 1, text, ending: usual };
    } else {
      const match = ROW.exec(rows.slice(from, to));
      if (match === null) {
        throw new TypeError(
          `Cannot parse the page: row ${lines.length + 1} has no gutter`,
        );
      }
      const [, number, column = "1", word, escape, shown] = match;
      const text = escape === undefined ? shown! : unescapeHidden(shown!);
      const ending = endingOf(word, usual);
      line = { number: Number(number), column: Number(column), text, ending };
    }
    lines.push(line);
    guess = line.number + 1;
    from = to + 1;
  }
  return lines;
}

function readOptions(json: string): PageOptions {
  try {
    return takePageOptions("", readJson(json) as PageOptions);
  } catch {
    throw changed();
  }
}

function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw changed();
  }
}

function changed(): TypeError {
  return new TypeError(
    "Cannot parse the page: it is not as it was rendered",
  );
}
