// Runtime-agnostic.
import { BUFFER_BYTES, FIRST_CHUNK_BYTES } from "../base/limits.ts";
import type { FsPort } from "../base/port.ts";
import type { Source } from "./source.ts";

/**
 * Finds line feeds in its own buffer. The buffer is the kernel's, so that files
 * are read straight into the memory of a WebAssembly module.
 */
export interface NewlineKernel {
  readonly buffer: Uint8Array;
  /** Counts the line feeds in `buffer[from, to)`. */
  count(from: number, to: number): number;
  /** The index of the `n`-th line feed in `buffer[from, to)`; `~k`, which is negative, if there are only `k`. */
  nth(from: number, to: number, n: number): number;
  /** The index of the `n`-th last line feed, or `~k`. */
  nthLast(from: number, to: number, n: number): number;
  /** Whether `buffer[from, to)` holds a NUL. */
  hasNul(from: number, to: number): boolean;
  /**
   * Counts the pairs of bytes that are `unit`, the lower byte first, in at most 512
   * KiB, and a whole number of sixteen bytes; if the kernel is faster at it.
   */
  countUnits?(from: number, to: number, unit: number): number;
  /** Whether `buffer[from, to)` is all ASCII, if the kernel is faster at it than a decoder. */
  isAscii?(from: number, to: number): boolean;
  /**
   * The first index in `buffer[from, to)` of the byte `one` that has the byte
   * `other` up to 255 bytes behind it, at `apart`; negative if there is none.
   */
  pair?(
    from: number,
    to: number,
    one: number,
    other: number,
    apart: number,
  ): number;
}

/** How many kernels of a kind are kept for later. */
const MAX_FREE = 4;

/** How many bytes of small files are scanned in plain JavaScript before a faster kernel is made. */
const PLAIN_BYTES = 2 * 1024 * 1024;

/** Kernels to use again. */
export class KernelPool {
  readonly #makeQuick: () => NewlineKernel | undefined;
  /** Those that hold a first chunk, and those that hold more. */
  readonly #small: NewlineKernel[] = [];
  readonly #large: NewlineKernel[] = [];
  #scannedPlain = 0;

  /** Constructs a new instance; `makeQuick` makes a kernel that is faster than plain JavaScript, if the runtime has one. */
  constructor(makeQuick: () => NewlineKernel | undefined = () => undefined) {
    this.#makeQuick = makeQuick;
  }

  /** Takes a kernel for a file of `size` bytes; no other read has it until it is given back. */
  take(size: number): NewlineKernel {
    const free = this.#large.pop();
    if (free !== undefined) return free;
    if (size > FIRST_CHUNK_BYTES) {
      return this.#makeQuick() ?? plainKernel(BUFFER_BYTES);
    }
    // One small file is scanned before a module is compiled; very many are not.
    const scanned = this.#scannedPlain;
    if (scanned < PLAIN_BYTES) {
      this.#scannedPlain += size;
      if (scanned + size >= PLAIN_BYTES) {
        const quick = this.#makeQuick();
        if (quick !== undefined) return quick;
      }
    }
    return this.#small.pop() ?? plainKernel(FIRST_CHUNK_BYTES);
  }

  give(kernel: NewlineKernel): void {
    const isSmall = kernel.buffer.length === FIRST_CHUNK_BYTES;
    const others = isSmall ? this.#small : this.#large;
    if (others.length < MAX_FREE) others.push(kernel);
  }
}

/** The key under which a port keeps its kernels: no part of the public port. */
const KERNELS = /* @__PURE__ */ Symbol("kernels");

/** The kernels that a port offers; none if its bytes come more slowly than plain JavaScript scans them. */
function offerOf(
  port: FsPort & { readonly [KERNELS]?: KernelPool | undefined },
): KernelPool | undefined {
  return port[KERNELS];
}

/** A port that offers kernels to scan its files with. */
export function withKernels(port: FsPort, kernels?: KernelPool): FsPort {
  return Object.assign(port, { [KERNELS]: kernels });
}

/** A port over others, that offers the first kernels that one of them offers. */
export function withKernelsOf(port: FsPort, others: readonly FsPort[]): FsPort {
  return withKernels(port, others.map(offerOf).find((it) => it !== undefined));
}

