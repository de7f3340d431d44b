import {
  checkText,
  type Kind,
  ownOf,
  type Refuse,
  refuseMistake,
  type Rules,
  show,
  takeOptions,
} from "../base/check.ts";
import { visibleJson } from "../base/words.ts";
import {
  MOST_NAMED,
  nameLines,
  nextCall,
  onOneLine,
  quotePath,
  shortPath,
  withNotes,
} from "./frame.ts";
import { MAX_REPORTED } from "../unicode/hidden.ts";
import { UNDETECTED } from "../lines/codec.ts";
import type { Gap, InexactLine, Page, PageFacts, PageLine } from "./page.ts";

/** How {@linkcode renderPage} names things; by default as the page itself does. */
export interface RenderOptions {
  /** The path, in the form that a call takes. */
  readonly path?: string | undefined;
  /** The name of the tool that reads on; `read_file` by default. */
  readonly tool?: string | undefined;
  /** The arguments of the next call, as plain JSON; by default the path and `next` of the page, which {@linkcode readerTools} take if the page was read with options that they have. `null` names no call. */
  readonly next?: object | null | undefined;
  /** Sentences for lines after the first one, such as how arguments were understood. */
  readonly notes?: readonly string[] | undefined;
}

/** What only the tools of this package say of a page. */
interface WriteOptions extends RenderOptions {
  /** The pages of a document to which the lines belong, if the call named them. */
  readonly pages?: string | undefined;
  /** The lines to show, if some of the page are left out. */
  readonly lines?: readonly PageLine[];
}

/**
 * Writes a page for a model: a first line that says what is shown and whether
 * more follows, the lines of the file, and a last line that is the next call.
 *
 * - Lines of the file begin with a number and a tab, and no other line does.
 *   Control characters and line breaks in them are escaped, so that no file can
 *   imitate the first line, a note or the last line.
 * - Lines that are counted from the end have a number below zero.
 * - The column follows the number if the text begins inside the line: `7:401`.
 * - Marks follow if the line ends unlike most (`LF`, `CRLF`, `no newline`), is
 *   `cut` or escaped (`esc`), or does not give back its bytes (`not UTF-8`,
 *   `undecodable`, `clipped`). The first line explains those that
 *   need it.
 * - Between the lines around hits stands which lines are not shown; but not
 *   between lines that all match.
 *
 * The text is made at once, without a turn of the event loop: 200,000 lines take
 * 50 to 100 ms, and 300 ms if each has a mark. Limit the read where that is too long.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, renderPage } from "@agent-tools/read-file";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const text = renderPage(await workspace.read("a.txt", { count: 2 }));
 * const [first, ...rest] = text.split("\n");
 * assertMatch(first!, /^"a\.txt": lines 1-2 of .*\. More follows\.$/);
 * assertEquals(rest.slice(0, 2), ["1\tone", "2\ttwo"]);
 * assertMatch(rest[2]!, /^Next: read_file \{"path":"a\.txt","start":3,/);
 * ```
 *
 * @param page A page that was read, or what `JSON.stringify()` kept of it.
 * @throws {TypeError} If `page` is not a page.
 */
export function renderPage(page: PageFacts, options?: RenderOptions): string {
  const taken = takeOptions(options, RENDER_RULES, refuse);
  checkPage("it", page, refuse);
  return writePage(page, taken).text;
}

/** Refuses what is neither a page that was read, nor what JSON keeps of one. */
export function checkPage(
  name: string,
  page: PageFacts,
  refuse: Refuse,
): void {
  const { lines, inexact, warnings, shown } = page ?? {};
  const isPage = Array.isArray(lines) && Array.isArray(inexact) &&
    Array.isArray(warnings) && typeof shown?.end === "number" &&
    lines.every((line: Partial<PageLine> | null) =>
      typeof line?.text === "string" && typeof line.ending === "string" &&
      typeof line.number === "number"
    );
  if (isPage) return;
  throw refuse(name, `must be one that was read, not ${show(page)}`);
}

