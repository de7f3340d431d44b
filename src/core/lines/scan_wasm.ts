// Runtime-agnostic.
import { BUFFER_BYTES } from "../base/limits.ts";
import type { NewlineKernel } from "./scan.ts";

/** `scan_wasm.wat`, assembled; a test assembles it again and compares. */
export const SCAN_WASM: string =
  "AGFzbQEAAAABJgZgAX8Bf2ABfwF7YAF7AX9gAn9/AX9gA39/fwF/YAV/f39/fwF/AwsKAAABAgME" +
  "BAMDBQUEAQEREQc8BwZtZW1vcnkCAAVjb3VudAAEA250aAAFB250aExhc3QABgZoYXNOdWwABwdo" +
  "YXNIaWdoAAgEcGFpcgAJCpoHCgoAIAAtAABBCkYLHgAgAP0ABAD9DAoKCgoKCgoKCgoKCgoKCgr9" +
  "I/1kC0YBAXv9DAoKCgoKCgoKCgoKCgoKCgohASAA/QAEACAB/SMgAP0ABBAgAf0j/W4gAP0ABCAg" +
  "Af0jIAD9AAQwIAH9I/1u/W4LIwEBeyAA/X39fyEBIAH9GwAgAf0bAWogAf0bAiAB/RsDamoLjQEC" +
  "An8BewJAA0AgASAAa0HAAEgNASAAQcAfIAEgAGtBQHEgASAAa0HAH0obaiED/QwAAAAAAAAAAAAA" +
  "AAAAAAAAIQQDQCAEIAAQAv1xIQQgAEHAAGohACAAIANIDQALIAIgBBADaiECDAALCwJAA0AgACAB" +
  "Tg0BIAIgABAAaiECIABBAWohAAwACwsgAgu/AQEDfwJAA0AgAiADa0EQTCABIABrQcAfSHINASAA" +
  "IABBwB9qEAQhBCADIARqIAJODQEgAyAEaiEDIABBwB9qIQAMAAsLAkADQCAAIAFODQEgABABIQQg" +
  "ASAAayEFIAVBEEgEQCAEQQEgBXRBAWtxIQQLIAIgA2shBSAEaSAFTgRAAkADQCAFQQFrIQUgBUUN" +
  "ASAEIARBAWtxIQQMAAsLIAAgBGhqDwsgAyAEaWohAyAAQRBqIQAMAAsLIANBf3MLqQEBA38CQANA" +
  "IAIgA2tBEEwgASAAa0HAH0hyDQEgAUHAH2sgARAEIQQgAyAEaiACTg0BIAMgBGohAyABQcAfayEB" +
  "DAALCwJAA0AgASAAa0EQSA0BIAFBEGsQASEEIAMgBGlqIAJODQEgAyAEaWohAyABQRBrIQEMAAsL" +
  "AkADQCABIABMDQEgAUEBayEBIAMgARAAaiEDIAMgAkYEQCABDwsMAAsLIANBf3MLTgACQANAIAEg" +
  "AGtBEEgNASAA/QAEAP1jRQRAQQEPCyAAQRBqIQAMAAsLAkADQCAAIAFODQEgAC0AAEUEQEEBDwsg" +
  "AEEBaiEADAALC0EAC1oBAXsCQANAIAEgAGtBEEgNASACIAD9AAQA/VAhAiAAQRBqIQAMAAsLIAL9" +
  "ZARAQQEPCwJAA0AgACABTg0BIAAtAABBgAFPBEBBAQ8LIABBAWohAAwACwtBAAteAgJ7AX8gAv0P" +
  "IQUgA/0PIQYCQANAIAAgAU4NASAA/QAEACAF/SMgACAEav0ABAAgBv0j/U79ZCEHIAcEQCAAIAdo" +
  "aiEAIAAgAU4NAiAADwsgAEEQaiEADAALC0F/Cw==";

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
  hasHigh(from: number, to: number): number;
  pair(
    from: number,
    to: number,
    one: number,
    other: number,
    apart: number,
  ): number;
}

/** No buffer holds so many line feeds. */
const MANY = 0x7fffffff;

/** The compiled module; `null` where the runtime compiles none. */
let module: object | null | undefined;

/** A kernel in WebAssembly, or `undefined` where the runtime compiles none. */
export function wasmKernel(): NewlineKernel | undefined {
  const { WebAssembly } = globalThis as WasmHost;
  if (module === undefined) module = compile(WebAssembly);
  if (module === null || WebAssembly === undefined) return undefined;
  const exports = new WebAssembly.Instance(module).exports as Exports;
  const { count, nth, nthLast, hasNul, hasHigh, pair } = exports;
  return {
    buffer: new Uint8Array(exports.memory.buffer, 0, BUFFER_BYTES),
    count,
    nth: (from, to, n) => nth(from, to, Math.min(n, MANY)),
    nthLast: (from, to, n) => nthLast(from, to, Math.min(n, MANY)),
    hasNul: (from, to) => hasNul(from, to) === 1,
    isAscii: (from, to) => hasHigh(from, to) === 0,
    pair,
  };
}

// At the first use, and not before: loading this package compiles nothing.
function compile(host: WasmHost["WebAssembly"]): object | null {
  if (host === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(SCAN_WASM), (it) => it.charCodeAt(0));
    return new host.Module(bytes);
  } catch {
    // workerd compiles no bytes at run time; others may lack SIMD.
    return null;
  }
}
