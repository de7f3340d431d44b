/** Preloaded: the tests then scan with the WebAssembly kernel. */
import { wasmKernel } from "../../../src/core/lines/scan.ts";
import { scanAlone } from "./alone.ts";

scanAlone(() => {
  const kernel = wasmKernel();
  if (kernel === undefined) {
    throw new Error("This runtime cannot compile WebAssembly");
  }
  return kernel;
});
