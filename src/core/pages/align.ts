// Runtime-agnostic.

/** Where lines that were shown are among the lines of a file today. */
export interface Alignment {
  /** For each old line the index of its new one; -1 where it is gone. The indexes increase. */
  readonly places: Int32Array;
  /** The first of the new lines that stand for the old ones. */
  readonly start: number;
  /** The one after the last. */
  readonly end: number;
}

/** What is known of the old lines besides their tags. */
export interface Around {
  /** The index at which the first of them was. */
  readonly expected: number;
  /** Whether they began where the file does. */
  readonly isStart: boolean;
  /** Whether they ended where the file does. */
  readonly isEnd: boolean;
}

/**
 * Aligns old lines with new ones by their tags. Lines that are unique in both are
 * anchors, as in a patience diff; between them, the longest common subsequence is
 * taken.
 */
export function align(
  old: Int32Array,
  fresh: Int32Array,
  { expected, isStart, isEnd }: Around,
): Alignment {
  const places = new Int32Array(old.length).fill(-1);
  const anchors = nearbyPart(rising(uniquePairs(old, fresh)));
  if (anchors.length === 0) {
    // Without an anchor, the lines are taken to be where they were.
    for (let at = 0; at < old.length; at++) {
      if (old[at] === fresh[expected + at]) anchors.push([at, expected + at]);
    }
  }
  for (const [from, to] of anchors) places[from] = to;
  const [first, last] = [anchors[0], anchors.at(-1)];
  const within = (index: number) => Math.min(fresh.length, Math.max(0, index));
  const start = isStart
    ? 0
    : within(first === undefined ? expected : first[1] - first[0]);
  const after = last === undefined ? expected : last[1] - last[0];
  const end = isEnd
    ? fresh.length
    : Math.max(start, within(after + old.length));
  let [oldFrom, newFrom] = [0, start];
  for (const [oldTo, newTo] of [...anchors, [old.length, end] as const]) {
    fillGap(old.subarray(oldFrom, oldTo), fresh.subarray(newFrom, newTo))
      .forEach((at, index) => {
        if (at >= 0) places[oldFrom + index] = newFrom + at;
      });
    [oldFrom, newFrom] = [oldTo + 1, newTo + 1];
  }
  return { places, start, end };
}

type Pair = readonly [number, number];

/** Pairs of the lines that are unique among the old ones, and among the new ones. */
function uniquePairs(old: Int32Array, fresh: Int32Array): Pair[] {
  const REPEATED = -1;
  const olds = new Map<number, number>();
  old.forEach((tag, at) => olds.set(tag, olds.has(tag) ? REPEATED : at));
  const found = new Map<number, number>();
  fresh.forEach((tag, at) => {
    if ((olds.get(tag) ?? REPEATED) === REPEATED) return;
    found.set(tag, found.has(tag) ? REPEATED : at);
  });
  const pairs: Pair[] = [];
  for (const [tag, at] of olds) {
    const place = found.get(tag) ?? REPEATED;
    if (at !== REPEATED && place !== REPEATED) pairs.push([at, place]);
  }
  return pairs.sort(([one], [other]) => one - other);
}

/** The longest run of pairs whose new lines are in order. */
function rising(pairs: readonly Pair[]): Pair[] {
  // The index of the pair that ends the best run of each length.
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < place) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = ends[low - 1]!;
    ends[low] = index;
  }
  const run: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) {
    run.push(pairs[at]!);
  }
  return run.reverse();
}

/** How many new lines may stand between two anchors at no cost. */
const FREE_LINES = 64;
/** How many more cost as much as an anchor. */
const LINES_OF_ANCHOR = 16;

/** Drops anchors at either end that lie so far off that they would not pay: a line that was moved away. */
function nearbyPart(run: readonly Pair[]): Pair[] {
  let best = { worth: 0, from: 0, to: 0 };
  let [worth, from] = [0, 0];
  for (const [at, [old, fresh]] of run.entries()) {
    const [oldBefore, freshBefore] = run[at - 1] ?? [old - 1, fresh - 1];
    const more = fresh - freshBefore - (old - oldBefore) - FREE_LINES;
    worth -= Math.max(0, more) / LINES_OF_ANCHOR;
    if (worth <= 0) [worth, from] = [0, at];
    worth++;
    if (worth > best.worth) best = { worth, from, to: at + 1 };
  }
  return run.slice(best.from, best.to);
}

/** The most cells of a table of two runs of lines. */
const MAX_CELLS = 4_000_000;

/** The longest common subsequence of two short runs, as indexes of the second, or -1. */
function fillGap(old: Int32Array, fresh: Int32Array): Int32Array {
  const places = new Int32Array(old.length).fill(-1);
  let [head, oldEnd, newEnd] = [0, old.length, fresh.length];
  while (head < oldEnd && head < newEnd && old[head] === fresh[head]) {
    places[head] = head++;
  }
  while (
    oldEnd > head && newEnd > head && old[oldEnd - 1] === fresh[newEnd - 1]
  ) {
    places[--oldEnd] = --newEnd;
  }
  const [rows, columns] = [oldEnd - head, newEnd - head];
  if (rows === 0 || columns === 0 || rows * columns > MAX_CELLS) return places;
  const width = columns + 1;
  const lengths = new Int32Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const at = row * width + column;
      lengths[at] = old[head + row] === fresh[head + column]
        ? lengths[at + width + 1]! + 1
        : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    const at = row * width + column;
    if (old[head + row] === fresh[head + column]) {
      places[head + row++] = head + column++;
    } else if (lengths[at + width]! >= lengths[at + 1]!) row++;
    else column++;
  }
  return places;
}
