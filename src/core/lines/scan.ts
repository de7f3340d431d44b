// Runtime-agnostic.
import { BUFFER_BYTES, FIRST_CHUNK_BYTES } from "../limits.ts";
import { plainKernel } from "./scan_plain.ts";
import { wasmKernel } from "./scan_wasm.ts";

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

/** Kernels that were used and may be used again, by the size of their buffers. */
const free = new Map<number, NewlineKernel[]>();
const MAX_FREE = 4;

/** Takes a kernel for a file of `size` bytes; no one else has it until it is given back. */
export function takeKernel(size: number): NewlineKernel {
  const bytes = size <= FIRST_CHUNK_BYTES ? FIRST_CHUNK_BYTES : BUFFER_BYTES;
  const kernel = free.get(bytes)?.pop();
  if (kernel !== undefined) return kernel;
  // A file that is read at once is scanned before a module would be compiled.
  return bytes === BUFFER_BYTES
    ? wasmKernel() ?? plainKernel(bytes)
    : plainKernel(bytes);
}

/** Gives a kernel back. */
export function giveKernel(kernel: NewlineKernel): void {
  const bytes = kernel.buffer.length;
  const others = free.get(bytes) ?? [];
  if (others.length < MAX_FREE) others.push(kernel);
  free.set(bytes, others);
}
