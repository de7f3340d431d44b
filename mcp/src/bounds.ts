// Runtime-agnostic.
/** The most characters of an answer by default: some 6,000 tokens. */
export const DEFAULT_MAX_CHARS = 20_000;
/** The smallest limit with room for the frame of an answer and some text. */
export const LEAST_MAX_CHARS = 1000;
/** The largest limit that the command line takes. */
export const MOST_MAX_CHARS = 1_000_000;
/** The most bytes to read of one file for an answer, by default. */
export const DEFAULT_MAX_SCAN = 4 * 1024 ** 3;
/** The smallest limit of bytes to read of one file. */
export const LEAST_MAX_SCAN = 1024 ** 2;
/** The most lines of an answer, unless the limit of characters is large. */
const USUAL_LINES = 1000;
/** With a large limit of characters, one line is allowed for so many of them. */
const CHARS_PER_LINE = 20;
/** How many names a sentence lists. */
export const MOST_NAMED = 5;

export function isWhole(
  value: unknown,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least &&
    Number(value) <= most;
}

/** The size of a text as agents measure it. */
export interface Size {
  /** UTF-16 code units. */
  readonly chars: number;
  readonly bytes: number;
  readonly lines: number;
}

/** How much of an answer each agent shows, by its name in `initialize`; the README has their limits. */
const KNOWN_AGENTS: readonly (readonly [RegExp, Partial<Size>])[] = [
  [/^codex/i, { chars: 10_000, bytes: 10_000, lines: 250 }],
  [/^qwen/i, { chars: 20_000, lines: 900 }],
  [/^gemini/i, { chars: 38_000 }],
  // Cline cuts at 8,000 characters of JSON, where escapes may double the text.
  [/^@?cline/i, { chars: 3900 }],
  [/^copilot/i, { bytes: 20_000 }],
  [/^opencode/i, { bytes: 50_000, lines: 1900 }],
];

/** The largest answer that a client shows whole. */
export function boundsFor(client: string, maxChars: number): Size {
  const usual = {
    chars: maxChars,
    // Agents that count bytes cut 20,000 characters of Chinese at 51,200 bytes.
    bytes: 2 * maxChars,
    lines: Math.max(USUAL_LINES, Math.floor(maxChars / CHARS_PER_LINE)),
  };
  const known = KNOWN_AGENTS.find(([name]) => name.test(client))?.[1];
  return smaller(usual, { ...usual, ...known });
}

/** The bounds of a call, which may ask for fewer characters. */
export function boundsOf(maxChars: number | undefined, bounds: Size): Size {
  if (maxChars === undefined) return bounds;
  return smaller(bounds, { ...bounds, chars: maxChars, bytes: 2 * maxChars });
}

const NOTHING: Size = { chars: 0, bytes: 0, lines: 0 };

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

export function minus(one: Size, other: Size): Size {
  return combine(one, other, (one, other) => one - other);
}

/** Whether more was taken from a size than it had. */
export function isOverdrawn(left: Size): boolean {
  return !fits(NOTHING, left);
}

/** An even share of a size. */
export function divide(size: Size, by: number): Size {
  return combine(size, size, (one) => Math.floor(one / by));
}

export function sizeOf(text: string): Size {
  const bytes = new TextEncoder().encode(text).length;
  return { chars: text.length, bytes, lines: text.split("\n").length };
}

export function fits(size: Size, bounds: Size): boolean {
  return size.chars <= bounds.chars && size.bytes <= bounds.bytes &&
    size.lines <= bounds.lines;
}
