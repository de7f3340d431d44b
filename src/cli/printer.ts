// Prints the requested lines of files, page by page.
import { type FailureOf, ReadFileError } from "../core/base/errors.ts";
import type { Awaitable } from "../core/base/port.ts";
import { quote, visibleJson } from "../core/base/words.ts";
import { type Page, shownBytes } from "../core/pages/page.ts";
import type { ReadFields, ReadOptions } from "../core/read_options.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import type { Workspace } from "../core/workspace.ts";
import { toBase64 } from "../tools/shown_text.ts";
import { follow, PAGE_BYTES } from "./follow.ts";
import { type Highlight, loadHighlight } from "./packages.ts";
import { continuationOf, type ReadRequest } from "./request.ts";
import type { Reporter } from "./shell.ts";

/** The most bytes on a page of JSON, by default. */
const JSON_PAGE_BYTES = 1 << 20;

/** A file, and the parts of it to print. */
export interface ChosenTarget {
  /** The directory now, or as it was at a revision. */
  readonly workspace: Workspace;
  /** How the revision is written before the path; empty without one. */
  readonly start: string;
  readonly path: string;
  readonly parts: readonly ReadFields[];
  /** The lines as they are written after the path, such as ":3"; empty without any. */
  readonly lines: string;
}

/** One part of a file. */
interface PrintedPart {
  readonly workspace: Workspace;
  readonly path: string;
  /** The path with its revision, if it is of one. */
  readonly shown: string;
  readonly options: ReadFields;
  /** The most bytes to print of it. */
  readonly maxBytes: number;
  /** Writes the lines of all parts of the file. */
  readonly writer: ReturnType<typeof pageWriter>;
  /** Whether nothing of the file was printed yet. */
  readonly isFirst: boolean;
}

/** How much of a part was printed, and the options of what is left of it. */
interface Printed {
  readonly bytes: number;
  readonly rest: ReadFields | undefined;
}

/** Makes the function that prints the requested lines of each file. */
export function printerOf(
  request: ReadRequest,
  reporter: Reporter,
): (target: ChosenTarget) => Promise<void> {
  const { output: { isTerminal }, styles } = reporter.shell;
  const { encoding, json, maxBytes } = request;
  // A pager such as `less -R` shows it on a terminal.
  const forTerminal = isTerminal || request.color === "always";
  const { numbers = forTerminal } = request;
  const dim = forTerminal && styles;
  const isText = forTerminal || numbers || encoding !== undefined;
  let headings = 0;
  /** The last page that was printed. */
  let last: Page | undefined;
  let highlight: Promise<Highlight | undefined> | undefined;

  /** Returns a heading like that of `head`, if there are several files. */
  function takeHeading(path: string): string {
    if (request.targets.length === 1) return "";
    // A line break in a name could forge a line.
    const name = forTerminal
      ? escapeHidden(path).replaceAll("\n", "\\u{A}")
      : path;
    return `${headings++ === 0 ? "" : "\n"}==> ${name} <==\n`;
  }

  /** Loads the highlighter once; `undefined` if it cannot be loaded. */
  function load(): Promise<Highlight | undefined> {
    return highlight ??= loadHighlight().catch(async () => {
      await reporter.warn(
        "Cannot color: @agent-tools/read-file-highlight could not be loaded; install it beside this package, or leave --color out",
      );
      return undefined;
    });
  }

  async function writerOf(path: string) {
    const loaded = request.color && dim ? await load() : undefined;
    const color = (lines: readonly string[]) => loaded?.(lines, path) ?? lines;
    return pageWriter(forTerminal, numbers, dim, color);
  }

  async function print(
    { workspace, path, options, maxBytes: most }: PrintedPart,
    usualBytes: number,
    write: (page: Page) => Awaitable<string | Uint8Array>,
  ): Promise<Printed> {
    // With a limit, JSON is one page.
    const isOnePage = json && maxBytes !== undefined;
    const pageBytes = isOnePage ? most : usualBytes;
    let bytes = 0;
    const limits = { maxBytes: most, pageBytes };
    const rest = await walk(workspace, path, options, limits, async (page) => {
      bytes += shownBytes(page);
      await reporter.print(await write(page));
    });
    return { rest, bytes };
  }

  async function printLines(part: PrintedPart): Promise<Printed> {
    const { shown, options, writer } = part;
    let isFirst = true;
    let lost: string | undefined;
    return await print(part, PAGE_BYTES, async (page) => {
      if (isFirst) {
        isFirst = false;
        refuseMissing(shown, page, options);
        if (page.empty === "no hit") await reporter.warn(noHit(part));
        // Printed only now: a file that cannot be read has no heading.
        if (part.isFirst) await reporter.print(takeHeading(shown));
        if (isText && part.isFirst) {
          await reporter.warn(encodingOf(shown, page));
        }
      }
      if (isText && lost === undefined) {
        lost = lostOf(shown, page);
        await reporter.warn(lost);
      }
      await reporter.warn(shortOf(shown, page, options));
      last = page;
      return isText ? writer.write(page) : page.bytes();
    });
  }

  /** Prints lines on a terminal, but not those that look binary. */
  async function printOnTerminal(part: PrintedPart) {
    const { shown, options } = part;
    const { view = "raw" } = options;
    // A view is text.
    if (view !== "raw") return await printLines(part);
    const textual = { ...options, binary: "refuse-shown" } as const;
    try {
      return await printLines({ ...part, options: textual });
    } catch (error) {
      if (!(error instanceof ReadFileError) || !error.is("BINARY")) throw error;
      throw refuseBinary(error, shown);
    }
  }

  return async ({ workspace, start, path, parts }) => {
    const shown = start + path;
    const writer = await writerOf(path);
    let left = maxBytes ?? Infinity;
    for (const [at, options] of parts.entries()) {
      const file = { workspace, path, shown, writer };
      const part = { ...file, options, maxBytes: left, isFirst: at === 0 };
      const { rest, bytes } = json
        ? await print(part, JSON_PAGE_BYTES, pageJson)
        : await (forTerminal ? printOnTerminal(part) : printLines(part));
      left -= bytes;
      const others = parts.slice(at + 1);
      const unseen = rest === undefined ? others : [rest, ...others];
      if (unseen.length === 0 || rest === undefined && left > 0) continue;
      await reporter.print(writer.end());
      return await reporter.warn(continuationOf(request, shown, unseen));
    }
    if (request.follow && last !== undefined) {
      const file = { workspace, path, encoding };
      await follow(
        file,
        last,
        reporter,
        (page) => isText ? writer.write(page) : page.bytes(),
      );
    }
    await reporter.print(writer.end());
  };
}

