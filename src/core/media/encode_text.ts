// Runtime-agnostic.

/** A byte that UTF-8 never has: it is shown as U+FFFD, and its line is inexact. */
const LOST_BYTE = 0xff;

/** Encodes a text as UTF-8, with a byte that is not UTF-8 for lone surrogates. */
export function encodeText(text: string): Uint8Array {
  const encoder = new TextEncoder();
  if (text.isWellFormed()) return encoder.encode(text);
  const parts = text.split(/[\uD800-\uDFFF]+/u)
    .map((part) => encoder.encode(part));
  const size = parts.reduce((sum, { length }) => sum + length + 1, -1);
  const bytes = new Uint8Array(size).fill(LOST_BYTE);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length + 1;
  }
  return bytes;
}
