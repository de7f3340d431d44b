import { runAtOnce, runInSteps, type Steps } from "../base/call.ts";
import type { Call } from "../base/call.ts";
import { ownOf } from "../base/check.ts";
import type { Awaitable, FileBytes, FileStat } from "../base/port.ts";
import { endOfLine } from "../encodings/codecs.ts";
import type { FileEncoding } from "../lines/codec.ts";
import type { Beginning } from "../lines/locate.ts";
import { bytesOf } from "../lines/run.ts";
import type { Following, Run } from "../lines/run.ts";
import { joinBytes } from "../lines/text.ts";
import { given, rangeOf } from "../read_options.ts";
import type { ReadFields, ReadOptions } from "../read_options.ts";
import type { HiddenCharacter } from "../unicode/hidden.ts";
import { writeEtag, type WrittenEtag } from "./etag.ts";
import { makeLines, REPLACEMENT, type ShownLines } from "./page_lines.ts";

/** A line of a page, or the part of it that the page shows. */
export interface PageLine {
  /** Its number, from 1 on; if the lines before were not counted, -1 is the last line. */
  readonly number: number;
  /** The column where the text begins: 1, unless the page begins inside the line. */
  readonly column: number;
  /** The text, without the line ending. */
  readonly text: string;
  /** The line ending; empty if the file, or the page, ends before it. */
  readonly ending: "" | "\n" | "\r\n";
}

/** The hits of a search in a file. */
export interface Hits {
  /** How many lines were found, shown or not, from where the search began to the end of the searched lines. */
  readonly count: number;
  /** Whether `count` is exact; if not, there are more. */
  readonly exact: boolean;
  /** The numbers of the shown lines with hits. */
  readonly lines: readonly number[];
  /** The lines between the shown ones, and those around them that a limit left out. */
  readonly gaps: readonly {
    /** The number of the first line. */
    readonly start: number;
    /** The number of the last line. */
    readonly end: number;
    /** How many bytes they have, with their endings. */
    readonly bytes: number;
  }[];
  /** Of each long line with several hits, how many are shown; absent for a regex, whose hits may overlap. */
  readonly inOneLine?: readonly {
    readonly line: number;
    readonly count: number;
    /** How many hits that a limit left out follow in it. */
    readonly left?: number;
    /** Set if there may be more of these. */
    readonly leastLeft?: true;
  }[];
  /** Set if no line matches, but some would in another case: only tools look for it, in the first 256 KiB. */
  readonly otherCase?: true;
}

/** Lines that are not shown. */
export type Gap = Hits["gaps"][number];

/** Where a hit is in the file. */
export interface HitPlace {
  readonly line: number;
  /** The byte where it begins; but where it ends, if its length varies. */
  readonly at: number;
  /** How many bytes it has; 0 if that varies. */
  readonly length: number;
  /** Whether its line is too long, so that only what is around the hit is shown. */
  readonly isPart: boolean;
}

/** What a read found in a file: what a page is made of. */
export interface Reading {
  readonly path: string;
  readonly stat: FileStat;
  readonly encoding: FileEncoding;
  /** The name of the view whose text it is; `null` for the file itself. */
  readonly view: string | null;
  /** The shown runs of lines: one, but any number for hits. */
  readonly runs: readonly Run[];
  /** How many lines the file has, if they were counted. */
  readonly total: number | null;
  /** Where the lines that follow begin; `null` if nothing follows that may be shown. */
  readonly next: Following | null;
  /** The last line that the pages may show, where the options do not name it. */
  readonly last?: number | undefined;
  readonly hits?: Hits | undefined;
  /** Where the hits of a search are, in order: the first one of each line; of a long line, the first one of each run. */
  readonly places?: readonly HitPlace[] | undefined;
  /** Where all hits of long lines end, in order: numbers, since a page may have millions. */
  readonly ends?: readonly number[] | undefined;
  /** Where a search began. */
  readonly from?: Beginning | undefined;
  /** Whether a search for text beyond ASCII found none: the file may have another encoding. */
  readonly isMissed?: boolean | undefined;
  /** Where bytes of the file that a page should not end inside begin and end, by turns: hits in long lines. */
  readonly whole?: readonly number[] | undefined;
  /** The bytes of a binary file. */
  readonly binary?: FileBytes | undefined;
}

/** What is found in a file: a {@linkcode Reading} without the facts about the file. */
export type Found = Omit<Reading, "path" | "stat" | "encoding" | "view">;

/** The text of a reading. */
export function shownText({ runs }: Reading): string {
  return runs.length === 1
    ? runs[0]!.text
    : runs.map(({ text }) => text).join("");
}

