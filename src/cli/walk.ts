// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";
import type { TextWindow } from "../core/lines/window.ts";
import type { FileStat } from "../core/base/port.ts";
import { readFile } from "../core/read.ts";
import type { PageSelection } from "../core/base/selection.ts";
import type { Workspace } from "../core/workspace.ts";
import { type BlockPart, findBlock, type Part, type Target } from "./target.ts";

/** Where what was left out goes on. */
export interface Rest {
  readonly start: number;
  readonly column: number;
  /** The last line; to the end of the file if there is none. */
  readonly end: number | undefined;
}

/** How a walk goes. */
export interface WalkOptions {
  /** The character of the first line to begin at. */
  readonly column: number;
  /** The most bytes to show. */
  readonly maxBytes?: number | undefined;
  /** The most bytes to hold at a time. */
  readonly windowBytes: number;
}

const MOST = Number.MAX_SAFE_INTEGER;

/**
 * The wanted lines of a file, window by window, so that memory does not grow
 * with them.
 *
 * These are the windows that pages are made of, without what pages are made of
 * besides: to find each hidden character, and to prove each byte shown before,
 * would take five times as long, or the square of a file that is growing.
 */
export class Walk {
  /** Where to go on, if `maxBytes` left something out. */
  rest: Rest | undefined;
  readonly #workspace: Workspace;
  readonly #target: Target;
  readonly #options: WalkOptions;
  #stat: FileStat | undefined;

  /** Constructs a new instance for the lines that `target` names. */
  constructor(workspace: Workspace, target: Target, options: WalkOptions) {
    this.#workspace = workspace;
    this.#target = target;
    this.#options = options;
  }

  /** Gives the windows, one after the other. */
  async *windows(): AsyncGenerator<TextWindow, void> {
    const { maxBytes = Infinity, windowBytes } = this.#options;
    let selection = await this.#begin();
    if (selection === undefined) return;
    let budget = maxBytes;
    let last = selection.start < 0
      ? MOST
      : selection.start + selection.count - 1;
    let position: number | undefined;
    for (;;) {
      const unseen = position === undefined
        ? Infinity
        : this.#stat!.size - position;
      const limit = Math.min(windowBytes, budget, unseen);
      const window = await this.#read(selection, limit, position);
      if (position === undefined) {
        this.#refuseNothing(window);
        // The last lines have no numbers before they are found.
        if (selection.start < 0) last = window.start! + selection.count - 1;
      }
      const shown = window.span.end - window.span.start;
      const isLast = limit === budget;
      const { start, column, next, nextColumn } = window;
      // Lines are shown whole if one fits, and then one that does not can wait.
      const isPart = isLast && column === 1 && nextColumn > 1;
      if (position !== undefined && (isPart || shown > budget)) {
        return this.#stop(start!, column, last);
      }
      if (shown > 0) yield window;
      position = window.span.end;
      budget -= shown;
      if (next === null || next > last) return;
      // What has been added since was not there when this was asked for.
      if (position >= this.#stat!.size) return;
      if (isLast || budget <= 0) return this.#stop(next, nextColumn, last);
      const count = Math.min(MOST, last - next + 1);
      selection = { kind: "page", start: next, column: nextColumn, count };
    }
  }

  #stop(start: number, column: number, last: number): void {
    this.rest = { start, column, end: last >= MOST ? undefined : last };
  }

  /** What to read first; nothing for a block of nothing but blank lines. */
  async #begin(): Promise<PageSelection | undefined> {
    const { path, part } = this.#target;
    const { column } = this.#options;
    if (part.kind !== "block") return firstSelection(part, column);
    const window = await findBlock(this.#workspace, path, part);
    this.#stat = window.stat;
    const { start, lineCount: count } = window;
    if (count === 0) return undefined;
    return { kind: "page", start: start!, column: 1, count };
  }

  async #read(
    selection: PageSelection,
    limit: number,
    position: number | undefined,
  ): Promise<TextWindow> {
    const { path } = this.#target;
    const policy = { maxWindowBytes: limit };
    const window = await readFile(this.#workspace, path, selection, policy);
    const { id, size, mtimeMs } = this.#stat ??= window.stat;
    const now = window.stat;
    const how = now.id !== id
      ? "replaced"
      : now.size < size
      ? "shrank"
      : now.size === size && now.mtimeMs !== mtimeMs
      ? "rewritten"
      : position !== undefined && window.span.start !== position
      ? "grew"
      : undefined;
    if (how === undefined) return window;
    throw new ReadFileError("CHANGED", path, { how });
  }

  /** Whoever names a line that is not there is told so; the first or the last of nothing are nothing. */
  #refuseNothing({ span, totalLines }: TextWindow): void {
    const { path, part } = this.#target;
    if (span.start < span.end || totalLines === null) return;
    if (part.kind !== "lines" && part.kind !== "around") return;
    const [start, end] = part.kind === "lines"
      ? [part.start, part.end ?? part.start]
      : [part.line, part.line];
    const facts = { start, end, totalLines };
    throw new ReadFileError("RANGE_OUT_OF_BOUNDS", path, facts);
  }
}

function firstSelection(
  part: Exclude<Part, BlockPart>,
  column: number,
): PageSelection {
  switch (part.kind) {
    case "all":
      return { kind: "page", start: 1, column, count: MOST };
    case "lines": {
      const { start, end = MOST } = part;
      const count = Math.min(MOST, end - start + 1);
      return { kind: "page", start, column, count };
    }
    case "head":
      return { kind: "page", start: 1, column, count: part.count };
    case "tail": {
      const { count } = part;
      return { kind: "page", start: -count, column: 1, count };
    }
    case "around": {
      const start = Math.max(1, part.line - part.margin);
      const last = Math.min(MOST, part.line + part.margin);
      const count = last - start + 1;
      // Around a line that is not there, nothing is shown.
      return { kind: "page", start, column: 1, count, around: part.line };
    }
  }
}
