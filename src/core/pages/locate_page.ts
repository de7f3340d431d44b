// Runtime-agnostic.
import { locateTail, type Span } from "../locate.ts";
import type { ReadPolicy } from "../policy.ts";
import type { PageSelection } from "../selection.ts";
import { linesIn, seek, seekLine } from "../seek.ts";
import type { Source } from "../source.ts";
import { countUnits, cutInside, endingAt, stride } from "./columns.ts";

/** Where a page begins. */
interface Beginning {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** Lines to the byte; what does not fit whole is cut between two characters. */
export async function locatePage(
  source: Source,
  selection: PageSelection,
  policy: ReadPolicy,
): Promise<Span> {
  const { maxWindowBytes = Infinity } = policy;
  const { size } = source;
  const from = await begin(source, selection);
  if (from.position === size) return await nothing(source, selection, from);
  const limit = Math.min(size, from.position + Math.max(1, maxWindowBytes));
  const span = selection.width === undefined
    ? await takeLines(source, from, selection.count, limit)
    : await takeColumns(source, from, selection.width, limit);
  const ended = span.end === size && span.inside === undefined;
  const total = ended ? from.line - 1 + span.lines : null;
  return { ...span, total: source.index?.total ?? total };
}

async function begin(
  source: Source,
  { start, column }: PageSelection,
): Promise<Beginning> {
  if (start < 0) {
    const tail = await locateTail(source, { count: -start }, {
      countAll: true,
    });
    return { position: tail.start, line: tail.line!, column: 1 };
  }
  const first = await seekLine(source, start - 1, source.size);
  if (first.passed < start - 1) {
    return { position: source.size, line: start, column: 1 };
  }
  const into = await stride(source, first.position, column - 1);
  return { position: into.position, line: start, column: 1 + into.columns };
}

type Found = Omit<Span, "total" | "lines"> & { readonly lines: number };

async function takeLines(
  source: Source,
  { position, line, column }: Beginning,
  count: number,
  limit: number,
): Promise<Found> {
  const before = line - 1;
  const reach = await seek(source, position, count, limit, before);
  const common = { start: position, line, column };
  if (reach.passed === count || limit === source.size) {
    const whole = reach.position === source.size;
    const open = whole && reach.last < source.size ? 1 : 0;
    const lines = reach.passed + open;
    return { ...common, end: reach.position, lines, cut: false };
  }
  if (reach.passed > 0) {
    return { ...common, end: reach.last, lines: reach.passed, cut: true };
  }
  return await cutLine(source, { position, line, column }, limit);
}

async function takeColumns(
  source: Source,
  from: Beginning,
  width: number,
  limit: number,
): Promise<Found> {
  const { position, line, column } = from;
  const way = await stride(source, position, width);
  if (way.position > limit) return await cutLine(source, from, limit);
  const common = { start: position, line, column, lines: 1, cut: true };
  const after = Math.min(source.size, way.position + 2);
  const rest = await source.piece(way.position, after);
  const ending = endingAt(rest, 0);
  const fits = way.position + ending <= limit || way.columns === 0;
  if (way.ended && fits) return { ...common, end: way.position + ending };
  return { ...common, end: way.position, inside: column + way.columns };
}

/** As much of a line as ends at `limit`. */
async function cutLine(
  source: Source,
  { position, line, column }: Beginning,
  limit: number,
): Promise<Found> {
  const end = await cutInside(source, position, limit);
  const bytes = new Uint8Array(end - position);
  await source.copy(bytes, position);
  const common = { start: position, end, line, column, lines: 1, cut: true };
  // Its ending alone did not fit, and is shown all the same: the line is over.
  if (bytes.at(-1) === LF || end === source.size) return common;
  return { ...common, inside: column + countUnits(bytes) };
}

const LF = 0x0a;

/** A page that begins past the end. */
async function nothing(
  source: Source,
  { start }: PageSelection,
  { position, line, column }: Beginning,
): Promise<Span> {
  const { passed } = await seekLine(source, Infinity, source.size);
  const total = await linesIn(source, passed);
  const span = { start: position, end: position, line, lines: 0, total };
  return { ...span, line: start < 0 ? 1 : line, column, cut: false };
}
