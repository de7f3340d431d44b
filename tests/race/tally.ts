/** The output of a victim. */

/** A line that says that the victim is working. */
export const AT_WORK = "...";

/** The results of the reads of one reader. */
export interface Tally {
  /** How many reads were started. */
  reads: number;
  /** How many chances to leak they had: a search may open several files. */
  chances: number;
  /** How many reads revealed something outside. */
  leaks: number;
  /** How many reads gave the file in the workspace. */
  ok: number;
  /** How many reads were refused for a reason that an attack explains, by reason. */
  readonly refused: Record<string, number>;
  /** Other results; each is a fault. */
  readonly other: Record<string, number>;
  /** How many reads did not end. */
  hangs: number;
  /** The average duration of a read in microseconds. */
  micros: number;
}