/** What a page holds: what was read, and what is made of that when it is asked for. */
interface Held {
  readonly reading: Reading;
  readonly options: ReadFields;
  /** When the file was opened. */
  readonly now: number;
  lines: ShownLines | undefined;
  etag: WrittenEtag | undefined;
  next: Page["next"] | undefined;
}

/** What a page holds, for this file alone: the class sets it. */
let heldBy: (page: Page) => Held;

/**
 * Some lines of a file, exact to the byte, and how to read on. Facts about the
 * file are separate from its text. {@linkcode Workspace.read} makes it;
 * `JSON.stringify` gives its plain facts.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type Page } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const page: Page = await workspace.read("a.txt", { start: 2, count: 1 });
 * assertEquals(page.text, "two\n");
 * assertEquals(page.lines, [{ number: 2, column: 1, text: "two", ending: "\n" }]);
 * assertEquals(page.next, { start: 3, count: 1, etag: page.etag });
 * const { text } = await workspace.read("a.txt", page.next!);
 * assertEquals(text, "three\n");
 * ```
 */
export class Page {
  readonly #held: Held;

  static {
    heldBy = (page) => page.#held;
  }

  /** Constructs a new instance, for the reader; `now` was sampled before the file's `stat()`. */
  constructor(reading: Reading, options: ReadFields, now: number) {
    this.#held = {
      reading,
      options,
      now,
      lines: undefined,
      etag: undefined,
      next: undefined,
    };
  }

  /** The path that was asked for, from the root. */
  get path(): string {
    return this.#held.reading.path;
  }

  /** The lines. */
  get lines(): readonly PageLine[] {
    return shownLines(this.#held).lines;
  }

  /** The text of the lines with their endings; undecodable bytes are U+FFFD, a byte order mark is U+FEFF. */
  get text(): string {
    return shownText(this.#held.reading);
  }

  /** The number of the first line; `null` without lines, or if the lines before were not counted. */
  get firstLine(): number | null {
    const run = this.#held.reading.runs.find(({ lines }) => lines > 0);
    return run?.line ?? null;
  }

  /** How many lines it shows, also in part. */
  get lineCount(): number {
    return this.#held.reading.runs.reduce((sum, { lines }) => sum + lines, 0);
  }

  /** The bytes of the file that it shows: the first one, and the one after the last. */
  get shown(): { readonly start: number; readonly end: number } {
    const { runs, binary, stat: { size } } = this.#held.reading;
    if (binary !== undefined) return { start: 0, end: binary.length };
    return { start: runs[0]?.start ?? size, end: runs.at(-1)?.end ?? size };
  }

  /** The size of the file in bytes. */
  get size(): number {
    return this.#held.reading.stat.size;
  }

  /** When the file last changed, in milliseconds since the epoch; `null` if unknown. */
  get mtimeMs(): number | null {
    return this.#held.reading.stat.mtimeMs;
  }

  /** The encoding of the file, and how it was found. */
  get encoding(): FileEncoding {
    const { encoding } = this.#held.reading;
    // On a later page, the options name the encoding because the page before did.
    const isNext = this.#held.options.etag !== undefined &&
      encoding.why === "asked";
    return isNext ? { ...encoding, why: "as on the page before" } : encoding;
  }

  /** How many lines the file has; `null` if they were not counted. */
  get totalLines(): number | null {
    const { total, runs, stat: { size } } = this.#held.reading;
    const last = runs.at(-1);
    if (total !== null || last === undefined || last.line === null) {
      return total;
    }
    const isEnd = last.end === size && last.endColumn === 1;
    return isEnd ? last.line - 1 + last.lines : null;
  }

  /** Why the page has no lines: the file is empty, is binary, or lacks that line, or its last line ends before the column, or no line matches, or the block has only blank lines; `null` if the page has lines. */
  get empty():
    | "empty file"
    | "binary"
    | "past the end"
    | "past the last column"
    | "no hit"
    | "blank lines"
    | null {
    const { runs, binary, stat: { size }, hits, from } = this.#held.reading;
    if (binary !== undefined) return "binary";
    if (runs.some(({ start, end }) => end > start)) return null;
    if (size === 0) return "empty file";
    if (hits !== undefined && from!.position < size) return "no hit";
    const line = runs[0]?.line ?? null;
    const { totalLines } = this;
    if (this.#held.options.block && totalLines === null) return "blank lines";
    // The line exists, but ends before the column.
    const isLine = line !== null && totalLines !== null && line <= totalLines;
    return isLine ? "past the last column" : "past the end";
  }

  /** The hits, and the gaps between the shown lines; only for `match` and `lines`. */
  get hits(): Hits | undefined {
    return this.#held.reading.hits;
  }

  /** How many lines a limit left out of the beginning of a `tail` without numbers, at most: the file may have fewer. */
  get leftOut(): number {
    const { tail } = this.#held.options;
    const isCounted = this.#held.reading.runs[0]?.line !== null;
    return tail === undefined || isCounted ? 0 : tail - this.lineCount;
  }

  /** The options of the next call, as plain JSON; `null` at the end. They begin at a line, and so have no `tail`. */
  get next(): ReadOptions & { readonly tail?: never } | null {
    const held = this.#held;
    if (held.next === undefined) {
      const next = nextOf(held.reading, held.options);
      // Cast, since options of a page can be combined, and so can those of the next.
      held.next = next && { ...next, etag: this.etag } as Page["next"];
    }
    return held.next;
  }

  /** The name of the view, whose bytes, lines and size the page has; `null` for the file itself. */
  get view(): string | null {
    return this.#held.reading.view;
  }

  /** Identifies the version of the file, this page, and where the next one begins. */
  get etag(): string {
    return (this.#held.etag ?? runAtOnce(makeEtag(this.#held))).etag;
  }

  /** Whether the texts and endings, joined and encoded as UTF-8, are exactly the shown bytes; never in another encoding. */
  get exact(): boolean {
    return this.encoding.label === "utf-8" && this.inexact.length === 0 &&
      this.empty !== "binary";
  }

  /** The lines whose text lacks something that their bytes have, and what; a line may have two reasons. */
  get inexact(): readonly {
    /** The number of the line on the page. */
    readonly number: number;
    /**
     * `"not UTF-8"`: it has invalid bytes. `"undecodable"`: its encoding cannot
     * decode some bytes. `"escaped"`: its hidden characters were escaped on
     * request. `"clipped"`: `maxLineBytes` left out its end.
     */
    readonly reason: "not UTF-8" | "undecodable" | "escaped" | "clipped";
  }[] {
    return shownLines(this.#held).inexact;
  }

  /** The characters that are invisible, or move visible text: the first 10,000 of each level. */
  get warnings(): readonly HiddenCharacter[] {
    return shownLines(this.#held).warnings;
  }

  /** Returns the bytes of the file that the page shows. */
  bytes(): FileBytes {
    const { binary, runs } = this.#held.reading;
    return binary?.slice() ?? joinBytes(runs.map(bytesOf));
  }

  /** The facts of the page as plain data, lines included. */
  toJSON(): PageFacts {
    const { path, shown, size, encoding, totalLines, empty, hits } = this;
    const { leftOut, next, view, etag, exact, inexact, warnings, lines } = this;
    return {
      path,
      shown,
      size,
      encoding,
      totalLines,
      empty,
      ...(hits !== undefined && { hits }),
      ...(leftOut > 0 && { leftOut }),
      view,
      lines,
      next,
      etag,
      exact,
      inexact,
      warnings,
    };
  }
}

/** A line whose text lacks something that its bytes have. */
export type InexactLine = Page["inexact"][number];

/** The plain facts of a page, as `JSON.stringify` writes them. */
export type PageFacts =
  & Omit<
    Page,
    | "text"
    | "firstLine"
    | "lineCount"
    | "mtimeMs"
    | "hits"
    | "leftOut"
    | "bytes"
    | "toJSON"
  >
  & { readonly hits?: Hits | undefined; readonly leftOut?: number };

export function readingOf(page: Page): Reading {
  return heldBy(page).reading;
}

export function optionsOf(page: Page): ReadFields {
  return heldBy(page).options;
}

/** A page of the same file that shows another part of it, or has other options. */
export function changed(
  page: Page,
  reading: Reading,
  options: ReadFields = optionsOf(page),
): Page {
  const { now, lines, etag } = heldBy(page);
  const copy = new Page(reading, options, now);
  if (reading === readingOf(page)) Object.assign(heldBy(copy), { lines, etag });
  return copy;
}

/** The cost up to which lines and etag are made when they are asked for, in less than a time slice: bytes of ASCII, or an eighth as many of other text. */
const MAX_UNPREPARED = 1_048_576;
/** What a line costs besides its bytes. */
const LINE_COST = 8;

/**
 * Makes the lines and the etag of a large page, in steps: a getter cannot let
 * other work run meanwhile. Those of other pages are made at once when they are
 * asked for: made in each read, they would double the time of a small one.
 */
export function preparePage(page: Page, call: Call): Awaitable<unknown> {
  const held = heldBy(page);
  if (held.lines !== undefined) return undefined;
  const cost = held.reading.runs.reduce((sum, { start, end, text, lines }) => {
    // One invalid byte is one character, too.
    const isAscii = text.length === end - start && !text.includes(REPLACEMENT);
    return sum + (end - start) * (isAscii ? 1 : 8) + lines * LINE_COST;
  }, 0);
  return cost > MAX_UNPREPARED
    ? runInSteps(makeShownLines(held), call)
    : undefined;
}

function shownLines(held: Held): ShownLines {
  return held.lines ?? runAtOnce(makeShownLines(held));
}

function* makeShownLines(held: Held): Steps<ShownLines> {
  const { escape = false } = held.options;
  // The bytes are looked at for the etag anyway, and that is faster than a pattern.
  const { byteKinds } = held.etag ?? (yield* makeEtag(held));
  return held.lines = yield* makeLines(held.reading, escape, byteKinds);
}

function* makeEtag(held: Held): Steps<WrittenEtag> {
  const { reading, now } = held;
  return held.etag = yield* writeEtag(lastRun(reading), reading.stat, now);
}

/** The last run, after which the next page begins; an empty one at the end of the file if there is none. */
function lastRun({ runs, stat: { size } }: Reading): Run {
  return runs.at(-1) ?? {
    start: size,
    end: size,
    line: null,
    lines: 0,
    column: 1,
    endColumn: 1,
    text: "",
    bytes: undefined,
    clips: [],
  };
}

/** The options of the next page, with the limits of this one. */
function nextOf(reading: Reading, options: ReadFields): ReadFields | null {
  const next = followingOf(reading, options);
  if (next === null) return null;
  const { encoding: { label }, view } = reading;
  const { line, column } = next;
  const place = { start: line, column: column > 1 ? column : undefined };
  const { start: _, column: __, etag: ___, tail: _tail, ...same } = options;
  // Without a tail, these options mean nothing.
  const { numbered: _numbered, keepEnd: _end, ...others } = same;
  // For later bytes, another encoding might be detected.
  const encoding = label === "utf-8" ? options.encoding : label;
  const named = { encoding, view: view ?? options.view };
  if (reading.hits !== undefined) {
    const lines = linesFrom(line, options);
    return given({ ...place, ...others, ...named, lines });
  }
  const { around: _line, before: _before, after: _after, ...more } = others;
  const { block: _block, ...rest } = more;
  const end = endOf(reading, options);
  return given({ ...place, ...rest, end, ...named });
}

/** Where the next page begins; `null` if nothing follows that was asked for. */
function followingOf(
  reading: Reading,
  options: ReadFields,
): Following | null {
  const { next, hits } = reading;
  if (next === null) return null;
  if (hits !== undefined) {
    return linesFrom(next.line, options)?.length === 0 ? null : next;
  }
  return next.line > (endOf(reading, options) ?? Infinity) ? null : next;
}

/** The listed lines that were not shown; the rest of one that was cut follows, too. */
function linesFrom(line: number, { lines }: ReadFields) {
  return lines?.filter((number) => number >= line);
}

/** The last line that the pages may show, if there is one. */
function endOf(
  { last }: Reading,
  options: ReadFields,
): number | undefined {
  if (last !== undefined) return last;
  const { end, around, before, after } = options;
  const isBounded = (end ?? around ?? before ?? after) !== undefined;
  return isBounded ? lastWanted(options) : undefined;
}

/** The last line of a range. */
function lastWanted(options: ReadFields): number {
  const { start, count } = rangeOf(options);
  return start + count - 1;
}

/** Where the next page begins; `null` at the end. {@linkcode Page.next} holds an etag besides, which takes longer. */
export function placeOfNext(page: Page): Following | null {
  return followingOf(readingOf(page), optionsOf(page));
}

/** How many bytes of the file a page shows, without those between its runs. */
export function shownBytes(page: Page): number {
  const { runs } = readingOf(page);
  return runs.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** How many bytes of the file each row shows. */
export function rowBytes(page: Page): number[] {
  const { runs, encoding: { label } } = readingOf(page);
  return runs.flatMap((run) => {
    const bytes = bytesOf(run);
    const left = new Map(run.clips.map(({ index, left }) => [index, left]));
    let at = 0;
    return Array.from({ length: run.lines }, (_, row) => {
      const start = at;
      at = endOfLine(bytes, start, label) || bytes.length;
      return at - start + (left.get(row) ?? 0);
    });
  });
}

/** The same page, whose `next` has these limits instead of its own. */
export function withLimits(page: Page, limits: ReadFields): Page {
  const { maxBytes: _, maxTokens: __, maxChars: ___, ...rest } = optionsOf(
    page,
  );
  return changed(page, readingOf(page), ownOf({ ...rest, ...limits }));
}

/** The same page, as if it were read without an etag: it is another part of the file, and not the page after one. */
export function withoutEtag(page: Page): Page {
  const { etag: _, ...options } = optionsOf(page);
  return changed(page, readingOf(page), ownOf(options));
}
