// Runtime-agnostic.
import { refuseArgument } from "../base/errors.ts";
import type { FileBytes } from "../base/port.ts";
import { MAX_SHOWN_BYTES } from "../base/limits.ts";
import type { MatchSelection, ReadPolicy } from "../base/selection.ts";
import { searchText, visitLines } from "../find/search.ts";
import { matcherOf } from "../find/query.ts";
import { type BeginSearch, locateAll } from "../lines/locate.ts";
import { seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { joinBytes } from "../lines/text.ts";
import { type Line, readWindow, type TextWindow } from "../lines/window.ts";
import type { Gap, HitsWindow } from "./page.ts";
import { begin, type Run } from "./locate_page.ts";
import { Windows } from "./windows.ts";

/** Where to search for hits, and how many lines around them to show. */
export interface HitSelection extends Omit<MatchSelection, "kind" | "match"> {
  /** The text or pattern to search for. */
  readonly match?: string | undefined;
  /** Lines that another tool has found. */
  readonly lines?: readonly number[] | undefined;
}

/** Makes the finder of the lines that match, or that have the given numbers, and of lines around them. */
export function hitsFinder(selection: HitSelection, path: string) {
  const { match, lines = [] } = selection;
  const matcher = match === undefined
    ? undefined
    : matcherOf({ ...selection, match }, refuseArgument(path));
  const searchIn = async ({ codec }: Source): Promise<BeginSearch> => {
    if (matcher === undefined) {
      return (source, ...range) => visitLines(source, lines, ...range);
    }
    if (codec !== undefined) return await codec.searchWith(matcher, path);
    return (source, ...range) => searchText(source, matcher, ...range);
  };
  return {
    async read(source: Source, policy: ReadPolicy): Promise<HitsWindow> {
      const beginSearch = await searchIn(source);
      const most = policy.maxWindowBytes ?? Infinity;
      const located = await locateHits(source, beginSearch, selection, most);
      const isAscii = matcher?.isAscii ?? true;
      return await readHitsWindow(source, located, policy, isAscii);
    },
  };
}

/** Locates the lines with hits, and the lines around them, as many as fit. */
async function locateHits(
  source: Source,
  beginSearch: BeginSearch,
  selection: HitSelection,
  maxBytes: number,
) {
  const { start = 1, column = 1, end, limit = Infinity } = selection;
  const { counts = limit === Infinity } = selection;
  const { size } = source;
  const from = await begin(source, { start, column });
  const asked = (end ?? Infinity) - start + 1;
  /** Where the last line to search ends. */
  const limitAt = asked < Number.MAX_SAFE_INTEGER
    ? (await seek(source, from.position, asked, size)).position
    : size;
  const search = beginSearch(source, from, limitAt);
  const most = Math.min(maxBytes, MAX_SHOWN_BYTES);
  const scope = { source, search, selection, from, last: limitAt, most };
  const windows = new Windows(scope);
  const { runs, lines } = windows;
  let count = 0;
  /** The line of the previous hit. */
  let line = 0;
  /** Whether there are hits that the page does not show. */
  let more = false;
  while (await search.next()) {
    if (search.line > line) count++;
    line = search.line;
    const isFull = lines.length >= limit && lines.at(-1) !== line;
    more = isFull || !await windows.add();
    if (more) break;
    if (windows.cutAt !== undefined) search.skipTo(windows.cutAt);
    else await search.skipLine(windows.lineEnd);
  }
  if (more) windows.endBeforeLine(search.lineStart, line);
  if (more && counts) {
    await search.skipLine();
    count += await search.countOn();
  }
  const exact = counts || !more;
  const mayBeWhole = !more && selection.lines !== undefined &&
    from.position === 0;
  const shown = mayBeWhole ? await wholeFile(source, runs, most) : runs;
  const all = exact && limitAt === size ? search.lines : null;
  const total = from.total ?? all ?? totalAt(shown, size);
  const { isShrunk } = windows;
  return { runs: shown, lines, count, exact, more, from, total, isShrunk };
}

/** About how many bytes the row of a gap takes. */
const GAP_BYTES = 40;

/** The whole file, if that is shorter than the runs and the rows between them. */
async function wholeFile(source: Source, runs: readonly Run[], most: number) {
  const { size } = source;
  const shown = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  const cost = shown + GAP_BYTES * (runs.length + 1);
  const isCut = runs.some(({ endColumn }) => endColumn !== undefined);
  if (runs.length === 0 || isCut || size > cost || size > most) return runs;
  return [await locateAll(source, { countAll: true }) as Run];
}

/** How many lines the file has, if the last run reaches its end. */
function totalAt(runs: readonly Run[], size: number): number | null {
  const last = runs.at(-1);
  if (last?.end !== size || last.endColumn !== undefined) return null;
  return last.line + last.lines - 1;
}

/** The text of several runs of lines of a file. */
class HitsText {
  readonly kind = "text";
  readonly parts: readonly TextWindow[];

  constructor(parts: readonly TextWindow[]) {
    this.parts = parts;
  }

  get lossy(): boolean {
    return this.parts.some(({ lossy }) => lossy);
  }

  get bytes(): FileBytes {
    return joinBytes(this.parts.map(({ bytes }) => bytes));
  }

  get text(): string {
    return this.parts.map(({ text }) => text).join("");
  }

  get lines(): readonly Line[] {
    return [...this.eachLine()];
  }

  *eachLine(): Iterable<Line> {
    for (const part of this.parts) yield* part.eachLine();
  }
}

type Located = Awaited<ReturnType<typeof locateHits>>;

/** Reads the located runs of lines. */
async function readHitsWindow(
  source: Source,
  { runs, from, count, exact, lines, more, total, isShrunk }: Located,
  policy: ReadPolicy,
  isAscii: boolean,
): Promise<HitsWindow> {
  const parts: TextWindow[] = [];
  for (const run of runs) {
    parts.push(await readWindow(source, run, policy, true));
    const yielding = source.yieldIfDue();
    if (yielding !== undefined) await yielding;
  }
  const { size, encoding, file: { path, stat } } = source;
  const [first] = parts;
  const last = parts.at(-1);
  const start = first?.span.start ?? size;
  const hits = { count, exact, lines, gaps: gapsBetween(parts) };
  return Object.assign(new HitsText(parts), {
    path,
    stat,
    encoding,
    hits,
    span: { start, end: last?.span.end ?? size },
    start: first?.start ?? null,
    column: first?.column ?? 1,
    next: more ? last!.next : null,
    nextColumn: more ? last!.nextColumn : 1,
    totalLines: total,
    cut: more,
    clipped: parts.some(({ clipped }) => clipped),
    lineCount: parts.reduce((sum, part) => sum + part.lineCount, 0),
    from,
    isMissed: !isAscii && count === 0,
    isShrunk,
  });
}

function gapsBetween(parts: readonly TextWindow[]): Gap[] {
  return parts.slice(1).map((part, index) => {
    const before = parts[index]!;
    const start = before.start! + before.lineCount;
    const bytes = part.span.start - before.span.end;
    return { start, end: part.start! - 1, bytes };
  });
}