/** Writes a page as one line of JSON, with its bytes if the texts lack some. */
function pageJson(page: Page): string {
  const isWhole = page.inexact.length === 0;
  const base64 = isWhole ? null : toBase64(page.bytes());
  return `${visibleJson({ ...page.toJSON(), base64 })}\n`;
}

export interface WalkLimits {
  readonly maxBytes?: number | undefined;
  /** The most bytes of a page: memory does not grow with the file. */
  readonly pageBytes: number;
}

/**
 * Shows a part of a file page by page, up to the file's size at the first page.
 * Returns the options to continue, if `maxBytes` left something out.
 */
export async function walk(
  workspace: Workspace,
  path: string,
  part: ReadFields,
  { maxBytes = Infinity, pageBytes }: WalkLimits,
  show: (page: Page) => Promise<void>,
): Promise<ReadFields | undefined> {
  let options = part;
  let left = maxBytes;
  let first: Page | undefined;
  /** The bytes after the last page, up to the file's size at the first one. */
  let unseen = Infinity;
  for (;;) {
    const limit = Math.min(pageBytes, left, unseen);
    // Cast, since the read refuses options that cannot be combined.
    const limited = { ...options, maxBytes: limit } as ReadOptions;
    const page = await workspace.read(path, limited);
    const { shown: { end }, next } = page;
    const size = shownBytes(page);
    /** Whether the page may take all bytes that `maxBytes` leaves: then no page follows. */
    const takesRest = limit === left;
    const beginsLine = options.column === undefined;
    const endsInsideLine = next?.column !== undefined;
    // A line that begins here is left out instead of cut, unless it is the first of all.
    const isCut = takesRest && beginsLine && endsInsideLine;
    // A page shows at least one character, even if that exceeds its limit.
    const isTooLong = size > left || isCut;
    if (first !== undefined && isTooLong) return options;
    first ??= page;
    await show(page);
    left -= size;
    unseen = first.size - end;
    if (next === null || unseen <= 0) return undefined;
    if (takesRest || left <= 0) return next;
    options = next;
  }
}

