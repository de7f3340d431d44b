// Runtime-agnostic.
import { BUFFER_BYTES } from "../base/limits.ts";
import type { NewlineKernel } from "./scan.ts";

/** `scan_wasm.wat`, assembled; a test assembles it again and compares. */
export const SCAN_WASM: string =
  "AGFzbQEAAAABHQVgAX8Bf2ABfwF7YAF7AX9gAn9/AX9gA39/fwF/AwoJAAABAgMEBAMDBQQBARER" +
  "BzUGBm1lbW9yeQIABWNvdW50AAQDbnRoAAUHbnRoTGFzdAAGBmhhc051bAAHB2hhc0hpZ2gACAq7" +
  "BgkKACAALQAAQQpGCx4AIAD9AAQA/QwKCgoKCgoKCgoKCgoKCgoK/SP9ZAtGAQF7/QwKCgoKCgoK" +
  "CgoKCgoKCgoKIQEgAP0ABAAgAf0jIAD9AAQQIAH9I/1uIAD9AAQgIAH9IyAA/QAEMCAB/SP9bv1u" +
  "CyMBAXsgAP19/X8hASAB/RsAIAH9GwFqIAH9GwIgAf0bA2pqC40BAgJ/AXsCQANAIAEgAGtBwABI" +
  "DQEgAEHAHyABIABrQUBxIAEgAGtBwB9KG2ohA/0MAAAAAAAAAAAAAAAAAAAAACEEA0AgBCAAEAL9" +
  "cSEEIABBwABqIQAgACADSA0ACyACIAQQA2ohAgwACwsCQANAIAAgAU4NASACIAAQAGohAiAAQQFq" +
  "IQAMAAsLIAILvwEBA38CQANAIAIgA2tBEEwgASAAa0HAH0hyDQEgACAAQcAfahAEIQQgAyAEaiAC" +
  "Tg0BIAMgBGohAyAAQcAfaiEADAALCwJAA0AgACABTg0BIAAQASEEIAEgAGshBSAFQRBIBEAgBEEB" +
  "IAV0QQFrcSEECyACIANrIQUgBGkgBU4EQAJAA0AgBUEBayEFIAVFDQEgBCAEQQFrcSEEDAALCyAA" +
  "IARoag8LIAMgBGlqIQMgAEEQaiEADAALCyADQX9zC6kBAQN/AkADQCACIANrQRBMIAEgAGtBwB9I" +
  "cg0BIAFBwB9rIAEQBCEEIAMgBGogAk4NASADIARqIQMgAUHAH2shAQwACwsCQANAIAEgAGtBEEgN" +
  "ASABQRBrEAEhBCADIARpaiACTg0BIAMgBGlqIQMgAUEQayEBDAALCwJAA0AgASAATA0BIAFBAWsh" +
  "ASADIAEQAGohAyADIAJGBEAgAQ8LDAALCyADQX9zC04AAkADQCABIABrQRBIDQEgAP0ABAD9Y0UE" +
  "QEEBDwsgAEEQaiEADAALCwJAA0AgACABTg0BIAAtAABFBEBBAQ8LIABBAWohAAwACwtBAAtaAQF7" +
  "AkADQCABIABrQRBIDQEgAiAA/QAEAP1QIQIgAEEQaiEADAALCyAC/WQEQEEBDwsCQANAIAAgAU4N" +
  "ASAALQAAQYABTwRAQQEPCyAAQQFqIQAMAAsLQQAL";

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
  const { count, nth, nthLast, hasNul, hasHigh } = exports;
  return {
    buffer: new Uint8Array(exports.memory.buffer, 0, BUFFER_BYTES),
    count,
    nth: (from, to, n) => nth(from, to, Math.min(n, MANY)),
    nthLast: (from, to, n) => nthLast(from, to, Math.min(n, MANY)),
    hasNul: (from, to) => hasNul(from, to) === 1,
    isAscii: (from, to) => hasHigh(from, to) === 0,
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
