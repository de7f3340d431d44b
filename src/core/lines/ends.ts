// Runtime-agnostic.
import type { Source } from "./source.ts";

const LF = 0x0a;

/** Whether the file ends with a line feed. */
export async function endsWithLineFeed(source: Source): Promise<boolean> {
  const { size, feed } = source;
  if (size < feed) return false;
  const loading = source.loadBefore(size);
  if (loading !== undefined) await loading;
  const { kernel, start } = source;
  if (feed === 1) return kernel.buffer[size - 1 - start] === LF;
  return kernel.nth(size - feed - start, size - start, 1) >= 0;
}

/** How many lines a file with `passed` line feeds has: one more if it does not end with a line feed. */
export async function linesIn(source: Source, passed: number): Promise<number> {
  if (source.size === 0) return 0;
  return passed + (await endsWithLineFeed(source) ? 0 : 1);
}
