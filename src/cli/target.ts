// Runtime-agnostic.
import type { FsPort } from "../core/base/port.ts";
import { escapeHidden } from "../core/unicode/escape.ts";
import { quote } from "../core/base/words.ts";
import type { TextWindow } from "../core/lines/window.ts";
import { readFile } from "../core/read.ts";
import type { Workspace } from "../core/workspace.ts";
import type { ReadRequest } from "./request.ts";
import type { Rest } from "./walk.ts";

/** A place that output goes to. */
export interface Outlet {
  /** Whether a person looks at it. */
  readonly isTerminal: boolean;
  /** Writes, and waits until more can be taken; a {@linkcode BrokenPipeError} if no one takes more. */
  write(output: string | Uint8Array): Promise<void>;
}

/** What the command line needs of the program it runs in. */
export interface Shell {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  /** Standard output. */
  readonly output: Outlet;
  /** Standard error. */
  readonly errors: Outlet;
  /** Whether a terminal may be sent styles. */
  readonly styles: boolean;
  /** The file system; the runtime's own disk if there is none. */
  readonly fs?: FsPort;
  /** How long a scan may take without a word of progress, in milliseconds. */
  readonly patienceMs: number;
  /** The words that start this program, allowed to read `folders`. */
  program(folders: readonly string[]): readonly string[];
  /** The name and the version of the package. */
  version(): Promise<string>;
}

/** Whoever was reading the output has seen enough. */
export class BrokenPipeError extends Error {
  /** Always `"BrokenPipeError"`. */
  override readonly name = "BrokenPipeError";
}

/** The output cannot be written. */
export class WriteError extends Error {
  /** Always `"WriteError"`. */
  override readonly name = "WriteError";
}

/** A later part of the program itself cannot be loaded. */
export class LoadError extends Error {
  /** Always `"LoadError"`. */
  override readonly name = "LoadError";
}

/** A command line that means nothing. */
export class UsageError extends Error {
  /** Always `"UsageError"`. */
  override readonly name = "UsageError";
}

/** Writes a word so that a shell takes it as it is. */
function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * The same for a person who copies it from a terminal, which shows no hidden
 * character as it is: those are written as their bytes, as `$'\033'`. Every
 * shell that people type in takes that; scripts may be run by one that does not.
 */
function quoteWordVisibly(word: string): string {
  if (!isHidden(word)) return quoteWord(word);
  const characters = Array.from(
    word,
    (character) =>
      /['\\]/.test(character) || isHidden(character)
        ? bytesOf(character)
        : character,
  );
  return `$'${characters.join("")}'`;
}

/** Whether a terminal would not be sent it, or would not show it. */
function isHidden(text: string): boolean {
  return /[\t\n]/.test(text) || escapeHidden(text) !== text;
}

/** Three digits each, so that none that follows is taken for one of them. */
function bytesOf(character: string): string {
  const bytes = Array.from(new TextEncoder().encode(character));
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/** Which lines of a file are wanted. */
export type Part =
  | { readonly kind: "all" }
  | {
    readonly kind: "lines";
    readonly start: number;
    /** The last line; to the end of the file if there is none. */
    readonly end?: number | undefined;
  }
  | { readonly kind: "head" | "tail"; readonly count: number }
  | { readonly kind: "around"; readonly line: number; readonly margin: number }
  | { readonly kind: "block"; readonly line: number; readonly levels: number };

/** A file, and which of its lines are wanted. */
export interface Target {
  /** As it was written. */
  readonly text: string;
  readonly path: string;
  readonly part: Part;
}

/**
 * Reads `PATH`, `PATH:120`, `PATH:120-150`, `PATH:120-`, `PATH:-20` or
 * `PATH:120+10`. A colon at the end only ends the path, so that a name like
 * `odd:7` can be written: `odd:7:`.
 */
export function readTarget(text: string): Target {
  const match = /^(.+):(?:(\d+)(?:(-)(\d*)|\+(\d+))?|-(\d+))?$/s.exec(text);
  if (match === null) return { text, path: text, part: { kind: "all" } };
  const [, path = "", ...numbers] = match;
  return { text, path, part: partOf(numbers, text) };
}

function partOf(
  [first, dash, last, margin, tail]: readonly (string | undefined)[],
  text: string,
): Part {
  if (tail !== undefined) return { kind: "tail", count: numberOf(tail, text) };
  if (first === undefined) return { kind: "all" };
  const line = numberOf(first, text);
  if (margin !== undefined) {
    return { kind: "around", line, margin: numberOf(margin, text, 0) };
  }
  if (dash === undefined) return { kind: "lines", start: line, end: line };
  if (last === undefined || last === "") return { kind: "lines", start: line };
  const end = numberOf(last, text);
  if (end >= line) return { kind: "lines", start: line, end };
  throw new UsageError(
    `Cannot read ${
      quote(text)
    }: line ${line} comes after line ${end}; turn them round`,
  );
}

function numberOf(digits: string, text: string, least = 1): number {
  const number = Number(digits);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(
    number === 0
      ? `Cannot read ${
        quote(text)
      }: lines are counted from 1; name one from there on`
      : `Cannot read ${
        quote(text)
      }: no file has so many lines; name a smaller number`,
  );
}

/** Writes a part so that {@linkcode readTarget} reads it. */
export function writeTarget(path: string, start: number, end?: number): string {
  if (start === end) return `${path}:${start}`;
  return `${path}:${start}-${end ?? ""}`;
}

/** A part that is chosen by indentation. */
export type BlockPart = Extract<Part, { readonly kind: "block" }>;

/** Finds the lines that belong to one by their indentation, and what is said above them. */
export function findBlock(
  workspace: Workspace,
  path: string,
  { line, levels }: BlockPart,
): Promise<TextWindow> {
  return readFile(workspace, path, {
    kind: "block",
    anchor: line,
    maxLevels: levels,
    siblings: false,
    header: true,
    count: Number.MAX_SAFE_INTEGER,
  });
}

/** Where a command is written. */
interface Writing {
  /** The words that start the program. */
  readonly program: readonly string[];
  /** Whether a person reads it, to copy it. */
  readonly isTerminal: boolean;
}

/** Says what was left out, and which command goes on. */
export function continuationOf(
  request: ReadRequest,
  { path }: Target,
  { start, column, end }: Rest,
  { program, isTerminal }: Writing,
): string {
  const { workspace, deny, maxBytes, json, numbers, color, stats, as } =
    request;
  const words = [
    ...(workspace === "." ? [] : ["--workspace", asPath(workspace)]),
    ...deny.map((glob) => `--deny=${glob}`),
    ...(maxBytes === undefined ? [] : ["--max-bytes", String(maxBytes)]),
    ...(column === 1 ? [] : ["--column", String(column)]),
    ...(json ? ["--json"] : []),
    ...(numbers === undefined ? [] : [numbers ? "--numbers" : "--no-numbers"]),
    ...(color ? ["--color"] : []),
    ...(stats ? ["--stats"] : []),
    writeTarget(asPath(path), start, end),
  ];
  const quoted = isTerminal ? quoteWordVisibly : quoteWord;
  const command = [
    as ?? program.map(quoted).join(" "),
    ...words.map(quoted),
  ];
  return `Not all of ${quote(path)} fits into ${maxBytes} bytes; go on with:\n${
    command.join(" ")
  }\n`;
}

/** Bun takes a leading `--` for its own, so that a path must not look like an option. */
function asPath(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}
