/** Preloaded for tests: the kernel in WebAssembly scans all that they read. */
import { wasmKernel } from "../../../src/core/lines/scan_wasm.ts";
import { scanAlone } from "./alone.ts";

scanAlone(() => {
  const kernel = wasmKernel();
  if (kernel === undefined) throw new Error("No WebAssembly is compiled here");
  return kernel;
});