const refuse = refuseMistake("Cannot render the page");

const NOTES: Kind = {
  wanted: "a list of strings",
  fits: (value) =>
    Array.isArray(value) && value.every((note) => typeof note === "string"),
};

const NEXT: Kind = {
  wanted: "an object or null",
  fits: (value) => typeof value === "object",
};

/** The rule of each option. */
export const RENDER_RULES: Rules<RenderOptions> = {
  path: "text",
  tool: "text",
  next: NEXT,
  notes: NOTES,
};

/** What all parts of the text need. */
interface Rendered {
  readonly path: string;
  readonly tool: string;
  readonly page: PageFacts;
  readonly lines: readonly PageLine[];
  readonly next: object | null;
  readonly pages: string | undefined;
}

/** The text of a page as {@linkcode renderPage} gives it; its frame, without the rows; and the rows. */
export function writePage(page: PageFacts, options: WriteOptions = {}) {
  const own = ownOf(options);
  const { path = page.path, tool = "read_file", notes = [] } = own;
  const { next = page.next && { ...shortPath(path), ...page.next } } = own;
  const { pages, lines = page.lines } = own;
  const shown: Rendered = { page, lines, path, tool, next, pages };
  const { rows, usual, marks } = writeRows(shown);
  const head = headOf(shown, usual, marks);
  const before = `${withNotes(head, notes)}\n`;
  const last = lastRow(shown);
  const text = before + [...rows, last].join("\n");
  return { text, frame: before + last, rows };
}

/** The rows, each with the gap before it; the usual line ending, which has no mark; and all marks. */
function writeRows({ page, lines }: Rendered) {
  const usual = usualEnding(lines);
  const reasonsOf = reasonsByLine(page);
  const marks = new Set<string>();
  const [least, most] = [lines[0]?.number ?? 0, lines.at(-1)?.number ?? 0];
  const all = page.hits?.gaps ?? [];
  // Between lines that all match, the numbers say what is left out.
  const gaps = isOfHitsOnly(page, lines)
    ? all.filter(({ start, end }) => end < least || start > most)
    : all;
  let passed = 0;
  const rows = lines.map((line, index) => {
    const { number, column, ending } = line;
    const text = onOneLine(line.text);
    const own: string[] = [];
    if (ending !== usual) {
      const isLast = index === lines.length - 1;
      const endsFile = isLast && page.shown.end >= page.size;
      own.push(endsFile && ending === "" ? "no newline" : ENDINGS[ending]);
    }
    const reasons = reasonsOf.get(number);
    // The page may have escaped the line already.
    if (text !== line.text || reasons?.has("escaped")) own.push("esc");
    for (const reason of reasons ?? []) {
      if (reason !== "escaped") own.push(reason);
    }
    let row = "";
    while (passed < gaps.length && gaps[passed]!.end < number) {
      row += `${writeGap(gaps[passed++]!)}\n`;
    }
    row += column === 1 ? `${number}` : `${number}:${column}`;
    for (const mark of own) {
      row += ` ${mark}`;
      marks.add(mark);
    }
    return `${row}\t${text}`;
  });
  // After the last hit, a limit may have left out lines.
  for (const gap of gaps.slice(rows.length > 0 ? passed : gaps.length)) {
    rows.push(`${rows.pop()}\n${writeGap(gap)}`);
  }
  return { rows, usual, marks };
}

/** Whether each line is a hit, so that the numbers say which lines are left out. */
function isOfHitsOnly(
  { hits }: PageFacts,
  lines: readonly PageLine[],
): boolean {
  const found = new Set(hits?.lines);
  return lines.every(({ number }) => found.has(number));
}

/** The mark of each line ending; without an ending, the page ends inside the line. */
export const ENDINGS = { "\n": "LF", "\r\n": "CRLF", "": "cut" };

