// Runtime-agnostic.
import { STEP } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import type { BlockSelection } from "../base/selection.ts";
import { lineAt, LinesAbove, LinesBelow } from "./line_cursor.ts";
import type { LineCursor, LinePlace } from "./line_cursor.ts";
import type { Span } from "./locate.ts";
import { linesIn } from "./scan.ts";
import { seekLine } from "./seek.ts";
import type { Source } from "./source.ts";
import { decodeLossy } from "./text.ts";

/** The columns of one level of indentation, and of a tab. */
const LEVEL_COLUMNS = 4;

/** The beginning of a line, up to its first character that is not white space. */
export class Lead {
  #columns = 0;
  #isLeading = true;
  #isComment: boolean | undefined;

  /** The columns of blanks and tabs before the text; 0 for a blank line. */
  get indent(): number {
    return this.isBlank ? 0 : this.#columns;
  }

  /** Whether the part that was read is all white space. */
  get isBlank(): boolean {
    return this.#isComment === undefined;
  }

  get isComment(): boolean {
    return this.#isComment === true;
  }

  begin(): void {
    this.#columns = 0;
    this.#isLeading = true;
    this.#isComment = undefined;
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
      this.#isComment = isCommentAt(bytes, index, to);
    }
    return index - from;
  }
}

/** The most bytes of a white space character, or of a comment sign. */
export const MOST_WIDTH = 3;

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

/**
 * Locates the lines around an anchor that belong together by their indentation.
 * Takes a line above and a line below in turn, so that the anchor stays in the
 * middle if the count is reached; reads only the lines that it needs.
 */
export async function locateBlock(
  source: Source,
  selection: BlockSelection,
): Promise<Span> {
  const { anchor } = selection;
  const { position, passed } = await seekLine(source, anchor - 1, source.size);
  if (passed < anchor - 1 || position === source.size) {
    const totalLines = await linesIn(source, passed);
    const facts = { start: anchor, end: anchor, totalLines };
    throw new ReadFileError("RANGE_OUT_OF_BOUNDS", source.path, facts);
  }
  return await locateBlockOf(source, position, selection);
}

/** Locates the same around the anchor that begins at `position`. */
export async function locateBlockOf(
  source: Source,
  position: number,
  selection: BlockSelection,
): Promise<Span> {
  const { anchor, count } = selection;
  const line = await lineAt(source, position, anchor);
  const extent = new Extent();
  const isAlone = count === 1 || (anchor === 1 && line.end === source.size);
  if (isAlone || !line.lead.isBlank) extent.add(line);
  if (!isAlone) await grow(extent, source, line, selection);
  return extent.span(line);
}

/** The indentation of the nearest line above that is not blank; 0 without such a line. */
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
 * Takes lines above and below in turn, up to the count. Only the count connects
 * the sides, so each is scanned at once as far as its turns allow: up, down,
 * and up again with what a closed side leaves.
 */
async function grow(
  extent: Extent,
  source: Source,
  anchor: LinePlace & { readonly lead: Lead },
  { count, maxLevels, siblings, header }: BlockSelection,
): Promise<void> {
  const { lead } = anchor;
  const indent = lead.isBlank ? await indentAbove(source, anchor) : lead.indent;
  const columns = maxLevels === 0 ? Infinity : maxLevels * LEVEL_COLUMNS;
  const floor = Math.max(0, indent - columns);
  const above = new LinesAbove(source, anchor);
  const below = new LinesBelow(source, anchor, indent);
  const rules = { floor, siblings, header };
  const up = takenOf(above, extent, rules);
  // Comments are a header only above the block.
  const down = takenOf(below, extent, { ...rules, header: false });
  let left = count - 1;
  left -= await take(up, Math.ceil(left / 2));
  left -= await take(down, left);
  await take(up, left);
}

/** Takes at most `most` further lines of one direction; returns how many. */
async function take(side: ReturnType<typeof takenOf>, most: number) {
  let taken = 0;
  while (taken < most) {
    const { done, value } = side.next();
    if (done) break;
    if (value === undefined) taken++;
    else await value;
  }
  return taken;
}

/**
 * Yields once for each line of one direction that belongs to the block, up to
 * the first that does not; and what must be awaited before the next line.
 */
function* takenOf(
  lines: LineCursor,
  extent: Extent,
  { floor, siblings, header }: Rules,
): Generator<Promise<void> | undefined, void> {
  /** How many lines at the floor it has seen. */
  let atFloor = 0;
  const admits = (indent: number, isComment = false) =>
    indent > floor || indent === floor &&
      (siblings || atFloor++ === 0 || header && isComment);
  let blanks = 0;
  for (let steps = 1; !lines.isAtEnd; steps++) {
    const breath = steps % STEP === 0 ? lines.source.breathe() : undefined;
    if (breath !== undefined) yield breath;
    const loading = lines.step();
    if (loading !== undefined) yield loading;
    const { lead, blankIndent } = lines;
    if (lead.isBlank) blanks++;
    // Blank lines are taken, but the block does not end with them.
    for (; blanks > 0 && blankIndent !== undefined; blanks--) {
      if (!admits(blankIndent)) return;
      yield;
    }
    if (lead.isBlank) continue;
    if (!admits(lead.indent, lead.isComment)) return;
    extent.add(lines);
    yield;
  }
}

interface Rules extends Pick<BlockSelection, "siblings" | "header"> {
  /** The columns that a line must be indented by. */
  readonly floor: number;
}

/** The first and the last taken line that is not blank. */
class Extent {
  #first: LinePlace | undefined;
  #last: LinePlace | undefined;

  add({ number, start, end }: LinePlace): void {
    const place = { number, start, end };
    if (number <= (this.#first?.number ?? number)) this.#first = place;
    if (number >= (this.#last?.number ?? number)) this.#last = place;
  }

  /** Makes the span; empty, at the anchor, if every line was blank. */
  span(anchor: LinePlace): Span {
    const { start, number: line } = this.#first ?? anchor;
    const { end, number: last } = this.#last ??
      { end: start, number: line - 1 };
    const lines = last - line + 1;
    return { start, end, line, lines, total: null, cut: false };
  }
}
