// Runtime-agnostic.
import { showHidden } from "../base/words.ts";
import { type HiddenCharacter, MAX_REPORTED } from "../unicode/hidden.ts";
import {
  listInexact,
  whatOf,
  writeEncoding,
  writeHits,
  writeSince,
} from "./notice_parts.ts";
import type { Page } from "./page.ts";

/** The character that ends a gutter and begins the notice; source files hardly use it. */
export const MARK = "¦";

/** The facts of a page: all but its bytes. Only the notice of a page with `since` has its receipt. */
export type PageFacts = Omit<Page, "bytes" | "receipt"> & {
  readonly receipt?: string | null;
};

/** A gutter: the number, the column unless it is 1, the word of an unusual ending, the sign of an escaped line. */
export const GUTTER =
  "(-?[1-9]\\d{0,15})(?::([1-9]\\d{0,15}))?(?: (LF|CRLF|cut|no newline))?( esc)?¦";

/** The usual line ending of a page, which gutters do not name. */
export function usualEnding({ lines }: PageFacts): "\n" | "\r\n" {
  let balance = 0;
  for (const { ending } of lines) {
    if (ending === "\r\n") balance++;
    else if (ending === "\n") balance--;
  }
  return balance > 0 ? "\r\n" : "\n";
}

interface Sentence {
  /** Writes the sentence, after a blank unless it is the first; nothing if the page does not need it. */
  readonly write: (page: PageFacts, escapes: boolean) => string | false | null;
  /**
   * Matches all that `write` can return; its groups are the facts for the
   * parser. It may match other texts too: the parser renders the page again, and
   * compares. A text can match in one way only, so that parsing takes linear
   * time.
   */
  readonly pattern: RegExp;
}

/** The facts of a notice, by the names of the groups. */
export type NoticeWords = Readonly<Record<string, string | undefined>>;

