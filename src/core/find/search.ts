// Runtime-agnostic.
import { CHUNK_BYTES, FIRST_CHUNK_BYTES } from "../base/limits.ts";
import type { Beginning, HitSearch, Matcher } from "../lines/locate.ts";
import { lineEndOf, seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { linesIn } from "../lines/scan.ts";

/** A search for a text or a pattern. */
export class Search implements HitSearch {
  readonly length: number;
  /** The line up to which line feeds are counted, and where it begins. */
  line: number;
  lineStart: number;
  at = -1;
  readonly #source: Source;
  readonly #matcher: Matcher;
  readonly #limit: number;
  #position: number;
  #chunk = FIRST_CHUNK_BYTES;
  /** Up to this position, line feeds are counted. */
  #counted: number;

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
    this.#position = this.#counted = this.lineStart = position;
    this.line = line;
    this.length = matcher.length;
    matcher.begin(column === 1 ? undefined : 0);
  }

  get lines(): number {
    return this.lineStart < this.#limit ? this.line : this.line - 1;
  }

  async next(): Promise<boolean> {
    return await this.#pass(1) > 0;
  }

  countOn(): Promise<number> {
    return this.#pass(Infinity);
  }

  /** Moves to the next hits, at most `most`, each in another line; returns how many. */
  async #pass(most: number): Promise<number> {
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
        // No line begins after the last line feed of the file.
        if (found < 0 || at === end && kernel.buffer[at - 1] === LF) break;
        count++;
        if (count === most) break;
        feed = at < end ? kernel.nth(at, end, 1) : ~0;
        if (feed < 0) break;
        this.#matcher.begin();
        at = feed + 1;
      }
      this.#count(start + at);
      // The matcher needs more bytes than it was given.
      if (start + at === this.#position) this.#chunk = CHUNK_BYTES;
      this.at = this.#position = start + at;
      if (count === most) break;
      if (feed < 0) await this.skipLine();
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
      this.line += feeds;
      this.lineStart = start + kernel.nthLast(from, to - start, 1) + 1;
    }
    this.#counted = to;
  }

  async skipLine(end?: number): Promise<void> {
    const source = this.#source;
    const after = end ?? await lineEndOf(source, this.at, source.size);
    this.#position = this.#counted = this.lineStart = after!;
    this.line++;
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
  line: number;
  lineStart: number;
  lines: number | null = null;
  readonly #source: Source;
  readonly #limit: number;
  /** The lines that are left, in reverse order. */
  readonly #wanted: number[];
  /** Where to continue: in `line`. */
  #position: number;

  constructor(
    source: Source,
    lines: readonly number[],
    { position, line }: Beginning,
    limit: number,
  ) {
    this.#source = source;
    this.#limit = limit;
    this.#position = this.lineStart = position;
    this.line = line;
    const wanted = lines.filter((number) => number >= line);
    this.#wanted = [...new Set(wanted)].sort((one, other) => other - one);
  }

  get at(): number {
    return this.lineStart;
  }

  async next(): Promise<boolean> {
    const wanted = this.#wanted.pop();
    if (wanted === undefined) return false;
    const [source, limit, from] = [this.#source, this.#limit, this.#position];
    const feeds = wanted - this.line;
    const reach = await seek(source, from, feeds, limit);
    if (reach.passed < feeds || reach.position >= limit) {
      // This line does not exist, and so none after it.
      this.#wanted.length = 0;
      if (limit < source.size) return false;
      const passed = this.line - 1 + reach.passed;
      // A last line without a line feed is counted only once.
      this.lines = from < source.size ? await linesIn(source, passed) : passed;
      return false;
    }
    this.#position = reach.position;
    if (feeds > 0) this.lineStart = reach.position;
    this.line = wanted;
    return true;
  }

  async skipLine(end?: number): Promise<void> {
    const source = this.#source;
    const after = end ?? await lineEndOf(source, this.at, source.size);
    this.#position = this.lineStart = after!;
    this.line++;
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
