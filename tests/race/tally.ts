/** The output of a victim. */

/** A line that says that the victim is working. */
export const AT_WORK = "...";

/** The results of the reads of one reader. */
export interface Tally {
  /** Reads that were begun. */
  reads: number;
  /** Reads that revealed something outside. */
  leaks: number;
  /** Reads that gave the file in the workspace. */
  ok: number;
  /** Reads that were refused for a reason that an attack explains, by reason. */
  readonly refused: Record<string, number>;
  /** Other results, each a fault. */
  readonly other: Record<string, number>;
  /** Reads that did not end. */
  hangs: number;
  /** Microseconds that a read took, on average. */
  micros: number;
}
