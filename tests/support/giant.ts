/** A file of any size in which each line says whether its block is the first, a middle, or the last one. */
import type { Content } from "./fake_r2.ts";

/** The size of a block; the middle blocks are equal. */
export const GIANT_BLOCK_BYTES = 1024 * 1024;

/** The length of every line, its ending included. */
const LINE_BYTES = 16;

/** How many lines a block has. */
export const GIANT_BLOCK_LINES = GIANT_BLOCK_BYTES / LINE_BYTES;

/** The text of line `number` of a block, counted from 1. */
export function giantLine(place: Place, number: number): string {
  return `${place}${String(number).padStart(LINE_BYTES - 6, "0")}\n`;
}

/** The position of a block; all words have the same length. */
export type Place = "first" | "inner" | "final";

const blocks = new Map<Place, Uint8Array<ArrayBuffer>>();

/** The block at `index` of a file of `count` blocks. */
export function giantBlock(
  index: number,
  count: number,
): Uint8Array<ArrayBuffer> {
  const place = index === 0 ? "first" : index < count - 1 ? "inner" : "final";
  const made = blocks.get(place) ?? makeBlock(place);
  blocks.set(place, made);
  return made;
}

function makeBlock(place: Place): Uint8Array<ArrayBuffer> {
  const lines = Array.from(
    { length: GIANT_BLOCK_LINES },
    (_, index) => giantLine(place, index + 1),
  );
  return new TextEncoder().encode(lines.join(""));
}

/** A file of `count` blocks, generated as it is read. */
export function giantContent(count: number): Content {
  return {
    size: count * GIANT_BLOCK_BYTES,
    slice(start, end) {
      const bytes = new Uint8Array(end - start);
      for (let at = start; at < end;) {
        const from = at % GIANT_BLOCK_BYTES;
        const some = giantBlock((at - from) / GIANT_BLOCK_BYTES, count)
          .subarray(from, from + end - at);
        bytes.set(some, at - start);
        at += some.length;
      }
      return bytes;
    },
  };
}
