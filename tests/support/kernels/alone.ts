/** Uses one kind of kernel for all reads of a process. */
import {
  KernelPool,
  type NewlineKernel,
} from "../../../src/core/lines/scan.ts";

/** Makes every pool use the same few kernels: a new one for each read would take minutes. */
export function scanAlone(make: () => NewlineKernel): void {
  const free: NewlineKernel[] = [];
  KernelPool.prototype.take = () => free.pop() ?? make();
  KernelPool.prototype.give = (kernel) => void free.push(kernel);
}
