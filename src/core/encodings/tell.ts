// Runtime-agnostic.
import type { EncodingSign } from "../lines/codec.ts";

/** What bytes say of their encoding. */
export interface Sign {
  /** The name of the encoding; `undefined` for one that only statistics can tell. */
  readonly label?: string;
  readonly why: EncodingSign;
}

const ASCII: Sign = { label: "utf-8", why: "valid UTF-8" };
const UNKNOWN: Sign = { why: "statistics" };

/**
 * Tells the encoding of a file by its first bytes, which may end inside a
 * character unless they are `whole`.
 */
export function tellBytes(head: Uint8Array, whole: boolean): Sign {
  const mark = markOf(head);
  if (mark !== undefined) {
    // The mark of UTF-32 begins like that of UTF-16.
    const isWide = mark === "utf-16le" && head[2] === 0 && head[3] === 0;
    return isWide ? UNKNOWN : { label: mark, why: "byte order mark" };
  }
  const isValid = isUtf8(head, whole);
  const isNul = head.includes(0);
  if (isNul) {
    const wide = wideOf(head, whole, isValid);
    if (wide !== undefined) return { label: wide, why: "zero bytes" };
  }
  if (!isValid) return UNKNOWN;
  if (!isNul && isIso2022jp(head)) {
    return { label: "iso-2022-jp", why: "escape sequences" };
  }
  return ASCII;
}

function markOf(head: Uint8Array): string | undefined {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

/** Whether bytes are UTF-8; unless they are `whole`, the last character may be cut. */
export function isUtf8(bytes: Uint8Array, whole: boolean): boolean {
  try {
    const strict = new TextDecoder("utf-8", { fatal: true });
    strict.decode(bytes, { stream: !whole });
    return true;
  } catch {
    return false;
  }
}

/** Fewer code units tell nothing: if nothing else could be text, and if something could. */
const LEAST_UNITS = 32;
const LEAST_SURE_UNITS = 8;
/** The share of zero bytes in text that could be UTF-8 with NULs too. */
const SURE_SHARE = 0.7;
/** The share in other text: that of blanks and line feeds in Chinese. */
const LEAST_SHARE = 1 / 128;

/** Code points that no text has: controls, surrogates, those without a meaning. */
const NO_TEXT = /[^\P{C}\t\n\r\f\p{Cf}]|[\uFFFD\uFFFC]/u;

/**
 * UTF-16 without a mark: the zero bytes are those of ASCII characters, so they
 * are the upper halves of code units, on one side; and all of it is text.
 */
function wideOf(
  head: Uint8Array,
  whole: boolean,
  isValid: boolean,
): string | undefined {
  const units = head.length >> 1;
  if (units < LEAST_SURE_UNITS) return undefined;
  const zeros = [0, 0];
  let controls = 0;
  for (let at = 0; at < 2 * units; at++) {
    const byte = head[at]!;
    if (byte === 0) zeros[at & 1]!++;
    else if (byte < 0x09) controls++;
    else if (byte > 0x0d && byte < 0x1b) controls++;
  }
  // The upper halves of Greek, Cyrillic or Thai are ASCII too, but controls.
  const isOther = isValid && controls < units / 16;
  const isBig = zeros[0]! > zeros[1]!;
  const [upper, lower] = isBig ? zeros : [zeros[1], zeros[0]];
  // U+4E00 and its like have zeros on the other side.
  const isSure = upper! / units >= SURE_SHARE;
  if (!isSure && (isOther || units < LEAST_UNITS)) return undefined;
  if (upper! / units < LEAST_SHARE) return undefined;
  if (lower! > upper! / 16) return undefined;
  const label = isBig ? "utf-16be" : "utf-16le";
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  // The end of a file may be missing: half a unit, or half a pair.
  const text = decoder.decode(head.subarray(0, 2 * units), { stream: true });
  if (NO_TEXT.test(text)) return undefined;
  // A file of odd size must have more to show.
  return whole && head.length % 2 === 1 && !isSure ? undefined : label;
}

/** Whether there is an escape to a set of characters of ISO-2022-JP, and bytes that are some. */
export function isIso2022jp(head: Uint8Array): boolean {
  if (!head.includes(0x1b)) return false;
  const text = new TextDecoder("utf-8").decode(head);
  return /^[\0-\x7f]*$/.test(text) &&
    // deno-lint-ignore no-control-regex -- an escape begins each set
    /\x1b(?:\$[@B](?:[!-~]{2})+|\(I[!-_]+)(?:\x1b\([BJ]|\n|$)/.test(text);
}
