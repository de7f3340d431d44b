// Runtime-agnostic.
import { seek, seekBack } from "./seek.ts";
import type { Source } from "./source.ts";

/** The columns of one level of indentation, and of a tab. */
export const LEVEL_COLUMNS = 4;

/** A line, as a walk by indentation sees it. */
export interface IndentedLine {
  /** Its number, from 1 on. */
  readonly number: number;
  /** The byte where it begins. */
  readonly start: number;
  /** The byte after its ending. */
  readonly end: number;
  /** Its indentation in columns; of a blank line, that of the nearest other line above. */
  readonly indent: number;
  /** Whether it holds nothing but white space. */
  readonly blank: boolean;
  /** Whether its text begins like a comment. */
  readonly comment: boolean;
}

/**
 * How many bytes are looked through before the walk looks the other way: few at
 * first, for most blocks are small; more later, for each turn loads a chunk.
 */
const BATCH_BYTES = { first: 1024, last: 32 * 1024 } as const;

/** The line that begins at `start`. */
export async function lineAt(
  source: Source,
  start: number,
  number: number,
): Promise<IndentedLine> {
  const line = await lineFrom(source, start, number);
  return line.blank
    ? { ...line, indent: await indentAbove(source, start) }
    : line;
}

/** The lines after `line`, downwards, in batches. */
export async function* linesBelow(
  source: Source,
  line: IndentedLine,
): AsyncGenerator<readonly IndentedLine[], void> {
  let { end, number, indent } = line;
  for (let size: number = BATCH_BYTES.first; end < source.size;) {
    const batch: IndentedLine[] = [];
    const limit = Math.min(end + size, source.size);
    while (end < limit) {
      number++;
      const next = heldLine(source, end, number) ??
        await lineFrom(source, end, number);
      if (!next.blank) indent = next.indent;
      batch.push({ ...next, indent });
      end = next.end;
    }
    yield batch;
    size = Math.min(size * 2, BATCH_BYTES.last);
  }
}

/** The lines before `line`, upwards, in batches. */
export async function* linesAbove(
  source: Source,
  line: IndentedLine,
): AsyncGenerator<readonly IndentedLine[], void> {
  let { start, number } = line;
  // The indentation that blank lines take, as far up as `known`.
  let indent = 0;
  let known = start;
  for (let size: number = BATCH_BYTES.first; start > 0;) {
    const batch: IndentedLine[] = [];
    const limit = Math.max(start - size, 0);
    while (start > limit) {
      number--;
      start = heldStartBefore(source, start) ??
        await startBefore(source, start);
      const next = heldLine(source, start, number) ??
        await lineFrom(source, start, number);
      if (next.blank && start < known) {
        const above = await nearestAbove(source, start);
        indent = above?.indent ?? 0;
        known = above?.end ?? 0;
      }
      batch.push(next.blank ? { ...next, indent } : next);
    }
    yield batch;
    size = Math.min(size * 2, BATCH_BYTES.last);
  }
}

async function indentAbove(source: Source, start: number): Promise<number> {
  return (await nearestAbove(source, start))?.indent ?? 0;
}

/** The nearest line above `start` that is not blank. */
async function nearestAbove(
  source: Source,
  start: number,
): Promise<IndentedLine | undefined> {
  while (start > 0) {
    start = heldStartBefore(source, start) ?? await startBefore(source, start);
    const line = heldLine(source, start, 0) ?? await lineFrom(source, start, 0);
    if (!line.blank) return line;
  }
  return undefined;
}

/** Where the line before the one at `start` begins. */
async function startBefore(source: Source, start: number): Promise<number> {
  // With the line feed at its end, or the line would have to be loaded again.
  await source.loadBefore(start);
  const { passed, last } = await seekBack(source, start - 1, 1, 0);
  return passed === 0 ? 0 : last;
}

