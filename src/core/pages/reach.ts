// Runtime-agnostic.
import { seek, type Source } from "../lines/source.ts";
import { stride } from "./columns.ts";

/** Finds where a number of lines from `position` on end; not after `limit`. */
export async function linesBelow(
  source: Source,
  position: number,
  count: number,
  limit: number,
): Promise<{ readonly end: number; readonly lines: number }> {
  const { size } = source;
  const most = Math.min(size, limit);
  if (count === 0 || position >= most) return { end: position, lines: 0 };
  const reach = await seek(source, position, count, most);
  const isOpen = reach.passed < count && most === size && reach.last < size;
  return isOpen
    ? { end: size, lines: reach.passed + 1 }
    : { end: reach.last, lines: reach.passed };
}

/** Finds the last character of a line that begins up to `target`, and how many characters precede it. */
export async function columnsUpTo(
  source: Source,
  from: number,
  target: number,
): Promise<{ readonly position: number; readonly columns: number }> {
  let position = from;
  let columns = 0;
  while (position < target) {
    // A character has at most four bytes.
    const least = Math.max(1, Math.floor((target - position) / 4));
    const way = await stride(source, position, least);
    if (way.position > target || way.columns === 0) break;
    position = way.position;
    columns += way.columns;
  }
  return { position, columns };
}
