// Runtime-agnostic.
import { ReadFileError } from "../errors.ts";
import type { BlockSelection } from "../selection.ts";
import { type Lead, LEVEL_COLUMNS } from "./indent.ts";
import {
  lineAt,
  type LineCursor,
  type LinePlace,
  LinesAbove,
  LinesBelow,
} from "./line_cursor.ts";
import type { Span } from "./locate.ts";
import { linesIn, seek } from "./seek.ts";
import type { Source } from "./source.ts";

/**
 * The lines around an anchor that belong together by their indentation.
 *
 * The walk takes a line above and a line below in turn, so that the anchor stays
 * in the middle of what the count allows. It looks at no line it does not need.
 */
export async function locateBlock(
  source: Source,
  selection: BlockSelection,
): Promise<Span> {
  const { anchor, count } = selection;
  const found = await seek(source, 0, anchor - 1, source.size);
  if (found.passed < anchor - 1 || found.position === source.size) {
    throw await pastTheEnd(source, anchor, found.passed);
  }
  const line = await lineAt(source, found.position, anchor);
  const extent = new Extent();
  const alone = count === 1 || (anchor === 1 && line.end === source.size);
  if (alone || !line.lead.isBlank) extent.add(line);
  if (!alone) {
    const indent = line.lead.isBlank
      ? await indentAbove(source, line)
      : line.lead.indent;
    await grow(extent, source, line, indent, selection);
  }
  return extent.span(line);
}

/** The indentation of the nearest line above that is not blank; 0 if there is none. */
async function indentAbove(source: Source, line: LinePlace): Promise<number> {
  const lines = new LinesAbove(source, line);
  while (!lines.isAtEnd) {
    if (lines.step() === "stayed") await lines.load();
    if (!lines.lead.isBlank) return lines.lead.indent;
  }
  return 0;
}

/**
 * Takes lines above and below in turn, as many as the count allows.
 *
 * What one side takes depends on the other by nothing but the count. So each
 * side is walked at a stretch, as far as its turns would bring it: first up, for
 * it begins; then down; and up again with the turns that a closed side leaves.
 */
async function grow(
  extent: Extent,
  source: Source,
  anchor: LinePlace,
  indent: number,
  { count, maxLevels, siblings, header }: BlockSelection,
): Promise<void> {
  const floor = maxLevels === 0
    ? 0
    : Math.max(0, indent - maxLevels * LEVEL_COLUMNS);
  const above = new LinesAbove(source, anchor);
  const below = new LinesBelow(source, { ...anchor, indent });
  const up = new Side(above, extent, { floor, siblings, header });
  // Comments are a header only above.
  const down = new Side(below, extent, { floor, siblings, header: false });
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

  constructor(lines: LineCursor, extent: Extent, rules: SideRules) {
    this.#lines = lines;
    this.#extent = extent;
    this.#rules = rules;
  }

  /** Takes the next lines, `most` at most, and tells how many. */
  async take(most: number): Promise<number> {
    const lines = this.#lines;
    let taken = 0;
    while (taken < most && !this.#closed) {
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
        // A line that is there costs no turn.
        if (lines.step() === "stayed") await lines.load();
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
  #start = 0;
  #end = 0;
  #first = Infinity;
  #last = 0;

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

  /** The span of it; empty, at the anchor, if every line was blank. */
  span({ start, number }: LinePlace): Span {
    const common = { total: null, cut: false };
    const lines = this.#last - this.#first + 1;
    return lines > 0
      ? {
        start: this.#start,
        end: this.#end,
        line: this.#first,
        lines,
        ...common,
      }
      : { start, end: start, line: number, lines: 0, ...common };
  }
}

async function pastTheEnd(
  source: Source,
  anchor: number,
  passed: number,
): Promise<ReadFileError<"RANGE_OUT_OF_BOUNDS">> {
  const totalLines = await linesIn(source, passed);
  const facts = { start: anchor, end: anchor, totalLines };
  return new ReadFileError("RANGE_OUT_OF_BOUNDS", source.path, facts);
}
