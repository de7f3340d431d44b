import { BUFFER_BYTES, FIRST_CHUNK_BYTES } from "../base/limits.ts";
import type { FsPort } from "../base/port.ts";
import type { Source } from "./source.ts";

/**
 * Finds line feeds in its own buffer, so that files are read directly into the
 * memory of a WebAssembly module.
 */
export interface NewlineKernel {
  readonly buffer: Uint8Array;
  /** Counts the line feeds in `buffer[from, to)`. */
  count(from: number, to: number): number;
  /** The index of the `n`-th line feed in `buffer[from, to)`; the negative number `~k` if there are only `k`. */
  nth(from: number, to: number, n: number): number;
  /** The index of the `n`-th last line feed, or `~k`. */
  nthLast(from: number, to: number, n: number): number;
  /** Whether `buffer[from, to)` holds a byte. */
  has(from: number, to: number, byte: number): boolean;
  /** Counts the pairs of bytes in `buffer[from, to)` that are `unit`, lower byte first. The length must be a multiple of 16, and at most 512 KiB. Only faster kernels have this. */
  countUnits?(from: number, to: number, unit: number): number;
  /** Whether `buffer[from, to)` is all ASCII. Only kernels that are faster than a decoder have this. */
  isAscii?(from: number, to: number): boolean;
  /** The first index `at` in `buffer[from, to)` with the byte `one` at `at` and the byte `other` at `at + apart`; `apart` is at most 255. Negative if these bytes do not occur. */
  pair?(
    from: number,
    to: number,
    one: number,
    other: number,
    apart: number,
  ): number;
}

/** How many free kernels of a size are kept. */
const MAX_FREE = 4;

/** How many bytes of small files are scanned in plain JavaScript before a faster kernel is compiled. */
const PLAIN_BYTES = 2 * 1024 * 1024;

export class KernelPool {
  readonly #makeQuick: () => NewlineKernel | undefined;
  /** The free kernels: those for one chunk, and larger ones. */
  readonly #small: NewlineKernel[] = [];
  readonly #large: NewlineKernel[] = [];
  #scannedPlain = 0;

  /** `makeQuick` makes a kernel that is faster than plain JavaScript, if the runtime supports one. */
  constructor(makeQuick: () => NewlineKernel | undefined = () => undefined) {
    this.#makeQuick = makeQuick;
  }

  /** Takes a kernel for a file of `size` bytes; no other read uses it until it is given back. */
  take(size: number): NewlineKernel {
    const free = this.#large.pop();
    if (free !== undefined) return free;
    if (size > FIRST_CHUNK_BYTES) {
      return this.#makeQuick() ?? plainKernel(BUFFER_BYTES);
    }
    // Scanning one small file is faster than compiling a module; scanning many is not.
    // When the small files together pass PLAIN_BYTES, one faster kernel is made, once;
    // later calls find it in `#large`.
    const wasFirst = this.#scannedPlain < PLAIN_BYTES;
    this.#scannedPlain += size;
    const isDue = wasFirst && this.#scannedPlain >= PLAIN_BYTES;
    const quick = isDue ? this.#makeQuick() : undefined;
    return quick ?? this.#small.pop() ?? plainKernel(FIRST_CHUNK_BYTES);
  }

  give(kernel: NewlineKernel): void {
    const { length } = kernel.buffer;
    const others = length === FIRST_CHUNK_BYTES ? this.#small : this.#large;
    // A port or a view may have transferred the buffer.
    if (length > 0 && others.length < MAX_FREE) others.push(kernel);
  }
}

/** The key of the kernels of a port, which the public interface does not show. */
const KERNELS = Symbol("kernels");

/** A port and its kernels. A port that delivers bytes more slowly than plain JavaScript scans them offers none. */
type Port = FsPort & { readonly [KERNELS]?: KernelPool | undefined };

/** Adds kernels to a port, to scan its files. */
export function withKernels(port: FsPort, kernels?: KernelPool): FsPort {
  return Object.assign(port, { [KERNELS]: kernels });
}

/** The kernels for ports that offer none. They are shared, since a kernel keeps no state. */
const plainKernels = new KernelPool();

export function kernelsOf(port: Port): KernelPool {
  return port[KERNELS] ?? plainKernels;
}

const LF = 0x0a;

/** How many words a byte-wide counter can count. */
const STRETCH_WORDS = 252;
const STRETCH_BYTES = STRETCH_WORDS * 4;

/** A kernel in plain JavaScript, for every runtime. */
export function plainKernel(size: number): NewlineKernel {
  const buffer = new Uint8Array(size);
  return {
    buffer,
    ...feedsIn(buffer, [LF], { start: 0 }),
    has: (from, to, byte) => buffer.subarray(from, to).includes(byte),
  };
}

/**
 * Finds line feeds of one or two bytes, which begin at a multiple of their
 * length in the file. The index of a line feed is that of its last byte.
 * `countUnits` counts those of two bytes faster.
 */
