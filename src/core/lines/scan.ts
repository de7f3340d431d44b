// Runtime-agnostic.
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
  /**
   * Counts the pairs of bytes that are `unit`, lower byte first, in at most 512
   * KiB and a multiple of sixteen bytes. Only kernels that are faster at it
   * have this.
   */
  countUnits?(from: number, to: number, unit: number): number;
  /** Whether `buffer[from, to)` is all ASCII. Only kernels that are faster at it than a decoder have this. */
  isAscii?(from: number, to: number): boolean;
  /**
   * The first index in `buffer[from, to)` of the byte `one` with the byte
   * `other` at the distance `apart` behind it, at most 255; negative if there
   * is none.
   */
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

  /** Constructs a new instance; `makeQuick` makes a kernel that is faster than plain JavaScript, if the runtime supports one. */
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
    const { length } = kernel.buffer;
    const others = length === FIRST_CHUNK_BYTES ? this.#small : this.#large;
    // A port or a view may have transferred the buffer.
    if (length > 0 && others.length < MAX_FREE) others.push(kernel);
  }
}

/** The key of the kernels of a port, which the public interface does not show. */
const KERNELS = /* @__PURE__ */ Symbol("kernels");

/** The kernels that a port offers. A port that delivers bytes more slowly than plain JavaScript scans them offers none. */
function offerOf(
  port: FsPort & { readonly [KERNELS]?: KernelPool | undefined },
): KernelPool | undefined {
  return port[KERNELS];
}

/** Adds kernels to a port, to scan its files. */
export function withKernels(port: FsPort, kernels?: KernelPool): FsPort {
  return Object.assign(port, { [KERNELS]: kernels });
}

/** Adds to a port the first kernels that one of `others` offers. */
export function withKernelsOf(port: FsPort, others: readonly FsPort[]): FsPort {
  return withKernels(
    port,
    others.map(offerOf).find((pool) => pool !== undefined),
  );
}

/** The kernels for ports that offer none. They are shared, since a kernel keeps no state. */
const plainKernels = /* @__PURE__ */ new KernelPool();

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
      // Before the wanted line feed, whole stretches are only counted.
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
    has: (from, to, byte) => buffer.subarray(from, to).includes(byte),
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
    // The top bit of each byte is set unless the byte is a line feed.
    const others = ((odd & 0x7f7f7f7f) + 0x7f7f7f7f) | odd;
    lanes += (~others >>> 7) & 0x01010101;
  }
  const pairs = (lanes & 0x00ff00ff) + ((lanes >>> 8) & 0x00ff00ff);
  return (pairs & 0xffff) + (pairs >>> 16);
}

export async function endsWithLineFeed(source: Source): Promise<boolean> {
  const { size, feed } = source;
  if (size < feed) return false;
  const loading = source.loadBefore(size);
  if (loading !== undefined) await loading;
  const { kernel, start } = source;
  return kernel.nth(size - feed - start, size - start, 1) >= 0;
}

/** How many lines a file with `passed` line feeds has: one more if it does not end with a line feed. */
export async function linesIn(source: Source, passed: number): Promise<number> {
  if (source.size === 0) return 0;
  return passed + (await endsWithLineFeed(source) ? 0 : 1);
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
export const SCAN_WASM: string =
  "AGFzbQEAAAABJgZgAX8Bf2ABfwF7YAF7AX9gAn9/AX9gA39/fwF/YAV/f39/fwF/AwwLAAABAgME" +
  "BAQEAwUFBAEBEREHRggGbWVtb3J5AgAFY291bnQABApjb3VudFVuaXRzAAUDbnRoAAYHbnRoTGFz" +
  "dAAHA2hhcwAIB2hhc0hpZ2gACQRwYWlyAAoK9gcLCgAgAC0AAEEKRgseACAA/QAEAP0MCgoKCgoK" +
  "CgoKCgoKCgoKCv0j/WQLRgEBe/0MCgoKCgoKCgoKCgoKCgoKCiEBIAD9AAQAIAH9IyAA/QAEECAB" +
  "/SP9biAA/QAEICAB/SMgAP0ABDAgAf0j/W79bgsjAQF7IAD9ff1/IQEgAf0bACAB/RsBaiAB/RsC" +
  "IAH9GwNqaguNAQICfwF7AkADQCABIABrQcAASA0BIABBwB8gASAAa0FAcSABIABrQcAfShtqIQP9" +
  "DAAAAAAAAAAAAAAAAAAAAAAhBANAIAQgABAC/XEhBCAAQcAAaiEAIAAgA0gNAAsgAiAEEANqIQIM" +
  "AAsLAkADQCAAIAFODQEgAiAAEABqIQIgAEEBaiEADAALCyACC04BAnsgAv0QIQQCQANAIAAgAU4N" +
  "ASADIAD9AAQAIAT9Lf2RASEDIABBEGohAAwACwsgA/1/IQMgA/0bACAD/RsBaiAD/RsCIAP9GwNq" +
  "agu/AQEDfwJAA0AgAiADa0EQTCABIABrQcAfSHINASAAIABBwB9qEAQhBCADIARqIAJODQEgAyAE" +
  "aiEDIABBwB9qIQAMAAsLAkADQCAAIAFODQEgABABIQQgASAAayEFIAVBEEgEQCAEQQEgBXRBAWtx" +
  "IQQLIAIgA2shBSAEaSAFTgRAAkADQCAFQQFrIQUgBUUNASAEIARBAWtxIQQMAAsLIAAgBGhqDwsg" +
  "AyAEaWohAyAAQRBqIQAMAAsLIANBf3MLqQEBA38CQANAIAIgA2tBEEwgASAAa0HAH0hyDQEgAUHA" +
  "H2sgARAEIQQgAyAEaiACTg0BIAMgBGohAyABQcAfayEBDAALCwJAA0AgASAAa0EQSA0BIAFBEGsQ" +
  "ASEEIAMgBGlqIAJODQEgAyAEaWohAyABQRBrIQEMAAsLAkADQCABIABMDQEgAUEBayEBIAMgARAA" +
  "aiEDIAMgAkYEQCABDwsMAAsLIANBf3MLWwEBeyAC/Q8hAwJAA0AgASAAa0EQSA0BIAD9AAQAIAP9" +
  "I/1TBEBBAQ8LIABBEGohAAwACwsCQANAIAAgAU4NASAALQAAIAJGBEBBAQ8LIABBAWohAAwACwtB" +
  "AAtaAQF7AkADQCABIABrQRBIDQEgAiAA/QAEAP1QIQIgAEEQaiEADAALCyAC/WQEQEEBDwsCQANA" +
  "IAAgAU4NASAALQAAQYABTwRAQQEPCyAAQQFqIQAMAAsLQQALXgICewF/IAL9DyEFIAP9DyEGAkAD" +
  "QCAAIAFODQEgAP0ABAAgBf0jIAAgBGr9AAQAIAb9I/1O/WQhByAHBEAgACAHaGohACAAIAFODQIg" +
  "AA8LIABBEGohAAwACwtBfws=";

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
    const bytes = Uint8Array.from(
      atob(SCAN_WASM),
      (char) => char.charCodeAt(0),
    );
    return new host.Module(bytes);
  } catch {
    // workerd does not compile bytes at run time; other runtimes may lack SIMD.
    return null;
  }
}
