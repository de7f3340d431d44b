/** What a victim tells. */

/** A line that says no more than that the victim is at work. */
export const AT_WORK = "...";

/** How the reads of one reader went. */
export interface Tally {
  /** Reads that were begun. */
  reads: number;
  /** Reads that told of something outside. */
  leaks: number;
  /** Reads that gave the file in the workspace. */
  ok: number;
  /** Reads that were refused for a reason that an attack explains, by reason. */
  readonly refused: Record<string, number>;
  /** Whatever else came: each is a fault. */
  readonly other: Record<string, number>;
  /** Reads that did not end. */
  hangs: number;
  /** Microseconds that a read took, on average. */
  micros: number;
}
