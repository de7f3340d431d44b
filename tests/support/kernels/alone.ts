/** Lets one kernel scan all that is read in a process, whatever the file and wherever it lies. */
import {
  giveKernel,
  type MakeKernel,
  offerKernel,
  takeKernel,
} from "../../../src/core/lines/scan.ts";

/** Offers a kernel before any disk does: the first offer stands. */
export function scanAlone(make: MakeKernel): void {
  let isAsked = false;
  offerKernel((size) => {
    isAsked = true;
    return make(size);
  });
  offerKernel(() => {
    throw new Error("Another kernel was offered after, and taken");
  });
  giveKernel(takeKernel(0));
  if (!isAsked) throw new Error("Another kernel was offered before");
}
