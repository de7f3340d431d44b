import type { NewlineKernel } from "./scan.ts";
import type { Source } from "./source.ts";

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
   * for so long that its caller must yield. A call may return `~from` only to
   * yield: called again with the same bytes, it makes progress, unless it needs
   * more bytes.
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
  readonly line: number;
  /** Where that line begins, or where the search in it begins. */
  readonly lineStart: number;
  /** Where the hit begins; but where it ends, if its length varies. */
  readonly at: number;
  /** The number of lines of the file; `null` while it is unknown. The search learns it only after the last hit. */
  readonly lines: number | null;
  /** Moves to the next hit; returns whether there is one. */
  next(): Promise<boolean>;
  /** Continues after the line of the hit, which ends at `end`. */
  skipLine(end?: number): Promise<void>;
  /** Continues inside the line of the hit. */
  skipTo(position: number): void;
  /** Counts the lines that hold further hits. */
  countOn(): Promise<number>;
}

/** Begins a search from a position, up to another. */
export type BeginSearch = (
  source: Source,
  from: Beginning,
  limit: number,
) => HitSearch;
