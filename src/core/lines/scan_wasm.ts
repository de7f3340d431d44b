// Runtime-agnostic.
import { BUFFER_BYTES } from "../base/limits.ts";
import type { NewlineKernel } from "./scan.ts";

/** `scan_wasm.wat`, assembled; a test assembles it again and compares. */
export const SCAN_WASM: string =
  "AGFzbQEAAAABJgZgAX8Bf2ABfwF7YAF7AX9gAn9/AX9gA39/fwF/YAV/f39/fwF/AwwLAAABAgME" +
  "BAQDAwUFBAEBEREHSQgGbWVtb3J5AgAFY291bnQABApjb3VudFVuaXRzAAUDbnRoAAYHbnRoTGFz" +
  "dAAHBmhhc051bAAIB2hhc0hpZ2gACQRwYWlyAAoK6QcLCgAgAC0AAEEKRgseACAA/QAEAP0MCgoK" +
  "CgoKCgoKCgoKCgoKCv0j/WQLRgEBe/0MCgoKCgoKCgoKCgoKCgoKCiEBIAD9AAQAIAH9IyAA/QAE" +
  "ECAB/SP9biAA/QAEICAB/SMgAP0ABDAgAf0j/W79bgsjAQF7IAD9ff1/IQEgAf0bACAB/RsBaiAB" +
  "/RsCIAH9GwNqaguNAQICfwF7AkADQCABIABrQcAASA0BIABBwB8gASAAa0FAcSABIABrQcAfShtq" +
  "IQP9DAAAAAAAAAAAAAAAAAAAAAAhBANAIAQgABAC/XEhBCAAQcAAaiEAIAAgA0gNAAsgAiAEEANq" +
  "IQIMAAsLAkADQCAAIAFODQEgAiAAEABqIQIgAEEBaiEADAALCyACC04BAnsgAv0QIQQCQANAIAAg" +
  "AU4NASADIAD9AAQAIAT9Lf2RASEDIABBEGohAAwACwsgA/1/IQMgA/0bACAD/RsBaiAD/RsCIAP9" +
  "GwNqagu/AQEDfwJAA0AgAiADa0EQTCABIABrQcAfSHINASAAIABBwB9qEAQhBCADIARqIAJODQEg" +
  "AyAEaiEDIABBwB9qIQAMAAsLAkADQCAAIAFODQEgABABIQQgASAAayEFIAVBEEgEQCAEQQEgBXRB" +
  "AWtxIQQLIAIgA2shBSAEaSAFTgRAAkADQCAFQQFrIQUgBUUNASAEIARBAWtxIQQMAAsLIAAgBGhq" +
  "DwsgAyAEaWohAyAAQRBqIQAMAAsLIANBf3MLqQEBA38CQANAIAIgA2tBEEwgASAAa0HAH0hyDQEg" +
  "AUHAH2sgARAEIQQgAyAEaiACTg0BIAMgBGohAyABQcAfayEBDAALCwJAA0AgASAAa0EQSA0BIAFB" +
  "EGsQASEEIAMgBGlqIAJODQEgAyAEaWohAyABQRBrIQEMAAsLAkADQCABIABMDQEgAUEBayEBIAMg" +
  "ARAAaiEDIAMgAkYEQCABDwsMAAsLIANBf3MLTgACQANAIAEgAGtBEEgNASAA/QAEAP1jRQRAQQEP" +
  "CyAAQRBqIQAMAAsLAkADQCAAIAFODQEgAC0AAEUEQEEBDwsgAEEBaiEADAALC0EAC1oBAXsCQANA" +
  "IAEgAGtBEEgNASACIAD9AAQA/VAhAiAAQRBqIQAMAAsLIAL9ZARAQQEPCwJAA0AgACABTg0BIAAt" +
  "AABBgAFPBEBBAQ8LIABBAWohAAwACwtBAAteAgJ7AX8gAv0PIQUgA/0PIQYCQANAIAAgAU4NASAA" +
  "/QAEACAF/SMgACAEav0ABAAgBv0j/U79ZCEHIAcEQCAAIAdoaiEAIAAgAU4NAiAADwsgAEEQaiEA" +
  "DAALC0F/Cw==";

/** The used part of WebAssembly, which not every runtime has. */
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
  countUnits(from: number, to: number, unit: number): number;
  hasNul(from: number, to: number): number;
  hasHigh(from: number, to: number): number;
  pair(
    from: number,
    to: number,
    one: number,
    other: number,
    apart: number,
  ): number;
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
  const { count, countUnits, nth, nthLast, hasNul, hasHigh, pair } = exports;
  return {
    buffer: new Uint8Array(exports.memory.buffer, 0, BUFFER_BYTES),
    count,
    countUnits,
    nth: (from, to, n) => nth(from, to, Math.min(n, MANY)),
    nthLast: (from, to, n) => nthLast(from, to, Math.min(n, MANY)),
    hasNul: (from, to) => hasNul(from, to) === 1,
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
