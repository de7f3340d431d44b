// Runtime-agnostic.
import type { TextWindow } from "../lines/window.ts";
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

/** Several runs of lines of a file. */
export interface FoundWindow extends TextWindow {
  readonly parts: readonly TextWindow[];
  readonly hits: Hits;
  /** Where the search began. */
  readonly from: Beginning;
  /** Whether there is no hit, but there might be one in another encoding. */
  readonly isMissed: boolean;
}
