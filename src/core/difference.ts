import { STEP_ITEMS, type Steps } from "./base/call.ts";

/** Which lines of each side the other side lacks. */
export interface Difference {
  /** 1 for each old line that is gone. */
  readonly gone: Uint8Array;
  /** 1 for each line that is new. */
  readonly added: Uint8Array;
  /** Whether no smaller one exists. */
  readonly minimal: boolean;
}

/** Compares lines by their tags, the smallest numbers from 0 on: finds a smallest difference, or a larger one if that would take too long. */
export function* differenceOf(
  old: Int32Array,
  fresh: Int32Array,
): Steps<Difference> {
  const gone = new Uint8Array(old.length);
  const added = new Uint8Array(fresh.length);
  // Lines that only one side has are changed in every difference.
  const [left, leftAt] = sharedWith(fresh, old, gone);
  yield;
  const [right, rightAt] = sharedWith(old, fresh, added);
  yield;
  const found = yield* compare(left, right);
  for (let at = 0; at < left.length; at++) gone[leftAt[at]!] = found.gone[at]!;
  for (let at = 0; at < right.length; at++) {
    added[rightAt[at]!] = found.added[at]!;
  }
  yield* slide(old, gone, added);
  yield* slide(fresh, added, gone);
  return { gone, added, minimal: found.minimal };
}

/** The tags that the other side has, too, with their places; the rest is marked. */
function sharedWith(
  others: Int32Array,
  tags: Int32Array,
  marks: Uint8Array,
): [tags: Int32Array, places: Int32Array] {
  const known = new Uint8Array(others.length + tags.length);
  for (const tag of others) known[tag] = 1;
  const places = new Int32Array(tags.length);
  let count = 0;
  for (let at = 0; at < tags.length; at++) {
    if (known[tags[at]!] === 1) places[count++] = at;
    else marks[at] = 1;
  }
  const shared = places.subarray(0, count);
  return [shared.map((at) => tags[at]!), shared];
}

/** A part of the old lines, and a part of the new ones, to compare. */
type Box = [left: number, leftEnd: number, right: number, rightEnd: number];

/** The search for the middle of a box ends at so many edits, or at the square root of the lines if that is more. */
const LEAST_CUT = 256;

/** How many steps a comparison may take: about a second. */
const MAX_STEPS = 150_000_000;
/** After so many of them, other work may run: some milliseconds. */
const STEPS_PER_TURN = 500_000;
/** A box takes as long as so many steps. */
const BOX_STEPS = 32;

/**
 * Compares tags by the algorithm of Myers in linear space: a box is divided where
 * two searches, from its start and from its end, meet. As in git, a search that
 * takes too long ends at the best place that it has reached.
 */
function* compare(left: Int32Array, right: Int32Array): Steps<Difference> {
  const gone = new Uint8Array(left.length);
  const added = new Uint8Array(right.length);
  const lines = left.length + right.length;
  const search = {
    ...{ left, right, minimal: true, steps: MAX_STEPS, turn: STEPS_PER_TURN },
    cut: Math.max(LEAST_CUT, Math.floor(Math.sqrt(lines))),
    // A diagonal is the index on the left minus the index on the right.
    ...{ forward: new Int32Array(lines + 3), shift: right.length + 1 },
    backward: new Int32Array(lines + 3),
  };
  const boxes: Box[] = [[0, left.length, 0, right.length]];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let [start, end, rightStart, rightEnd] = box;
    const size = end - start;
    while (
      start < end && rightStart < rightEnd && left[start] === right[rightStart]
    ) {
      start++;
      rightStart++;
    }
    while (
      start < end && rightStart < rightEnd &&
      left[end - 1] === right[rightEnd - 1]
    ) {
      end--;
      rightEnd--;
    }
    search.turn -= BOX_STEPS + size - (end - start);
    if (search.turn <= 0) {
      yield;
      search.turn = STEPS_PER_TURN;
    }
    if (start === end) added.fill(1, rightStart, rightEnd);
    else if (rightStart === rightEnd) gone.fill(1, start, end);
    else if (search.steps <= 0) {
      search.minimal = false;
      added.fill(1, rightStart, rightEnd);
      gone.fill(1, start, end);
    } else {
      const [middle, rightMiddle] = yield* middleOf(search, [
        start,
        end,
        rightStart,
        rightEnd,
      ]);
      boxes.push([middle, end, rightMiddle, rightEnd]);
      boxes.push([start, middle, rightStart, rightMiddle]);
    }
  }
  return { gone, added, minimal: search.minimal };
}

/** The state that the searches of a comparison share. */
interface SharedState {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly cut: number;
  /** For each diagonal, the index on the left that the search from the start has reached. */
  readonly forward: Int32Array;
  /** The same for the search from the end. */
  readonly backward: Int32Array;
  /** The index of diagonal 0. */
  readonly shift: number;
  /** How many steps are left. */
  steps: number;
  /** How many of them are left before other work may run. */
  turn: number;
  minimal: boolean;
}

