import { BEGINNING, type KnownPlace } from "./line_index.ts";
import type { Source } from "./source.ts";

/** The result of a scan. */
interface Reach {
  readonly position: number;
  /** How many line feeds it passed. */
  readonly passed: number;
  /** Just after the last line feed it passed. */
  readonly last: number;
}

/** Scans from the beginning of the file to just past its first `lines` line feeds. */
export async function seekLine(
  source: Source,
  lines: number,
  limit: number,
): Promise<KnownPlace> {
  let known = source.index?.before(lines) ?? BEGINNING;
  if (known.position > limit) known = BEGINNING;
  const { position, passed } = known;
  const reach = await seek(source, position, lines - passed, limit, passed);
  return { position: reach.position, passed: passed + reach.passed };
}

/**
 * Scans from `position` to just past the next `lines` line feeds, but not past
 * `limit`. If the number of line feeds `before` is known, adds places to the
 * index.
 */
export async function seek(
  source: Source,
  position: number,
  lines: number,
  limit: number,
  before?: number,
): Promise<Reach> {
  let passed = 0;
  let last = position;
  while (passed < lines && position < limit) {
    const loading = source.load(position);
    if (loading !== undefined) await loading;
    const { kernel, start } = source;
    const from = position - start;
    const to = Math.min(source.end, limit) - start;
    // To pass all line feeds, counting is enough. `nth` gives `~count` if there are
    // too few line feeds.
    const at = lines === Infinity
      ? ~kernel.count(from, to)
      : kernel.nth(from, to, lines - passed);
    if (at >= 0) {
      const end = start + at + 1;
      return { position: end, passed: lines, last: end };
    }
    passed += ~at;
    if (~at > 0) last = start + kernel.nthLast(from, to, 1) + 1;
    position = start + to;
    if (before !== undefined) {
      // A limit may lie inside a code unit of two bytes, which is not passed then.
      const whole = position - position % source.feedLength;
      source.index?.note(whole, before + passed);
    }
  }
  return { position, passed, last };
}

/** Where the line after that of `at` begins; the size of the file without such a line. */
export async function nextLine(source: Source, at: number): Promise<number> {
  return (await seek(source, at, 1, source.size)).position;
}

/** Where the line of `at` ends; `undefined` if that is beyond `limit`. */
export async function lineEndOf(
  source: Source,
  at: number,
  limit: number,
): Promise<number | undefined> {
  const { size } = source;
  const most = Math.min(size, limit);
  const { position, passed } = await seek(source, at, 1, most);
  return passed > 0 || position === size ? position : undefined;
}

/** Finds where `count` lines from `position` on end, but not after `limit`. */
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
  // The last line of the file may have no line feed.
  const isOpen = reach.passed < count && most === size && reach.last < size;
  return isOpen
    ? { end: size, lines: reach.passed + 1 }
    : { end: reach.last, lines: reach.passed };
}

/** Scans back from `position` to just after the `lines`-th line feed before it, but not past `floor`. */
export async function seekBack(
  source: Source,
  position: number,
  lines: number,
  floor: number,
): Promise<Reach> {
  // A line that begins at the floor counts, so the line feed before it does too.
  const lowest = Math.max(0, floor - source.feedLength);
  let passed = 0;
  let last = position;
  while (passed < lines && position > lowest) {
    const loading = source.loadBefore(position);
    if (loading !== undefined) await loading;
    const { kernel, start } = source;
    const from = Math.max(start, lowest) - start;
    const to = position - start;
    const at = kernel.nthLast(from, to, lines - passed);
    if (at >= 0) {
      const begin = start + at + 1;
      return { position: begin, passed: lines, last: begin };
    }
    passed += ~at;
    if (~at > 0) last = start + kernel.nth(from, to, 1) + 1;
    position = start + from;
  }
  return { position, passed, last };
}
