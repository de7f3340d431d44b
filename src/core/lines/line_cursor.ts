import { nextLine, seekBack } from "./seek.ts";
import type { Source } from "./source.ts";
import { decodeLossy } from "./utf8.ts";

/** How many bytes of a line are read at a time; most lines show their indentation in one piece. */
const PIECE_BYTES = 4096;
/** How much of a line in another encoding is decoded to see its indentation. */
const MAX_LEAD_BYTES = 64 * 1024;

/** The columns of one level of indentation, and of a tab. */
export const LEVEL_COLUMNS = 4;

/** The most bytes of a white space character, or of a comment sign. */
const MOST_WIDTH = 3;

const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const DASH = 0x2d;
const SLASH = 0x2f;

/** The bytes of the white space character at `index`, or 0. */
function whiteSpaceAt(bytes: Uint8Array, index: number): number {
  const first = bytes[index]!;
  if (first < 0x80) {
    return first === SPACE || (first >= 0x09 && first <= 0x0d) ? 1 : 0;
  }
  // White space beyond ASCII begins with one of these bytes. `trim()` differs: it has U+FEFF and lacks U+0085.
  if (first < 0xc2 || first > 0xe3) return 0;
  const part = bytes.subarray(index, index + MOST_WIDTH);
  if (!/^\p{White_Space}/u.test(decodeLossy(part))) return 0;
  return first < 0xe0 ? 2 : MOST_WIDTH;
}

export interface LinePlace {
  readonly number: number;
  /** Its first byte. */
  readonly start: number;
  /** The byte after its ending. */
  readonly end: number;
}

/**
 * Moves over the lines of a file in one direction. Its fields describe the
 * current line: an object for each line would take more memory than the line.
 */
export abstract class LineCursor implements LinePlace {
  readonly source: Source;
  number: number;
  start: number;
  end: number;
  /** Whether the part that was read is all white space. */
  isBlank = true;
  isComment = false;
  #columns = 0;
  /** Whether only blanks and tabs were read. */
  #isLeading = true;

  constructor(source: Source, { number, start, end }: LinePlace) {
    this.source = source;
    this.number = number;
    this.start = start;
    this.end = end;
  }

  /** The columns of blanks and tabs before the text; 0 for a blank line. */
  get indent(): number {
    return this.isBlank ? 0 : this.#columns;
  }

  /** The indentation to use for the blank lines just passed: that of the nearest line with text above them. `undefined` while the cursor has not reached that line. */
  abstract get blankIndent(): number | undefined;

  abstract get isAtEnd(): boolean;

  /** Moves to the next line; synchronously if the buffer holds the whole line. */
  step(): Promise<void> | undefined {
    const { kernel: { buffer }, start: base, codec } = this.source;
    const isHeld = this.advance() && codec === undefined;
    this.isBlank = this.#isLeading = true;
    this.isComment = false;
    this.#columns = 0;
    if (!isHeld) return this.#load();
    // No arrays here: a million of them would take more memory than the lines.
    const from = this.start - base;
    const feed = this.end - base - 1;
    if (from < feed) this.#read(buffer, from, feed);
    return undefined;
  }

  /** Moves to the next line, and sets its near end. Returns whether the buffer holds its far end, which is then set too. */
  protected abstract advance(): boolean;

  /** Finds the far end of the line in the file. */
  protected abstract findFarEnd(): Promise<void>;

  async #load(): Promise<void> {
    await this.findFarEnd();
    const { source, start, end } = this;
    const { codec } = source;
    if (codec !== undefined) {
      const most = Math.min(end, start + MAX_LEAD_BYTES);
      const text = codec.decode(await source.piece(start, most));
      this.#read(new TextEncoder().encode(text), 0);
      return;
    }
    for (let at = start; at < end && this.isBlank;) {
      const to = Math.min(end, at + PIECE_BYTES);
      const piece = await source.piece(at, to);
      at += this.#read(piece, 0, piece.length, to === end ? 1 : MOST_WIDTH);
      if (to === end) return;
    }
  }

  /**
   * Reads `bytes[from, to)` of the line, up to its first character that is not
   * white space; returns how many bytes were read. `enough` bytes must follow the
   * white space, since the last bytes of a piece may be half a character, or half
   * a comment sign.
   */
  #read(bytes: Uint8Array, from: number, to = bytes.length, enough = 1) {
    let index = from;
    while (index < to) {
      const byte = bytes[index]!;
      if (byte === SPACE || byte === TAB) {
        if (this.#isLeading) this.#columns += byte === TAB ? LEVEL_COLUMNS : 1;
        index++;
        continue;
      }
      const width = whiteSpaceAt(bytes, index);
      if (width === 0) break;
      this.#isLeading = false;
      index += width;
    }
    if (index < to && to - index >= enough) {
      const first = bytes[index];
      this.isBlank = false;
      this.isComment = first === HASH ||
        (first === SLASH || first === DASH) && bytes[index + 1] === first;
    }
    return index - from;
  }
}

export class LinesBelow extends LineCursor {
  #blankIndent: number;

  /** `indent` is the indentation of blank lines before the first other line. */
  constructor(source: Source, place: LinePlace, indent: number) {
    super(source, place);
    this.#blankIndent = indent;
  }

  get blankIndent(): number {
    return this.#blankIndent;
  }

  get isAtEnd(): boolean {
    return this.end === this.source.size;
  }

  protected advance(): boolean {
    const { kernel, start, end } = this.source;
    if (!this.isBlank) this.#blankIndent = this.indent;
    this.number++;
    this.start = this.end;
    if (this.start < start || this.start >= end) return false;
    const from = this.start - start;
    // Empty lines are common.
    const feed = kernel.buffer[from] === LF
      ? from
      : kernel.nth(from, end - start, 1);
    this.end = start + feed + 1;
    return feed >= 0;
  }

  protected async findFarEnd(): Promise<void> {
    this.end = await nextLine(this.source, this.start);
  }
}

export class LinesAbove extends LineCursor {
  get blankIndent(): number | undefined {
    if (!this.isBlank) return this.indent;
    return this.isAtEnd ? 0 : undefined;
  }

  get isAtEnd(): boolean {
    return this.start === 0;
  }

  protected advance(): boolean {
    const { kernel, start, end } = this.source;
    this.number--;
    this.end = this.start;
    // The line feed that ends the line above.
    const feed = this.end - 1 - start;
    if (feed < 0 || this.end > end) return false;
    const before = feed > 0 && kernel.buffer[feed - 1] === LF
      ? feed - 1
      : kernel.nthLast(0, feed, 1);
    this.start = start + Math.max(0, before + 1);
    return before >= 0 || start === 0;
  }

  protected async findFarEnd(): Promise<void> {
    const { source, end } = this;
    // Load the line feed at its end too, or the line would be loaded twice.
    await source.loadBefore(end);
    const above = await seekBack(source, end - source.feedLength, 1, 0);
    this.start = above.passed === 0 ? 0 : above.last;
  }
}
