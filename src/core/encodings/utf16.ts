// Runtime-agnostic.
import type { Charset } from "../lines/codec.ts";
import type { NewlineKernel } from "../lines/scan.ts";

/** How many bytes are counted before the counters are summed. */
const STRETCH_BYTES = 64 * 1024;

/**
 * Finds the line feeds of UTF-16 in the buffer of another kernel: two bytes, at
 * an even position of the file. The index of a line feed is that of its second
 * byte. It counts only if both bytes are in the range.
 */
function utf16Kernel(
  kernel: NewlineKernel,
  source: { readonly start: number },
  isBig: boolean,
): NewlineKernel {
  const { buffer } = kernel;
  const [one, two] = isBig ? [0x00, 0x0a] : [0x0a, 0x00];
  const words = new Int32Array(buffer.buffer, buffer.byteOffset);
  const feeds = isBig ? 0x0a000a00 : 0x000a000a;
  const align = (from: number) => from + ((source.start + from) & 1);

  function count(from: number, to: number): number {
    let found = 0;
    let at = align(from);
    for (; kernel.countUnits !== undefined && to - at >= 16;) {
      const end = at + Math.min(STRETCH_BYTES, (to - at) & ~15);
      found += kernel.countUnits(at, end, feeds & 0xffff);
      at = end;
    }
    // A chunk at an odd position in the buffer cannot be read as 16-bit words.
    const isWords = at % 2 === 0;
    for (; at + 1 < to && !(isWords && at % 4 === 0); at += 2) {
      if (buffer[at] === one && buffer[at + 1] === two) found++;
    }
    while (to - at >= 4) {
      const end = Math.min(to & ~3, at + STRETCH_BYTES);
      found += countWords(words, at >> 2, end >> 2, feeds);
      at = end;
    }
    for (; at + 1 < to; at += 2) {
      if (buffer[at] === one && buffer[at + 1] === two) found++;
    }
    return found;
  }

  return {
    ...kernel,
    buffer,
    count,
    isAscii: () => false,
    nth(from, to, n) {
      let found = 0;
      let at = align(from);
      while (to - at >= STEP_BYTES) {
        const here = count(at, at + STEP_BYTES);
        if (found + here >= n) break;
        found += here;
        at += STEP_BYTES;
      }
      for (; at + 1 < to; at += 2) {
        if (buffer[at] !== one || buffer[at + 1] !== two) continue;
        if (++found === n) return at + 1;
      }
      return ~found;
    },
    nthLast(from, to, n) {
      let found = 0;
      const first = align(from);
      // Just after the last whole unit.
      let at = to - ((source.start + to) & 1);
      while (at - first >= STEP_BYTES) {
        const here = count(at - STEP_BYTES, at);
        if (found + here >= n) break;
        found += here;
        at -= STEP_BYTES;
      }
      for (; at - 2 >= first; at -= 2) {
        if (buffer[at - 2] !== one || buffer[at - 1] !== two) continue;
        if (++found === n) return at - 1;
      }
      return ~found;
    },
  };
}

/** A step is counted first, and searched only if it holds the wanted line feed. */
const STEP_BYTES = 4096;

function countWords(
  words: Int32Array,
  from: number,
  to: number,
  feeds: number,
): number {
  let lanes = 0;
  for (; from < to; from++) {
    const odd = words[from]! ^ feeds;
    // The top bit of each half is set unless the half is a line feed.
    const others = ((odd & 0x7fff7fff) + 0x7fff7fff) | odd;
    lanes += (~others >>> 15) & 0x00010001;
  }
  return (lanes & 0xffff) + (lanes >>> 16);
}

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
    kernelFor: (kernel, source) => utf16Kernel(kernel, source, isBig),
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
