import { damaged, unsupported } from "./fault.ts";

/** The most bytes that the two sizes at the beginning of a delta take. */
export const DELTA_HEAD_BYTES = 20;

/** The sizes at the beginning of a delta, and where its instructions begin. */
export interface DeltaHead {
  readonly baseSize: number;
  readonly size: number;
  readonly end: number;
}

export function deltaHead(delta: Uint8Array): DeltaHead {
  const base = sizeAt(delta, 0);
  const result = sizeAt(delta, base.end);
  return { baseSize: base.size, size: result.size, end: result.end };
}

function sizeAt(delta: Uint8Array, start: number) {
  let size = 0;
  let scale = 1;
  let end = start;
  for (let byte = 0x80; byte >= 0x80; scale *= 128) {
    if (end === delta.length) throw badDelta("ends in its sizes");
    byte = delta[end++]!;
    size += (byte & 0x7f) * scale;
    if (size > Number.MAX_SAFE_INTEGER) throw badDelta("has no possible size");
  }
  return { size, end };
}

function badDelta(problem: string) {
  return damaged(`a delta ${problem}`);
}

/** Takes an instruction of a delta: to copy from the base, or, if `from` is -1, to insert the delta's own bytes. */
type TakeStep = (from: number, length: number, literalAt: number) => void;

/** Calls `step` for each instruction; checks that each lies in the base and all together give the size. */
function eachStep(
  delta: Uint8Array,
  { baseSize, size, end }: DeltaHead,
  step: TakeStep,
): void {
  let at = end;
  let written = 0;
  while (at < delta.length) {
    const op = delta[at++]!;
    let from = -1;
    let length = op;
    if (op === 0) throw badDelta("has an unknown instruction");
    if (op < 0x80) {
      if (at + length > delta.length) throw badDelta("ends in an insertion");
    } else {
      from = 0;
      length = 0;
      if (op & 0x01) from = delta[at++]!;
      if (op & 0x02) from += delta[at++]! * 0x100;
      if (op & 0x04) from += delta[at++]! * 0x10000;
      if (op & 0x08) from += delta[at++]! * 0x1000000;
      if (op & 0x10) length = delta[at++]!;
      if (op & 0x20) length += delta[at++]! * 0x100;
      if (op & 0x40) length += delta[at++]! * 0x10000;
      if (length === 0) length = 0x10000;
      // Past the end of the delta, the numbers are NaN.
      if (!(from + length <= baseSize)) {
        throw badDelta("copies what its base does not have");
      }
    }
    written += length;
    if (written > size) throw badDelta("gives more bytes than its size");
    step(from, length, at);
    if (from < 0) at += length;
  }
  if (written !== size) throw badDelta("gives fewer bytes than its size");
}

/** Applies a delta to its base. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const head = deltaHead(delta);
  if (head.baseSize !== base.length) {
    throw badDelta("is for a base of another size");
  }
  const result = new Uint8Array(head.size);
  let filled = 0;
  eachStep(delta, head, (from, length, literalAt) => {
    const [source, start] = from < 0 ? [delta, literalAt] : [base, from];
    // Short copies are faster byte by byte.
    if (length < 32) {
      for (let i = 0; i < length; i++) result[filled + i] = source[start + i]!;
    } else result.set(source.subarray(start, start + length), filled);
    filled += length;
  });
  return result;
}

/** A part of a file: bytes of its base from a position on, or bytes of its own. */
interface Segment {
  readonly start: number;
  readonly length: number;
  /** Where it begins in the base, or in `literal`. */
  readonly from: number;
  readonly literal?: Uint8Array;
}

/** The most segments of a file, so that deltas that multiply each other stop. */
const MAX_SEGMENTS = 200_000;

/**
 * A file in terms of a base below a chain of deltas: without any of the files
 * between them, which may each be large.
 */
export class Segments {
  readonly size: number;
  /** The size that the base must have. */
  readonly baseSize: number;
  readonly list: readonly Segment[];

  private constructor(
    size: number,
    baseSize: number,
    list: readonly Segment[],
  ) {
    this.size = size;
    this.baseSize = baseSize;
    this.list = list;
  }

  /** The whole of a base. */
  static all(size: number): Segments {
    return new Segments(size, size, [{ start: 0, length: size, from: 0 }]);
  }

  static ofDelta(delta: Uint8Array): Segments {
    const head = deltaHead(delta);
    const list: Segment[] = [];
    let start = 0;
    eachStep(delta, head, (from, length, literalAt) => {
      const isLiteral = from < 0;
      add(list, {
        start,
        length,
        from: isLiteral ? literalAt : from,
        ...isLiteral && { literal: delta },
      });
      start += length;
    });
    return new Segments(head.size, head.baseSize, list);
  }

  /** The same file in terms of the base of its base. */
  over(base: Segments): Segments {
    if (base.size !== this.baseSize) {
      throw badDelta("is for a base of another size");
    }
    const list: Segment[] = [];
    for (const segment of this.list) {
      if (segment.literal !== undefined) {
        add(list, segment);
        continue;
      }
      let { start, length, from } = segment;
      for (let at = base.indexAt(from); length > 0; at++) {
        const below = base.list[at]!;
        const skipped = from - below.start;
        const taken = Math.min(length, below.length - skipped);
        add(list, {
          ...below,
          start,
          length: taken,
          from: below.from + skipped,
        });
        start += taken;
        from += taken;
        length -= taken;
      }
    }
    return new Segments(this.size, base.baseSize, list);
  }

  /** The index of the segment that holds a position. */
  indexAt(position: number): number {
    let low = 0;
    let high = this.list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.list[middle]!.start <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function add(list: Segment[], segment: Segment): void {
  if (list.length === MAX_SEGMENTS) {
    const problem =
      `its deltas divide a file into more than ${MAX_SEGMENTS} parts`;
    throw unsupported(problem, "read it with git");
  }
  list.push(segment);
}