/** Finds where a shortest way through the box is to be divided. Neither side is empty, and the first lines differ, as do the last ones. */
function* middleOf(
  search: SharedState,
  box: Box,
): Steps<[left: number, right: number]> {
  const { left, right, forward, backward, shift } = search;
  const [start, end, rightStart, rightEnd] = box;
  const least = start - rightEnd;
  const most = end - rightStart;
  const first = start - rightStart;
  const last = end - rightEnd;
  const isOdd = ((first - last) & 1) !== 0;
  let [from, to, backFrom, backTo] = [first, first, last, last];
  forward[first + shift] = start;
  backward[last + shift] = end;
  for (let edits = 1;; edits++) {
    const { steps } = search;
    // Diagonals beyond the box are not entered; the ones at the rim never win.
    if (from > least) forward[--from - 1 + shift] = -1;
    else from++;
    if (to < most) forward[++to + 1 + shift] = -1;
    else to--;
    for (let diagonal = to; diagonal >= from; diagonal -= 2) {
      const below = forward[diagonal - 1 + shift]!;
      const above = forward[diagonal + 1 + shift]!;
      const began = below < above ? above : below + 1;
      let at = began;
      while (
        at < end && at - diagonal < rightEnd &&
        left[at] === right[at - diagonal]
      ) at++;
      search.steps -= 1 + at - began;
      forward[diagonal + shift] = at;
      const isMet = isOdd && backFrom <= diagonal && diagonal <= backTo &&
        backward[diagonal + shift]! <= at;
      if (isMet) return [at, at - diagonal];
    }
    if (backFrom > least) backward[--backFrom - 1 + shift] = FAR;
    else backFrom++;
    if (backTo < most) backward[++backTo + 1 + shift] = FAR;
    else backTo--;
    for (let diagonal = backTo; diagonal >= backFrom; diagonal -= 2) {
      const below = backward[diagonal - 1 + shift]!;
      const above = backward[diagonal + 1 + shift]!;
      const began = below < above ? below : above - 1;
      let at = began;
      while (
        at > start && at - diagonal > rightStart &&
        left[at - 1] === right[at - diagonal - 1]
      ) at--;
      search.steps -= 1 + began - at;
      backward[diagonal + shift] = at;
      const isMet = !isOdd && from <= diagonal && diagonal <= to &&
        at <= forward[diagonal + shift]!;
      if (isMet) return [at, at - diagonal];
    }
    search.turn -= steps - search.steps;
    if (search.turn <= 0) {
      yield;
      search.turn = STEPS_PER_TURN;
    }
    if (edits < search.cut && search.steps > 0) continue;
    search.minimal = false;
    return farthest(search, box, [from, to, backFrom, backTo]);
  }
}

/** More than any index. */
const FAR = 2 ** 31 - 1;

/** The place inside the box that one of the two searches reached with the most lines behind it. */
function farthest(
  { forward, backward, shift }: SharedState,
  [start, end, rightStart, rightEnd]: Box,
  [from, to, backFrom, backTo]: readonly [number, number, number, number],
): [left: number, right: number] {
  let best = -1;
  let place: [number, number] = [start, rightStart];
  for (let diagonal = from; diagonal <= to; diagonal += 2) {
    const at = Math.min(forward[diagonal + shift]!, end, rightEnd + diagonal);
    const passed = at - start + at - diagonal - rightStart;
    if (passed <= best) continue;
    best = passed;
    place = [at, at - diagonal];
  }
  for (let diagonal = backFrom; diagonal <= backTo; diagonal += 2) {
    const at = Math.max(
      backward[diagonal + shift]!,
      start,
      rightStart + diagonal,
    );
    const passed = end - at + rightEnd - (at - diagonal);
    if (passed <= best) continue;
    best = passed;
    place = [at, at - diagonal];
  }
  return place;
}

/**
 * Moves each run of marked lines, between equal lines, beside a run of the other
 * side, so that both are one change; else down as far as it can go, so that a block
 * is marked from its first line to its last. Runs that meet are joined. `others` are
 * the marks of the other side.
 */
function* slide(
  tags: Int32Array,
  marks: Uint8Array,
  others: Uint8Array,
): Steps<void> {
  /** The index among the other lines of the kept line that follows. */
  let other = 0;
  const skip = () => {
    while (others[other] === 1) other++;
  };
  let turn = 0;
  for (let end = 0; end < tags.length; end++, other++) {
    if (turn++ % STEP_ITEMS === 0) yield;
    skip();
    if (marks[end] === 0) continue;
    let start = end;
    while (marks[end] === 1) end++;
    const up = () => {
      marks[--start] = 1;
      marks[--end] = 0;
      do other--; while (others[other] === 1);
      while (marks[start - 1] === 1) start--;
    };
    while (start > 0 && tags[start - 1] === tags[end - 1]) up();
    let beside = others[other - 1] === 1 ? end : -1;
    while (end < tags.length && tags[start] === tags[end]) {
      marks[start++] = 0;
      marks[end++] = 1;
      // A longer run cannot go back to where the shorter one was.
      if (marks[end] === 1) beside = -1;
      while (marks[end] === 1) end++;
      other++;
      skip();
      if (others[other - 1] === 1) beside = end;
    }
    while (beside >= 0 && end > beside) up();
  }
}
