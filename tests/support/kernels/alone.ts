/** Scans all that is read in a process with one kind of kernel, whatever the file and wherever it lies. */
import {
  KernelPool,
  type NewlineKernel,
} from "../../../src/core/lines/scan.ts";

/** Makes every pool lend the same few kernels: a new one for each read would take minutes. */
export function scanAlone(make: () => NewlineKernel): void {
  const free: NewlineKernel[] = [];
  KernelPool.prototype.take = () => free.pop() ?? make();
  KernelPool.prototype.give = (kernel) => void free.push(kernel);
}