export function feedsIn(
  buffer: Uint8Array,
  feed: readonly [number, number?],
  source: { readonly start: number },
  countUnits?: NewlineKernel["countUnits"],
): Pick<NewlineKernel, "count" | "nth" | "nthLast"> {
  const { length: unit } = feed;
  const [one, two = one] = feed;
  const words = new Int32Array(
    buffer.buffer,
    buffer.byteOffset,
    buffer.length >> 2,
  );
  // Four bytes are compared at a time.
  const feeds = (two << 24) | (one << 16) | (two << 8) | one;
  /** All bits but the top one of each unit. */
  const lowBits = unit === 1 ? 0x7f7f7f7f : 0x7fff7fff;
  // A unit has at most two bytes, so at most one of them is before `at`.
  const alignUp = (at: number) => at + (source.start + at) % unit;
  const alignDown = (at: number) => at - (source.start + at) % unit;
  const isFeed = (at: number) =>
    buffer[at] === one && buffer[at + unit - 1] === two;

  function count(from: number, to: number): number {
    let found = 0;
    let at = alignUp(from);
    while (countUnits !== undefined && to - at >= 16) {
      const end = at + Math.min(UNITS_BYTES, (to - at) & ~15);
      found += countUnits(at, end, feeds & 0xffff);
      at = end;
    }
    // Units at an odd index cannot be compared as words.
    const canUseWords = at % unit === 0;
    if (canUseWords) {
      // To the first whole word.
      for (; at % 4 !== 0 && at + unit <= to; at += unit) {
        if (isFeed(at)) found++;
      }
      const wordsEnd = to & ~3;
      while (at < wordsEnd) {
        const end = Math.min(wordsEnd, at + STRETCH_BYTES);
        found += countWords(words, at >> 2, end >> 2, feeds, lowBits);
        at = end;
      }
    }
    // The rest.
    for (; at + unit <= to; at += unit) if (isFeed(at)) found++;
    return found;
  }

  return {
    count,
    nth(from, to, n) {
      let found = 0;
      let at = alignUp(from);
      // Before the wanted line feed, whole stretches are only counted.
      while (to - at >= STRETCH_BYTES) {
        const here = count(at, at + STRETCH_BYTES);
        if (found + here >= n) break;
        found += here;
        at += STRETCH_BYTES;
      }
      for (; at + unit <= to; at += unit) {
        if (isFeed(at) && ++found === n) return at + unit - 1;
      }
      return ~found;
    },
    nthLast(from, to, n) {
      let found = 0;
      const first = alignUp(from);
      let at = alignDown(to);
      while (at - first >= STRETCH_BYTES) {
        const here = count(at - STRETCH_BYTES, at);
        if (found + here >= n) break;
        found += here;
        at -= STRETCH_BYTES;
      }
      while ((at -= unit) >= first) {
        if (isFeed(at) && ++found === n) return at + unit - 1;
      }
      return ~found;
    },
  };
}

/** How many bytes a faster kernel counts at a time. */
const UNITS_BYTES = 64 * 1024;

/** Counts the line feeds in at most {@linkcode STRETCH_WORDS} words, four bytes at a time (SWAR); `lowBits` are all bits but the top one of each unit. */
function countWords(
  words: Int32Array,
  from: number,
  to: number,
  feeds: number,
  lowBits: number,
): number {
  // One bit for each line feed, added up at the bottom of a byte: at most 252 in each.
  let lanes = 0;
  for (; from < to; from++) {
    const odd = words[from]! ^ feeds;
    // The top bit of each unit is set unless the unit is a line feed.
    const others = ((odd & lowBits) + lowBits) | odd;
    lanes += (~others >>> 7) & (~lowBits >>> 7);
  }
  // The sum of the four bytes.
  const pairs = (lanes & 0x00ff00ff) + ((lanes >>> 8) & 0x00ff00ff);
  return (pairs & 0xffff) + (pairs >>> 16);
}

export async function fileEndsWithFeed(source: Source): Promise<boolean> {
  const { size, feedLength } = source;
  if (size < feedLength) return false;
  const loading = source.loadBefore(size);
  if (loading !== undefined) await loading;
  const { kernel, start } = source;
  return kernel.nth(size - feedLength - start, size - start, 1) >= 0;
}

/** How many lines a file with `passed` line feeds has: one more if it does not end with a line feed. */
export async function linesIn(source: Source, passed: number): Promise<number> {
  if (source.size === 0) return 0;
  return passed + (await fileEndsWithFeed(source) ? 0 : 1);
}

const CR = 0x0d;

/** A lower bound of how many bytes from `from` on are ASCII without line endings; the buffer must hold them. */
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

