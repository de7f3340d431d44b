// Runtime-agnostic.

/**
 * Lines around an anchor that belong together by their indentation.
 */
export interface BlockSelection {
  /** Chosen by indentation. */
  readonly kind: "block";
  /** The line to begin from. */
  readonly anchor: number;
  /** How many levels of four columns to climb; `0` for all. */
  readonly maxLevels: number;
  /** Whether to take the neighbours at the outermost level too. */
  readonly siblings: boolean;
  /** Whether to take the comments above the outermost line. */
  readonly header: boolean;
  /** The most lines to take. */
  readonly count: number;
}

/**
 * Lines to the byte: where they do not fit whole, a part of one.
 */
export interface PageSelection {
  /** Chosen for a page. */
  readonly kind: "page";
  /** The first line; counted from the end of the file if it is negative. */
  readonly start: number;
  /** The column of the first line to begin at, from 1 on. */
  readonly column: number;
  /** The most lines to take. */
  readonly count: number;
  /** The most columns to take, all of the first line. */
  readonly width?: number | undefined;
  /** A line that the file must have, or nothing is taken. */
  readonly around?: number | undefined;
  /**
   * Whether lines from the end get their numbers, for which all of the file is
   * looked through. By default they do, unless it is `remote`; and where a page
   * does not come to the end of the file, as it must tell how to go on.
   */
  readonly numbered?: boolean | undefined;
}

/**
 * Which lines are wanted; they are numbered from 1.
 *
 * - `all`: every line, and no fewer.
 * - `lines`: `count` lines from `start` on, or as many as there are.
 * - `tail`: the last `count` lines.
 * - `page`: `count` lines from `start` on, to the byte, as the policy's
 *   `maxWindowBytes` and a `width` allow.
 * - `block`: the lines around an anchor, by indentation.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readFile, type Selection } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/a.log": "1\n2\n3\n4\n" }) });
 * const ends: Selection[] = [{ kind: "lines", start: 1, count: 2 }, { kind: "tail", count: 1 }];
 * const windows = await Promise.all(ends.map((end) => readFile(workspace, "a.log", end)));
 * assertEquals(windows.map(({ text }) => text), ["1\n2\n", "4\n"]);
 * ```
 */
export type Selection =
  | { readonly kind: "all" }
  | { readonly kind: "lines"; readonly start: number; readonly count: number }
  | { readonly kind: "tail"; readonly count: number }
  | PageSelection
  | BlockSelection;

/** Whole lines, by their numbers. */
export type LineSelection = Exclude<Selection, PageSelection | BlockSelection>;

/** The numbers of each kind, and the smallest that each can be. */
const LEAST: Readonly<
  Record<Selection["kind"], readonly (readonly [string, number])[]>
> = {
  all: [],
  lines: [["start", 1], ["count", 1]],
  tail: [["count", 1]],
  page: [
    ["start", -Infinity],
    ["column", 1],
    ["count", 1],
    ["width", 1],
    ["around", 1],
  ],
  block: [["anchor", 1], ["maxLevels", 0], ["count", 1]],
};

const OPTIONAL: ReadonlySet<string> = new Set(["width", "around"]);

/** Throws a `RangeError` for a selection that no tool should have made. */
export function checkSelection(selection: Selection): void {
  if (selection.kind === "page" && selection.start === 0) {
    throw new RangeError("Cannot select lines: they are numbered from 1");
  }
  const given: Readonly<Record<string, unknown>> = { ...selection };
  for (const [name, least] of LEAST[selection.kind]) {
    const value = given[name];
    if (value === undefined && OPTIONAL.has(name)) continue;
    if (!Number.isSafeInteger(value) || value as number < least) {
      throw new RangeError(
        `Cannot select lines: ${name} is ${value}, not a whole number from ${least} on`,
      );
    }
  }
}
