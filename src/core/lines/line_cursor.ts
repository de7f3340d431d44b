// Runtime-agnostic.
import { seek, seekBack } from "./seek.ts";
import type { Source } from "./source.ts";
import { decodeLossy } from "./text.ts";

const LF = 0x0a;

/** How many bytes of a line are read at a time; most lines show their indentation in one piece. */
const PIECE_BYTES = 4096;
/** How much of a line in another encoding is decoded to see its indentation. */
const MAX_LEAD_BYTES = 64 * 1024;

/** The columns of one level of indentation, and of a tab. */
export const LEVEL_COLUMNS = 4;

/** The beginning of a line, up to its first character that is not white space. */
class Lead {
  /** Whether the part that was read is all white space. */
  isBlank = true;
  isComment = false;
  #columns = 0;
  #isLeading = true;

  /** The columns of blanks and tabs before the text; 0 for a blank line. */
  get indent(): number {
    return this.isBlank ? 0 : this.#columns;
  }

  begin(): void {
    this.isBlank = this.#isLeading = true;
    this.isComment = false;
    this.#columns = 0;
  }

  /**
   * Reads `bytes[from, to)`; returns how many bytes were read. `enough` bytes
   * must follow the white space, since the last bytes of a piece may be half a
   * character, or half a comment sign.
   */
  read(bytes: Uint8Array, from: number, to: number, enough = 1): number {
    let index = from;
    while (index < to) {
      const byte = bytes[index]!;
      if (byte === SPACE || byte === TAB) {
        if (this.#isLeading) this.#columns += byte === TAB ? LEVEL_COLUMNS : 1;
        index++;
        continue;
      }
      const width = whiteSpaceAt(bytes, index, to);
      if (width === 0) break;
      this.#isLeading = false;
      index += width;
    }
    if (index < to && to - index >= enough) {
      this.isBlank = false;
      this.isComment = isCommentAt(bytes, index, to);
    }
    return index - from;
  }
}

/** The most bytes of a white space character, or of a comment sign. */
const MOST_WIDTH = 3;

const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const DASH = 0x2d;
const SLASH = 0x2f;

function isCommentAt(bytes: Uint8Array, index: number, to: number): boolean {
  const first = bytes[index];
  if (first === HASH) return true;
  return (first === SLASH || first === DASH) && index + 1 < to &&
    bytes[index + 1] === first;
}

/** The bytes of the white space character at `index`, or 0. */
function whiteSpaceAt(bytes: Uint8Array, index: number, to: number): number {
  const first = bytes[index]!;
  if (first < 0x80) {
    return first === SPACE || (first >= 0x09 && first <= 0x0d) ? 1 : 0;
  }
  // White space beyond ASCII begins with one of these bytes. `trim()` differs: it has U+FEFF and lacks U+0085.
  if (first < 0xc2 || first > 0xe3) return 0;
  const part = bytes.subarray(index, Math.min(to, index + MOST_WIDTH));
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
  readonly lead: Lead = new Lead();
  readonly source: Source;
  number: number;
  start: number;
  end: number;

  constructor(source: Source, { number, start, end }: LinePlace) {
    this.source = source;
    this.number = number;
    this.start = start;
    this.end = end;
  }

  /** The indentation of the blank lines that were passed last, which is that of the nearest other line above; `undefined` until the cursor has reached that line. */
  abstract get blankIndent(): number | undefined;

  abstract get isAtEnd(): boolean;

  /** Moves to the next line; synchronously if the buffer holds the whole line. */
  abstract step(): Promise<void> | undefined;
}

export class LinesBelow extends LineCursor {
  #blankIndent: number;

  /** Constructs a new instance; `indent` is the indentation of blank lines before the first other line. */
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

  step(): Promise<void> | undefined {
    const { lead, source: { kernel, start: base, end: held, codec } } = this;
    if (!lead.isBlank) this.#blankIndent = lead.indent;
    lead.begin();
    this.number++;
    this.start = this.end;
    const from = this.start - base;
    const isHeld = from >= 0 && this.start < held;
    if (!isHeld || codec !== undefined) return this.#load();
    const { buffer } = kernel;
    const feed = buffer[from] === LF ? from : kernel.nth(from, held - base, 1);
    if (feed < 0) return this.#load();
    if (feed > from) lead.read(buffer, from, feed);
    this.end = base + feed + 1;
    return undefined;
  }

  async #load(): Promise<void> {
    const { source } = this;
    this.end = (await seek(source, this.start, 1, source.size)).position;
    await readLead(this.lead, source, this);
  }
}

export class LinesAbove extends LineCursor {
  get blankIndent(): number | undefined {
    if (!this.lead.isBlank) return this.lead.indent;
    return this.isAtEnd ? 0 : undefined;
  }

  get isAtEnd(): boolean {
    return this.start === 0;
  }

  step(): Promise<void> | undefined {
    const { lead, source: { kernel, start: base, end: held, codec } } = this;
    lead.begin();
    this.number--;
    this.end = this.start;
    // The line feed that ends the line above.
    const feed = this.end - 1 - base;
    const isHeld = feed >= 0 && this.end <= held;
    if (!isHeld || codec !== undefined) return this.#load();
    const { buffer } = kernel;
    const before = feed > 0 && buffer[feed - 1] === LF
      ? feed - 1
      : kernel.nthLast(0, feed, 1);
    if (before < 0 && base > 0) return this.#load();
    const from = before < 0 ? 0 : before + 1;
    if (feed > from) lead.read(buffer, from, feed);
    this.start = base + from;
    return undefined;
  }

  async #load(): Promise<void> {
    // Load the line feed at its end too, or the line would be loaded twice.
    await this.source.loadBefore(this.end);
    const feed = this.end - this.source.feed;
    const above = await seekBack(this.source, feed, 1, 0);
    this.start = above.passed === 0 ? 0 : above.last;
    await readLead(this.lead, this.source, this);
  }
}

async function readLead(
  lead: Lead,
  source: Source,
  { start, end }: LinePlace,
): Promise<void> {
  const { codec } = source;
  if (codec !== undefined) {
    const most = Math.min(end, start + MAX_LEAD_BYTES);
    const text = codec.decode(await source.piece(start, most));
    const bytes = new TextEncoder().encode(text);
    lead.read(bytes, 0, bytes.length);
    return;
  }
  for (let at = start; at < end && lead.isBlank;) {
    const to = Math.min(end, at + PIECE_BYTES);
    const piece = await source.piece(at, to);
    const isLast = to === end;
    const read = lead.read(piece, 0, piece.length, isLast ? 1 : MOST_WIDTH);
    if (isLast) return;
    at += read;
  }
}
