// Runtime-agnostic.
import { unescapeHidden } from "../unicode/escape.ts";
import {
  findHidden,
  type HiddenCharacter,
  MAX_REPORTED,
} from "../unicode/hidden.ts";
import { EACH_HIDDEN } from "../unicode/rules.ts";
import type { InexactLine, Page, PageLine } from "./page.ts";

/** Ends a gutter, and begins the notice: one character that source files do not use. */
export const MARK = "¦";

/** How many of the hidden characters are named; the others are counted. */
const MAX_NAMED = 5;

/** What a page says, without a way to its bytes. */
export type PageFacts = Omit<Page, "bytes">;

/** What follows from the rest of a page, and is not said where it does. */
export interface Derived {
  /** {@linkcode Page.exact} */
  readonly exact: boolean;
  /** {@linkcode Page.warnings} */
  readonly warnings: readonly HiddenCharacter[];
}

/** What follows from the lines of a page, and from where in its file it ends. */
export function derive(
  { lines, inexact, shown, size }: Pick<
    PageFacts,
    "lines" | "inexact" | "shown" | "size"
  >,
): Derived {
  const endsInside = lines.at(-1)?.ending === "" && shown.end < size;
  return {
    exact: inexact.length === 0,
    warnings: findHidden(unescapeLines(lines, inexact), { endsInside }),
  };
}

/** The lines as they are in the file, if only `escape` changed them. */
export function unescapeLines(
  lines: readonly PageLine[],
  inexact: readonly InexactLine[],
): readonly PageLine[] {
  const escaped = new Set(
    inexact.filter(({ reason }) => reason === "escaped")
      .map(({ number }) => number),
  );
  if (escaped.size === 0) return lines;
  return lines.map((line) =>
    escaped.has(line.number)
      ? { ...line, text: unescapeHidden(line.text) }
      : line
  );
}

/** The ending of most lines, which their gutters need not show. */
export function usualEnding(page: PageFacts): "\n" | "\r\n" {
  let crLfs = 0;
  let lfs = 0;
  for (const { ending } of page.lines) {
    if (ending === "\r\n") crLfs++;
    else if (ending === "\n") lfs++;
  }
  return crLfs > lfs ? "\r\n" : "\n";
}

/** The notice at the end of a rendering; `escapes` tells whether a line is marked so. */
export function noticeOf(
  page: PageFacts,
  usual: PageLine["ending"],
  escapes: boolean,
): string {
  const { path, shown, size, inexact, warnings, next, etag } = page;
  const sentences = [
    `${MARK} ${json(path)}: ${
      rangeOf(page)
    }, bytes ${shown.start} to ${shown.end} of ${size}.`,
  ];
  if (usual === "\r\n") sentences.push("Lines end in CRLF.");
  if (escapes) sentences.push(ESCAPES);
  if (inexact.length > 0) {
    sentences.push(`Not the exact text: ${listInexact(inexact)}.`);
  }
  const suspects = warnings.filter(({ level }) => level === "warning");
  if (suspects.length > 0) {
    sentences.push(`Hidden characters: ${listHidden(suspects)}.`);
  }
  const derived = derive(page);
  const rest: Partial<Derived> = {
    ...(page.exact === derived.exact ? {} : { exact: page.exact }),
    ...(json(warnings) === json(derived.warnings) ? {} : { warnings }),
  };
  if (Object.keys(rest).length > 0) sentences.push(`Also ${json(rest)}.`);
  if (etag !== next?.etag) sentences.push(`Version ${json(etag)}.`);
  sentences.push(goOn(page));
  return sentences.join(" ");
}

/** What a number below zero in a gutter means. */
const FROM_END =
  "End of file; lines are counted from it, -1 is the last. Ask with numbered: true to have them counted from the first.";

/** What `esc` in a gutter means. */
export const ESCAPES =
  "Lines marked esc show control characters as \\u{1B}, and a backslash before u{ as \\u{5C}.";

/** As JSON in which each hidden character is seen. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(
    EACH_HIDDEN,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) =>
          `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}

function rangeOf(page: PageFacts): string {
  const { lines, empty, totalLines } = page;
  const total = totalLines === null ? "an unknown total" : `${totalLines}`;
  if (empty === "empty file") return `empty file, 0 lines of ${total}`;
  if (empty === "past the end") {
    return `nothing, past the last line of ${total}`;
  }
  if (empty === "past the last column") {
    return `nothing, past the last column of the last line of ${total}`;
  }
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return `no line of ${total}`;
  const numbers = linesFrom(first.number, last.number);
  const from = first.column === 1 ? "" : `, from column ${first.column}`;
  const inside = last.ending === "" && page.shown.end < page.size;
  const to = inside ? `, cut inside line ${last.number}` : "";
  return `${numbers} of ${total}${from}${to}`;
}

/** Some lines in a row; what is counted from the end has a sign that no dash is beside. */
function linesFrom(first: number, last: number): string {
  if (first === last) return `line ${first}`;
  const to = Math.min(first, last) < 0 ? " to " : "-";
  return `lines ${first}${to}${last}`;
}

function listInexact(inexact: readonly InexactLine[]): string {
  const runs: { first: number; last: number; reason: string }[] = [];
  for (const { number, reason } of inexact) {
    const run = runs.at(-1);
    if (run?.reason === reason && run.last + 1 === number) run.last = number;
    else runs.push({ first: number, last: number, reason });
  }
  return runs.map(({ first, last, reason }) =>
    `${linesFrom(first, last)} (${reason})`
  ).join(", ");
}

function listHidden(suspects: readonly HiddenCharacter[]): string {
  const named = suspects.slice(0, MAX_NAMED).map(
    ({ line, column, code, name }) =>
      // Whoever made the page, its names end no sentence of ours.
      `${
        `${code} ${name}`.replace(/[^\w+ -]/g, "")
      } (line ${line}, column ${column})`,
  );
  const more = suspects.length - named.length;
  // Where no more were reported, there may be more all the same.
  const least = suspects.length >= MAX_REPORTED ? "at least " : "";
  if (more > 0) named.push(`and ${least}${more} more`);
  return named.join(", ");
}

function goOn(
  { next, lines, shown, size, empty, totalLines }: PageFacts,
): string {
  if (next !== null) {
    return `More follows: read this path again with ${json(next)}.`;
  }
  if (empty === "past the end" && totalLines) {
    return `End of file; start at line ${totalLines} or before.`;
  }
  if (empty === "past the last column" && totalLines) {
    return `End of file; line ${totalLines} ends before that column.`;
  }
  if (shown.end < size && empty === null) {
    return "End of what was asked; the file goes on.";
  }
  return lines.some(({ number }) => number < 0) ? FROM_END : "End of file.";
}
