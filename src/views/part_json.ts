// Runtime-agnostic.
import { isUtf8 } from "../core/lines/text.ts";

const SIGN = "\uFFFD";
/** Two lone surrogates: the first one makes a character after an escape such as \ud83d. */
const LOST = "\uDFFF\uDFFF";
/** Marks the end of a clipped string in the JSON of a part; the number of bytes that were left out follows, and a semicolon. A notebook's own U+FFFF becomes two lone surrogates. */
export const MARK = "\\uFFFF";
/** What looks like a mark. */
const ALIKE = /\\uffff|\uFFFF/i;
/** The same, or an escape: no mark begins at the second half of an escaped backslash. */
const ALIKE_OR_ESCAPE = /(\\uffff|\uFFFF)|\\[^]/gi;

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes the JSON of a part of a notebook with marks at these positions; other U+FFFF become lone surrogates. */
export function decodePart(bytes: Uint8Array, marks: readonly number[]) {
  const whole = decode(bytes);
  if (whole.split(ALIKE).length - 1 === marks.length) return whole;
  const parts: string[] = [];
  let from = 0;
  for (const at of [...marks, bytes.length]) {
    const text = decode(bytes.subarray(from, at));
    parts.push(
      text.replace(ALIKE_OR_ESCAPE, (sign, mark) => mark ? LOST : sign),
    );
    from = at + MARK.length;
  }
  return parts.join(MARK);
}

/** Decodes UTF-8, with lone surrogates for bytes that are not. */
function decode(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (!text.includes(SIGN) || isUtf8(bytes, true)) return text;
  const parts: string[] = [];
  let from = 0;
  // U+FFFD itself in UTF-8.
  for (let at = 0; (at = bytes.indexOf(0xef, at)) >= 0; at++) {
    if (bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) continue;
    parts.push(decoder.decode(bytes.subarray(from, at)));
    from = at + 3;
  }
  parts.push(decoder.decode(bytes.subarray(from)));
  return parts.map((part) => part.replaceAll(SIGN, LOST)).join(SIGN);
}
