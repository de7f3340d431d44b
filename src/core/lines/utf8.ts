import type { Codec } from "./codec.ts";

const LF = 0x0a;
const CR = 0x0d;

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes UTF-8; invalid bytes become U+FFFD, a BOM U+FEFF. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** How many bytes the line ending at `at` has; 0 if no line ends there. */
export function endingAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LF) return 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0;
}

/** The most bytes of a character of UTF-8. */
export const MAX_CHAR_BYTES = 4;

/** How many bytes the character of UTF-8 at `at` has; invalid bytes count as the decoder groups them into U+FFFD. */
export function utf8Length(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0xc2 || first > 0xf4) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // Some second bytes would make an overlong form, a surrogate, or too large a number.
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 1;
  for (let seen = 2; seen < length; seen++) {
    if (((bytes[at + seen] ?? 0) & 0xc0) !== 0x80) return seen;
  }
  return length;
}

/** UTF-8 as one encoding of many, where nothing faster is worth it. */
export const UTF_8_CODEC: Codec = {
  label: "utf-8",
  feedLength: 1,
  maxCharLength: MAX_CHAR_BYTES,
  endingAt,
  decode: decodeLossy,
  divide(bytes, from, limit) {
    if (limit >= bytes.length) return bytes.length;
    // Only the first byte of a character tells that it has more.
    for (let begin = limit - 1; begin > limit - MAX_CHAR_BYTES; begin--) {
      if (begin <= from) break;
      if (begin + utf8Length(bytes, begin) > limit) return begin;
    }
    return Math.max(limit, from + utf8Length(bytes, from));
  },
};
