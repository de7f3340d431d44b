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

/** Locates the same around the anchor that begins at `position`. */
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
 * and up again, for lines that the side below did not use.
 */
async function grow(
  extent: Extent,
  source: Source,
  anchor: LineCursor,
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
  left -= await take(source, up, Math.ceil(left / 2));
  left -= await take(source, down, left);
  await take(source, up, left);
}

/** Takes at most `most` further lines of one direction; returns how many. */
async function take(
  source: Source,
  side: ReturnType<typeof takenOf>,
  most: number,
): Promise<number> {
  let taken = 0;
  while (taken < most) {
    const { done, value: pending } = side.next();
    if (done) break;
    if (pending !== undefined) await pending;
    // Very many blank lines above can be taken without a step of the cursor.
    else if (++taken % STEP === 0) await source.breathe();
  }
  return taken;
}

/**
 * Yields `undefined` for each line of one direction that belongs to the block,
 * up to the first that does not; and each promise that must be awaited first.
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
