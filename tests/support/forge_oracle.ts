/** The expected answers of the Forge tool, computed from the whole text. */
import { linesOf } from "./forge.ts";

/** The expected answer for a selection of lines. */
export type Expected =
  | "SCAN_LIMIT"
  | "TOO_LARGE"
  | {
    readonly lines: readonly string[];
    /** How many lines precede them. */
    readonly before: number;
    readonly truncated: boolean;
  };

/** The limits of lines and of bytes. */
export interface Limits {
  readonly shown: number;
  readonly scanned: number;
}

/** The expected answer for lines `start` to `end` of an ASCII text. */
export function expectRange(
  text: string,
  start: number,
  end: number,
  { shown, scanned }: Limits,
): Expected {
  const all = linesOf(text);
  const wanted = all.slice(start - 1, end);
  const from = all.slice(0, start - 1).join("").length;
  const length = wanted.join("").length;
  const isCut = length > shown;
  // The scanned bytes end after the last line, and no later than the shown lines.
  if (from + Math.min(length, shown) > scanned) return "SCAN_LIMIT";
  let lines = wanted;
  while (lines.join("").length > shown) lines = lines.slice(0, -1);
  if (isCut && lines.length === 0) return "TOO_LARGE";
  return { lines, before: start - 1, truncated: isCut };
}

/** The expected answer for the last `count` lines of an ASCII text. */
export function expectTail(
  text: string,
  count: number,
  { shown, scanned }: Limits,
): Expected {
  const wanted = linesOf(text).slice(-count);
  const length = wanted.join("").length;
  const isCut = length > shown;
  if (Math.min(length, shown) > scanned) return "SCAN_LIMIT";
  let lines = wanted;
  while (lines.join("").length > shown) lines = lines.slice(1);
  if (isCut && lines.length === 0) return "TOO_LARGE";
  const before = linesOf(text).length - lines.length;
  return { lines, before, truncated: isCut };
}

/** The expected answer, in the format of `outcome()`. */
export function inWords(
  expected: Expected,
  content: string,
  isTail: boolean,
): string {
  if (typeof expected === "string") return expected;
  const { lines, before, truncated } = expected;
  const next = before + lines.length + 1;
  const goesOn = !isTail && next <= linesOf(content).length;
  return JSON.stringify(lines.join("")) + (truncated ? " cut" : "") +
    (goesOn ? ` next ${next}` : "");
}
