// Runtime-agnostic.
import type { ReadPolicy } from "../base/selection.ts";
import type { FileBytes } from "../base/port.ts";
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
  /** How many lines were found, shown or not, from where the search began to the end of the searched lines. */
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

/** The text of several runs of lines of a file. */
class FoundText {
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

/** Several runs of lines of a file. */
export interface FoundWindow extends TextWindow {
  readonly parts: readonly TextWindow[];
  readonly hits: Hits;
  /** Where the search began. */
  readonly from: Beginning;
  /** Whether there is no hit, but there might be one in another encoding. */
  readonly isMissed: boolean;
}

/** Reads the located runs of lines. */
export async function readFoundWindow(
  source: Source,
  { runs, from, count, exact, lines, more, total }: Located,
  policy: ReadPolicy,
  isAscii: boolean,
): Promise<FoundWindow> {
  const parts: TextWindow[] = [];
  for (const run of runs) {
    parts.push(await readWindow(source, run, policy, true));
    const breath = source.breathe();
    if (breath !== undefined) await breath;
  }
  const { size, encoding, file: { path, stat } } = source;
  const [first] = parts;
  const last = parts.at(-1);
  const start = first?.span.start ?? size;
  const hits = { count, exact, lines, gaps: gapsBetween(parts) };
  return Object.assign(new FoundText(parts), {
    ...{ path, stat, encoding, hits },
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
