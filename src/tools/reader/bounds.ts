import { MEASURES } from "../../core/pages/fit.ts";

/** With a large limit of characters, one line is allowed for so many of them. */
const CHARS_PER_LINE = 20;
/** The most lines of an answer, unless the limit of characters is large. */
const USUAL_LINES = 1000;

/** The size of a text as agents measure it. */
export interface Size {
  /** UTF-16 code units. */
  readonly chars: number;
  readonly bytes: number;
  readonly lines: number;
}

/** The usual limits beside one of characters. */
export function sizeFor(maxChars: number): Size {
  return {
    chars: maxChars,
    // Agents that count bytes cut 20,000 characters of Chinese at 51,200 bytes.
    bytes: 2 * maxChars,
    lines: Math.max(USUAL_LINES, Math.floor(maxChars / CHARS_PER_LINE)),
  };
}

/** The bounds of a call, which may ask for fewer characters. */
export function boundsOf(maxChars: number | undefined, bounds: Size): Size {
  if (maxChars === undefined) return bounds;
  return smaller(bounds, { ...bounds, chars: maxChars, bytes: 2 * maxChars });
}

export const NOTHING: Size = { chars: 0, bytes: 0, lines: 0 };

function combine(
  one: Size,
  other: Size,
  by: (one: number, other: number) => number,
): Size {
  return {
    chars: by(one.chars, other.chars),
    bytes: by(one.bytes, other.bytes),
    lines: by(one.lines, other.lines),
  };
}

export function smaller(one: Size, other: Size): Size {
  return combine(one, other, Math.min);
}

export function plus(one: Size, other: Size): Size {
  return combine(one, other, (one, other) => one + other);
}

export function minus(one: Size, other: Size): Size {
  return combine(one, other, (one, other) => one - other);
}

/** Whether more was taken from a size than it had. */
export function isOverdrawn(left: Size): boolean {
  return !fits(NOTHING, left);
}

export function sizeOf(text: string): Size {
  const { chars, bytes, lines } = MEASURES;
  return { chars: chars(text), bytes: bytes(text), lines: lines(text) };
}

export function fits(size: Size, bounds: Size): boolean {
  return size.chars <= bounds.chars && size.bytes <= bounds.bytes &&
    size.lines <= bounds.lines;
}