/** The marks of lines that are escaped, or do not give back their bytes, and the sentences that explain them. */
export const MARKS: Readonly<Record<Mark, string>> = {
  esc:
    "Lines marked esc show control characters as \\u{1B}, and a backslash before u{ as \\u{5C}.",
  "not UTF-8": "Lines marked not UTF-8 show \\uFFFD where bytes are not text.",
  undecodable:
    "Lines marked undecodable show \\uFFFD where bytes are not text.",
  clipped: "Lines marked clipped go on in the file.",
};

/** A mark that the first line explains. */
type Mark = "esc" | Exclude<InexactLine["reason"], "escaped">;

/** The ending of most lines. */
export function usualEnding(
  lines: readonly Pick<PageLine, "ending">[],
): "\n" | "\r\n" {
  let balance = 0;
  for (const { ending } of lines) {
    if (ending === "\r\n") balance++;
    else if (ending === "\n") balance--;
  }
  return balance > 0 ? "\r\n" : "\n";
}

/** Why the text of a line does not give back its bytes, by the number of the line; each reason once. */
function reasonsByLine({ inexact }: PageFacts) {
  const byLine = new Map<number, Set<InexactLine["reason"]>>();
  for (const { number, reason } of inexact) {
    const known = byLine.get(number);
    if (known === undefined) byLine.set(number, new Set([reason]));
    else known.add(reason);
  }
  return byLine;
}

/** Says which lines are not shown; it does not begin with a number. */
function writeGap({ start, end }: Gap): string {
  return `… ${nameLines([[start, end]])} not shown`;
}

/** The first line: which lines of which file, and whether more follow. */
function headOf(
  shown: Rendered,
  usual: string,
  marks: ReadonlySet<string>,
): string {
  return sentencesOf([
    `${quotePath(shown.path)}: ${shownRange(shown)}.`,
    shown.next !== null && "More follows.",
    ...sentencesOnText(shown, usual),
    ...sentencesOnRows(shown, marks),
    sentenceOnHidden(shown),
  ]).join(" ");
}

/** The sentences that there are, each on one line. */
function sentencesOf(sentences: readonly (string | false)[]): string[] {
  return sentences.filter((sentence) => sentence !== false).map(onOneLine);
}

/** How the file became text. */
function sentencesOnText(
  { page: { view, encoding } }: Rendered,
  usual: string,
) {
  return [
    view !== null && sentenceOnView(view),
    encoding.label !== "utf-8" && sentenceOn(encoding),
    usual === "\r\n" && "Lines end in CRLF.",
  ];
}

/** What there is to know of some rows, which may be those of several files. */
function sentencesOnRows(
  { page, lines, next }: Rendered,
  marks: ReadonlySet<string>,
) {
  const { encoding, hits } = page;
  /** Whether a part of a line is shown that no next page goes on with. */
  const isInPart = ({ column, ending }: PageLine, at: number) =>
    column > 1 || ending === "" &&
      (at < lines.length - 1 || next === null && page.shown.end < page.size);
  return [
    ...Object.entries(MARKS)
      .map(([mark, sentence]) => marks.has(mark) && sentence),
    (marks.has("not UTF-8") || page.empty === "no hit") &&
    encoding.why === UNDETECTED.why &&
    'For text in another encoding, name it: "encoding": "windows-1252".',
    hits !== undefined && lines.some(isInPart) &&
    'Long lines show what is around each hit; "start" and "column" show more.',
  ];
}

/** The lines that match in one of several files. */
export interface FoundText {
  /** A line with the path. */
  readonly head: string;
  readonly rows: readonly string[];
  /** What there is to know of some rows, to be said once. */
  readonly sentences: readonly string[];
}

