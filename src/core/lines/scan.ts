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
  /** Whether a NUL, the sign of a binary file, is in `buffer[from, to)`. */
  hasNul(from: number, to: number): boolean;
}

/** As many bytes of small files are scanned in plain JavaScript while a module is compiled. */
const COMPILE_BYTES = 2 * 1024 * 1024;

const MAX_FREE = 4;

/** Kernels that were used and may be used again. */
export class KernelPool {
  /** Those that hold a first chunk, and those that hold more. */
  readonly #small: NewlineKernel[] = [];
  readonly #large: NewlineKernel[] = [];
  #scannedPlain = 0;

  /** Takes a kernel for a file of `size` bytes; no one else has it until it is given back. */
  take(size: number): NewlineKernel {
    const used = this.#large.pop();
    if (used !== undefined) return used;
    if (size > FIRST_CHUNK_BYTES) {
      return wasmKernel() ?? plainKernel(BUFFER_BYTES);
    }
    return this.#compileInTime(size) ?? this.#small.pop() ??
      plainKernel(FIRST_CHUNK_BYTES);
  }

  /** Gives a kernel back. */
  give(kernel: NewlineKernel): void {
    const isSmall = kernel.buffer.length === FIRST_CHUNK_BYTES;
    const others = isSmall ? this.#small : this.#large;
    if (others.length < MAX_FREE) others.push(kernel);
  }

  /** One small file is scanned before a module would be compiled; very many are not. */
  #compileInTime(size: number): NewlineKernel | undefined {
    if (this.#scannedPlain >= COMPILE_BYTES) return undefined;
    this.#scannedPlain += size;
    return this.#scannedPlain < COMPILE_BYTES ? undefined : wasmKernel();
  }
}

const pool = new KernelPool();

/** Takes a kernel for a file of `size` bytes; no one else has it until it is given back. */
export function takeKernel(size: number): NewlineKernel {
  return pool.take(size);
}

/** Gives a kernel back. */
export function giveKernel(kernel: NewlineKernel): void {
  pool.give(kernel);
}
