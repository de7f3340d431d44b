// Runtime-agnostic.
import { STEP } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import type { BlockSelection } from "../base/selection.ts";
import {
  lineAt,
  type LineCursor,
  type LinePlace,
  LinesAbove,
  LinesBelow,
} from "./line_cursor.ts";
import type { Span } from "./locate.ts";
import { linesIn, seekLine, type Source } from "./source.ts";

/** The columns of one level of indentation, and of a tab. */
const LEVEL_COLUMNS = 4;

/** How a line begins, read as far as its first character that is no white space. */
export class Lead {
  #columns = 0;
  #isLeading = true;
  #isComment: boolean | undefined;

  /** The columns of blanks and tabs before its text; 0 if it has none. */
  get indent(): number {
    return this.isBlank ? 0 : this.#columns;
  }

  /** Whether the line holds nothing but white space, as far as it was read. */
  get isBlank(): boolean {
    return this.#isComment === undefined;
  }

  /** Whether its text begins like a comment. */
  get isComment(): boolean {
    return this.#isComment === true;
  }

  /** Begins another line, and forgets the one before. */
  begin(): void {
    this.#columns = 0;
    this.#isLeading = true;
    this.#isComment = undefined;
  }

  /** Reads the line `bytes[from, to)`, or the last piece of it. */
  readToEnd(bytes: Uint8Array, from: number, to: number): void {
    this.#read(bytes, from, to, 1);
  }

  /** Reads a piece that is not the last, and tells how much of it need not come again. */
  readPiece(piece: Uint8Array): number {
    // The rest may hold half a character, or half a comment sign.
    return this.#read(piece, 0, piece.length, MOST_WIDTH);
  }

  /** Reads the white space, and what comes after it if that is as many bytes. */
  #read(bytes: Uint8Array, from: number, to: number, enough: number): number {
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
      this.#isComment = isCommentAt(bytes, index, to);
    }
    return index - from;
  }
}

/** The most bytes that white space, or the sign of a comment, can take. */
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

