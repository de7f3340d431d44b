/** Scans all that is read in a process with one kind of kernel, whatever the file and wherever it lies. */
import {
  KernelPool,
  type NewlineKernel,
} from "../../../src/core/lines/scan.ts";

/** Replaces the kernels of every pool. */
export function scanAlone(make: () => NewlineKernel): void {
  KernelPool.prototype.take = make;
}
