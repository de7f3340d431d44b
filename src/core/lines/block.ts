// Runtime-agnostic.
import { STEP } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import type { BlockSelection } from "../base/selection.ts";
import { LEVEL_COLUMNS, LinesAbove, LinesBelow } from "./line_cursor.ts";
import type { LineCursor, LinePlace } from "./line_cursor.ts";
import type { Span } from "./locate.ts";
import { linesIn } from "./scan.ts";
import { seekLine } from "./seek.ts";
import type { Source } from "./source.ts";

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

/** Locates the block around the anchor line, which begins at `position`. */
export async function locateBlockOf(
  source: Source,
  position: number,
  selection: BlockSelection,
): Promise<Span> {
  const { anchor, count } = selection;
  const before = { number: anchor - 1, start: position, end: position };
  const line = new LinesBelow(source, before, 0);
  await line.step();
  const extent = new Extent();
  const isAlone = count === 1 || (anchor === 1 && line.end === source.size);
  if (isAlone || !line.isBlank) extent.add(line);
  if (!isAlone) await grow(extent, line, selection);
  return extent.span(line);
}

/** The indentation of the nearest line above that is not blank; 0 without such a line. */
async function indentAbove(line: LineCursor): Promise<number> {
  const lines = new LinesAbove(line.source, line);
  for (let steps = 1; !lines.isAtEnd; steps++) {
    if (steps % STEP === 0) await lines.source.yieldIfDue();
    const loading = lines.step();
    if (loading !== undefined) await loading;
    if (!lines.isBlank) return lines.indent;
  }
  return 0;
}

/**
 * Takes lines above and below in turn, up to the count. Only the count connects
 * the sides, so the lines of one side are taken together: half of the count above,
 * the rest below, and above again what the side below did not use.
 */
async function grow(
  extent: Extent,
  anchor: LineCursor,
  selection: BlockSelection,
): Promise<void> {
  const { source, isBlank } = anchor;
  const { count, maxLevels } = selection;
  const indent = isBlank ? await indentAbove(anchor) : anchor.indent;
  const columns = maxLevels === 0 ? Infinity : maxLevels * LEVEL_COLUMNS;
  const floor = Math.max(0, indent - columns);
  const above = new LinesAbove(source, anchor);
  const below = new LinesBelow(source, anchor, indent);
  const takeAbove = takerOf(above, extent, floor, selection);
  // Comments are a header only above the block.
  const rules = { ...selection, header: false };
  const takeBelow = takerOf(below, extent, floor, rules);
  let left = count - 1;
  left -= await takeAbove(Math.ceil(left / 2));
  left -= await takeBelow(left);
  await takeAbove(left);
}

/**
 * Returns a function that takes at most `most` further lines of one direction,
 * up to the first that does not belong to the block, and says how many it took.
 * Lines must be indented by `floor` columns.
 */
function takerOf(
  lines: LineCursor,
  extent: Extent,
  floor: number,
  { siblings, header }: BlockSelection,
): (most: number) => Promise<number> {
  /** Whether it has seen a line at the floor. */
  let hasFloorLine = false;
  const admits = (indent: number, isComment = false) => {
    if (indent !== floor) return indent > floor;
    const isFirst = !hasFloorLine;
    hasFloorLine = true;
    return isFirst || siblings || (header && isComment);
  };
  /** How many blank lines it has passed and not taken. */
  let blanks = 0;
  /** Whether the cursor is at a line with text that was not taken. */
  let isWaiting = false;
  let isClosed = false;
  return async (most) => {
    let taken = 0;
    for (let steps = 1; taken < most && !isClosed; steps++) {
      if (steps % STEP === 0) await lines.source.yieldIfDue();
      const { blankIndent } = lines;
      if (blanks > 0 && blankIndent !== undefined) {
        // Blank lines are taken, but the block does not end with them.
        blanks--;
        isClosed = !admits(blankIndent);
        if (!isClosed) taken++;
      } else if (isWaiting) {
        isWaiting = false;
        isClosed = !admits(lines.indent, lines.isComment);
        if (isClosed) break;
        extent.add(lines);
        taken++;
      } else if (lines.isAtEnd) {
        isClosed = true;
      } else {
        const loading = lines.step();
        if (loading !== undefined) await loading;
        if (lines.isBlank) blanks++;
        else isWaiting = true;
      }
    }
    return taken;
  };
}

/** The first and the last taken line that is not blank. */
class Extent {
  #first = Infinity;
  #last = 0;
  #start = 0;
  #end = 0;

  // Only numbers: an object for each of a million lines would take 40 MB.
  add({ number, start, end }: LinePlace): void {
    if (number < this.#first) {
      this.#first = number;
      this.#start = start;
    }
    if (number > this.#last) {
      this.#last = number;
      this.#end = end;
    }
  }

  /** Makes the span; empty, at the anchor, if every line was blank. */
  span({ number: line, start }: LinePlace): Span {
    const rest = { total: null, cut: false };
    if (this.#last === 0) return { start, end: start, line, lines: 0, ...rest };
    const lines = this.#last - this.#first + 1;
    const place = { start: this.#start, end: this.#end, line: this.#first };
    return { ...place, lines, ...rest };
  }
}
