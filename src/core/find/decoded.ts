import type { Codec } from "../lines/codec.ts";
import { skipText, utf8BytesOf } from "../lines/text_size.ts";
import type { Beginning } from "../lines/locate.ts";
import { type NewlineKernel, plainKernel } from "../lines/scan.ts";
import { nextLine, seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import {
  type HitSearch,
  type Matcher,
  type Searched,
  searchIn,
} from "./search.ts";

/** How many bytes of the file are decoded at first, and later, at a time: each hit in a line begins anew. */
const FIRST_STEP_BYTES = 256;
const STEP_BYTES = 4096;
/** The most bytes of UTF-8 for a byte of another encoding. */
const MAX_GROWTH = 3;
/** How much of the text is searched at a time. */
const PART_BYTES = 16 * 1024;
/** More bytes than a matcher leaves for the next part. */
const MAX_LEFT_BYTES = 8 * 1024;

/** The text of a file from a position on, as UTF-8; decoded part by part, as it is searched. */
class DecodedText implements Searched {
  readonly kernel: NewlineKernel;
  readonly chunks = { first: FIRST_STEP_BYTES, most: PART_BYTES };
  start = 0;
  end = 0;
  limit = Infinity;
  readonly #source: Source;
  readonly #codec: Codec;
  /** How far the file was decoded. */
  #at: number;
  #step = FIRST_STEP_BYTES;
  readonly #last: number;

  constructor(
    source: Source,
    codec: Codec,
    kernel: NewlineKernel,
    from: number,
    last: number,
  ) {
    this.#source = source;
    this.#codec = codec;
    this.kernel = kernel;
    this.#at = from;
    this.#last = last;
    if (from >= last) this.limit = 0;
  }

  async hold(position: number, to: number): Promise<void> {
    const { buffer } = this.kernel;
    buffer.copyWithin(0, position - this.start, this.end - this.start);
    this.start = position;
    while (this.end < to && this.limit === Infinity) {
      const step = this.#step;
      this.#step = Math.min(STEP_BYTES, 2 * step);
      const most = this.#at + step + this.#codec.maxCharLength;
      const until = Math.min(this.#last, most);
      const piece = await this.#source.piece(this.#at, until);
      const part = piece.subarray(0, this.#codec.divide(piece, 0, step));
      const text = this.#codec.decode(part);
      const into = buffer.subarray(this.end - this.start);
      this.end += new TextEncoder().encodeInto(text, into).written;
      this.#at += part.length;
      if (this.#at >= this.#last) this.limit = this.end;
    }
  }

  /** The byte before is unknown, and is taken for no letter. */
  byteBefore(): Promise<number> {
    return Promise.resolve(0);
  }

  async nextLine(position: number): Promise<number> {
    for (let at = position;;) {
      const { kernel, start, end } = this;
      const feed = kernel.nth(at - start, end - start, 1);
      if (feed >= 0) return start + feed + 1;
      at = end;
      if (at === this.limit) return at;
      await this.hold(at, at + STEP_BYTES);
      await this.yieldIfDue();
    }
  }

  yieldIfDue(): Promise<void> | undefined {
    return this.#source.yieldIfDue();
  }
}

/**
 * Begins a search in an encoding other than UTF-8: searches its text as UTF-8,
 * and finds where each hit is in the file by decoding its line up to there.
 */
export function searchDecoded(
  source: Source,
  codec: Codec,
  matcher: Matcher,
  from: Beginning,
  last: number,
): HitSearch {
  const kernel = plainKernel(
    PART_BYTES + MAX_LEFT_BYTES +
      MAX_GROWTH * (STEP_BYTES + codec.maxCharLength),
  );
  /** A place in the line of the search: in the file, and in the text. */
  let known = { position: from.position, text: 0 };
  /** Where to continue inside the line of the hit. */
  let resume: number | undefined;

  function begin(place: Beginning): HitSearch {
    const { position } = place;
    const text = new DecodedText(source, codec, kernel, position, last);
    known = { position, text: 0 };
    return searchIn(text, matcher, { ...place, position: 0 });
  }

  /** Where the character is in the file that holds a position in the text; with `after`, where it ends. */
  async function positionOf(text: number, after = false): Promise<number> {
    const most = text - known.text;
    if (most === 0) return known.position;
    const options = { measure: utf8BytesOf };
    const way = await skipText(source, codec, known.position, most, options);
    const { position, size } = way;
    if (after && size < most) return await nextCharacter(position);
    known = { position, text: known.text + size };
    return position;
  }

  async function nextCharacter(position: number): Promise<number> {
    const most = position + codec.maxCharLength + 1;
    const bytes = await source.piece(position, most);
    return position + codec.divide(bytes, 0, 1);
  }

  /** Continues at the first character that begins at `until` or later. */
  async function continueAt(until: number): Promise<void> {
    if (until === known.position) return inner.skipTo(known.text);
    const all = { until };
    const way = await skipText(source, codec, known.position, Infinity, all);
    const position = way.position < until && !way.ended
      ? await nextCharacter(way.position)
      : Math.max(until, way.position);
    inner = begin({ position, line: search.line, column: 2 });
  }

  const search = {
    length: 0,
    line: from.line,
    lineStart: from.position,
    at: -1,
    get lines() {
      return inner.lines;
    },
    async next(): Promise<boolean> {
      if (resume !== undefined) await continueAt(resume);
      resume = undefined;
      if (!await inner.next()) return false;
      const feeds = inner.line - search.line;
      if (feeds > 0) {
        const reach = await seek(source, search.lineStart, feeds, last);
        search.lineStart = reach.position;
        search.line = inner.line;
        known = { position: reach.position, text: inner.lineStart };
      }
      search.at = await positionOf(inner.at);
      if (inner.length > 0) {
        const end = await positionOf(inner.at + inner.length, true);
        search.length = end - search.at;
      }
      return true;
    },
    async skipLine(end?: number): Promise<void> {
      search.lineStart = end ?? await nextLine(source, search.at);
      search.line++;
      await inner.skipLine();
      known = { position: search.lineStart, text: inner.lineStart };
    },
    skipTo(position: number): void {
      resume = position;
    },
    countOn: (): Promise<number> => inner.countOn(),
  };
  let inner = begin(from);
  return search;
}
