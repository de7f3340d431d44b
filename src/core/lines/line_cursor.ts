// Runtime-agnostic.
import { Lead, MOST_WIDTH } from "./block.ts";
import { seek, seekBack } from "./seek.ts";
import type { Source } from "./source.ts";

const LF = 0x0a;

/** How many bytes of a line are read at a time; most lines show their indentation in one piece. */
const PIECE_BYTES = 4096;
/** How much of a line in another encoding is decoded to see its indentation. */
const MAX_LEAD_BYTES = 64 * 1024;

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