/** The same without waiting, if the buffer holds all of that line. */
function heldStartBefore(source: Source, start: number): number | undefined {
  const { kernel, start: base } = source;
  if (start - 1 < base || start - 1 > source.end) return undefined;
  const at = kernel.nthLast(0, start - 1 - base, 1);
  if (at >= 0) return base + at + 1;
  return base === 0 ? 0 : undefined;
}

/** How much of a line is looked at a time; most say what they are at once. */
const PIECE_BYTES = 4096;

/** A line with its own indentation: 0 if it is blank. */
async function lineFrom(
  source: Source,
  start: number,
  number: number,
): Promise<IndentedLine> {
  const { position: end } = await seek(source, start, 1, source.size);
  const reader = new LeadReader();
  for (let at = start; at < end;) {
    const to = Math.min(end, at + PIECE_BYTES);
    at += reader.read(await source.piece(at, to), to === end);
    if (reader.isDone) break;
  }
  return reader.line(number, start, end);
}

/** The same without waiting, if the buffer holds all of the line. */
function heldLine(
  source: Source,
  start: number,
  number: number,
): IndentedLine | undefined {
  const { kernel, start: base } = source;
  if (start < base || start >= source.end) return undefined;
  const at = kernel.nth(start - base, source.end - base, 1);
  if (at < 0) return undefined;
  const end = base + at + 1;
  const reader = new LeadReader();
  reader.read(source.view(start, end), true);
  return reader.line(number, start, end);
}

/** Reads how a line begins, as far as its first character that is no white space. */
class LeadReader {
  #indent = 0;
  #leading = true;
  #comment: boolean | undefined;

  /** Whether the rest of the line does not matter. */
  get isDone(): boolean {
    return this.#comment !== undefined;
  }

  /** Reads on, and tells how many bytes of the piece need not come again. */
  read(piece: Uint8Array, isLast: boolean): number {
    let index = 0;
    while (index < piece.length) {
      const width = whiteSpaceAt(piece, index);
      if (width === 0) break;
      const byte = piece[index];
      this.#leading &&= byte === SPACE || byte === TAB;
      if (this.#leading) this.#indent += byte === TAB ? LEVEL_COLUMNS : 1;
      index += width;
    }
    // The rest may hold half a character, or half a comment sign.
    const isEnough = isLast || piece.length - index >= 3;
    if (index < piece.length && isEnough) {
      this.#comment = isComment(piece, index);
    }
    return index;
  }

  line(number: number, start: number, end: number): IndentedLine {
    const blank = !this.isDone;
    const indent = blank ? 0 : this.#indent;
    return {
      number,
      start,
      end,
      indent,
      blank,
      comment: this.#comment ?? false,
    };
  }
}

const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const DASH = 0x2d;
const SLASH = 0x2f;

function isComment(bytes: Uint8Array, index: number): boolean {
  const first = bytes[index];
  if (first === HASH) return true;
  return (first === SLASH || first === DASH) && bytes[index + 1] === first;
}

/** The bytes that the white space character at `index` takes, or 0 if there is none. */
function whiteSpaceAt(bytes: Uint8Array, index: number): number {
  const first = bytes[index]!;
  if (first < 0x80) {
    return first === SPACE || (first >= 0x09 && first <= 0x0d) ? 1 : 0;
  }
  const second = bytes[index + 1];
  if (first === 0xc2) return second === 0x85 || second === 0xa0 ? 2 : 0;
  const pair = (first << 8) | (second ?? 0);
  const third = bytes[index + 2] ?? 0;
  return WIDE_SPACES[pair]?.(third) ? 3 : 0;
}

/**
 * Unicode's White_Space beyond Latin-1, in UTF-8: the first two bytes, and which
 * third ones. `String.prototype.trim` counts U+FEFF in and U+0085 out.
 */
const WIDE_SPACES: Readonly<Record<number, (third: number) => boolean>> = {
  0xe19a: (third) => third === 0x80,
  0xe280: (third) =>
    (third >= 0x80 && third <= 0x8a) || third === 0xa8 || third === 0xa9 ||
    third === 0xaf,
  0xe281: (third) => third === 0x9f,
  0xe380: (third) => third === 0x80,
};
