// Runtime-agnostic.
import { BUFFER_BYTES } from "../limits.ts";
import type { NewlineKernel } from "./scan.ts";

/** `scan_wasm.wat`, assembled; a test assembles it again and compares. */
export const SCAN_WASM: string =
  "AGFzbQEAAAABHQVgAX8Bf2ABfwF7YAF7AX9gAn9/AX9gA39/fwF/AwgHAAABAgMEBAUEAQER" +
  "EQciBAZtZW1vcnkCAAVjb3VudAAEA250aAAFB250aExhc3QABgqRBQcKACAALQAAQQpGCx4A" +
  "IAD9AAQA/QwKCgoKCgoKCgoKCgoKCgoK/SP9ZAtGAQF7/QwKCgoKCgoKCgoKCgoKCgoKIQEg" +
  "AP0ABAAgAf0jIAD9AAQQIAH9I/1uIAD9AAQgIAH9IyAA/QAEMCAB/SP9bv1uCyMBAXsgAP19" +
  "/X8hASAB/RsAIAH9GwFqIAH9GwIgAf0bA2pqC40BAgJ/AXsCQANAIAEgAGtBwABIDQEgAEHA" +
  "HyABIABrQUBxIAEgAGtBwB9KG2ohA/0MAAAAAAAAAAAAAAAAAAAAACEEA0AgBCAAEAL9cSEE" +
  "IABBwABqIQAgACADSA0ACyACIAQQA2ohAgwACwsCQANAIAAgAU4NASACIAAQAGohAiAAQQFq" +
  "IQAMAAsLIAILvwEBA38CQANAIAIgA2tBEEwgASAAa0HAH0hyDQEgACAAQcAfahAEIQQgAyAE" +
  "aiACTg0BIAMgBGohAyAAQcAfaiEADAALCwJAA0AgACABTg0BIAAQASEEIAEgAGshBSAFQRBI" +
  "BEAgBEEBIAV0QQFrcSEECyACIANrIQUgBGkgBU4EQAJAA0AgBUEBayEFIAVFDQEgBCAEQQFr" +
  "cSEEDAALCyAAIARoag8LIAMgBGlqIQMgAEEQaiEADAALCyADQX9zC6kBAQN/AkADQCACIANr" +
  "QRBMIAEgAGtBwB9Icg0BIAFBwB9rIAEQBCEEIAMgBGogAk4NASADIARqIQMgAUHAH2shAQwA" +
  "CwsCQANAIAEgAGtBEEgNASABQRBrEAEhBCADIARpaiACTg0BIAMgBGlqIQMgAUEQayEBDAAL" +
  "CwJAA0AgASAATA0BIAFBAWshASADIAEQAGohAyADIAJGBEAgAQ8LDAALCyADQX9zCw==";

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
}

/** No buffer holds so many line feeds. */
const MANY = 0x7fffffff;

let module: object | null | undefined;

/** A kernel in WebAssembly, or `undefined` where the runtime compiles none. */
export function wasmKernel(): NewlineKernel | undefined {
  const { WebAssembly } = globalThis as WasmHost;
  if (module === undefined) module = compile(WebAssembly);
  if (module === null || WebAssembly === undefined) return undefined;
  const exports = new WebAssembly.Instance(module).exports as Exports;
  const { count, nth, nthLast } = exports;
  return {
    buffer: new Uint8Array(exports.memory.buffer, 0, BUFFER_BYTES),
    count,
    nth: (from, to, n) => nth(from, to, Math.min(n, MANY)),
    nthLast: (from, to, n) => nthLast(from, to, Math.min(n, MANY)),
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
