// Runtime-agnostic.
import type { Charset, Codec } from "../lines/codec.ts";
import type { Beginning, HitSearch, Matcher } from "../lines/locate.ts";
import { type NewlineKernel, plainKernel } from "../lines/scan.ts";
import { lineEndOf, seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { refuseLong, unitBefore, unitLength } from "../lines/columns.ts";

/** How many bytes are decoded at a time. */
const STEP_BYTES = 16 * 1024;

/** The most bytes of UTF-8 for a byte of another encoding. */
const MAX_GROWTH = 3;

/** A matcher leaves fewer bytes for the next part. */
const MAX_LEFT_BYTES = 8 * 1024;

const LF = 0x0a;

/** A position between two characters of the decoded part. */
interface Place {
  /** The position in the file. */
  readonly byte: number;
  /** In the same text as UTF-8. */
  readonly utf8: number;
}

const BEGIN: Place = { byte: 0, utf8: 0 };

/**
 * A search in an encoding other than UTF-8: decodes the file part by part, and
 * searches the text as UTF-8. A part ends after a line feed, or holds none: then
 * a line is longer than a part.
 */
export class DecodedSearch implements HitSearch {
  line: number;
  lineStart: number;
  at = -1;
  length = 0;
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
  #next: number;
  /** How far the text was searched; the hit, if there is one. */
  #searched = 0;
  /** Where `line` begins in the text; 0 if it began before. */
  #lineText = 0;
  /** Where to continue inside the line of the hit. */
  #resume: number | undefined;

  /** Constructs a new instance that searches from `from` up to `limit`. */
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
    this.#start = this.#next = this.lineStart = position;
    this.line = line;
    const most = MAX_GROWTH * (STEP_BYTES + codec.most) + MAX_LEFT_BYTES;
    this.#text = plainKernel(most);
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
    const source = this.#source;
    const after = end ?? await lineEndOf(source, this.at, source.size);
    const feed = this.#text.nth(this.#searched, this.#textEnd, 1);
    if (feed < 0) this.#beginPart(after!);
    else this.#searched = this.#lineText = feed + 1;
    this.lineStart = after!;
    this.line++;
    this.#matcher.begin();
  }

  skipTo(position: number): void {
    this.#resume = position;
    this.#matcher.begin(0);
  }

  /** Finds the next hit in the text. */
  async #find(): Promise<boolean> {
    if (this.#resume !== undefined) await this.#resumeAt(this.#resume);
    const [source, text] = [this.#source, this.#text];
    for (let isStuck = false;;) {
      if (this.#searched === this.#textEnd) {
        this.#pass();
        if (this.#next === this.#limit) return false;
        await this.#fill();
      }
      const isEnd = this.#next === this.#limit;
      const [from, to] = [this.#searched, this.#textEnd];
      const found = this.#matcher.feed(text, from, to, isEnd);
      const at = found < 0 ? ~found : found;
      this.#searched = at;
      // No line begins after the last line feed of the file.
      if (found >= 0 && (at < to || !this.#endsLine)) return true;
      if (isStuck && at === from && at < to) {
        // The matcher needs more bytes; no hit spans lines.
        if (this.#endsLine) this.#searched = to;
        else await this.#fill();
        isStuck = false;
      } else isStuck = at === from;
      await source.breathe();
    }
  }

  get #endsLine(): boolean {
    return this.#textEnd > 0 && this.#text.buffer[this.#textEnd - 1] === LF;
  }

  /** Ends the searched part; keeps the line that follows. */
  #pass(): void {
    const feeds = this.#text.count(this.#lineText, this.#textEnd);
    if (feeds > 0) {
      this.line += feeds;
      this.lineStart = this.#next;
    }
    this.#beginPart(this.#next);
  }

  #beginPart(position: number): void {
    this.#bytes = new Uint8Array(0);
    this.#start = this.#next = position;
    this.#textEnd = this.#searched = this.#lineText = 0;
  }

  /** Decodes the next bytes, and appends them to the rest of the text. */
  async #fill(): Promise<void> {
    const [source, codec] = [this.#source, this.#codec];
    const { buffer } = this.#text;
    const left = this.#placeOf(this.#searched, BEGIN);
    buffer.copyWithin(0, left.utf8, this.#textEnd);
    this.#searched -= left.utf8;
    this.#textEnd -= left.utf8;
    this.#start += left.byte;
    const from = this.#next;
    const to = Math.min(this.#limit, from + STEP_BYTES + codec.most);
    const piece = await source.piece(from, to);
    const whole = codec.divide(piece, 0, STEP_BYTES);
    if (whole > STEP_BYTES) refuseLong(codec, source, whole);
    const part = piece.subarray(0, lastFeed(codec, piece, whole) || whole);
    const bytes = new Uint8Array(this.#bytes.length - left.byte + part.length);
    bytes.set(this.#bytes.subarray(left.byte));
    bytes.set(part, bytes.length - part.length);
    this.#bytes = bytes;
    this.#next = from + part.length;
    const decoded = codec.decode(part);
    const into = buffer.subarray(this.#textEnd);
    this.#textEnd += new TextEncoder().encodeInto(decoded, into).written;
  }

  /** Finds where the hit is in the file. */
  async #locate(): Promise<void> {
    const text = this.#text;
    const [found, { length }] = [this.#searched, this.#matcher];
    const feeds = text.count(this.#lineText, found);
    if (feeds > 0) {
      const from = this.lineStart;
      const reach = await seek(this.#source, from, feeds, this.#limit);
      this.#lineText = text.nthLast(this.#lineText, found, 1) + 1;
      this.lineStart = reach.position;
      this.line += feeds;
    }
    const byte = this.lineStart - this.#start;
    const from = byte < 0 ? BEGIN : { byte, utf8: this.#lineText };
    const begin = this.#placeOf(found, from);
    this.at = this.#start + begin.byte;
    if (length === 0) return;
    const last = this.#placeOf(found + length - 1, begin);
    const end = last.byte + this.#codec.unitLength(this.#bytes, last.byte);
    this.length = end - begin.byte;
  }

  /** The position of the character that a byte of the text belongs to. */
  #placeOf(utf8: number, from: Place): Place {
    const [bytes, codec] = [this.#bytes, this.#codec];
    const { buffer } = this.#text;
    let [byte, at] = [from.byte, from.utf8];
    while (utf8 < this.#textEnd) {
      const length = codec.unitLength(bytes, byte);
      let [after, left] = [at, codec.columnsOf(bytes, byte, length)];
      for (; left > 0; left--) after += unitLength(buffer, after);
      if (after > utf8) return { byte, utf8: at };
      byte += length;
      at = after;
    }
    return { byte: bytes.length, utf8 };
  }

  /** Continues at the first character from `position` on. */
  async #resumeAt(position: number): Promise<void> {
    const source = this.#source;
    let at = this.at + this.length;
    if (at < position) at = await unitBefore(source, at, position);
    if (at < position) {
      const to = Math.min(this.#limit, at + this.#codec.most);
      at += this.#codec.unitLength(await source.piece(at, to), 0);
    }
    this.#resume = undefined;
    this.#beginPart(at);
  }
}

/** The end of the last line feed in the first bytes; 0 without one. */
function lastFeed({ feed, endingAt }: Charset, bytes: Uint8Array, to: number) {
  if (feed === 1) return bytes.subarray(0, to).lastIndexOf(LF) + 1;
  for (let at = to - to % feed - feed; at >= 0; at -= feed) {
    if (endingAt(bytes, at) === feed) return at + feed;
  }
  return 0;
}
