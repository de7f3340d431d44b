// Runtime-agnostic.
import type { Charset } from "../lines/codec.ts";
import { feedsIn } from "../lines/scan.ts";

/** UTF-16, whose characters have two or four bytes. */
export function utf16Charset(label: "utf-16le" | "utf-16be"): Charset {
  const isBig = label === "utf-16be";
  const high = isBig ? 0 : 1;
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  const isUnit = (bytes: Uint8Array, at: number, unit: number) =>
    bytes[at + high] === 0 && bytes[at + 1 - high] === unit;
  return {
    label,
    feed: 2,
    most: 4,
    hasAscii: false,
    kernelFor(kernel, source) {
      const { buffer, countUnits } = kernel;
      const feed = isBig ? [0x00, 0x0a] as const : [0x0a, 0x00] as const;
      const found = feedsIn(buffer, feed, source, countUnits);
      return { ...kernel, ...found, isAscii: () => false };
    },
    endingAt(bytes, at) {
      if (isUnit(bytes, at, 0x0a)) return 2;
      return isUnit(bytes, at, 0x0d) && isUnit(bytes, at + 2, 0x0a) ? 4 : 0;
    },
    unitLength(bytes, at) {
      const left = bytes.length - at;
      if (left < 2 || (bytes[at + high]! & 0xfc) !== 0xd8) {
        return Math.min(left, 2);
      }
      // At the end of the file, half a pair before half a unit is one U+FFFD.
      if (left < 4) return left;
      return (bytes[at + 2 + high]! & 0xfc) === 0xdc ? 4 : 2;
    },
    columnsOf: () => 1,
    decode: (bytes) => decoder.decode(bytes),
    encode(text) {
      const bytes = new Uint8Array(text.length * 2);
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        bytes[2 * at + high] = unit >>> 8;
        bytes[2 * at + 1 - high] = unit & 0xff;
      }
      return bytes;
    },
  };
}
