// Runtime-agnostic.
import type { NewlineKernel } from "../lines/scan.ts";

/** Searches a file, part by part. */
export interface Matcher {
  /** The length of a hit in bytes; 0 if it varies. */
  readonly length: number;
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
