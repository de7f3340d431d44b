// Runtime-agnostic.
/** The most characters of an answer, if the command line says nothing: some 6,000 tokens. */
export const DEFAULT_MAX_CHARS = 20_000;

/** The fewest characters that an answer may be bounded by: a frame and some text fit. */
export const LEAST_MAX_CHARS = 1000;

/** The most characters that the command line may allow. */
export const MOST_MAX_CHARS = 1_000_000;

/** The most lines of an answer of the usual size. */
export const USUAL_LINES = 1000;

/** The longest path that a frame shows whole. */
export const MOST_PATH_CHARS = 200;

/** The size up to which all lines of a file are counted for each page. */
export const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

/** How many versions the server remembers for calls that go on. */
export const MOST_VERSIONS = 10_000;

/** How many hidden characters are listed one by one among the facts. */
export const MOST_LISTED = 20;

/** How many names of many a sentence holds. */
export const MOST_NAMED = 5;

/** How many files one call of read_files takes. */
export const MOST_FILES = 50;

/** The most characters of a note, or of the sentence of one file among several. */
export const MOST_SENTENCE_CHARS = 600;

/** The most bytes of a message; no call that means something has so many. */
export const MOST_MESSAGE_BYTES = 10 * 1024 * 1024;

/** How long a client may take to say which roots it has. */
export const ROOTS_TIMEOUT_MS = 10_000;

/** The size of a text as agents measure it. */
export interface Size {
  /** Characters, in UTF-16 code units. */
  readonly chars: number;
  /** Bytes of UTF-8. */
  readonly bytes: number;
  /** Lines. */
  readonly lines: number;
}

/**
 * What an agent keeps of a tool result, by the name that it gives in
 * `initialize`. Measured by `deno task test:agents`; each is somewhat lower
 * than what was seen to pass.
 */
const KNOWN_AGENTS: readonly (readonly [RegExp, Partial<Size>])[] = [
  // A model that Codex does not know has 10,000 bytes or 256 lines.
  [/^codex/i, { chars: 10_000, bytes: 10_000, lines: 250 }],
  // Qwen Code cuts at 1,000 lines and some 25,000 characters.
  [/^qwen/i, { chars: 20_000, lines: 900 }],
  // Gemini CLI leaves the middle out of more than 40,000 characters.
  [/^gemini/i, { chars: 38_000 }],
  // Cline leaves the middle out of more than 8,000 characters of JSON, where most may be escaped.
  [/^@?cline/i, { chars: 3900 }],
  // Copilot CLI saves 39 KB to a file, and shows 20,000 bytes.
  [/^copilot/i, { bytes: 20_000 }],
  // opencode cuts at 2,000 lines and 51,200 bytes.
  [/^opencode/i, { bytes: 50_000, lines: 1900 }],
];

/** The largest answer that a client shows whole. */
export function boundsFor(client: string | undefined, maxChars: number): Size {
  const [, known = {}] =
    KNOWN_AGENTS.find(([name]) => client !== undefined && name.test(client)) ??
      [];
  return smaller({
    chars: maxChars,
    // Agents that count bytes cut 20,000 characters of Chinese at 51,200 bytes.
    bytes: 2 * maxChars,
    lines: Math.max(USUAL_LINES, Math.floor(maxChars / 20)),
  }, known);
}

/** The smaller of two bounds in each measure. */
export function smaller(one: Size, other: Partial<Size>): Size {
  return {
    chars: Math.min(one.chars, other.chars ?? Infinity),
    bytes: Math.min(one.bytes, other.bytes ?? Infinity),
    lines: Math.min(one.lines, other.lines ?? Infinity),
  };
}

/** Measures a text. */
export function sizeOf(text: string): Size {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    lines++;
  }
  return { chars: text.length, bytes: utf8Length(text), lines };
}

/** Whether a text of this size is within the bounds. */
export function fits(size: Size, bounds: Size): boolean {
  return size.chars <= bounds.chars && size.bytes <= bounds.bytes &&
    size.lines <= bounds.lines;
}

/** How many bytes a text takes in UTF-8. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Each half of a pair is two of its four bytes.
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    length += unit < 0x800 || isHalf ? 1 : 2;
  }
  return length;
}
