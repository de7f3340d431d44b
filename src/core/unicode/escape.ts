// Runtime-agnostic.
import { checkText } from "../base/check.ts";
import { hiddenPatterns } from "./rules.ts";

/**
 * Shows the hidden characters of a text as `\u{202E}`: controls, zero-width
 * characters, directions, tags. The backslash of a `\u{` that is in the text is
 * shown as `\u{5C}`, so that nothing is mistaken for it; all else stays.
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
 * @param text The text.
 * @returns The text without hidden characters; {@linkcode unescapeHidden} undoes it.
 */
export function escapeHidden(text: string): string {
  checkText(text, "Cannot escape a text");
  const marked = text.includes(OPENING)
    ? text.replaceAll(OPENING, "\\u{5C}u{")
    : text;
  const { one, same } = hiddenPatterns();
  return one.test(marked) ? marked.replace(same, escapesOf) : marked;
}

/** The same for a line that may be cut at its end: escapes, put together with the rest of it, must not make another. */
export function escapeText(line: string, isCut: boolean): string {
  const text = escapeHidden(line);
  return isCut ? text.replace(/\\(u?)$/, "\\u{5C}$1") : text;
}

const OPENING = "\\u{";

const escapes = new Map<string, string>();

/** The escapes of one character, which may stand there several times. */
function escapesOf(run: string, character: string): string {
  let escape = escapes.get(character);
  if (escape === undefined) {
    const digits = character.codePointAt(0)!.toString(16).toUpperCase();
    escapes.set(character, escape = `\\u{${digits}}`);
  }
  return escape.repeat(run.length / character.length);
}

/**
 * Undoes {@linkcode escapeHidden}, for the same whole text: one that was cut
 * after it was escaped may be cut in the middle of an escape.
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
 * @returns The text that it was given; what is no escape stays as it is.
 */
export function unescapeHidden(text: string): string {
  checkText(text, "Cannot unescape a text");
  return text.replace(ESCAPES, (run, escape: string, digits: string) => {
    const point = parseInt(digits, 16);
    if (point > 0x10ffff) return run;
    return String.fromCodePoint(point).repeat(run.length / escape.length);
  });
}

/** An escape, as often as it stands there in a row. */
const ESCAPES = /(\\u\{([0-9A-F]{1,6})\})\1{0,4095}/g;
