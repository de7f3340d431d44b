// Runtime-agnostic.
import type { NewlineKernel } from "./scan.ts";

const LF = 0x0a;

/** Four line feeds, to compare four bytes at a time. */
const FEEDS = 0x0a0a0a0a;

/** How many words a stretch has: a byte-wide counter takes no more. */
const STRETCH_WORDS = 252;
const STRETCH_BYTES = STRETCH_WORDS * 4;

/** A kernel in plain JavaScript, for every runtime. */
export function plainKernel(size: number): NewlineKernel {
  const buffer = new Uint8Array(size);
  const words = new Int32Array(buffer.buffer, 0, size >> 2);

  function count(from: number, to: number): number {
    let found = 0;
    const first = Math.min(to, (from + 3) & ~3);
    for (; from < first; from++) if (buffer[from] === LF) found++;
    const last = to & ~3;
    while (from < last) {
      const end = Math.min(last, from + STRETCH_BYTES);
      found += countWords(words, from >> 2, end >> 2);
      from = end;
    }
    for (; from < to; from++) if (buffer[from] === LF) found++;
    return found;
  }

  return {
    buffer,
    count,
    nth(from, to, n) {
      let found = 0;
      // A far one is looked for in stretches, which only count.
      while (to - from >= STRETCH_BYTES) {
        const here = count(from, from + STRETCH_BYTES);
        if (found + here >= n) break;
        found += here;
        from += STRETCH_BYTES;
      }
      for (; from < to; from++) {
        if (buffer[from] === LF && ++found === n) return from;
      }
      return ~found;
    },
    hasNul: (from, to) => buffer.subarray(from, to).includes(0),
    nthLast(from, to, n) {
      let found = 0;
      while (to - from >= STRETCH_BYTES) {
        const here = count(to - STRETCH_BYTES, to);
        if (found + here >= n) break;
        found += here;
        to -= STRETCH_BYTES;
      }
      while (to > from) {
        if (buffer[--to] === LF && ++found === n) return to;
      }
      return ~found;
    },
  };
}

/** Counts the line feeds in at most {@linkcode STRETCH_WORDS} words. */
function countWords(words: Int32Array, from: number, to: number): number {
  let lanes = 0;
  for (; from < to; from++) {
    const odd = words[from]! ^ FEEDS;
    // The top bit of each byte, set where the byte was anything but a line feed.
    const others = ((odd & 0x7f7f7f7f) + 0x7f7f7f7f) | odd;
    lanes += (~others >>> 7) & 0x01010101;
  }
  const pairs = (lanes & 0x00ff00ff) + ((lanes >>> 8) & 0x00ff00ff);
  return (pairs & 0xffff) + (pairs >>> 16);
}
