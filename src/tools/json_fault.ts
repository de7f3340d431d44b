// Runtime-agnostic.
import { quote } from "../core/base/words.ts";

const BLANK = /[ \t\r\n]*/y;
const TEXT =
  // deno-lint-ignore no-control-regex -- JSON forbids control characters in a string unless they are escaped.
  /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-f]{4})[^"\\\x00-\x1f]*)*"/iy;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/y;

/** Deeper JSON is not looked through: how deep the stack goes differs. */
const MAX_DEPTH = 500;

/** Says where a text stops being JSON, the same in each runtime; `undefined` if it does not. */
export function faultIn(text: string): string | undefined {
  let at = 0;
  let depth = 0;
  function took(token: RegExp): boolean {
    for (const part of [BLANK, token]) {
      part.lastIndex = at;
      const found = part.exec(text);
      if (found === null) return false;
      at += found[0].length;
    }
    return true;
  }
  const member = (): boolean => took(TEXT) && took(/:/y) && value();
  const value = (): boolean =>
    took(/\{/y)
      ? took(/\}/y) || list(member, /\}/y)
      : took(/\[/y)
      ? took(/\]/y) || list(value, /\]/y)
      : took(TEXT) || took(WORD);
  function list(item: () => boolean, end: RegExp): boolean {
    if (++depth > MAX_DEPTH) return false;
    do if (!item()) return false; while (took(/,/y));
    depth--;
    return took(end);
  }
  if (value() && took(/$/y) || depth > MAX_DEPTH) return undefined;
  const found = text.slice(at, at + 1);
  return found === ""
    ? `the JSON breaks off after ${at} characters`
    : `${quote(found)} at character ${at + 1} is not JSON`;
}
