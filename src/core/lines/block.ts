import { STEP_ITEMS } from "../base/call.ts";
import { ownOf } from "../base/check.ts";
import type { BlockOptions } from "../read_options.ts";
import { LEVEL_COLUMNS, LinesAbove, LinesBelow } from "./line_cursor.ts";
import type { LineCursor, LinePlace } from "./line_cursor.ts";
import type { Span } from "./locate.ts";
import { linesIn } from "./scan.ts";
import { seekLine } from "./seek.ts";
import type { Source } from "./source.ts";

/** How many lines a block has at most, by default. */
const MAX_BLOCK_LINES = 200;

/** The rules of a block, with their defaults. */
type BlockRules = Required<BlockOptions>;

/**
 * Locates the lines around the line `anchor` that belong together by their
 * indentation; none if the file lacks that line, or if all of them are blank.
 */
export async function locateBlock(
  source: Source,
  anchor: number,
  block: true | BlockOptions,
): Promise<Span> {
  const { size } = source;
  const { position, passed } = await seekLine(source, anchor - 1, size);
  if (passed < anchor - 1 || position === size) {
    const total = await linesIn(source, passed);
    return { start: size, end: size, line: anchor, lines: 0, total };
  }
  return await locateBlockOf(source, position, anchor, block);
}

/**
 * Locates the block of the line `anchor`, which begins at `position`. Takes a line
 * above and a line below in turn, so that the anchor stays in the middle if the
 * count is reached; reads only the lines that it needs.
 */
export async function locateBlockOf(
  source: Source,
  position: number,
  anchor: number,
  block: true | BlockOptions,
): Promise<Span> {
  const { levels = 1, siblings = false, header = true, count: most } = ownOf(
    block === true ? {} : block,
  );
  const count = most ?? MAX_BLOCK_LINES;
  const rules: BlockRules = { levels, siblings, header, count };
  const before = { number: anchor - 1, start: position, end: position };
  const line = new LinesBelow(source, before, 0);
  await line.step();
  const extent = new Extent();
  const isAlone = count === 1 || (anchor === 1 && line.end === source.size);
  if (isAlone || !line.isBlank) extent.add(line);
  if (!isAlone) await grow(extent, line, rules);
  return extent.span(line);
}

/** The indentation of the nearest line above that is not blank; 0 without such a line. */
async function indentAbove(line: LineCursor): Promise<number> {
  const lines = new LinesAbove(line.source, line);
  for (let steps = 1; !lines.isAtEnd; steps++) {
    if (steps % STEP_ITEMS === 0) await lines.source.yieldIfDue();
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
  rules: BlockRules,
): Promise<void> {
  const { source, isBlank } = anchor;
  const { count, levels } = rules;
  const indent = isBlank ? await indentAbove(anchor) : anchor.indent;
  const columns = levels === 0 ? Infinity : levels * LEVEL_COLUMNS;
  const floor = Math.max(0, indent - columns);
  // Comments are a header only above the block.
  const above = new Side(new LinesAbove(source, anchor), floor, rules);
  const rulesBelow = { ...rules, header: false };
  const below = new Side(
    new LinesBelow(source, anchor, indent),
    floor,
    rulesBelow,
  );
  let left = count - 1;
  left -= await above.take(Math.ceil(left / 2), extent);
  left -= await below.take(left, extent);
  await above.take(left, extent);
}

/** The lines on one side of the anchor. They belong to the block up to the first that does not. */
class Side {
  readonly #lines: LineCursor;
  /** The least indentation of a line of the block. */
  readonly #floor: number;
  readonly #rules: Pick<BlockRules, "siblings" | "header">;
  /** Whether a line at the floor was seen. */
  #hasFloorLine = false;
  /** How many blank lines the cursor has passed that are not taken yet. */
  #blanks = 0;
  /** Whether the cursor is at a line with text that is not taken yet. */
  #isAtText = false;
  /** Whether the next line does not belong to the block, or does not exist. */
  #isClosed = false;

  constructor(lines: LineCursor, floor: number, rules: BlockRules) {
    this.#lines = lines;
    this.#floor = floor;
    this.#rules = rules;
  }

  /** Takes the next lines of the block, at most `most`; returns how many. */
  async take(most: number, extent: Extent): Promise<number> {
    const lines = this.#lines;
    let taken = 0;
    for (let steps = 1; taken < most && !this.#isClosed; steps++) {
      if (steps % STEP_ITEMS === 0) await lines.source.yieldIfDue();
      const { blankIndent } = lines;
      if (this.#blanks > 0 && blankIndent !== undefined) {
        // Blank lines are taken, but the block does not end with them.
        this.#blanks--;
        this.#isClosed = !this.#admits(blankIndent, false);
        if (!this.#isClosed) taken++;
      } else if (this.#isAtText) {
        this.#isAtText = false;
        this.#isClosed = !this.#admits(lines.indent, lines.isComment);
        if (this.#isClosed) break;
        extent.add(lines);
        taken++;
      } else if (lines.isAtEnd) {
        this.#isClosed = true;
      } else {
        const loading = lines.step();
        if (loading !== undefined) await loading;
        if (lines.isBlank) this.#blanks++;
        else this.#isAtText = true;
      }
    }
    return taken;
  }

  /** Whether the next line belongs to the block. */
  #admits(indent: number, isComment: boolean): boolean {
    if (indent !== this.#floor) return indent > this.#floor;
    const isFirst = !this.#hasFloorLine;
    this.#hasFloorLine = true;
    const { siblings, header } = this.#rules;
    return isFirst || siblings || (header && isComment);
  }
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
    const rest = { total: null };
    if (this.#last === 0) return { start, end: start, line, lines: 0, ...rest };
    const lines = this.#last - this.#first + 1;
    const place = { start: this.#start, end: this.#end, line: this.#first };
    return { ...place, lines, ...rest };
  }
}
