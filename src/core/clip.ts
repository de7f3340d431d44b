// Runtime-agnostic.
import type { Span } from "./locate.ts";
import type { Source } from "./source.ts";

const LF = 0x0a;
const CR = 0x0d;

/** Reads a span, keeping of each line its first `keep` bytes and its ending. */
export async function readClipped(
  source: Source,
  span: Span,
  keep: number,
): Promise<Uint8Array> {
  const kept = new ByteList();
  let left = keep;
  let before = 0;
  for (let position = span.start; position < span.end;) {
    await source.load(position);
    const bytes = source.view(position, Math.min(source.end, span.end));
    for (let from = 0; from < bytes.length;) {
      const feed = bytes.indexOf(LF, from);
      const to = feed < 0 ? bytes.length : feed;
      const part = bytes.subarray(from, Math.min(to, from + left));
      kept.push(part);
      left -= part.length;
      if (to > from) before = bytes[to - 1]!;
      from = to;
      if (feed < 0) break;
      // A clipped line may have lost the first half of its ending.
      const lost = left === 0 && before === CR && kept.last !== CR;
      kept.push(lost ? CR_LF : CR_LF.subarray(1));
      left = keep;
      before = LF;
      from++;
    }
    position += bytes.length;
  }
  return kept.bytes();
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
