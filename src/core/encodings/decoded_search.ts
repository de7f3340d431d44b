import type { Charset, Codec } from "../lines/codec.ts";
import type { Beginning, HitSearch, Matcher } from "../lines/hit_search.ts";
import { type NewlineKernel, plainKernel } from "../lines/scan.ts";
import { nextLine, seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { joinBytes } from "../lines/text.ts";
import { boundaryNear, refuseLong, utf8Length } from "../lines/columns.ts";

/** How many bytes are decoded at a time. */
const STEP_BYTES = 16 * 1024;

/** The most bytes of UTF-8 for a byte of another encoding. */
const MAX_GROWTH = 3;

/** An upper bound of the bytes at the end of a part that a matcher leaves unsearched, to search them with the next part. */
const MAX_LEFT_BYTES = 8 * 1024;

const LF = 0x0a;

/** A position between two characters of the decoded part. */
interface Position {
  /** The position in the bytes of the part. */
  readonly byte: number;
  /** The position in the same part as UTF-8. */
  readonly utf8: number;
}

const BEGIN: Position = { byte: 0, utf8: 0 };

/**
 * Searches in an encoding other than UTF-8: decodes the file part by part, and
 * searches the text as UTF-8. A part ends after a line feed, or holds none: then a
 * line is longer than a part.
 */
export class DecodedSearch implements HitSearch {
  readonly #source: Source;
  readonly #codec: Codec;
  readonly #matcher: Matcher;
  readonly #limit: number;
  /** The part as UTF-8, in a buffer that the matcher can search. */
  readonly #text: NewlineKernel;
  #textEnd = 0;
  /** The part in the file: its bytes, and where it begins and ends. */
  #bytes: Uint8Array = new Uint8Array(0);
  #start: number;
  #end: number;
  /** How far the text was searched: where the hit is, once there is one. */
  #searched = 0;
  /** Where the line of the search begins in the text; 0 if it began before. */
  #lineStartInText = 0;
  /** The last position that was found in the part, at or before what is searched. */
  #known = BEGIN;
  /** Where to continue inside the line of the hit. */
  #resume: number | undefined;
  line: number;
  lineStart: number;
  at = -1;
  length = 0;

  constructor(
    source: Source,
    codec: Codec,
    matcher: Matcher,
    { position, line, column }: Beginning,
    limit: number,
  ) {
    this.#source = source;
    this.#codec = codec;
    this.#matcher = matcher;
    this.#limit = limit;
    const most = MAX_GROWTH * (STEP_BYTES + codec.maxCharLength);
    this.#text = plainKernel(most + MAX_LEFT_BYTES);
    this.#start = this.#end = this.lineStart = position;
    this.line = line;
    // Inside a line, the character before is unknown, and is taken for no letter.
    matcher.begin(column === 1 ? undefined : 0);
  }

  get lines(): number {
    return this.lineStart < this.#limit ? this.line : this.line - 1;
  }

  async next(): Promise<boolean> {
    if (!await this.#find()) return false;
    await this.#locate();
    return true;
  }

  async countOn(): Promise<number> {
    let count = 0;
    while (await this.#find()) {
      count++;
      const feed = this.#text.nth(this.#searched, this.#textEnd, 1);
      if (feed < 0) {
        await this.#locate();
        await this.skipLine();
      } else {
        this.#searched = feed + 1;
        this.#matcher.begin();
      }
    }
    return count;
  }

  async skipLine(end?: number): Promise<void> {
    this.lineStart = end ?? await nextLine(this.#source, this.at);
    this.line++;
    const feed = this.#text.nth(this.#searched, this.#textEnd, 1);
    if (feed < 0) this.#beginPart(this.lineStart);
    else this.#searched = this.#lineStartInText = feed + 1;
    this.#matcher.begin();
  }

  skipTo(position: number): void {
    this.#resume = position;
    this.#matcher.begin(0);
  }

  /** Finds the next hit in the text. */
  async #find(): Promise<boolean> {
    if (this.#resume !== undefined) await this.#resumeAt(this.#resume);
    const matcher = this.#matcher;
    const text = this.#text;
    for (;;) {
      if (this.#searched === this.#textEnd) {
        this.#pass();
        if (this.#end === this.#limit) return false;
        await this.#fill();
      }
      const from = this.#searched;
      const to = this.#textEnd;
      const isLast = this.#end === this.#limit;
      let found = matcher.feed(text, from, to, isLast);
      if (found === ~from) {
        // The call made no progress. Perhaps the matcher only asked for a pause.
        await this.#source.yieldIfDue();
        found = matcher.feed(text, from, to, isLast);
      }
      const at = found < 0 ? ~found : found;
      this.#searched = at;
      const endsLine = to > 0 && text.buffer[to - 1] === LF;
      // After the last line feed of the file, no line begins.
      if (found >= 0 && (at < to || !endsLine)) return true;
      if (at === from && at < to) {
        // The last call of the matcher made no progress: it needs more bytes. After a
        // line feed they belong to another line, and no hit spans lines.
        if (endsLine) this.#searched = to;
        else await this.#fill();
      }
      await this.#source.yieldIfDue();
    }
  }

  /** Finds where the hit is in the file. */
  async #locate(): Promise<void> {
    const searched = this.#searched;
    // Between the beginning of the line and the last hit in it is no line feed.
    const seen = Math.max(this.#lineStartInText, this.#known.utf8);
    const feeds = this.#text.count(Math.min(seen, searched), searched);
    if (feeds > 0) {
      const { lineStart } = this;
      const reach = await seek(this.#source, lineStart, feeds, this.#limit);
      this.#lineStartInText =
        this.#text.nthLast(this.#lineStartInText, searched, 1) + 1;
      this.lineStart = reach.position;
      this.line += feeds;
    }
    const byte = this.lineStart - this.#start;
    const line = byte < 0 ? BEGIN : { byte, utf8: this.#lineStartInText };
    // A line may hold many hits: then the last one is nearer than its beginning.
    const { utf8 } = this.#known;
    const isNear = utf8 >= line.utf8 && utf8 <= searched;
    const begin = this.#positionOf(searched, isNear ? this.#known : line);
    this.#known = begin;
    this.at = this.#start + begin.byte;
    const { length } = this.#matcher;
    if (length === 0) return;
    const last = this.#positionOf(searched + length - 1, begin);
    const after = last.byte + this.#codec.charLength(this.#bytes, last.byte);
    this.length = after - begin.byte;
  }

  /** Where the character begins that a byte of the text belongs to; `from` is at or before it. */
  #positionOf(utf8: number, from: Position): Position {
    const codec = this.#codec;
    const bytes = this.#bytes;
    const { buffer } = this.#text;
    let { byte, utf8: at } = from;
    while (utf8 < this.#textEnd) {
      const length = codec.charLength(bytes, byte);
      const columns = codec.columnsOf(bytes, byte, length);
      let after = at;
      // One character of the encoding may decode to several code points.
      for (let column = 0; column < columns; column++) {
        after += utf8Length(buffer, after);
      }
      if (after > utf8) return { byte, utf8: at };
      byte += length;
      at = after;
    }
    return { byte: bytes.length, utf8 };
  }

  /** Decodes the next bytes, and appends them to the rest of the text. */
  async #fill(): Promise<void> {
    const source = this.#source;
    const codec = this.#codec;
    const { buffer } = this.#text;
    const left = this.#positionOf(this.#searched, BEGIN);
    this.#known = BEGIN;
    buffer.copyWithin(0, left.utf8, this.#textEnd);
    this.#searched -= left.utf8;
    this.#textEnd -= left.utf8;
    this.#start += left.byte;
    const from = this.#end;
    const to = Math.min(this.#limit, from + STEP_BYTES + codec.maxCharLength);
    const piece = await source.piece(from, to);
    const whole = codec.divide(piece, 0, STEP_BYTES);
    // `divide` gives at least one character, however long.
    if (whole > STEP_BYTES) refuseLong(codec, source, whole);
    const part = piece.subarray(0, lastFeed(codec, piece, whole) || whole);
    this.#bytes = joinBytes([this.#bytes.subarray(left.byte), part]);
    this.#end += part.length;
    const into = buffer.subarray(this.#textEnd);
    const text = codec.decode(part);
    this.#textEnd += new TextEncoder().encodeInto(text, into).written;
  }

  /** Counts the lines of the part, which has no more hits, and begins an empty part after it. */
  #pass(): void {
    const feeds = this.#text.count(this.#lineStartInText, this.#textEnd);
    if (feeds > 0) {
      this.line += feeds;
      this.lineStart = this.#end;
    }
    this.#beginPart(this.#end);
  }

  /** Continues after the hit, at the first character that begins at `from` or later. */
  async #resumeAt(from: number): Promise<void> {
    const source = this.#source;
    const codec = this.#codec;
    let at = this.at + this.length;
    if (this.#resumeInPart(Math.max(at, from))) return;
    if (at < from) at = await boundaryNear(source, at, from);
    if (at < from) {
      // `from` lies inside the character at `at`.
      const to = Math.min(this.#limit, at + codec.maxCharLength);
      at += codec.charLength(await source.piece(at, to), 0);
    }
    this.#resume = undefined;
    this.#beginPart(at);
  }

  /** Continues at the first character that begins at `from` or later, if it is in the part: with a new part for each hit, a line of many hits would take quadratic time. */
  #resumeInPart(from: number): boolean {
    const { buffer } = this.#text;
    const bytes = this.#bytes;
    let { byte, utf8 } = this.#known;
    while (this.#start + byte < from) {
      if (utf8 >= this.#textEnd) return false;
      const length = this.#codec.charLength(bytes, byte);
      const columns = this.#codec.columnsOf(bytes, byte, length);
      for (let column = 0; column < columns; column++) {
        utf8 += utf8Length(buffer, utf8);
      }
      byte += length;
    }
    this.#known = { byte, utf8 };
    this.#searched = utf8;
    this.#resume = undefined;
    return true;
  }

  #beginPart(from: number): void {
    this.#known = BEGIN;
    this.#bytes = new Uint8Array(0);
    this.#start = this.#end = from;
    this.#textEnd = this.#searched = this.#lineStartInText = 0;
  }
}

/** The end of the last line feed in the first bytes; 0 without one. */
function lastFeed(
  { feedLength, endingAt }: Charset,
  bytes: Uint8Array,
  to: number,
) {
  if (feedLength === 1) return bytes.subarray(0, to).lastIndexOf(LF) + 1;
  for (let at = to - to % feedLength - feedLength; at >= 0; at -= feedLength) {
    if (endingAt(bytes, at) === feedLength) return at + feedLength;
  }
  return 0;
}
