// Runtime-agnostic.
import type { ViewText } from "../core/media/view.ts";

/** How many characters are encoded at a time. */
const BLOCK_CHARS = 65_536;

/** A text that grows at its end, kept as blocks of UTF-8: one array would be copied as it grows. */
export class TextBlocks implements ViewText {
  readonly #blocks: Uint8Array[] = [];
  /** Where each block begins. */
  readonly #starts: number[] = [];
  readonly #encoder = new TextEncoder();
  #pending = "";
  #encoded = 0;

  /** How many bytes it has, once {@linkcode TextBlocks.end} was called; before, a few less. */
  get size(): number {
    return this.#encoded;
  }

  /** Adds text at the end. */
  add(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= BLOCK_CHARS) this.end();
  }

  /** Encodes what was added. */
  end(): this {
    if (this.#pending === "") return this;
    const block = this.#encoder.encode(this.#pending);
    this.#pending = "";
    this.#starts.push(this.#encoded);
    this.#blocks.push(block);
    this.#encoded += block.length;
    return this;
  }

  /** Adds text at the beginning, and encodes all. */
  begin(text: string): void {
    this.end();
    const block = this.#encoder.encode(text);
    const starts = this.#starts.map((start) => start + block.length);
    this.#starts.splice(0, Infinity, 0, ...starts);
    this.#blocks.unshift(block);
    this.#encoded += block.length;
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
