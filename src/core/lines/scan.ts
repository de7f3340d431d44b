// Runtime-agnostic.
import { BUFFER_BYTES, FIRST_CHUNK_BYTES } from "../limits.ts";
import { plainKernel } from "./scan_plain.ts";

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
  /** Whether a NUL, the sign of a binary file, is in `buffer[from, to)`. */
  hasNul(from: number, to: number): boolean;
  /** Whether `buffer[from, to)` is ASCII alone, if the kernel can tell sooner than a decoder. */
  isAscii?(from: number, to: number): boolean;
}

const MAX_FREE = 4;

/** Makes a kernel that is quicker than plain JavaScript, where that pays for `size` bytes. */
export type MakeKernel = (size: number) => NewlineKernel | undefined;

/** Kernels that were used and may be used again. */
export class KernelPool {
  /** Those that hold a first chunk, and those that hold more. */
  readonly #small: NewlineKernel[] = [];
  readonly #large: NewlineKernel[] = [];

  /** Takes a kernel for a file of `size` bytes; no one else has it until it is given back. */
  take(size: number, makeQuick?: MakeKernel): NewlineKernel {
    return this.#large.pop() ?? makeQuick?.(size) ??
      (size > FIRST_CHUNK_BYTES
        ? plainKernel(BUFFER_BYTES)
        : this.#small.pop() ?? plainKernel(FIRST_CHUNK_BYTES));
  }

  /** Gives a kernel back. */
  give(kernel: NewlineKernel): void {
    const isSmall = kernel.buffer.length === FIRST_CHUNK_BYTES;
    const others = isSmall ? this.#small : this.#large;
    if (others.length < MAX_FREE) others.push(kernel);
  }
}

const pool = new KernelPool();

let quickKernel: MakeKernel | undefined;

/**
 * Whoever has a disk says how it is scanned at speed; the first offer stands.
 * Without one, files come more slowly than they are scanned; and at the edge,
 * where nothing may be compiled, it is not so much as tried.
 */
export function offerKernel(make: MakeKernel): void {
  quickKernel ??= make;
}

/** Takes a kernel for a file of `size` bytes; no one else has it until it is given back. */
export function takeKernel(size: number): NewlineKernel {
  return pool.take(size, quickKernel);
}

/** Gives a kernel back. */
export function giveKernel(kernel: NewlineKernel): void {
  pool.give(kernel);
}
