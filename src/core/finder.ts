// Runtime-agnostic.
import { whenThere } from "./awaitable.ts";
import { locateBlock } from "./lines/block.ts";
import {
  locateAll,
  locateLines,
  locateTail,
  type Span,
} from "./lines/locate.ts";
import type { Source } from "./lines/source.ts";
import { locatePage } from "./pages/locate_page.ts";
import type { ReadPolicy } from "./policy.ts";
import type { Awaitable } from "./port.ts";
import type {
  BlockSelection,
  LineSelection,
  PageSelection,
} from "./selection.ts";

/**
 * How the lines of a read are found. Each is by itself, so that a bundle holds
 * those that are used, and no others.
 */
export interface Finder {
  /** Makes sure that it is the file that is meant, before anything is found. */
  readonly check?: (source: Source) => Awaitable<void>;
  readonly find: (source: Source, policy: ReadPolicy) => Awaitable<Span>;
}

type Of<Kind extends LineSelection["kind"]> = Extract<
  LineSelection,
  { kind: Kind }
>;

/** Finds all lines. */
export const findAll: Finder = { find: locateAll };

/** Finds lines by their numbers. */
export function findLines(selection: Of<"lines">): Finder {
  return {
    find: (source, policy) => locateLines(source, selection, policy),
  };
}

/** Finds the last lines. */
export function findTail(selection: Of<"tail">): Finder {
  return { find: (source, policy) => locateTail(source, selection, policy) };
}

/** Finds whole lines by their numbers, from either end. */
export function findSome(selection: LineSelection): Finder {
  switch (selection.kind) {
    case "all":
      return findAll;
    case "lines":
      return findLines(selection);
    case "tail":
      return findTail(selection);
  }
}

/** Finds lines from a column on, as far as they may be shown. */
export function findPage(selection: PageSelection): Finder {
  return {
    find: (source, policy) =>
      whenThere(
        locatePage(source, selection, policy),
        (span) => ({ ...span, keepsBytes: true }),
      ),
  };
}

/** Finds the lines around an anchor, by indentation. */
export function findBlock(selection: BlockSelection): Finder {
  return { find: (source) => locateBlock(source, selection) };
}
