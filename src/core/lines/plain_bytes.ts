// Runtime-agnostic.
import type { Source } from "./source.ts";

const CR = 0x0d;

/** A lower bound of how many bytes from `from` on are ASCII without line endings; the buffer must hold them. */
export function plainBytes(
  { kernel, start }: Source,
  from: number,
  to: number,
): number {
  const begin = from - start;
  const feed = kernel.nth(begin, to - start, 1);
  let end = feed < 0 ? to - start : feed;
  // A carriage return at the end may be half of a line ending.
  if (end > begin && kernel.buffer[end - 1] === CR) end--;
  return kernel.isAscii?.(begin, end) ? end - begin : 0;
}