/** The bytes that the white space character at `index` takes, or 0 if there is none. */
function whiteSpaceAt(bytes: Uint8Array, index: number, to: number): number {
  const first = bytes[index]!;
  if (first < 0x80) {
    return first === SPACE || (first >= 0x09 && first <= 0x0d) ? 1 : 0;
  }
  const second = index + 1 < to ? bytes[index + 1]! : 0;
  if (first === 0xc2) return second === 0x85 || second === 0xa0 ? 2 : 0;
  const third = index + 2 < to ? bytes[index + 2]! : 0;
  return WIDE_SPACES[(first << 8) | second]?.(third) ? MOST_WIDTH : 0;
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

/**
 * Locates the lines around an anchor that belong together by their indentation.
 *
 * A line above and a line below are taken in turn, so that the anchor stays in
 * the middle of what the count allows. No line is looked at without need.
 */
export async function locateBlock(
  source: Source,
  selection: BlockSelection,
): Promise<Span> {
  const { anchor, count } = selection;
  const { position, passed } = await seekLine(source, anchor - 1, source.size);
  if (passed < anchor - 1 || position === source.size) {
    const totalLines = await linesIn(source, passed);
    const facts = { start: anchor, end: anchor, totalLines };
    throw new ReadFileError("RANGE_OUT_OF_BOUNDS", source.path, facts);
  }
  const line = await lineAt(source, position, anchor);
  const extent = new Extent();
  const isAlone = count === 1 || (anchor === 1 && line.end === source.size);
  if (isAlone || !line.lead.isBlank) extent.add(line);
  if (!isAlone) await grow(extent, source, line, selection);
  return extent.span(line);
}

/** The indentation of the nearest line above that is not blank; 0 if there is none. */
async function indentAbove(source: Source, line: LinePlace): Promise<number> {
  const lines = new LinesAbove(source, line);
  for (let steps = 1; !lines.isAtEnd; steps++) {
    if (steps % STEP === 0) await source.breathe();
    const loading = lines.step();
    if (loading !== undefined) await loading;
    if (!lines.lead.isBlank) return lines.lead.indent;
  }
  return 0;
}

/**
 * Takes lines above and below in turn, as many as the count allows.
 *
 * The sides depend on each other by the count alone. So each is walked at a
 * stretch, as far as its turns would bring it: up, down, and up again with the
 * turns that a closed side leaves.
 */
async function grow(
  extent: Extent,
  source: Source,
  anchor: LinePlace & { readonly lead: Lead },
  { count, maxLevels, siblings, header }: BlockSelection,
): Promise<void> {
  const indent = anchor.lead.isBlank
    ? await indentAbove(source, anchor)
    : anchor.lead.indent;
  const floor = maxLevels === 0
    ? 0
    : Math.max(0, indent - maxLevels * LEVEL_COLUMNS);
  const above = new LinesAbove(source, anchor);
  const below = new LinesBelow(source, anchor, indent);
  const up = new Side(source, above, extent, { floor, siblings, header });
  // Comments are a header only above.
  const rules = { floor, siblings, header: false };
  const down = new Side(source, below, extent, rules);
  let left = count - 1;
  left -= await up.take(Math.ceil(left / 2));
  left -= await down.take(left);
  await up.take(left);
}

/** What a side goes by. */
interface SideRules {
  /** The columns that a line must be indented by. */
  readonly floor: number;
  readonly siblings: boolean;
  readonly header: boolean;
}

/** One direction of the walk; once closed, it stays closed. */
class Side {
  readonly #source: Source;
  readonly #lines: LineCursor;
  readonly #extent: Extent;
  readonly #rules: SideRules;
  /** The blank lines that were passed and are not judged yet. */
  #blanks = 0;
  /** Whether the cursor is at a line that is not judged yet. */
  #isWaiting = false;
  /** The lines at the floor that it has taken. */
  #atFloor = 0;
  #closed = false;

  constructor(
    source: Source,
    lines: LineCursor,
    extent: Extent,
    rules: SideRules,
  ) {
    this.#source = source;
    this.#lines = lines;
    this.#extent = extent;
    this.#rules = rules;
  }

  /** Takes the next lines, `most` at most, and tells how many. */
  async take(most: number): Promise<number> {
    const lines = this.#lines;
    let taken = 0;
    for (let steps = 1; taken < most && !this.#closed; steps++) {
      if (steps % STEP === 0) await this.#source.breathe();
      const { blankIndent } = lines;
      if (this.#blanks > 0 && blankIndent !== undefined) {
        // They are taken, but do not count as an end of the block.
        this.#blanks--;
        if (this.#admits(blankIndent)) taken++;
      } else if (this.#isWaiting) {
        this.#isWaiting = false;
        if (!this.#admits(lines.lead.indent, lines.lead)) continue;
        this.#extent.add(lines);
        taken++;
      } else if (lines.isAtEnd) {
        this.#closed = true;
      } else {
        const loading = lines.step();
        if (loading !== undefined) await loading;
        if (lines.lead.isBlank) this.#blanks++;
        else this.#isWaiting = true;
      }
    }
    return taken;
  }

  /** Whether the next line belongs to the block; the first that does not closes the side. */
  #admits(indent: number, lead?: Lead): boolean {
    const { floor, siblings, header } = this.#rules;
    if (indent > floor || (indent === floor && siblings)) return true;
    const isHeader = header && lead !== undefined && lead.isComment;
    if (indent === floor && (this.#atFloor++ === 0 || isHeader)) return true;
    this.#closed = true;
    return false;
  }
}

/** From the first to the last line taken that is not blank. */
class Extent {
  #first: LinePlace | undefined;
  #last: LinePlace | undefined;

  add({ number, start, end }: LinePlace): void {
    if (number < (this.#first?.number ?? Infinity)) {
      this.#first = { number, start, end };
    }
    if (number > (this.#last?.number ?? 0)) this.#last = { number, start, end };
  }

  /** The span of it; empty, at the anchor, if every line was blank. */
  span({ start, number }: LinePlace): Span {
    const [first, last] = [this.#first, this.#last];
    const common = { total: null, cut: false };
    if (first === undefined || last === undefined) {
      return { start, end: start, line: number, lines: 0, ...common };
    }
    const lines = last.number - first.number + 1;
    const { start: from, number: line } = first;
    return { start: from, end: last.end, line, lines, ...common };
  }
}
