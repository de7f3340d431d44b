// Runtime-agnostic.
import type { FsPort } from "../core/base/port.ts";
import { quote } from "../core/base/words.ts";
import type { PageOptions } from "../core/pages/page.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import type { ReadRequest } from "./request.ts";

export interface Outlet {
  readonly isTerminal: boolean;
  /** Writes, and waits until more can be written; fails with {@linkcode BrokenPipeError} if the reader is gone. */
  write(output: string | Uint8Array): Promise<void>;
}

/** What the command line needs of its process. */
export interface Shell {
  readonly args: readonly string[];
  readonly output: Outlet;
  readonly errors: Outlet;
  readonly styles: boolean;
  /** The file system; the runtime's own disk by default. */
  readonly fs?: FsPort;
  /** How long a scan may take before progress is shown, in milliseconds. */
  readonly patienceMs: number;
  version(): Promise<string>;
}

/** The reader of the output is gone. */
export class BrokenPipeError extends Error {
  override readonly name = "BrokenPipeError";
}

/** Something besides the files failed: the output, a configuration, a part of the program. */
export class HostError extends Error {
  override readonly name = "HostError";
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Quotes a word for a shell, if it needs that. A word that a terminal would show with escapes is written by `printf`. */
function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (escapeHidden(word) === word) {
    return `'${word.replaceAll("'", `'\\''`)}'`;
  }
  const units = Array.from(new TextEncoder().encode(word), (byte) => {
    const unit = String.fromCharCode(byte);
    const octal = byte.toString(8).padStart(3, "0");
    return /[\w@+=:,./ -]/.test(unit) ? unit : `\\0${octal}`;
  });
  return `"$(printf %b '${units.join("")}')"`;
}

/** The requested lines of a file: a page, or the block of a line by its indentation. */
export type Part = PageOptions | {
  readonly indent: number;
  /** How many levels to climb; all of them with 0. */
  readonly levels: number;
  readonly encoding?: string;
};

/** A file, and the requested lines of it. */
export interface Target {
  /** As it was written. */
  readonly text: string;
  readonly path: string;
  /** Empty for all of it. */
  readonly part: Part;
}

const RANGE =
  /^(?<path>.+):(?:(?<first>\d+)(?:-(?<last>\d+))?(?:\+(?<margin>\d+))?|(?<start>\d+)-|-(?<tail>\d+))?$/s;
const SEARCH =
  /^(?<path>.+?):(?:(?<start>\d+)-(?<last>\d*))?\/(?<match>.+)\/(?<ignoreCase>i)?(?:\+(?<margin>\d+))?$/s;

/**
 * Reads `PATH`, `PATH:120`, `PATH:120-150`, `PATH:120-`, `PATH:-20`,
 * `PATH:120+10`, `PATH:120-150+2`, `PATH:/needle/`, `PATH:/needle/i+3` or
 * `PATH:120-150/needle/`. A colon at the end only ends the path, so that `odd:7:`
 * is the file `odd:7`.
 */
export function readTarget(text: string): Target {
  const found = RANGE.exec(text) ?? SEARCH.exec(text);
  const { path = text, ...words } = found?.groups ?? {};
  return { text, path, part: partOf(words, text) };
}

/** The part that the named groups of `RANGE` or `SEARCH` mean. */
function partOf(
  words: Readonly<Record<string, string | undefined>>,
  text: string,
): PageOptions {
  const read = (name: string, least = 1) => numberOf(words[name], text, least);
  const first = read("first");
  const end = read("last");
  const tail = read("tail");
  const margin = read("margin", 0);
  // `first` is the number of `120` and `120-150`; `start` is that of `120-`, and of
  // the range of a search.
  const start = first ?? read("start");
  if (start !== undefined && end !== undefined && end < start) {
    const problem = `line ${start} comes after line ${end}; turn them round`;
    throw new UsageError(`Cannot read ${quote(text)}: ${problem}`);
  }
  const { match } = words;
  // For a search, `+0` is the default.
  const hasMargin = margin !== undefined && (match === undefined || margin > 0);
  const around = hasMargin ? { before: margin, after: margin } : {};
  if (match !== undefined) {
    const ignoreCase = words.ignoreCase === undefined ? undefined : true;
    return defined({ start, end, match, regex: true, ignoreCase, ...around });
  }
  // Only `120` and `120+10` have a first number alone.
  const isOneLine = first !== undefined && end === undefined;
  if (!isOneLine) return defined({ start, end, tail, ...around });
  return hasMargin
    ? { around: first, ...around }
    : { start: first, end: first };
}

/** Leaves out the options that are undefined. */
export function defined<Options extends object>(options: Options) {
  const given = Object.entries(options)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>;
  };
}

function numberOf(digits: string | undefined, text: string, least: number) {
  if (!digits) return undefined;
  const number = Number(digits);
  if (Number.isSafeInteger(number) && number >= least) return number;
  const problem = number === 0
    ? "lines are counted from 1; name one from there on"
    : "no file has so many lines; name a smaller number";
  throw new UsageError(`Cannot read ${quote(text)}: ${problem}`);
}

export function writeTarget(
  path: string,
  { start = 1, end, match, ignoreCase, before = 0 }: PageOptions,
): string {
  const range = `${path}:${start}-${end ?? ""}`;
  if (match !== undefined) {
    const margin = before > 0 ? `+${before}` : "";
    return `${range}/${match}/${ignoreCase ? "i" : ""}${margin}`;
  }
  return start === end ? `${path}:${start}` : range;
}

/** The sentence that something was left out, and the arguments for the rest. */
export function continuationOf(
  { given, maxBytes }: ReadRequest,
  { path }: Target,
  { column, ...next }: PageOptions,
): string {
  // The rest begins at its own line and character.
  const from = { head: undefined, tail: undefined, indent: undefined, column };
  const options = defined({ ...given, ...from, levels: undefined });
  const words = Object.entries(options).flatMap(([name, value]) =>
    [value].flat().map((one) => one === true ? `--${name}` : `--${name}=${one}`)
  );
  // Bun treats a leading `--` as its own.
  const file = path.startsWith("-") ? `./${path}` : path;
  const args = [...words, writeTarget(file, next)].map(quoteWord).join(" ");
  const rest = `${quote(path)} fits into ${maxBytes} bytes`;
  return `Not all of ${rest}; go on with these arguments:\n${args}`;
}