const SENTENCES: readonly Sentence[] = [
  {
    write: (page) => {
      const { path, shown: { start, end }, size, totalLines } = page;
      const total = totalLines ?? "an unknown total";
      return `${MARK} ${json(path)}: ${whatOf(page)} of ${total}${
        edgesOf(page)
      }, bytes ${start} to ${end} of ${size}.`;
    },
    pattern:
      /¦ (?<path>"(?:[^"\\]|\\.)*"): (?<what>[^"{]*?) of (?<total>\d+|an unknown total)(?:, from column \d+)?(?:, cut inside line \d+)?, bytes (?<start>\d+) to (?<end>\d+) of (?<size>\d+)\./y,
  },
  {
    write: ({ view }) =>
      view && ` This is its view ${json(view)}, not the file itself.`,
    pattern:
      / This is its view (?<view>"(?:[^"\\]|\\.)*"), not the file itself\./y,
  },
  {
    write: ({ encoding }) => writeEncoding(encoding),
    pattern:
      / Encoding (?<encoding>[\w-]+) \((?<why>[A-Za-z -]+)(?:; or (?<others>[\w, -]+))?\)\./y,
  },
  {
    write: (page) => usualEnding(page) === "\r\n" && " Lines end in CRLF.",
    pattern: /(?<crLf> Lines end in CRLF\.)/y,
  },
  {
    write: (_, escapes) =>
      escapes &&
      " Lines marked esc show control characters as \\u{1B}, and a backslash before u{ as \\u{5C}.",
    pattern:
      / Lines marked esc show control characters as \\u\{1B\}, and a backslash before u\{ as \\u\{5C\}\./y,
  },
  {
    write: ({ inexact }) =>
      inexact.length > 0 && ` Not the exact text: ${listInexact(inexact)}.`,
    pattern: / Not the exact text: (?<inexact>[^"{.]*)\./y,
  },
  {
    write: (page) => {
      const suspects = page.warnings.filter(({ level }) => level === "warning");
      return suspects.length > 0 &&
        ` Hidden characters: ${listHidden(suspects)}.`;
    },
    pattern: / Hidden characters: [^"{.]*\./y,
  },
  {
    write: ({ hits, lines }) =>
      hits !== undefined && ` Hits: ${writeHits(hits, lines)}.`,
    pattern:
      / Hits: (?<hits>\d+ of (?:at least )?\d+(?:, on (?:each line shown|lines? [\d, -]*))?)\./y,
  },
  {
    write: (page) => page.hunks !== undefined && writeSince(page),
    pattern:
      / (?<delta>Unchanged lines|None of the lines) were shown before\.(?: Since "(?<since>[\w-]+)", now "(?<now>[\w-]+)"\.)?/y,
  },
  {
    write: ({ etag, next }) => etag !== next?.etag && ` Version ${json(etag)}.`,
    pattern: / Version (?<version>"(?:[^"\\]|\\.)*")\./y,
  },
  {
    write: ({ next }) =>
      next !== null &&
      ` More follows: read this path again with ${json(next)}.`,
    pattern:
      / More follows: read this path again with (?<next>\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})\./y,
  },
  {
    write: (page) => page.next === null && ` ${endOf(page)}`,
    pattern: / End of [^"{]*\.$/y,
  },
];

/** Writes a notice; `escapes` says whether a gutter marks its line as escaped. */
export function writeNotice(page: PageFacts, escapes: boolean): string {
  return SENTENCES.map(({ write }) => write(page, escapes) || "").join("");
}

/** Parses a notice; `undefined` if the row is not a notice. */
export function readNotice(row: string): NoticeWords | undefined {
  const words: NoticeWords = {};
  let at = 0;
  for (const { pattern } of SENTENCES) {
    pattern.lastIndex = at;
    const match = pattern.exec(row);
    if (match === null) continue;
    at = pattern.lastIndex;
    Object.assign(words, match.groups);
  }
  return words.path === undefined || at < row.length ? undefined : words;
}

/** Writes JSON with escapes for hidden characters. */
export function json(value: unknown): string {
  return showHidden(JSON.stringify(value));
}

/** The words for a page that begins or ends inside a line. */
function edgesOf(page: PageFacts): string {
  const { lines: [first], empty } = page;
  if (first === undefined || empty !== null) return "";
  const from = first.column === 1 ? "" : `, from column ${first.column}`;
  if (!endsInside(page)) return from;
  return `${from}, cut inside line ${page.lines.at(-1)!.number}`;
}

export function endsInside(
  { lines, shown, size }: Pick<PageFacts, "lines" | "shown" | "size">,
): boolean {
  return lines.at(-1)?.ending === "" && shown.end < size;
}

/** How many of the hidden characters are named; for the others, only their number is given. */
const MAX_NAMED = 5;

function listHidden(suspects: readonly HiddenCharacter[]): string {
  const named = suspects.slice(0, MAX_NAMED).map((suspect) => {
    const { line, column, code, name } = suspect;
    // A name with a full stop in it could end the sentence.
    const words = `${code} ${name}`.replace(/[^\w+ -]/g, "");
    return `${words} (line ${line}, column ${column})`;
  });
  const more = suspects.length - named.length;
  // The report is limited.
  const least = suspects.length >= MAX_REPORTED ? "at least " : "";
  if (more > 0) named.push(`and ${least}${more} more`);
  return named.join(", ");
}

/** The last sentence if no page follows. */
function endOf(page: PageFacts): string {
  const { lines: [first], shown, size, empty, totalLines: total } = page;
  if (shown.end < size && page.hits !== undefined) return "End of the hits.";
  if (shown.end < size && empty === null) {
    return "End of what was asked; the file goes on.";
  }
  let hint = "";
  if (total && empty === "past the end") {
    hint = `; start at line ${total} or before`;
  } else if (total && empty === "past the last column") {
    hint = `; line ${total} ends before that column`;
  } else if (first !== undefined && first.number < 0) {
    hint =
      "; lines are counted from it, -1 is the last. Ask with numbered: true to have them counted from the first";
  }
  return `End of file${hint}.`;
}
