/** A file of any size whose lines say where they are: first, in the middle, or last. */
import type { Content } from "./fake_r2.ts";

/** The size of a repeated block; the first and the last block differ. */
export const GIANT_BLOCK_BYTES = 1024 * 1024;

/** How long every line is, its ending included. */
const LINE_BYTES = 16;

/** Lines in a block. */
export const GIANT_BLOCK_LINES = GIANT_BLOCK_BYTES / LINE_BYTES;

/** Line `number` of a block, counted from 1. */
export function giantLine(place: Place, number: number): string {
  return `${place}${String(number).padStart(LINE_BYTES - 6, "0")}\n`;
}

/** Where a block is; all words are of one length. */
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

/** A file of `count` blocks, made as it is read. */
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