/** The kernels for ports that offer none; shared, since a kernel holds no state. */
const plainKernels = /* @__PURE__ */ new KernelPool();

/** The kernels that files of a port are scanned with. */
export function kernelsOf(port: FsPort): KernelPool {
  return offerOf(port) ?? plainKernels;
}

const LF = 0x0a;

/** Four line feeds, to compare four bytes at a time. */
const FEEDS = 0x0a0a0a0a;

/** How many words a byte-wide counter can count. */
const STRETCH_WORDS = 252;
const STRETCH_BYTES = STRETCH_WORDS * 4;

/** A kernel in plain JavaScript, for every runtime. */
export function plainKernel(size: number): NewlineKernel {
  const buffer = new Uint8Array(size);
  const words = new Int32Array(buffer.buffer, 0, size >> 2);

  function count(from: number, to: number): number {
    let found = 0;
    const first = Math.min(to, (from + 3) & ~3);
    for (; from < first; from++) if (buffer[from] === LF) found++;
    const last = to & ~3;
    while (from < last) {
      const end = Math.min(last, from + STRETCH_BYTES);
      found += countWords(words, from >> 2, end >> 2);
      from = end;
    }
    for (; from < to; from++) if (buffer[from] === LF) found++;
    return found;
  }

  return {
    buffer,
    count,
    nth(from, to, n) {
      let found = 0;
      // Stretches before the wanted one are only counted.
      while (to - from >= STRETCH_BYTES) {
        const here = count(from, from + STRETCH_BYTES);
        if (found + here >= n) break;
        found += here;
        from += STRETCH_BYTES;
      }
      for (; from < to; from++) {
        if (buffer[from] === LF && ++found === n) return from;
      }
      return ~found;
    },
    hasNul: (from, to) => buffer.subarray(from, to).includes(0),
    nthLast(from, to, n) {
      let found = 0;
      while (to - from >= STRETCH_BYTES) {
        const here = count(to - STRETCH_BYTES, to);
        if (found + here >= n) break;
        found += here;
        to -= STRETCH_BYTES;
      }
      while (to > from) {
        if (buffer[--to] === LF && ++found === n) return to;
      }
      return ~found;
    },
  };
}

/** Counts the line feeds in at most {@linkcode STRETCH_WORDS} words. */
function countWords(words: Int32Array, from: number, to: number): number {
  let lanes = 0;
  for (; from < to; from++) {
    const odd = words[from]! ^ FEEDS;
    // The top bit of each byte, set where the byte was anything but a line feed.
    const others = ((odd & 0x7f7f7f7f) + 0x7f7f7f7f) | odd;
    lanes += (~others >>> 7) & 0x01010101;
  }
  const pairs = (lanes & 0x00ff00ff) + ((lanes >>> 8) & 0x00ff00ff);
  return (pairs & 0xffff) + (pairs >>> 16);
}

/** Whether the file ends with a line feed. */
export async function endsWithLineFeed(source: Source): Promise<boolean> {
  const { size, feed } = source;
  if (size < feed) return false;
  const loading = source.loadBefore(size);
  if (loading !== undefined) await loading;
  const { kernel, start } = source;
  if (feed === 1) return kernel.buffer[size - 1 - start] === LF;
  return kernel.nth(size - feed - start, size - start, 1) >= 0;
}

/** How many lines a file with `passed` line feeds has: one more if its end is no line feed. */
export async function linesIn(source: Source, passed: number): Promise<number> {
  if (source.size === 0) return 0;
  return passed + (await endsWithLineFeed(source) ? 0 : 1);
}

const CR = 0x0d;

/** How many bytes from `from` on are ASCII and end no line, as far as the kernel can tell; the buffer must hold them. */
export function plainBytes(
  { kernel, start }: Source,
  from: number,
  to: number,
): number {
  const begin = from - start;
  const feed = kernel.nth(begin, to - start, 1);
  let end = feed < 0 ? to - start : feed;
  // A carriage return at the end may be half of a line ending.
  if (end > begin && kernel.buffer[end - 1] === CR) end--;
  return kernel.isAscii?.(begin, end) ? end - begin : 0;
}
