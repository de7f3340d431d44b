/** Forces one kind of kernel on all reads of a process. */
import {
  KernelPool,
  type NewlineKernel,
} from "../../../src/core/lines/scan.ts";

/** Makes all pools share a few kernels: a new one for each read would take minutes. */
export function scanAlone(make: () => NewlineKernel): void {
  const free: NewlineKernel[] = [];
  KernelPool.prototype.take = () => free.pop() ?? make();
  KernelPool.prototype.give = (kernel) => void free.push(kernel);
}
