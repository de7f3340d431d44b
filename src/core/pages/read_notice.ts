// Runtime-agnostic.
import { type Derived, ESCAPES } from "./notice.ts";
import { type PageOptions, typeOfOption } from "./page.ts";

/** What stands in a notice, as it is written there. */
interface NoticeParts {
  /** The path, as JSON. */
  readonly path: string;
  /** Which lines of how many, in words. */
  readonly range: string;
  /** The first byte shown, the byte after the last one, and the size. */
  readonly bytes: readonly [number, number, number];
  /** Whether lines end in CRLF. */
  readonly isCrLf: boolean;
  /** The lines that are not exact, in words; empty if all are. */
  readonly inexact: string;
  /** What does not follow from the rest, as JSON. */
  readonly also: string | undefined;
  /** The version, as JSON. */
  readonly version: string | undefined;
  /** The options that go on, as JSON. */
  readonly next: string | undefined;
}

// Each is looked for where the one before ended, and none can match in two
// ways: a notice that someone made up costs no more than its length.
const PATH = /¦ ("(?:[^"\\]|\\.)*"): /y;
const BYTES = /([^"{]*?), bytes (\d+) to (\d+) of (\d+)\./y;
const CR_LF = / Lines end in CRLF\./y;
const INEXACT = / Not the exact text: ([^"{.]*)\./y;
const HIDDEN = / Hidden characters: [^"{.]*\./y;
const ALSO = / Also (?=\{)/y;
const VERSION = / Version ("(?:[^"\\]|\\.)*")\./y;
const MORE = / More follows: read this path again with (?=\{)/y;
const END = / End of [^"{]*\.$/y;

/** Takes a notice apart; `undefined` if it is none. */
export function readNotice(row: string): NoticeParts | undefined {
  let at = 0;
  const take = (pattern: RegExp): readonly string[] | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(row);
    if (match === null) return undefined;
    at = pattern.lastIndex;
    return match;
  };
  const takeObject = (before: RegExp): string | undefined => {
    if (take(before) === undefined) return undefined;
    const start = at;
    at = objectEnd(row, start);
    const object = row.slice(start, at);
    // The sentence ends after it.
    if (row[at] === ".") at++;
    return object;
  };
  const path = take(PATH)?.[1];
  const bytes = take(BYTES);
  if (path === undefined || bytes === undefined) return undefined;
  const [, range, start, end, size] = bytes;
  const isCrLf = take(CR_LF) !== undefined;
  if (row.startsWith(` ${ESCAPES}`, at)) at += ESCAPES.length + 1;
  const inexact = take(INEXACT)?.[1] ?? "";
  take(HIDDEN);
  const also = takeObject(ALSO);
  const version = take(VERSION)?.[1];
  const next = takeObject(MORE);
  if (next === undefined) take(END);
  if (at !== row.length) return undefined;
  return {
    path,
    range: range!,
    bytes: [Number(start), Number(end), Number(size)],
    isCrLf,
    inexact,
    also,
    version,
    next,
  };
}

/** Where the JSON object that begins at `start` ends; the end of the row if it does not. */
function objectEnd(row: string, start: number): number {
  // A string that does not end goes to the end, and is looked at once.
  const signs = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}]/g;
  signs.lastIndex = start;
  let depth = 0;
  for (let sign = signs.exec(row); sign !== null; sign = signs.exec(row)) {
    if (sign[0] === "{") depth++;
    else if (sign[0] === "}" && --depth === 0) return signs.lastIndex;
  }
  return row.length;
}

/** Whether it is a string. */
export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** Whether it is an object whose values are of the types that options have. */
export function isOptions(value: unknown): value is PageOptions {
  return isRecord(value) && Object.entries(value)
    .every(([name, one]) => typeOfOption(name) === typeof one);
}

/** Whether it is some of what follows from the rest of a page. */
export function isDerived(value: unknown): value is Partial<Derived> {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(([name, one]) =>
    name === "exact"
      ? typeof one === "boolean"
      : name === "warnings" && Array.isArray(one) && one.every(isHidden)
  );
}

function isHidden(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { line, column, code, name, level, ...rest } = value;
  return Number.isSafeInteger(line) && Number.isSafeInteger(column) &&
    isString(code) && isString(name) &&
    (level === "info" || level === "warning") &&
    Object.keys(rest).length === 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
