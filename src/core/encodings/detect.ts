import { type FileEncoding, UTF_8 } from "../lines/codec.ts";
import { isUtf8 } from "../lines/text.ts";

export const ISO_2022_JP: FileEncoding = {
  label: "iso-2022-jp",
  why: "escape sequences",
};

/**
 * Detects the encoding of a file by its first bytes, which may end inside a
 * character unless they are the `whole` file; `undefined` if only statistics can
 * detect it.
 */
export function detectByBytes(
  head: Uint8Array,
  whole: boolean,
): FileEncoding | undefined {
  const [first, second, third, fourth] = head;
  const why = "byte order mark";
  if (first === 0xfe && second === 0xff) return { label: "utf-16be", why };
  if (first === 0xff && second === 0xfe) {
    // The byte order mark of UTF-32 begins with that of UTF-16.
    const isUtf32 = third === 0 && fourth === 0;
    return isUtf32 ? undefined : { label: "utf-16le", why };
  }
  const isValid = isUtf8(head, whole);
  const hasNul = head.includes(0);
  const utf16 = hasNul ? detectUtf16(head, whole, isValid) : undefined;
  if (utf16 !== undefined) return { label: utf16, why: "zero bytes" };
  if (!isValid) return undefined;
  return !hasNul && isIso2022jp(head) ? ISO_2022_JP : UTF_8;
}

/** The fewest code units that tell: in general, and with a sure share of zero bytes. */
const LEAST_UNITS = 32;
const LEAST_SURE_UNITS = 8;
/** The share of zero bytes that is sure: even text that could be UTF-8 with NULs is then UTF-16. */
const SURE_SHARE = 0.7;
/** The least share of zero bytes in UTF-16 text: that of blanks and line feeds in Chinese. */
const LEAST_SHARE = 1 / 128;

/** Code points that do not occur in text: controls, surrogates, unassigned ones. */
const NO_TEXT = /[^\P{C}\t\n\r\f\p{Cf}]|[\uFFFD\uFFFC]/u;

/**
 * Detects UTF-16 without a byte order mark. The zero bytes of ASCII characters
 * are the upper halves of code units, all on one side, and the decoded bytes
 * must be text.
 */
function detectUtf16(
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
    else if (byte < 0x09 || (byte > 0x0d && byte < 0x1b)) controls++;
  }
  // Greek, Cyrillic or Thai in UTF-16 is valid UTF-8 too, but half of it would be controls.
  const mayBeUtf8 = isValid && controls < units / 16;
  const isBig = zeros[0]! > zeros[1]!;
  /** How many upper and lower halves of code units are zero. */
  const upper = isBig ? zeros[0]! : zeros[1]!;
  const lower = isBig ? zeros[1]! : zeros[0]!;
  const isSure = upper / units >= SURE_SHARE;
  if (!isSure && (mayBeUtf8 || units < LEAST_UNITS)) return undefined;
  if (upper / units < LEAST_SHARE) return undefined;
  // Some lower halves are zero too, as of U+4E00.
  if (lower > upper / 16) return undefined;
  const label = isBig ? "utf-16be" : "utf-16le";
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  // The end of the sample may cut a code unit or a surrogate pair.
  const text = decoder.decode(head.subarray(0, 2 * units), { stream: true });
  if (NO_TEXT.test(text)) return undefined;
  // UTF-16 has an even size, so a file of odd size needs the sure share.
  const isOddSize = whole && head.length % 2 === 1;
  return isOddSize && !isSure ? undefined : label;
}

/** Whether there is an escape to a set of characters of ISO-2022-JP, followed by characters of it. */
export function isIso2022jp(head: Uint8Array): boolean {
  if (!head.includes(0x1b)) return false;
  const text = new TextDecoder("utf-8").decode(head);
  return /^[\0-\x7f]*$/.test(text) &&
    // deno-lint-ignore no-control-regex -- an escape begins each set
    /\x1b(?:\$[@B](?:[!-~]{2})+|\(I[!-_]+)(?:\x1b\([BJ]|\n|$)/.test(text);
}
