import { checkText } from "../base/check.ts";
import { hiddenRule, MAY_HIDE } from "./rules.ts";

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
  const marked = text.replaceAll(OPENING, "\\u{5C}u{");
  if (!MAY_HIDE.test(marked)) return marked;
  let shown = "";
  let from = 0;
  for (let at = 0; at < marked.length;) {
    const point = marked.codePointAt(at)!;
    let next = at + (point > 0xffff ? 2 : 1);
    // A CR before an LF is visible.
    const isCrLf = point === CR && marked.charCodeAt(next) === LF;
    if (!isCrLf && hiddenRule(point) !== undefined) {
      let count = 1;
      // A run, as of NULs, is escaped in one step: one by one takes four times as long.
      if (point !== CR && marked.charCodeAt(next) === point) {
        RUN.lastIndex = at;
        RUN.test(marked);
        next = RUN.lastIndex;
        count = next - at;
      }
      shown += marked.slice(from, at) + escapeOf(point).repeat(count);
      from = next;
    }
    at = next;
  }
  return shown + marked.slice(from);
}

/** Matches a run of an equal UTF-16 code unit; a longer match could exceed the stack of an engine. */
const RUN = /([^])\1{0,4095}/y;

const escapes = new Map<number, string>();

function escapeOf(point: number): string {
  let escape = escapes.get(point);
  if (escape === undefined) {
    escape = `\\u{${point.toString(16).toUpperCase()}}`;
    escapes.set(point, escape);
  }
  return escape;
}

/** Escapes a line as {@linkcode escapeHidden} does. If a page cuts the line, also escapes a backslash, or one before a `u`, at its end: joined with the next page, it could begin an escape. */
export function escapeText(line: string, isCut: boolean): string {
  const text = escapeHidden(line);
  return isCut ? text.replace(/\\(u?)$/, "\\u{5C}$1") : text;
}

const OPENING = "\\u{";
const CR = 0x0d;
const LF = 0x0a;

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
  return text.replace(ESCAPES, (run, escape: string, hex: string) => {
    const point = parseInt(hex, 16);
    if (point > 0x10ffff) return run;
    return String.fromCodePoint(point).repeat(run.length / escape.length);
  });
}

/** Matches a run of equal escapes; a longer match could exceed the stack of an engine. */
const ESCAPES = /(\\u\{([0-9A-F]{1,6})\})\1{0,4095}/g;
