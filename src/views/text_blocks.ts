// Runtime-agnostic.
import type { ViewText } from "../core/media/view.ts";

/** How much room for bytes is made at a time. */
const BLOCK_BYTES = 65_536;

/** The most bytes of UTF-8 that a unit of UTF-16 can take. */
const UNIT_BYTES = 3;

/** A text that grows at its end, kept as blocks of UTF-8: one array would be copied as it grows. */
export class TextBlocks implements ViewText {
  readonly #blocks: Uint8Array[] = [];
  /** Where each block begins. */
  readonly #starts: number[] = [];
  readonly #encoder = new TextEncoder();
  #block = new Uint8Array(BLOCK_BYTES);
  #used = 0;
  #before = 0;

  /** How many bytes it has. */
  get size(): number {
    return this.#before + this.#used;
  }

  /** Adds text at the end. */
  add(text: string): void {
    // Encoded at once: strings that wait to be joined would be kept by the collector.
    for (let from = 0; from < text.length;) {
      if (this.#block.length - this.#used < UNIT_BYTES + 1) this.#finish();
      const room = this.#block.subarray(this.#used);
      const { read, written } = this.#encoder.encodeInto(
        from === 0 ? text : text.slice(from),
        room,
      );
      from += read;
      this.#used += written;
    }
  }

  /** Adds text at the beginning. */
  begin(text: string): void {
    this.#finish();
    const block = this.#encoder.encode(text);
    const starts = this.#starts.map((start) => start + block.length);
    this.#starts.splice(0, Infinity, 0, ...starts);
    this.#blocks.unshift(block);
    this.#before += block.length;
  }

  #finish(): void {
    if (this.#used === 0) return;
    this.#starts.push(this.#before);
    this.#blocks.push(this.#block.subarray(0, this.#used));
    this.#before += this.#used;
    this.#block = new Uint8Array(BLOCK_BYTES);
    this.#used = 0;
  }

  /** Reads into `buffer`, from one block. */
  read(buffer: Uint8Array, position: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle]! <= position) low = middle + 1;
      else high = middle;
    }
    const block = this.#blocks[low - 1];
    if (block === undefined) return 0;
    const from = position - this.#starts[low - 1]!;
    const part = block.subarray(from, from + buffer.length);
    buffer.set(part);
    return part.length;
  }
}