/** Writes the lines of a file, page by page; `color` returns as many lines as it gets. */
function pageWriter(
  isTerminal: boolean,
  numbers: boolean,
  dim: boolean,
  color: (lines: readonly string[]) => readonly string[],
) {
  let width = 0;
  /** Whether the last line was cut, and continues on the next page. */
  let isOpen = false;
  let last = 0;
  const dimmed = (text: string) => dim ? `\x1b[2m${text}\x1b[0m` : text;
  return {
    write({ lines, next }: Page): string {
      // A file must not control the terminal.
      const shown = color(
        lines.map(({ text }) => isTerminal ? escapeHidden(text) : text),
      );
      width = Math.max(width, String(lines.at(-1)?.number ?? "").length);
      const cut = next?.column !== undefined;
      const rows = lines.map(({ number, column, ending }, index) => {
        const digits = String(number).padStart(width);
        const continues = isOpen && index === 0 && column > 1;
        const gutter = continues || !numbers ? "" : `${dimmed(digits)}  `;
        // The separator of grep. Lines of a file cannot look like it, since all have numbers.
        const isApart = last > 0 && number > last + 1;
        const gap = isApart && numbers ? `${dimmed("--")}\n` : "";
        last = number;
        const isLast = index === lines.length - 1;
        const end = isTerminal && !(cut && isLast) ? "\n" : ending;
        return `${gap}${gutter}${shown[index]}${end}`;
      });
      // A line without an ending may be continued by --follow.
      isOpen = cut || !isTerminal && lines.at(-1)?.ending === "";
      return rows.join("");
    },
    /** Returns the line break that a terminal needs after the last page. */
    end: () => isOpen && isTerminal ? "\n" : "",
  };
}

/** The sentence about an encoding that was detected, if it is not UTF-8. */
function encodingOf(path: string, { encoding }: Page): string | undefined {
  const { label, why, runnersUp = [] } = encoding;
  const isKnown = why === "asked" || why === "as on the page before";
  if (label === "utf-8" || isKnown) return undefined;
  const others = runnersUp.length === 0 ? "" : `; or ${runnersUp.join(", ")}`;
  return `${quote(path)} is read as ${label} (${why}${others})`;
}

/** The sentence about the first bytes that could not be decoded. */
function lostOf(path: string, { encoding, inexact }: Page): string | undefined {
  const lost = inexact.find(({ reason }) =>
    reason === "not UTF-8" || reason === "undecodable"
  );
  if (lost === undefined) return undefined;
  const lines = `not ${encoding.label}, from line ${lost.number} on`;
  return `${quote(path)} has bytes that are ${lines}: they are shown as U+FFFD`;
}

/** Adds to the error of a binary file what a terminal can do about it. */
function refuseBinary(
  error: FailureOf<"BINARY">,
  path: string,
): ReadFileError {
  const isGzip = error.details.media?.type === "application/gzip";
  const what = `Cannot show ${quote(path)} on a terminal`;
  return error.with({
    ...(isGzip && { hint: "it is gzip data; add --view=gunzip" }),
    words: {
      BINARY: () => [
        `${what}: it is binary: it holds a NUL byte`,
        "pipe it to where its bytes are wanted",
      ],
    },
  });
}

function noHit({ shown, options: { match = "" } }: PrintedPart): string {
  return `No line of ${quote(shown)} matches ${quote(match)}`;
}

/** The sentence that the file has fewer lines than were asked for by their numbers. */
function shortOf(
  path: string,
  { next, totalLines }: Page,
  { start, end = 0 }: ReadFields,
): string | undefined {
  const isShort = next === null && totalLines !== null && end > totalLines;
  // The first lines of a shorter file are all of it, as `head` has it.
  if (!isShort || start === undefined || end === Infinity) return undefined;
  return `${quote(path)} has only ${totalLines} lines`;
}

/** Refuses lines that the file does not have; the first or last lines of an empty file are allowed. */
function refuseMissing(
  path: string,
  { empty, totalLines }: Page,
  options: ReadFields,
): void {
  const { start = options.around, end = start } = options;
  if (start === undefined || end === undefined || totalLines === null) return;
  const isMissing = empty === "past the end" || empty === "empty file";
  if (!isMissing) return;
  const facts = { start, end, totalLines };
  throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
}
