const BLOCK_BYTES = 64 * 1024;

/** Consecutive bytes of a text, copied into blocks: there may be millions of small parts. */
export class ByteBlocks {
  /** All but the last are full. */
  readonly #blocks: Uint8Array[] = [];
  /** Blocks to use again. */
  readonly #free: Uint8Array[] = [];
  /** Where the bytes in memory begin and end in the text. */
  start = 0;
  end = 0;

  push(part: Uint8Array): void {
    for (let at = 0; at < part.length;) {
      const used = (this.end - this.start) % BLOCK_BYTES;
      if (used === 0) {
        this.#blocks.push(this.#free.pop() ?? new Uint8Array(BLOCK_BYTES));
      }
      const piece = part.subarray(at, at + BLOCK_BYTES - used);
      this.#blocks.at(-1)!.set(piece, used);
      this.end += piece.length;
      at += piece.length;
    }
  }

  clear(): void {
    this.#free.push(...this.#blocks.splice(0));
    this.start = this.end = 0;
  }

  /** Drops the first blocks, as long as at least `least` bytes remain. */
  dropTo(least: number): void {
    while (this.end - this.start >= least + BLOCK_BYTES) {
      this.#free.push(this.#blocks.shift()!);
      this.start += BLOCK_BYTES;
    }
  }

  /** Reads from a position, up to the end of its block; returns how many bytes, `0` if it is not in memory. */
  read(buffer: Uint8Array, position: number): number {
    if (position < this.start || position >= this.end) return 0;
    const at = position - this.start;
    const from = at % BLOCK_BYTES;
    const most = Math.min(buffer.length, this.end - position);
    const part = this.#blocks[(at - from) / BLOCK_BYTES]!
      .subarray(from, from + most);
    buffer.set(part);
    return part.length;
  }
}
