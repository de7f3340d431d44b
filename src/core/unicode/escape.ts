// Runtime-agnostic.
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
  const marked = text.includes(OPENING)
    ? text.replaceAll(OPENING, "\\u{5C}u{")
    : text;
  if (!MAY_HIDE.test(marked)) return marked;
  let shown = "";
  let from = 0;
  for (let at = 0; at < marked.length;) {
    const point = marked.codePointAt(at)!;
    const length = point > 0xffff ? 2 : 1;
    if (!isHiddenAt(marked, at, point)) {
      at += length;
      continue;
    }
    if (from < at) shown += marked.slice(from, at);
    from = at;
    at += length;
    if (point !== CR && marked.charCodeAt(at) === point) {
      SAME.lastIndex = from;
      SAME.test(marked);
      at = SAME.lastIndex;
    }
    shown += escapeRuns.repeat(escapeOf(point), (at - from) / length);
    from = at;
  }
  return from === 0 ? marked : shown + marked.slice(from);
}

/** Matches a run of an equal UTF-16 code unit. The length is limited, since a longer match could exceed the stack of an engine. */
const SAME = /([^])\1{0,4095}/y;

/** Whether the character at `at` is hidden; a CR before an LF is visible. */
function isHiddenAt(text: string, at: number, point: number): boolean {
  return hiddenRule(point) !== undefined &&
    (point !== CR || text.charCodeAt(at + 1) !== LF);
}

/** The same for a line that may be cut at its end: joining it with the rest must not create a new escape. */
export function escapeText(line: string, isCut: boolean): string {
  const text = escapeHidden(line);
  return isCut ? text.replace(/\\(u?)$/, "\\u{5C}$1") : text;
}

const OPENING = "\\u{";

const CR = 0x0d;
const LF = 0x0a;

const escapes = new Map<number, string>();

function escapeOf(point: number): string {
  let escape = escapes.get(point);
  if (escape === undefined) {
    escape = `\\u{${point.toString(16).toUpperCase()}}`;
    escapes.set(point, escape);
  }
  return escape;
}

/** Repeats texts. A part of a long text is cheaper than a new one, so that of the last text is kept. */
class Repeater {
  #text = "";
  #long = "";

  repeat(text: string, count: number): string {
    if (count === 1) return text;
    if (count > 64) return text.repeat(count);
    if (text !== this.#text) {
      this.#text = text;
      this.#long = text.repeat(64);
    }
    return this.#long.slice(0, count * text.length);
  }
}

const escapeRuns = /* @__PURE__ */ new Repeater();
const characterRuns = /* @__PURE__ */ new Repeater();

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
  let shown = "";
  let from = 0;
  for (let at = text.indexOf(OPENING); at >= 0;) {
    RUN.lastIndex = at;
    if (!RUN.test(text)) {
      at = text.indexOf(OPENING, at + OPENING.length);
      continue;
    }
    const end = RUN.lastIndex;
    const close = text.indexOf("}", at);
    const point = parseInt(text.slice(at + OPENING.length, close), 16);
    if (point <= 0x10ffff) {
      const count = (end - at) / (close + 1 - at);
      if (from < at) shown += text.slice(from, at);
      shown += characterRuns.repeat(String.fromCodePoint(point), count);
      from = end;
    }
    at = text.indexOf(OPENING, end);
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** A repeated escape. */
const RUN = /(\\u\{[0-9A-F]{1,6}\})\1{0,4095}/y;
