// Runtime-agnostic.
import type { Awaitable } from "../core/base/port.ts";
import { failure } from "./directory.ts";

/** The size of the first range: as much as the core reads first. */
export const FIRST_RANGE_BYTES = 64 * 1024;

/** The size of the largest range. */
export const MAX_RANGE_BYTES = 4 * 1024 * 1024;

/** Fetches at most `length` bytes of the object, and at least one. */
type FetchRange = (position: number, length: number) => Promise<Uint8Array>;

type Held = { readonly start: number; readonly bytes: Uint8Array };

/**
 * Fetches the bytes of a remote object, a range at a time. The ranges of a
 * sequential read, forwards or backwards, double in size; a seek starts again
 * with a small one. A read may return fewer bytes than were asked for.
 */
export class ReadAhead {
  readonly #size: number;
  readonly #fetch: FetchRange;
  #held: Held;
  #ahead = FIRST_RANGE_BYTES;

  /** Constructs a new instance for an object of `size` bytes, which begins with `first`. */
  constructor(size: number, fetch: FetchRange, first = new Uint8Array(0)) {
    this.#size = size;
    this.#fetch = fetch;
    this.#held = { start: 0, bytes: first };
  }

  /** Reads into a buffer, like a file handle. */
  read(buffer: Uint8Array, position: number): Awaitable<number> {
    if (buffer.length === 0 || position >= this.#size) return 0;
    const count = copy(this.#held, buffer, position);
    return count > 0 ? count : this.#readOn(buffer, position);
  }

  async #readOn(buffer: Uint8Array, position: number): Promise<number> {
    const { start, end } = this.#rangeFor(position, buffer.length);
    const bytes = await this.#fetch(start, end - start);
    // Two reads may be pending at once, so each copies from its own range.
    const held = { start, bytes: bytes.subarray(0, end - start) };
    const count = copy(held, buffer, position);
    // Zero would mean the end of the object.
    if (count === 0) throw failure("EIO");
    this.#held = held;
    return count;
  }

  #rangeFor(position: number, wanted: number): { start: number; end: number } {
    const { start, bytes } = this.#held;
    const more = Math.min(2 * this.#ahead, MAX_RANGE_BYTES);
    const isNext = bytes.length > 0 && position === start + bytes.length;
    const isBefore = bytes.length > 0 && position < start &&
      position + Math.max(more, wanted) >= start;
    this.#ahead = isNext || isBefore ? more : FIRST_RANGE_BYTES;
    if (isBefore) {
      const first = Math.max(0, start - this.#ahead);
      return { start: Math.min(position, first), end: start };
    }
    const length = Math.max(this.#ahead, wanted);
    return { start: position, end: Math.min(this.#size, position + length) };
  }
}

/** Copies the bytes from `position` on; returns their number. */
function copy(
  { start, bytes }: Held,
  buffer: Uint8Array,
  position: number,
): number {
  if (position < start || position >= start + bytes.length) return 0;
  const from = position - start;
  const part = bytes.subarray(from, from + buffer.length);
  buffer.set(part);
  return part.length;
}
