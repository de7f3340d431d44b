// Runtime-agnostic.
import { Lead } from "./block.ts";
import { seek, seekBack, type Source } from "./source.ts";

const LF = 0x0a;

/** How much of a line is looked at a time; most say what they are at once. */
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
 * The lines of a file one after the other, in one direction.
 *
 * What is known of a line stands in the cursor until it moves on: an object for
 * each of a million lines takes more room than the lines do.
 */
export interface LineCursor extends LinePlace {
  /** How the line begins. */
  readonly lead: Lead;
  /**
   * What the blank lines passed last are indented by: as the nearest other line
   * above them; `undefined` as long as the cursor has not come to it.
   */
  readonly blankIndent: number | undefined;
  /** Whether there is no further line. */
  readonly isAtEnd: boolean;
  /** Moves on without waiting; stays where it is if the buffer lacks some of the line. */
  step(): "moved" | "stayed";
  /** Moves on, wherever the line is. */
  load(): Promise<void>;
}

/** The lines below a place. */
export class LinesBelow implements LineCursor {
  readonly lead = new Lead();
  readonly #source: Source;
  #number: number;
  #start: number;
  #end: number;
  #blankIndent: number;

  constructor(
    source: Source,
    { number, start, end, indent }: LinePlace & { readonly indent: number },
  ) {
    this.#source = source;
    this.#number = number;
    this.#start = start;
    this.#end = end;
    this.#blankIndent = indent;
  }

  get number(): number {
    return this.#number;
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  get blankIndent(): number {
    return this.#blankIndent;
  }

  get isAtEnd(): boolean {
    return this.#end === this.#source.size;
  }

  step(): "moved" | "stayed" {
    const { kernel, start: base, end: held } = this.#source;
    const from = this.#end - base;
    if (from < 0 || this.#end >= held) return "stayed";
    const { buffer } = kernel;
    const feed = buffer[from] === LF ? from : kernel.nth(from, held - base, 1);
    if (feed < 0) return "stayed";
    this.#leave();
    if (feed > from) this.lead.readToEnd(buffer, from, feed);
    this.#start = this.#end;
    this.#end = base + feed + 1;
    return "moved";
  }

  async load(): Promise<void> {
    this.#leave();
    this.#start = this.#end;
    this.#end = await endOf(this.#source, this.#start);
    await readLead(this.lead, this.#source, this);
  }

  #leave(): void {
    if (!this.lead.isBlank) this.#blankIndent = this.lead.indent;
    this.lead.begin();
    this.#number++;
  }
}

/** The lines above a place. */
export class LinesAbove implements LineCursor {
  readonly lead = new Lead();
  readonly #source: Source;
  #number: number;
  #start: number;
  #end: number;

  constructor(source: Source, { number, start, end }: LinePlace) {
    this.#source = source;
    this.#number = number;
    this.#start = start;
    this.#end = end;
  }

  get number(): number {
    return this.#number;
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  get blankIndent(): number | undefined {
    if (!this.lead.isBlank) return this.lead.indent;
    return this.isAtEnd ? 0 : undefined;
  }

  get isAtEnd(): boolean {
    return this.#start === 0;
  }

  step(): "moved" | "stayed" {
    const { kernel, start: base, end: held } = this.#source;
    // The line feed that ends the line above.
    const feed = this.#start - 1 - base;
    if (feed < 0 || this.#start > held) return "stayed";
    const { buffer } = kernel;
    const before = feed > 0 && buffer[feed - 1] === LF
      ? feed - 1
      : kernel.nthLast(0, feed, 1);
    if (before < 0 && base > 0) return "stayed";
    const from = before < 0 ? 0 : before + 1;
    this.lead.begin();
    if (feed > from) this.lead.readToEnd(buffer, from, feed);
    this.#number--;
    this.#end = this.#start;
    this.#start = base + from;
    return "moved";
  }

  async load(): Promise<void> {
    this.lead.begin();
    this.#number--;
    this.#end = this.#start;
    // With the line feed at its end, or the line would have to be loaded again.
    await this.#source.loadBefore(this.#end);
    const above = await seekBack(this.#source, this.#end - 1, 1, 0);
    this.#start = above.passed === 0 ? 0 : above.last;
    await readLead(this.lead, this.#source, this);
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
  const { position } = await seek(source, start, 1, source.size);
  return position;
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
