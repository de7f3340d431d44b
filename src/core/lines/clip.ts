// Runtime-agnostic.
import type { Span } from "./locate.ts";
import type { Source } from "./source.ts";

const LF = 0x0a;
const CR = 0x0d;

/** What is left of a span whose long lines were clipped. */
export interface Clipped {
  /** The bytes: of each line the first ones, and its ending. */
  readonly bytes: Uint8Array;
  /**
   * The lines, from 0 on, that were clipped just after a CR and end at a bare
   * LF: their bytes look like a CR LF that is not there.
   */
  readonly bare: ReadonlySet<number>;
}

/** Whether a line has more than `keep` bytes before its line feed. */
export function hasLongLine(bytes: Uint8Array, keep: number): boolean {
  let from = 0;
  while (bytes.length - from > keep) {
    // The last line feed within reach: the lines before it are short enough.
    const feed = bytes.lastIndexOf(LF, from + keep);
    if (feed < from) return true;
    from = feed + 1;
  }
  return false;
}

/** Reads a span, keeping of each line its first `keep` bytes and its ending. */
export async function readClipped(
  source: Source,
  span: Span,
  keep: number,
): Promise<Clipped> {
  const kept = new ByteList();
  const bare = new Set<number>();
  let line = 0;
  let length = 0;
  let before = LF;
  for (let position = span.start; position < span.end;) {
    await source.load(position);
    const bytes = source.view(position, Math.min(source.end, span.end));
    for (let from = 0; from < bytes.length;) {
      const feed = bytes.indexOf(LF, from);
      const to = feed < 0 ? bytes.length : feed;
      const left = Math.max(0, keep - length);
      kept.push(bytes.subarray(from, Math.min(to, from + left)));
      length += to - from;
      if (to > from) before = bytes[to - 1]!;
      from = to;
      if (feed < 0) break;
      // A clipped line has lost the first half of its ending, if it had one.
      const isCrLf = before === CR;
      if (length > keep && !isCrLf && kept.last === CR) bare.add(line);
      kept.push(length > keep && isCrLf ? CR_LF : CR_LF.subarray(1));
      line++;
      length = 0;
      before = LF;
      from++;
    }
    position += bytes.length;
  }
  return { bytes: kept.bytes(), bare };
}

const CR_LF = Uint8Array.of(CR, LF);

/** Bytes that come in parts. */
class ByteList {
  #bytes = new Uint8Array(4096);
  #length = 0;

  get last(): number | undefined {
    return this.#length === 0 ? undefined : this.#bytes[this.#length - 1];
  }

  push(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
