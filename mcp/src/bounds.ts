// Runtime-agnostic.
import { USUAL_LINES } from "./limits.ts";

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
  // Copilot CLI saves 39 KB to a file, and shows 20,000 bytes.
  [/^copilot/i, { bytes: 20_000 }],
  // opencode cuts at 2,000 lines and 51,200 bytes.
  [/^opencode/i, { bytes: 50_000, lines: 1900 }],
];

/**
 * The largest answer that a client shows whole.
 *
 * @param client The name of the client, if it told one.
 * @param maxChars What the command line or the call allows.
 * @returns The bounds of an answer.
 */
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