/** Writes the lines that match in one of several files. */
export function writeFound(page: PageFacts, path: string): FoundText {
  const shown: Rendered = {
    page,
    lines: page.lines,
    path,
    tool: "",
    next: null,
    pages: undefined,
  };
  const { rows, usual, marks } = writeRows(shown);
  const inside = hitsInLines(page);
  const sentences = sentencesOf([
    inside !== undefined && `${inside}.`,
    ...sentencesOnText(shown, usual),
    sentenceOnHidden(shown),
  ]);
  return {
    head: [`${quotePath(path)}:`, ...sentences].join(" "),
    rows,
    sentences: sentencesOf(sentencesOnRows(shown, marks)),
  };
}

/** After "no line matches". */
export const OTHER_CASE = ', but some do with "ignoreCase": true';

/** Which lines of how many the page shows, or why it shows none. */
function shownRange({ page, lines }: Rendered): string {
  const { empty, shown, size, hits, totalLines } = page;
  if (empty === "binary") return `a binary file of ${size} bytes`;
  if (empty === "empty file") return "an empty file";
  const total = totalLines ?? `an unknown total (${size} bytes)`;
  if (empty === "no hit") {
    return `no line matches, of ${total}${hits?.otherCase ? OTHER_CASE : ""}`;
  }
  if (empty === "blank lines") {
    return `a block of only blank lines, of ${total}`;
  }
  if (empty !== null) {
    const line = empty === "past the end" ? "line" : "column of the last line";
    return `nothing, past the last ${line} of ${total}`;
  }
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return `no line of ${total}`;
  const numbers = nameLines([[first.number, last.number]]);
  const from = first.column === 1 ? "" : `, from column ${first.column}`;
  const isInside = last.ending === "" && shown.end < size;
  const to = isInside ? `, cut inside line ${last.number}` : "";
  const least = hits?.exact ? "" : "at least ";
  const found = hits === undefined
    ? ""
    : `, with ${hits.lines.length} of ${least}${hits.count} lines that match`;
  const inside = hitsInLines(page);
  const several = inside === undefined ? "" : `, ${inside}`;
  return `${numbers} of ${total}${from}${to}${found}${several}`;
}

/** How many hits are shown of long lines that have several, and how many follow in the last one. */
function hitsInLines({ hits }: PageFacts): string | undefined {
  const { inOneLine = [] } = hits ?? {};
  if (inOneLine.length === 0) return undefined;
  const sum = inOneLine.reduce((sum, { count }) => sum + count, 0);
  const [{ line } = { line: 0 }] = inOneLine;
  const where = inOneLine.length > 1
    ? `${inOneLine.length} lines`
    : nameLines([[line, line]]);
  const shown = `${sum} hit${sum === 1 ? "" : "s"} shown of ${where}`;
  const { line: last, left = 0, leastLeft } = inOneLine.at(-1)!;
  if (left === 0) return shown;
  const least = leastLeft ? "at least " : "";
  const there = inOneLine.length > 1 ? `line ${last}` : "it";
  return `${shown}, ${least}${left} more in ${there}`;
}

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

/** The sentence about the hidden characters that have no use in ordinary text. */
function sentenceOnHidden({ page, lines }: Rendered): string | false {
  if (page.warnings.length === 0) return false;
  return writeHidden(
    page.warnings,
    new Set(lines.map(({ number }) => number)),
  );
}

/** The same, of lines with these numbers. */
export function writeHidden(
  warnings: Page["warnings"],
  numbers: ReadonlySet<number>,
): string | false {
  const hidden = warnings
    .filter(({ level, line }) => level === "warning" && numbers.has(line));
  if (hidden.length === 0) return false;
  const named = hidden.slice(0, MOST_NAMED).map(
    ({ line, column, code, name }) =>
      `${code} ${name} (line ${line}, column ${column})`,
  );
  const more = hidden.length - named.length;
  // A page reports only the first ones.
  const least = hidden.length >= MAX_REPORTED ? "at least " : "";
  if (more > 0) named.push(`and ${least}${more} more`);
  return `Hidden characters: ${named.join(", ")}.`;
}

