// Runtime-agnostic.
import { checkText } from "../base/check.ts";
import { hiddenPatterns } from "./rules.ts";

/**
 * Shows the hidden characters of a text as `\u{202E}`: controls, zero-width
 * characters, directions, tags. The backslash of a `\u{` in the text is shown as
 * `\u{5C}`, so that it is not mistaken for an escape.
 *
 * @example Usage
 * ```ts
 * import { escapeHidden } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(escapeHidden("user\u200b"), "user\\u{200B}");
 * assertEquals(escapeHidden("plain\r\n"), "plain\r\n");
 * ```
 *
 * @returns The text without hidden characters; {@linkcode unescapeHidden} reverses it.
 */
export function escapeHidden(text: string): string {
  checkText(text, "Cannot escape a text");
  const marked = text.includes(OPENING)
    ? text.replaceAll(OPENING, "\\u{5C}u{")
    : text;
  const { one, same } = hiddenPatterns();
  return one.test(marked) ? marked.replace(same, escapesOf) : marked;
}

/** The same for a line that may be cut at its end: joining it with the rest must not create a new escape. */
export function escapeText(line: string, isCut: boolean): string {
  const text = escapeHidden(line);
  return isCut ? text.replace(/\\(u?)$/, "\\u{5C}$1") : text;
}

const OPENING = "\\u{";

const escapes = new Map<string, string>();

/** The escapes of a repeated character. */
function escapesOf(run: string, character: string): string {
  let escape = escapes.get(character);
  if (escape === undefined) {
    const digits = character.codePointAt(0)!.toString(16).toUpperCase();
    escapes.set(character, escape = `\\u{${digits}}`);
  }
  return escape.repeat(run.length / character.length);
}

/**
 * Reverses {@linkcode escapeHidden}. Pass the whole text: a cut text may end
 * inside an escape.
 *
 * @example Usage
 * ```ts
 * import { escapeHidden, unescapeHidden } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const text = "if (admin\u2066) { say('\\u{2066}') }";
 * assertEquals(unescapeHidden(escapeHidden(text)), text);
 * ```
 *
 * @param text What `escapeHidden()` gave.
 * @returns The original text; anything that is not an escape stays as it is.
 */
export function unescapeHidden(text: string): string {
  checkText(text, "Cannot unescape a text");
  return text.replace(ESCAPES, (run, escape: string, digits: string) => {
    const point = parseInt(digits, 16);
    if (point > 0x10ffff) return run;
    return String.fromCodePoint(point).repeat(run.length / escape.length);
  });
}

/** A repeated escape. */
const ESCAPES = /(\\u\{([0-9A-F]{1,6})\})\1{0,4095}/g;
