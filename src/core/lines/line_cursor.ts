// Runtime-agnostic.
import { Lead } from "./block.ts";
import { seek, seekBack, type Source } from "./source.ts";

const LF = 0x0a;

/** How much of a line is looked at a time; most show their indentation at once. */
const PIECE_BYTES = 4096;

/** Where a line lies. */
export interface LinePlace {
  /** Its number, from 1 on. */
  readonly number: number;
  /** The byte where it begins. */
  readonly start: number;
  /** The byte after its ending. */
  readonly end: number;
}

/**
 * Goes over the lines of a file in one direction. Its fields describe one line
 * until it moves on: an object for each line would take more room than the line.
 */
export abstract class LineCursor implements LinePlace {
  /** How the line begins. */
  readonly lead: Lead = new Lead();
  protected readonly source: Source;
  number: number;
  start: number;
  end: number;

  constructor(source: Source, { number, start, end }: LinePlace) {
    this.source = source;
    this.number = number;
    this.start = start;
    this.end = end;
  }

  /**
   * What the blank lines passed last are indented by: as the nearest other line
   * above them; `undefined` until the cursor has come to it.
   */
  abstract get blankIndent(): number | undefined;

  /** Whether there is no further line. */
  abstract get isAtEnd(): boolean;

  /** Moves on: at once if the buffer holds all of the line. */
  abstract step(): Promise<void> | undefined;
}

/** The lines below a place. */
export class LinesBelow extends LineCursor {
  #blankIndent: number;

  /** Constructs a new instance; blank lines are indented by `indent` until another line comes. */
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
    const { lead, source: { kernel, start: base, end: held } } = this;
    if (!lead.isBlank) this.#blankIndent = lead.indent;
    lead.begin();
    this.number++;
    this.start = this.end;
    const from = this.start - base;
    if (from < 0 || this.start >= held) return this.#load();
    const { buffer } = kernel;
    const feed = buffer[from] === LF ? from : kernel.nth(from, held - base, 1);
    if (feed < 0) return this.#load();
    if (feed > from) lead.readToEnd(buffer, from, feed);
    this.end = base + feed + 1;
    return undefined;
  }

  async #load(): Promise<void> {
    this.end = await endOf(this.source, this.start);
    await readLead(this.lead, this.source, this);
  }
}

/** The lines above a place. */
export class LinesAbove extends LineCursor {
  get blankIndent(): number | undefined {
    if (!this.lead.isBlank) return this.lead.indent;
    return this.isAtEnd ? 0 : undefined;
  }

  get isAtEnd(): boolean {
    return this.start === 0;
  }

  step(): Promise<void> | undefined {
    const { lead, source: { kernel, start: base, end: held } } = this;
    lead.begin();
    this.number--;
    this.end = this.start;
    // The line feed that ends the line above.
    const feed = this.end - 1 - base;
    if (feed < 0 || this.end > held) return this.#load();
    const { buffer } = kernel;
    const before = feed > 0 && buffer[feed - 1] === LF
      ? feed - 1
      : kernel.nthLast(0, feed, 1);
    if (before < 0 && base > 0) return this.#load();
    const from = before < 0 ? 0 : before + 1;
    if (feed > from) lead.readToEnd(buffer, from, feed);
    this.start = base + from;
    return undefined;
  }

  async #load(): Promise<void> {
    // With the line feed at its end, or the line would have to be loaded again.
    await this.source.loadBefore(this.end);
    const above = await seekBack(this.source, this.end - 1, 1, 0);
    this.start = above.passed === 0 ? 0 : above.last;
    await readLead(this.lead, this.source, this);
  }
}

/** The line that begins at `start`, and how it begins. */
export async function lineAt(
  source: Source,
  start: number,
  number: number,
): Promise<LinePlace & { readonly lead: Lead }> {
  const end = await endOf(source, start);
  const line = { number, start, end, lead: new Lead() };
  await readLead(line.lead, source, line);
  return line;
}

async function endOf(source: Source, start: number): Promise<number> {
  return (await seek(source, start, 1, source.size)).position;
}

async function readLead(
  lead: Lead,
  source: Source,
  { start, end }: LinePlace,
): Promise<void> {
  for (let at = start; at < end && lead.isBlank;) {
    const to = Math.min(end, at + PIECE_BYTES);
    const piece = await source.piece(at, to);
    if (to === end) return lead.readToEnd(piece, 0, piece.length);
    at += lead.readPiece(piece);
  }
}
