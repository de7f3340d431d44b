/** Preloaded for tests, which then scan with the kernel in WebAssembly. */
import { wasmKernel } from "../../../src/core/lines/scan.ts";
import { scanAlone } from "./alone.ts";

scanAlone(() => {
  const kernel = wasmKernel();
  if (kernel === undefined) throw new Error("No WebAssembly is compiled here");
  return kernel;
});
