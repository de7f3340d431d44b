// Runtime-agnostic.
import { STEP_ITEMS, type Steps } from "../base/call.ts";

/** Where the shown lines are among the current lines of the file. */
export interface Alignment {
  /** For each old line, the index of its new line; -1 if it is gone. The indexes increase. */
  readonly places: Int32Array;
  /** The new lines `[start, end)` are those that stand where the old lines stood. */
  readonly start: number;
  readonly end: number;
}

/** The facts about the old lines besides their tags. */
export interface OldPlace {
  /** The index among the new lines that the first one has if nothing moved; `NaN` if unknown. */
  readonly expected: number;
  /** Whether they began at the beginning of the file. */
  readonly isStart: boolean;
  /** Whether they ended at the end of the file. */
  readonly isEnd: boolean;
}

/**
 * Aligns old lines with new ones by their tags. Lines that are unique in both
 * are anchors, as in a patience diff; between anchors, the longest common
 * subsequence is used. The time is n log n in the lines, plus a bounded number
 * of comparisons.
 */
export function* align(
  old: Int32Array,
  fresh: Int32Array,
  { expected, isStart, isEnd }: OldPlace,
): Steps<Alignment> {
  const places = yield* uniquePlaces(old, fresh);
  yield* keepRising(places);
  let [first, last] = yield* keepNearby(places);
  if (last < 0) {
    // Without an anchor, assume that the lines are at their old places.
    for (let at = 0; at < old.length; at++) {
      if (at % STEP_ITEMS === 0) yield;
      if (old[at] === fresh[expected + at]) places[at] = expected + at;
    }
    [first, last] = yield* keepNearby(places);
  }
  const within = (index: number) => Math.min(fresh.length, Math.max(0, index));
  // Where the first old line would be by the first anchor, and by the last one.
  const startByFirst = last < 0 ? expected : places[first]! - first;
  const startByLast = last < 0 ? expected : places[last]! - last;
  const start = isStart ? 0 : within(startByFirst);
  const end = isEnd
    ? fresh.length
    : Math.max(start, within(startByLast + old.length));
  const tags = { old, fresh, places, left: MAX_ALL_CELLS };
  let from = 0;
  let next = start;
  for (let at = 0; at <= old.length; at++) {
    const place = at < old.length ? places[at]! : end;
    if (place >= 0) {
      yield* fill(tags, from, at, next, place);
      from = at + 1;
      next = place + 1;
    }
    if (at % STEP_ITEMS === 0) yield;
  }
  return { places, start, end };
}

/** Finds the places of the lines that are unique among the old and among the new lines. */
function* uniquePlaces(old: Int32Array, fresh: Int32Array): Steps<Int32Array> {
  // Each tag gets its own random key, so that no file can fill one bucket of the map.
  // Tags have 24 bits, and an odd factor permutes them; negative ones are markers.
  const factor = 2 * Math.floor(Math.random() * 2 ** 23) + 1;
  const keyOf = (tag: number) =>
    tag < 0 ? tag : Math.imul(tag, factor) & 0xffffff;
  const indexes = new Map<number, number>();
  for (let at = 0; at < old.length; at++) {
    if (at % STEP_ITEMS === 0) yield;
    const key = keyOf(old[at]!);
    indexes.set(key, indexes.has(key) ? -1 : at);
  }
  const places = new Int32Array(old.length).fill(-1);
  for (let at = 0; at < fresh.length; at++) {
    if (at % STEP_ITEMS === 0) yield;
    const index = indexes.get(keyOf(fresh[at]!)) ?? -1;
    if (index >= 0) places[index] = places[index] === -1 ? at : TWICE;
  }
  return places.map((place) => place === TWICE ? -1 : place);
}

/** The place of a line that is there more than once. */
const TWICE = -2;

/** Keeps the longest sequence of places that increase. */
function* keepRising(places: Int32Array): Steps<void> {
  // The index of the place that ends the best sequence of each length.
  const ends = new Int32Array(places.length);
  const before = new Int32Array(places.length).fill(-1);
  let length = 0;
  for (let index = 0; index < places.length; index++) {
    const place = places[index]!;
    if (index % STEP_ITEMS === 0) yield;
    if (place < 0) continue;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[ends[middle]!]! < place) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = ends[low - 1]!;
    ends[low] = index;
    if (low === length) length++;
  }
  let kept = length > 0 ? ends[length - 1]! : -1;
  for (let index = places.length - 1; index >= 0; index--) {
    if (index === kept) kept = before[index]!;
    else places[index] = -1;
    if (index % STEP_ITEMS === 0) yield;
  }
}

/** A gap of so many new lines between two anchors is free. */
const FREE_LINES = 64;
/** So many lines of a gap beyond the free ones outweigh one anchor. */
const LINES_PER_ANCHOR = 16;

/** Drops the first or last places if they are far away from the others, as that of a line that was moved. Returns the indexes of the first and the last line with a place; -1 for none. */
function* keepNearby(places: Int32Array): Steps<[first: number, last: number]> {
  // Find the run with the highest worth: each place adds to it, and long gaps subtract.
  let best = { worth: 0, first: -1, last: -1 };
  let worth = 0;
  let first = 0;
  let last = -1;
  for (let at = 0; at < places.length; at++) {
    if (at % STEP_ITEMS === 0) yield;
    const place = places[at]!;
    if (place < 0) continue;
    const apart = last < 0 ? 0 : place - places[last]! - (at - last);
    worth -= Math.max(0, apart - FREE_LINES) / LINES_PER_ANCHOR;
    if (worth <= 0) {
      worth = 0;
      first = at;
    }
    worth++;
    last = at;
    if (worth > best.worth) best = { worth, first, last };
  }
  places.fill(-1, 0, Math.max(0, best.first)).fill(-1, best.last + 1);
  return [best.first, best.last];
}

/** The most cells of the table of two runs of lines, and of all tables of an alignment. */
const MAX_CELLS = 4_000_000;
const MAX_ALL_CELLS = 10 * MAX_CELLS;
const STEP_CELLS = 16 * STEP_ITEMS;

/** Finds places for the old lines `[from, to)`, between two anchors, among the new lines `[start, end)`. */
function* fill(
  tags: {
    readonly old: Int32Array;
    readonly fresh: Int32Array;
    readonly places: Int32Array;
    /** How many cells all tables may still have. */
    left: number;
  },
  from: number,
  to: number,
  start: number,
  end: number,
): Steps<void> {
  const { old, fresh, places } = tags;
  let steps = 0;
  while (from < to && start < end && old[from] === fresh[start]) {
    places[from++] = start++;
    if (++steps % STEP_ITEMS === 0) yield;
  }
  while (from < to && start < end && old[to - 1] === fresh[end - 1]) {
    places[--to] = --end;
    if (++steps % STEP_ITEMS === 0) yield;
  }
  const rows = to - from;
  const columns = end - start;
  const cells = rows * columns;
  if (cells <= 0 || cells > Math.min(MAX_CELLS, tags.left)) return;
  tags.left -= cells;
  const width = columns + 1;
  const lengths = new Int32Array((rows + 1) * width);
  let done = 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const at = row * width + column;
      lengths[at] = old[from + row] === fresh[start + column]
        ? lengths[at + width + 1]! + 1
        : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
    done += columns;
    if (done < STEP_CELLS) continue;
    yield;
    done = 0;
  }
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    const at = row * width + column;
    if (old[from + row] === fresh[start + column]) {
      places[from + row++] = start + column++;
    } else if (lengths[at + width]! >= lengths[at + 1]!) row++;
    else column++;
  }
}
