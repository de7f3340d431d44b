// Runtime-agnostic.
import { ReadFileError } from "../errors.ts";
import {
  type IndentedLine,
  LEVEL_COLUMNS,
  lineAt,
  linesAbove,
  linesBelow,
} from "./indent.ts";
import type { Span } from "./locate.ts";
import { linesIn, seek } from "./seek.ts";
import type { BlockSelection } from "../selection.ts";
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
  const alone = count === 1 || (anchor === 1 && line.end === source.size);
  const extent = new Extent();
  if (alone) extent.add(line);
  else await grow(extent, source, line, selection);
  return extent.span(line);
}

async function grow(
  extent: Extent,
  source: Source,
  anchor: IndentedLine,
  selection: BlockSelection,
): Promise<void> {
  const { count, maxLevels } = selection;
  const floor = maxLevels === 0
    ? 0
    : Math.max(0, anchor.indent - maxLevels * LEVEL_COLUMNS);
  // Comments are a header only above.
  const below = { ...selection, header: false };
  const sides = [
    new Side(linesAbove(source, anchor), floor, selection),
    new Side(linesBelow(source, anchor), floor, below),
  ];
  if (!anchor.blank) extent.add(anchor);
  let held = 1;
  for (let progress = true; progress && held < count;) {
    progress = false;
    for (const side of sides) {
      if (held === count) break;
      if (side.isSpent) await side.load();
      const line = side.take();
      if (line === undefined) continue;
      // Blank lines are taken, but do not count as an end of the block.
      if (!line.blank) extent.add(line);
      held++;
      progress = true;
    }
  }
}

/** One direction of the walk; once closed, it stays closed. */
class Side {
  readonly #batches: AsyncIterator<readonly IndentedLine[], void>;
  readonly #floor: number;
  readonly #siblings: boolean;
  readonly #header: boolean;
  #batch: readonly IndentedLine[] = [];
  /** How many lines of the batch were looked at. */
  #seen = 0;
  /** The lines at the floor that it has taken. */
  #atFloor = 0;
  #closed = false;

  constructor(
    batches: AsyncIterator<readonly IndentedLine[], void>,
    floor: number,
    { siblings, header }: Pick<BlockSelection, "siblings" | "header">,
  ) {
    this.#batches = batches;
    this.#floor = floor;
    this.#siblings = siblings;
    this.#header = header;
  }

  /** Whether more lines must be loaded before one can be taken. */
  get isSpent(): boolean {
    return !this.#closed && this.#seen === this.#batch.length;
  }

  /** Loads more lines, if there are any. */
  async load(): Promise<void> {
    const { value } = await this.#batches.next();
    this.#batch = value ?? [];
    this.#seen = 0;
  }

  /** The next line that belongs to the block, if there is one. */
  take(): IndentedLine | undefined {
    if (this.#closed) return undefined;
    const line = this.#batch[this.#seen++];
    if (line !== undefined && this.#takes(line)) return line;
    this.#closed = true;
    return undefined;
  }

  #takes({ indent, comment }: IndentedLine): boolean {
    if (indent < this.#floor) return false;
    if (indent > this.#floor || this.#siblings) return true;
    return (this.#header && comment)
      ? ++this.#atFloor > 0
      : this.#atFloor++ === 0;
  }
}

/** From the first to the last line taken that is not blank. */
class Extent {
  #first: IndentedLine | undefined;
  #last: IndentedLine | undefined;

  add(line: IndentedLine): void {
    if (this.#first === undefined || line.number < this.#first.number) {
      this.#first = line;
    }
    if (this.#last === undefined || line.number > this.#last.number) {
      this.#last = line;
    }
  }

  /** The span of it; empty, at the anchor, if every line was blank. */
  span({ start, number }: IndentedLine): Span {
    const [first, last] = [this.#first, this.#last];
    const common = { total: null, cut: false };
    return first === undefined || last === undefined
      ? { start, end: start, line: number, lines: 0, ...common }
      : {
        start: first.start,
        end: last.end,
        line: first.number,
        lines: last.number - first.number + 1,
        ...common,
      };
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
