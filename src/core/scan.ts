// Runtime-agnostic.
import { CHUNK_BYTES } from "./limits.ts";

const LF = 0x0a;

/**
 * Finds line feeds among the bytes of its own buffer.
 *
 * The buffer belongs to the kernel so that a kernel with a memory of its own
 * has the bytes read straight into it.
 */
export interface NewlineKernel {
  /** Where the bytes are. */
  readonly buffer: Uint8Array;
  /** Counts the line feeds in `buffer[from, to)`. */
  count(from: number, to: number): number;
  /**
   * The index of the `n`-th line feed in `buffer[from, to)`; if there are only
   * `k` of them, `~k`, which is negative.
   */
  nth(from: number, to: number, n: number): number;
  /** The same from the end: the `n`-th last line feed, or `~k`. */
  nthLast(from: number, to: number, n: number): number;
}

/** A kernel in plain JavaScript. */
export function plainKernel(size: number): NewlineKernel {
  const buffer = new Uint8Array(size);
  return {
    buffer,
    count(from, to) {
      return ~this.nth(from, to, Infinity);
    },
    nth(from, to, n) {
      const bytes = buffer.subarray(0, to);
      let at = from - 1;
      for (let found = 0; found < n; found++) {
        at = bytes.indexOf(LF, at + 1);
        if (at < 0) return ~found;
      }
      return at;
    },
    nthLast(from, to, n) {
      const bytes = buffer.subarray(from, to);
      let at = bytes.length;
      for (let found = 0; found < n; found++) {
        at = at === 0 ? -1 : bytes.lastIndexOf(LF, at - 1);
        if (at < 0) return ~found;
      }
      return from + at;
    },
  };
}

/** Kernels that were used and may be used again: their buffers are large. */
const free: NewlineKernel[] = [];
const MAX_FREE = 4;

/** Takes a kernel; no one else has it until it is given back. */
export function takeKernel(): NewlineKernel {
  return free.pop() ?? plainKernel(CHUNK_BYTES);
}

/** Gives a kernel back. */
export function giveKernel(kernel: NewlineKernel): void {
  if (free.length < MAX_FREE) free.push(kernel);
}