/** The last line: the next call, or why no call follows. */
function lastRow({ page, lines, next, pages, tool }: Rendered): string {
  const { shown, size, empty, hits, totalLines, leftOut = 0 } = page;
  if (next !== null) return nextCall(tool, next);
  const end = pages === undefined
    ? "End of file."
    : `End of "pages": ${visibleJson(pages)}.`;
  if (empty === "past the end" && totalLines) {
    return `${end} Start at line ${totalLines} or before.`;
  }
  if (empty === "past the last column" && totalLines) {
    return `${end} Line ${totalLines} ends before that column.`;
  }
  if (empty === "blank lines") return "End of the block.";
  if (hits !== undefined && empty !== "past the end") {
    return empty === "empty file" ? end : "End of the lines that match.";
  }
  if (shown.end < size && (empty === null || empty === "binary")) {
    const goesOn = "End of what was asked for; the file goes on.";
    return withoutNumbers(goesOn, lines, leftOut);
  }
  return withoutNumbers(end, lines, leftOut);
}

/** The last line of a page whose lines may have no numbers: how to get those, and the lines that a limit left out. */
function withoutNumbers(
  end: string,
  lines: readonly PageLine[],
  leftOut: number,
): string {
  if (!lines.some(({ number }) => number < 0)) return end;
  if (leftOut === 0) return `${end} ${FROM_END}`;
  const more = leftOut === 1 ? "1 line" : `${leftOut} lines`;
  return `${end} Line -1 is the last; up to ${more} before these did not fit, and "numbered": true shows them.`;
}

const FROM_END =
  'Line -1 is the last; "numbered": true counts lines from the first.';

/**
 * Whether a text contains the rendering of a page, or a part of it: a line with
 * its number, together with a first or a last line; even after a prefix, as in
 * diffs, quotes, comments and tables. For tools that write files: a rendering
 * should not be saved.
 *
 * Numbered lines alone are not recognized: of 20,001 ordinary files, 85 have a
 * line that begins with a number and a tab. Neither is a page without lines.
 *
 * @example Usage
 * ```ts
 * import { isRendered } from "@agent-tools/read-file";
 * import { assert } from "@std/assert";
 *
 * assert(isRendered("> 12\tconst a = 1;\n> 13\tconst b = 2;\n> End of file."));
 * assert(!isRendered("12\tconst a = 1;\n13\tconst b = 2;"));
 * ```
 */
export function isRendered(text: string): boolean {
  checkText(text, "Cannot look for a page in a text");
  return EDGE.test(text) && ROW.test(text);
}

/** Signs before a line, as of diffs, quotes and comments; then perhaps the number of a list, or the name of a tag, and signs again. */
const PREFIX =
  /[^\w"\n\r\u2028\u2029]*(?:\w{1,9}[.:)\]>|\t][^\w"\n\r\u2028\u2029]*)?/;

/** The words that a row may have after its number. */
const ALL_MARKS = [
  ...Object.values(ENDINGS),
  "no newline",
  ...Object.keys(MARKS),
];

/** Matches the beginning of a row. */
const ROW = new RegExp(
  `^${PREFIX.source}-?[1-9]\\d{0,15}(?::[1-9]\\d{0,15})?(?: (?:${
    ALL_MARKS.join("|")
  }))*\\t`,
  "m",
);

const HEAD =
  /"(?:[^"\\\n]|\\.)*": (?:lines? -?\d.* of (?:\d|an unknown total)|\d+ lines? match(?:es)? in \d+ file)/;

const LAST =
  /Next: \S+ (?:with the same path and )?\{["}]|End of (?:file\.(?: Line| Start|(?! ?\w))|"pages": "|the lines that match\.|what was asked for;)/;

/** Matches the first line of a page with lines, or the last line. */
const EDGE = new RegExp(
  `^${PREFIX.source}(?:${HEAD.source}|${LAST.source})`,
  "m",
);
