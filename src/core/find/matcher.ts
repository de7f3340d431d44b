// Runtime-agnostic.
import type { NewlineKernel } from "../lines/scan.ts";

/** Searches a file, part by part. */
export interface Matcher {
  /** The length of a hit in bytes; 0 if it varies. */
  readonly length: number;
  /** Begins a line, or continues inside one after the byte `before`. */
  begin(before?: number): void;
  /**
   * Looks at `kernel.buffer[from, to)`, after what it has looked at before; the
   * file ends at `to` if `isEnd`. Returns where it found something, or `~at`,
   * where it wants to go on: before `to` if it needs more bytes, or has taken so
   * many steps, in this call and those before, that its caller must breathe.
   */
  feed(kernel: NewlineKernel, from: number, to: number, isEnd: boolean): number;
}
