// Runtime-agnostic.
import { BUFFER_BYTES, FIRST_CHUNK_BYTES } from "../limits.ts";
import type { MakeKernel, NewlineKernel } from "./scan.ts";

/** `scan_wasm.wat`, assembled; a test assembles it again and compares. */
export const SCAN_WASM: string =
  "AGFzbQEAAAABHQVgAX8Bf2ABfwF7YAF7AX9gAn9/AX9gA39/fwF/AwkIAAABAgMEBAMFBAEBEREH" +
  "KwUGbWVtb3J5AgAFY291bnQABANudGgABQdudGhMYXN0AAYGaGFzTnVsAAcK4AUICgAgAC0AAEEK" +
  "RgseACAA/QAEAP0MCgoKCgoKCgoKCgoKCgoKCv0j/WQLRgEBe/0MCgoKCgoKCgoKCgoKCgoKCiEB" +
  "IAD9AAQAIAH9IyAA/QAEECAB/SP9biAA/QAEICAB/SMgAP0ABDAgAf0j/W79bgsjAQF7IAD9ff1/" +
  "IQEgAf0bACAB/RsBaiAB/RsCIAH9GwNqaguNAQICfwF7AkADQCABIABrQcAASA0BIABBwB8gASAA" +
  "a0FAcSABIABrQcAfShtqIQP9DAAAAAAAAAAAAAAAAAAAAAAhBANAIAQgABAC/XEhBCAAQcAAaiEA" +
  "IAAgA0gNAAsgAiAEEANqIQIMAAsLAkADQCAAIAFODQEgAiAAEABqIQIgAEEBaiEADAALCyACC78B" +
  "AQN/AkADQCACIANrQRBMIAEgAGtBwB9Icg0BIAAgAEHAH2oQBCEEIAMgBGogAk4NASADIARqIQMg" +
  "AEHAH2ohAAwACwsCQANAIAAgAU4NASAAEAEhBCABIABrIQUgBUEQSARAIARBASAFdEEBa3EhBAsg" +
  "AiADayEFIARpIAVOBEACQANAIAVBAWshBSAFRQ0BIAQgBEEBa3EhBAwACwsgACAEaGoPCyADIARp" +
  "aiEDIABBEGohAAwACwsgA0F/cwupAQEDfwJAA0AgAiADa0EQTCABIABrQcAfSHINASABQcAfayAB" +
  "EAQhBCADIARqIAJODQEgAyAEaiEDIAFBwB9rIQEMAAsLAkADQCABIABrQRBIDQEgAUEQaxABIQQg" +
  "AyAEaWogAk4NASADIARpaiEDIAFBEGshAQwACwsCQANAIAEgAEwNASABQQFrIQEgAyABEABqIQMg" +
  "AyACRgRAIAEPCwwACwsgA0F/cwtOAAJAA0AgASAAa0EQSA0BIAD9AAQA/WNFBEBBAQ8LIABBEGoh" +
  "AAwACwsCQANAIAAgAU4NASAALQAARQRAQQEPCyAAQQFqIQAMAAsLQQAL";

/** What this needs of WebAssembly, which not every runtime has. */
interface WasmHost {
  readonly WebAssembly?: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: unknown };
  };
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  count(from: number, to: number): number;
  nth(from: number, to: number, n: number): number;
  nthLast(from: number, to: number, n: number): number;
  hasNul(from: number, to: number): number;
}

/** No buffer holds so many line feeds. */
const MANY = 0x7fffffff;

/** As many bytes of small files are scanned in plain JavaScript while a module is compiled. */
const COMPILE_BYTES = 2 * 1024 * 1024;

/**
 * Makes kernels where that pays: for each large file, and once for the small
 * ones. One of those is scanned before a module would be compiled; very many
 * are not.
 */
export function kernelsThatPay(
  make: () => NewlineKernel | undefined = wasmKernel,
): MakeKernel {
  let scannedPlain = 0;
  return (size) => {
    if (size > FIRST_CHUNK_BYTES) return make();
    if (scannedPlain >= COMPILE_BYTES) return undefined;
    scannedPlain += size;
    return scannedPlain < COMPILE_BYTES ? undefined : make();
  };
}

let module: object | null | undefined;

/** A kernel in WebAssembly, or `undefined` where the runtime compiles none. */
export function wasmKernel(): NewlineKernel | undefined {
  const { WebAssembly } = globalThis as WasmHost;
  if (module === undefined) module = compile(WebAssembly);
  if (module === null || WebAssembly === undefined) return undefined;
  const exports = new WebAssembly.Instance(module).exports as Exports;
  const { count, nth, nthLast, hasNul } = exports;
  return {
    buffer: new Uint8Array(exports.memory.buffer, 0, BUFFER_BYTES),
    count,
    nth: (from, to, n) => nth(from, to, Math.min(n, MANY)),
    nthLast: (from, to, n) => nthLast(from, to, Math.min(n, MANY)),
    hasNul: (from, to) => hasNul(from, to) === 1,
  };
}

// At the first use, and not before: loading this package compiles nothing.
function compile(host: WasmHost["WebAssembly"]): object | null {
  if (host === undefined) return null;
  try {
    const bytes = Uint8Array.from(
      atob(SCAN_WASM),
      (char) => char.charCodeAt(0),
    );
    return new host.Module(bytes);
  } catch {
    // workerd compiles no bytes at run time; others may lack SIMD.
    return null;
  }
}