/** `scan_wasm.wat`, assembled; a test assembles it again and compares. */
export const SCAN_WASM =
  "AGFzbQEAAAABJgZgAX8Bf2ABfwF7YAF7AX9gAn9/AX9gA39/fwF/YAV/f39/fwF/AwwLAAABAgMEBAQEAwUFBAEBEREHRggGbWVtb3J5AgAFY291bnQABApjb3VudFVuaXRzAAUDbnRoAAYHbnRoTGFzdAAHA2hhcwAIB2hhc0hpZ2gACQRwYWlyAAoK9gcLCgAgAC0AAEEKRgseACAA/QAEAP0MCgoKCgoKCgoKCgoKCgoKCv0j/WQLRgEBe/0MCgoKCgoKCgoKCgoKCgoKCiEBIAD9AAQAIAH9IyAA/QAEECAB/SP9biAA/QAEICAB/SMgAP0ABDAgAf0j/W79bgsjAQF7IAD9ff1/IQEgAf0bACAB/RsBaiAB/RsCIAH9GwNqaguNAQICfwF7AkADQCABIABrQcAASA0BIABBwB8gASAAa0FAcSABIABrQcAfShtqIQP9DAAAAAAAAAAAAAAAAAAAAAAhBANAIAQgABAC/XEhBCAAQcAAaiEAIAAgA0gNAAsgAiAEEANqIQIMAAsLAkADQCAAIAFODQEgAiAAEABqIQIgAEEBaiEADAALCyACC04BAnsgAv0QIQQCQANAIAAgAU4NASADIAD9AAQAIAT9Lf2RASEDIABBEGohAAwACwsgA/1/IQMgA/0bACAD/RsBaiAD/RsCIAP9GwNqagu/AQEDfwJAA0AgAiADa0EQTCABIABrQcAfSHINASAAIABBwB9qEAQhBCADIARqIAJODQEgAyAEaiEDIABBwB9qIQAMAAsLAkADQCAAIAFODQEgABABIQQgASAAayEFIAVBEEgEQCAEQQEgBXRBAWtxIQQLIAIgA2shBSAEaSAFTgRAAkADQCAFQQFrIQUgBUUNASAEIARBAWtxIQQMAAsLIAAgBGhqDwsgAyAEaWohAyAAQRBqIQAMAAsLIANBf3MLqQEBA38CQANAIAIgA2tBEEwgASAAa0HAH0hyDQEgAUHAH2sgARAEIQQgAyAEaiACTg0BIAMgBGohAyABQcAfayEBDAALCwJAA0AgASAAa0EQSA0BIAFBEGsQASEEIAMgBGlqIAJODQEgAyAEaWohAyABQRBrIQEMAAsLAkADQCABIABMDQEgAUEBayEBIAMgARAAaiEDIAMgAkYEQCABDwsMAAsLIANBf3MLWwEBeyAC/Q8hAwJAA0AgASAAa0EQSA0BIAD9AAQAIAP9I/1TBEBBAQ8LIABBEGohAAwACwsCQANAIAAgAU4NASAALQAAIAJGBEBBAQ8LIABBAWohAAwACwtBAAtaAQF7AkADQCABIABrQRBIDQEgAiAA/QAEAP1QIQIgAEEQaiEADAALCyAC/WQEQEEBDwsCQANAIAAgAU4NASAALQAAQYABTwRAQQEPCyAAQQFqIQAMAAsLQQALXgICewF/IAL9DyEFIAP9DyEGAkADQCAAIAFODQEgAP0ABAAgBf0jIAAgBGr9AAQAIAb9I/1O/WQhByAHBEAgACAHaGohACAAIAFODQIgAA8LIABBEGohAAwACwtBfws=";

/** The used part of WebAssembly, which not every runtime has. */
interface WasmHost {
  readonly WebAssembly?: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: unknown };
  };
}

interface Exports
  extends Required<Omit<NewlineKernel, "buffer" | "has" | "isAscii">> {
  readonly memory: { readonly buffer: ArrayBuffer };
  has(from: number, to: number, byte: number): number;
  hasHigh(from: number, to: number): number;
}

/** More line feeds than any buffer holds. */
const MANY = 0x7fffffff;

/** The compiled module; `null` if the runtime cannot compile it. */
let module: object | null | undefined;

/** A kernel in WebAssembly; `undefined` if the runtime cannot compile it. */
export function wasmKernel(): NewlineKernel | undefined {
  const { WebAssembly } = globalThis as WasmHost;
  if (module === undefined) module = compile(WebAssembly);
  if (module === null || WebAssembly === undefined) return undefined;
  const exports = new WebAssembly.Instance(module).exports as Exports;
  const { count, countUnits, nth, nthLast, has, hasHigh, pair } = exports;
  return {
    buffer: new Uint8Array(exports.memory.buffer, 0, BUFFER_BYTES),
    count,
    countUnits,
    nth: (from, to, n) => nth(from, to, Math.min(n, MANY)),
    nthLast: (from, to, n) => nthLast(from, to, Math.min(n, MANY)),
    has: (from, to, byte) => has(from, to, byte) === 1,
    isAscii: (from, to) => hasHigh(from, to) === 0,
    pair,
  };
}

// Compiles at the first use, not when the package is loaded.
function compile(host: WasmHost["WebAssembly"]): object | null {
  if (host === undefined) return null;
  try {
    const wasm = Uint8Array.from(atob(SCAN_WASM), (char) => char.charCodeAt(0));
    return new host.Module(wasm);
  } catch {
    // workerd does not compile bytes at run time; other runtimes may lack SIMD.
    return null;
  }
}
