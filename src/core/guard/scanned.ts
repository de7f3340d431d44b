/** Bytes of a file; the end is exclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Counts the bytes of a file that were read; those that are read again count once. */
export class ScannedBytes {
  /** They do not touch. */
  #spans: readonly ByteRange[] = [];
  #count = 0;

  /** Adds the bytes of a read, and returns how many there are now. */
  add(start: number, end: number): number {
    let known = 0;
    let joined: ByteRange = { start, end };
    const apart = this.#spans.filter((span) => {
      if (span.end < start || span.start > end) return true;
      known += Math.min(span.end, end) - Math.max(span.start, start);
      joined = {
        start: Math.min(span.start, joined.start),
        end: Math.max(span.end, joined.end),
      };
      return false;
    });
    this.#spans = [...apart, joined];
    return this.#count += end - start - known;
  }
}
