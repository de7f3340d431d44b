// Runtime-agnostic.
import type { NewlineKernel } from "./scan.ts";
import { seek, type Source } from "./source.ts";

/** Searches a file, part by part. */
export interface Matcher {
  /** The length of a hit in bytes; 0 if it varies. */
  readonly length: number;
  /** Whether it matches only ASCII. */
  readonly isAscii: boolean;
  /** Begins a line, or continues inside one after the byte `before`. */
  begin(before?: number): void;
  /**
   * Searches `kernel.buffer[from, to)`, which follows the part before; the file
   * ends at `to` if `isEnd`. Returns the position of a hit, or `~at`, where the
   * next call must continue: before `to` if it needs more bytes, or has worked
   * for so long that its caller must yield.
   */
  feed(kernel: NewlineKernel, from: number, to: number, isEnd: boolean): number;
}

/** Where a search begins: at the beginning of a line, or inside one. */
export interface Beginning {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** Moves through the hits in a file. */
export interface HitSearch {
  /** The length of each hit in bytes; 0 if it varies. */
  readonly length: number;
  /** The line of the hit. */
  readonly line: number;
  /** Where that line begins, or where the search in it begins. */
  readonly lineStart: number;
  /** Where the hit begins; where it ends, if its length varies. */
  readonly at: number;
  /** How many lines the file has, after the last hit; `null` if unknown. */
  readonly lines: number | null;
  /** Moves to the next hit; returns whether there is one. */
  next(): Promise<boolean>;
  /** Where the line of the hit ends; `undefined` if that is beyond `limit`. */
  lineEnd(limit: number): Promise<number | undefined>;
  /** Continues after the line of the hit, which ends at `end`. */
  skipLine(end?: number): Promise<void>;
  /** Continues inside the line of the hit. */
  skipTo(position: number): void;
  /** Counts the lines with hits from here to the end. */
  countOn(): Promise<number>;
}

/** Begins a search from a position, up to another. */
export type BeginSearch = (
  source: Source,
  from: Beginning,
  limit: number,
) => HitSearch;

/** Where the line of `at` ends; `undefined` if that is beyond `limit`. */
export async function lineEndOf(
  source: Source,
  at: number,
  limit: number,
): Promise<number | undefined> {
  const { size } = source;
  const most = Math.min(size, Math.max(at, limit) + 1);
  const reach = await seek(source, at, 1, most);
  const isOver = reach.passed > 0 || reach.position === size;
  return isOver ? reach.position : undefined;
}
