// Runtime-agnostic.
import { quote } from "../core/quote.ts";
import { UsageError } from "./shell.ts";

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
