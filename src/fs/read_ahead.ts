// Runtime-agnostic.
import type { Awaitable } from "../core/base/port.ts";
import { failure } from "./directory.ts";

/** The first bytes that are asked for: what the core reads at first. */
export const FIRST_RANGE_BYTES = 64 * 1024;

/** The most bytes that are asked for in advance: one object's share of a small memory. */
export const MAX_RANGE_BYTES = 4 * 1024 * 1024;

/**
 * Fetches bytes from `position` on: at most `length` of them, and at least one,
 * for the object is known to have them.
 */
type FetchRange = (
  position: number,
  length: number,
) => Promise<Uint8Array>;

/** A stretch of the object that is at hand. */
interface Held {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * The bytes of an object that is far away, fetched a range at a time.
 *
 * Whoever reads on, forwards or backwards, is given larger and larger ranges;
 * whoever leaps begins anew with a small one. A read is answered from the range
 * at hand as far as it goes, so that fewer bytes may come than were asked for.
 */
export class ReadAhead {
  readonly #size: number;
  readonly #fetch: FetchRange;
  #held: Held;
  #ahead = FIRST_RANGE_BYTES;

  /** Constructs a new instance for an object of `size` bytes, of which the `first` are known. */
  constructor(size: number, fetch: FetchRange, first = new Uint8Array(0)) {
    this.#size = size;
    this.#fetch = fetch;
    this.#held = { start: 0, bytes: first };
  }

  /** Reads into `buffer`, as a file handle does. */
  read(buffer: Uint8Array, position: number): Awaitable<number> {
    if (buffer.length === 0 || position >= this.#size) return 0;
    const count = copy(this.#held, buffer, position);
    return count > 0 ? count : this.#readOn(buffer, position);
  }

  async #readOn(buffer: Uint8Array, position: number): Promise<number> {
    const { start, end } = this.#rangeFor(position, buffer.length);
    const bytes = await this.#fetch(start, end - start);
    // Two reads may be on their way at once, and each has its own bytes.
    const held = { start, bytes: bytes.subarray(0, end - start) };
    const count = copy(held, buffer, position);
    // Zero would say that the object ends here.
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

/** Copies what is held from `position` on; tells how much that was. */
function copy(
  { start, bytes }: Held,
  buffer: Uint8Array,
  position: number,
): number {
  if (position < start || position >= start + bytes.length) return 0;
  const from = position - start;
  const some = bytes.subarray(from, from + buffer.length);
  buffer.set(some);
  return some.length;
}
