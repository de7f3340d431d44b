// Runtime-agnostic.
import { CHUNK_BYTES, FIRST_CHUNK_BYTES } from "../base/limits.ts";
import { lineEndOf } from "../lines/locate.ts";
import type { Beginning, HitSearch, Matcher } from "../lines/locate.ts";
import { seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { linesIn } from "../lines/scan.ts";

/** A search for a text or a pattern. */
export class Search implements HitSearch {
  readonly #source: Source;
  readonly #matcher: Matcher;
  readonly #limit: number;
  #position: number;
  #chunk = FIRST_CHUNK_BYTES;
  /** Up to this position, line feeds are counted. */
  #counted: number;
  /** The line at `counted`, and where it begins. */
  #line: number;
  #lineStart: number;
  /** The position of the hit: its beginning, or its end if the matcher's length is 0. */
  #at = -1;

  /** Constructs a new instance that searches from `from` up to `limit`. */
  constructor(
    source: Source,
    matcher: Matcher,
    { position, line, column }: Beginning,
    limit: number,
  ) {
    this.#source = source;
    this.#matcher = matcher;
    this.#limit = limit;
    this.#position = this.#counted = this.#lineStart = position;
    this.#line = line;
    matcher.begin(column === 1 ? undefined : 0);
  }

  get length(): number {
    return this.#matcher.length;
  }

  get line(): number {
    return this.#line;
  }

  get lines(): number {
    return this.#lineStart < this.#limit ? this.#line : this.#line - 1;
  }

  get lineStart(): number {
    return this.#lineStart;
  }

  get at(): number {
    return this.#at;
  }

  async next(): Promise<boolean> {
    const source = this.#source;
    while (this.#position < this.#limit) {
      const to = this.#end();
      const loading = source.hold(this.#position, to);
      if (loading !== undefined) await loading;
      const { kernel, start } = source;
      const from = this.#position - start;
      const isEnd = to === this.#limit;
      const found = this.#matcher.feed(kernel, from, to - start, isEnd);
      const at = start + (found < 0 ? ~found : found);
      this.#count(at);
      if (found >= 0) {
        this.#position = this.#at = at;
        // No line begins after the last line feed of the file.
        return at < this.#limit || this.#lineStart < this.#limit;
      }
      // The matcher needs more bytes than it was given.
      if (at === this.#position) this.#chunk = CHUNK_BYTES;
      this.#position = at;
      const breath = source.breathe();
      if (breath !== undefined) await breath;
    }
    return false;
  }

  /** Faster than `next()` and `skipLine()` for each hit. */
  async countOn(): Promise<number> {
    const source = this.#source;
    let count = 0;
    while (this.#position < this.#limit) {
      const to = this.#end();
      const loading = source.hold(this.#position, to);
      if (loading !== undefined) await loading;
      const { kernel, start } = source;
      const end = to - start;
      let at = this.#position - start;
      let feed = at;
      while (at < end) {
        const found = this.#matcher.feed(kernel, at, end, to === this.#limit);
        at = found < 0 ? ~found : found;
        if (found < 0) break;
        // No line begins after the last line feed of the file.
        if (at === end && (at === 0 || kernel.buffer[at - 1] === LF)) break;
        count++;
        feed = at < end ? kernel.nth(at, end, 1) : ~0;
        if (feed < 0) break;
        this.#matcher.begin();
        at = feed + 1;
      }
      this.#count(start + at);
      if (start + at === this.#position) this.#chunk = CHUNK_BYTES;
      this.#position = start + at;
      if (feed < 0) {
        this.#at = this.#position;
        await this.skipLine();
      }
      const breath = source.breathe();
      if (breath !== undefined) await breath;
    }
    return count;
  }

  /** How far to search: the end of the buffer, or of another chunk. */
  #end(): number {
    const { start, end } = this.#source;
    const position = this.#position;
    const isHeld = position >= start && end - position > MOST_LEFT;
    const to = isHeld ? end : position + this.#chunk;
    if (!isHeld) this.#chunk = CHUNK_BYTES;
    return Math.min(this.#limit, to);
  }

  /** Counts the line feeds up to `to`, which the buffer holds. */
  #count(to: number): void {
    const { kernel, start } = this.#source;
    const from = this.#counted - start;
    const feeds = kernel.count(from, to - start);
    if (feeds > 0) {
      this.#line += feeds;
      this.#lineStart = start + kernel.nthLast(from, to - start, 1) + 1;
    }
    this.#counted = to;
  }

  async lineEnd(limit: number): Promise<number | undefined> {
    const { kernel, start, end } = this.#source;
    const at = this.#at;
    if (at >= start && at < end) {
      const feed = kernel.nth(at - start, end - start, 1);
      if (feed >= 0) return start + feed + 1;
    }
    return await lineEndOf(this.#source, at, limit);
  }

  async skipLine(end?: number): Promise<void> {
    const after = end ?? await this.lineEnd(this.#source.size);
    this.#position = this.#counted = this.#lineStart = after!;
    this.#line++;
    this.#matcher.begin();
  }

  skipTo(position: number): void {
    this.#position = this.#counted = position;
    this.#matcher.begin(0);
  }
}

const LF = 0x0a;

/** So few bytes are searched together with the next chunk. The longest text has fewer. */
const MOST_LEFT = 8192;

/** Visits lines by their numbers: hits that another tool has found. */
export class Numbered implements HitSearch {
  readonly length = 0;
  readonly #source: Source;
  readonly #limit: number;
  /** The lines that are left, in reverse order. */
  readonly #wanted: number[];
  /** Where to continue, and the line there. */
  #position: number;
  #line: number;
  #lineStart: number;
  #total: number | null = null;

  constructor(
    source: Source,
    lines: readonly number[],
    { position, line }: Beginning,
    limit: number,
  ) {
    this.#source = source;
    this.#limit = limit;
    this.#position = this.#lineStart = position;
    this.#line = line;
    this.#wanted = [...new Set(lines)].sort((one, other) => other - one);
  }

  get line(): number {
    return this.#line;
  }

  get lineStart(): number {
    return this.#lineStart;
  }

  get at(): number {
    return this.#lineStart;
  }

  get lines(): number | null {
    return this.#total;
  }

  async next(): Promise<boolean> {
    const source = this.#source;
    for (;;) {
      const wanted = this.#wanted.pop();
      if (wanted === undefined) return false;
      const feeds = wanted - this.#line;
      if (feeds < 0) continue;
      const from = this.#position;
      const reach = await seek(source, from, feeds, this.#limit);
      if (reach.passed === feeds && reach.position < this.#limit) {
        this.#position = reach.position;
        if (feeds > 0) this.#lineStart = reach.position;
        this.#line = wanted;
        return true;
      }
      // This line does not exist, and so none after it.
      this.#wanted.length = 0;
      if (this.#limit < source.size) return false;
      this.#total = await linesIn(source, this.#line - 1 + reach.passed);
      return false;
    }
  }

  async lineEnd(limit: number): Promise<number | undefined> {
    return await lineEndOf(this.#source, this.#lineStart, limit);
  }

  async skipLine(end?: number): Promise<void> {
    const after = end ?? await this.lineEnd(this.#source.size);
    this.#position = this.#lineStart = after!;
    this.#line++;
  }

  skipTo(position: number): void {
    this.#position = position;
  }

  async countOn(): Promise<number> {
    let count = 0;
    while (await this.next()) count++;
    return count;
  }
}
