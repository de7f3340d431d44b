// Runtime-agnostic.

/** A byte that UTF-8 never has: it is shown as U+FFFD, and its line is inexact. */
export const LOST_BYTE = 0xff;

/** The parts of a text between its lone surrogates, which UTF-8 does not have. */
export function wellFormedParts(text: string): readonly string[] {
  return text.isWellFormed() ? [text] : text.split(/[\uD800-\uDFFF]+/u);
}

/** Encodes a text as UTF-8, with a byte that is not UTF-8 for lone surrogates. */
export function encodeText(text: string): Uint8Array {
  const encoder = new TextEncoder();
  const [first = "", ...others] = wellFormedParts(text);
  if (others.length === 0) return encoder.encode(first);
  const parts = [first, ...others].map((part) => encoder.encode(part));
  const size = parts.reduce((sum, { length }) => sum + length, others.length);
  const bytes = new Uint8Array(size).fill(LOST_BYTE);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length + 1;
  }
  return bytes;
}
