// Runtime-agnostic.
import type { ReadPolicy } from "../base/selection.ts";
import type { FileBytes, FileStat } from "../base/port.ts";
import type { Source } from "../lines/source.ts";
import { joinBytes } from "../lines/text.ts";
import { type Line, readWindow, type TextWindow } from "../lines/window.ts";
import type { Located } from "./hits.ts";
import type { Beginning } from "./locate.ts";
import type { Page } from "./page.ts";

/** Lines that are not shown, between lines that are. */
export interface Gap {
  /** The number of the first line. */
  readonly start: number;
  /** The number of the last line. */
  readonly end: number;
  /** How many bytes they have, with their endings. */
  readonly bytes: number;
}

/** The hits of a search in a file. */
export interface Hits {
  /**
   * How many lines were found, shown or not, from where the search began to the
   * end of the searched lines.
   */
  readonly count: number;
  /** Whether `count` is exact; if not, there are more. */
  readonly exact: boolean;
  /** The numbers of the shown lines with hits. */
  readonly lines: readonly number[];
  /** The lines between the shown ones. */
  readonly gaps: readonly Gap[];
}

/** How many bytes a page shows, without the bytes of its gaps. */
export function shownBytes(
  { shown: { start, end }, hits }: Pick<Page, "shown" | "hits">,
): number {
  const gaps = hits?.gaps ?? [];
  return gaps.reduce((size, { bytes }) => size - bytes, end - start);
}

export function isFound(window: TextWindow): window is FoundWindow {
  return "parts" in window;
}

/** The runs of lines of a window, at least one. */
export function partsOf(window: TextWindow): readonly TextWindow[] {
  return isFound(window) && window.parts.length > 0 ? window.parts : [window];
}

/** Reads the located runs of lines. */
export async function readFoundWindow(
  source: Source,
  located: Located,
  policy: ReadPolicy,
  isAscii: boolean,
): Promise<FoundWindow> {
  const parts: TextWindow[] = [];
  for (const run of located.runs) {
    parts.push(await readWindow(source, run, policy, true));
    const breath = source.breathe();
    if (breath !== undefined) await breath;
  }
  return new FoundWindow(source, located, parts, isAscii);
}

/** Several runs of lines of a file. */
export class FoundWindow implements TextWindow {
  readonly kind = "text";
  readonly path: string;
  readonly stat: FileStat;
  readonly span: TextWindow["span"];
  readonly clipped: boolean;
  readonly start: number | null;
  readonly next: number | null;
  readonly column: number;
  readonly nextColumn: number;
  readonly totalLines: number | null;
  readonly cut: boolean;
  readonly lineCount: number;
  readonly parts: readonly TextWindow[];
  readonly hits: Hits;
  /** Where the search began. */
  readonly from: Beginning;
  readonly encoding: TextWindow["encoding"];
  /** Whether there is no hit, but there might be one in another encoding. */
  readonly isMissed: boolean;

  constructor(
    { size, encoding, file: { path, stat } }: Source,
    located: Located,
    parts: readonly TextWindow[],
    isAscii: boolean,
  ) {
    const { from, count, exact, lines, more } = located;
    const [first] = parts;
    const last = parts.at(-1);
    this.path = path;
    this.stat = stat;
    this.encoding = encoding;
    this.parts = parts;
    this.from = from;
    this.span = {
      start: first?.span.start ?? size,
      end: last?.span.end ?? size,
    };
    this.start = first?.start ?? null;
    this.column = first?.column ?? 1;
    this.next = more ? last!.next : null;
    this.nextColumn = more ? last!.nextColumn : 1;
    this.totalLines = located.total;
    this.cut = more;
    this.clipped = parts.some(({ clipped }) => clipped);
    this.lineCount = parts.reduce((sum, part) => sum + part.lineCount, 0);
    this.isMissed = !isAscii && count === 0;
    this.hits = { count, exact, lines, gaps: gapsBetween(parts) };
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

function gapsBetween(parts: readonly TextWindow[]): Gap[] {
  return parts.slice(1).map((part, index) => {
    const before = parts[index]!;
    const start = before.start! + before.lineCount;
    const bytes = part.span.start - before.span.end;
    return { start, end: part.start! - 1, bytes };
  });
}
