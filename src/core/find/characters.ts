// Runtime-agnostic.

/** A range of code points, both ends inclusive. */
export type Range = readonly [from: number, to: number];

/** The last code point. */
export const LAST = 0x10ffff;
const LF = 0x0a;

const DIGITS: readonly Range[] = [[0x30, 0x39]];
const WORDS: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** The white space of JavaScript. */
const SPACES: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** The character classes of a backslash and a lowercase letter; the uppercase letter is the inverse. */
export const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: DIGITS,
  w: WORDS,
  s: SPACES,
};

/** The control characters of a backslash and a letter. */
export const CONTROLS: Readonly<Record<string, number>> = {
  t: 0x09,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
  n: LF,
};

/** The code points outside of all ranges. */
export function invert(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 0;
  for (const [from, to] of join(ranges)) {
    if (from > next) others.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) others.push([next, LAST]);
  return others;
}

/** Sorts ranges, and joins adjacent ones. */
export function join(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((one, two) => one[0] - two[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) {
      last[1] = Math.max(last[1], to);
    } else joined.push([from, to]);
  }
  return joined;
}

/** The code points that `.` does not match. */
export const LINE_ENDS: readonly Range[] = [
  [LF, LF],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
