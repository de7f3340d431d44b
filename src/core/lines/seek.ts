// Runtime-agnostic.
import { untilGiven, whenThere } from "../awaitable.ts";
import type { Place } from "./line_index.ts";
import type { Awaitable } from "../port.ts";
import type { Source } from "./source.ts";

/** How far a scan came: a place, and the line feeds on the way to it. */
export interface Reach {
  /** Where it stopped. */
  readonly position: number;
  /** The line feeds it passed. */
  readonly passed: number;
  /** Just after the one of them that lies furthest from where it began. */
  readonly last: number;
}

/** Goes from the beginning of the file just past its first `lines` line feeds. */
export function seekLine(
  source: Source,
  lines: number,
  limit: number,
): Awaitable<Place> {
  const known = source.index?.before(lines);
  const { position, passed } = known !== undefined && known.position <= limit
    ? known
    : { position: 0, passed: 0 };
  return whenThere(
    seek(source, position, lines - passed, limit, passed),
    (reach) => ({ position: reach.position, passed: passed + reach.passed }),
  );
}

/**
 * Goes on from `position` just past the next `lines` line feeds, but not past
 * `limit`. If it is known how many there are `before`, others learn from it.
 */
export function seek(
  source: Source,
  position: number,
  lines: number,
  limit: number,
  before?: number,
): Awaitable<Reach> {
  let passed = 0;
  let last = position;
  const scan = (): Reach | undefined => {
    const { kernel, start } = source;
    const from = position - start;
    const to = Math.min(source.end, limit) - start;
    const left = lines - passed;
    // Where all are wanted, none is looked for.
    const at = left === Infinity
      ? ~kernel.count(from, to)
      : kernel.nth(from, to, left);
    if (at >= 0) {
      const end = start + at + 1;
      return { position: end, passed: lines, last: end };
    }
    passed += ~at;
    if (~at > 0) last = start + kernel.nthLast(from, to, 1) + 1;
    position = start + to;
    if (before !== undefined) source.index?.note(position, before + passed);
  };
  return untilGiven(() =>
    passed < lines && position < limit
      ? whenThere(source.load(position), scan)
      : { position, passed, last }
  );
}

/** Goes back from `position` to just after the `lines`-th line feed before it, if `floor` allows. */
export function seekBack(
  source: Source,
  position: number,
  lines: number,
  floor: number,
): Awaitable<Reach> {
  // A line that begins at the floor is within it: the line feed before it counts.
  const lowest = Math.max(0, floor - 1);
  let passed = 0;
  let last = position;
  const scan = (): Reach | undefined => {
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
  };
  return untilGiven(() =>
    passed < lines && position > lowest
      ? whenThere(source.loadBefore(position), scan)
      : { position, passed, last }
  );
}

/** The lines of a file that was scanned to its end past `passed` line feeds. */
export function linesIn(source: Source, passed: number): Awaitable<number> {
  if (source.size === 0) return 0;
  return whenThere(
    source.endsWithLineFeed(),
    (ended) => passed + (ended ? 0 : 1),
  );
}
