// Runtime-agnostic.
import { runAtOnce } from "../core/base/call.ts";
import { type Page, type PageOptions, shownBytes } from "../core/pages/page.ts";
import { weaken, writeEtag } from "../core/pages/version.ts";
import { readFile } from "../core/read.ts";
import type { Workspace } from "../core/workspace.ts";
import { defined, type Part } from "./target.ts";
import { escapeHidden } from "../core/unicode/escape.ts";

export interface WalkLimits {
  readonly maxBytes?: number | undefined;
  /** The most bytes of a page: memory does not grow with the file. */
  readonly pageBytes: number;
}

/**
 * Shows a part of a file page by page, up to the file's size at the first page.
 * Returns the options to continue, if `maxBytes` left something out.
 */
export async function walk(
  workspace: Workspace,
  path: string,
  part: Part,
  { maxBytes = Infinity, pageBytes }: WalkLimits,
  show: (page: Page) => Promise<void>,
): Promise<PageOptions | undefined> {
  let options = await pageOf(workspace, path, part);
  if (options === undefined) return undefined;
  let left = maxBytes;
  let first: Page | undefined;
  /** The bytes after the last page, up to the file's size at the first one. */
  let unseen = Infinity;
  for (;;) {
    const limit = Math.min(pageBytes, left, unseen);
    const page = await workspace.read(path, { ...options, maxBytes: limit });
    const { shown: { end }, next } = page;
    const size = shownBytes(page);
    /** Whether the page may take all bytes that `maxBytes` leaves: then no page follows. */
    const takesRest = limit === left;
    const beginsLine = options.column === undefined;
    const endsInsideLine = next?.column !== undefined;
    // A line that begins here is left out instead of cut, unless it is the first of all.
    const isCut = takesRest && beginsLine && endsInsideLine;
    // A page shows at least one character, even if that exceeds its limit.
    const isTooLong = size > left || isCut;
    if (first !== undefined && isTooLong) return options;
    first ??= page;
    await show(page);
    left -= size;
    unseen = first.size - end;
    if (next === null || unseen <= 0) return undefined;
    if (takesRest || left <= 0) return next;
    // Pages that were shown cannot be withdrawn. So a weak etag is enough: it compares
    // times, and does not read the shown bytes again.
    options = { ...next, etag: weaken(next.etag!) };
  }
}

/** The options of the first page; `undefined` if a block has only blank lines. */
async function pageOf(
  workspace: Workspace,
  path: string,
  part: Part,
): Promise<PageOptions | undefined> {
  if (!("indent" in part)) return part;
  const now = Date.now();
  const encoding = defined({ encoding: part.encoding });
  const block = await readFile(workspace, path, {
    kind: "block",
    anchor: part.indent,
    maxLevels: part.levels,
    siblings: false,
    header: true,
    count: Number.MAX_SAFE_INTEGER,
  }, encoding);
  const { start, lineCount } = block;
  if (start === null || lineCount === 0) return undefined;
  // Require the version in which the block was found.
  const { etag } = runAtOnce(writeEtag(block, now));
  return { start, end: start + lineCount - 1, ...encoding, etag };
}

/** Writes the lines of a file, page by page; `color` returns as many lines as it gets. */
export function pageWriter(
  isTerminal: boolean,
  numbers: boolean,
  dim: boolean,
  color: (lines: readonly string[]) => readonly string[],
) {
  let width = 0;
  /** Whether the last line was cut, and continues on the next page. */
  let isOpen = false;
  let last = 0;
  const dimmed = (text: string) => dim ? `\x1b[2m${text}\x1b[0m` : text;
  return {
    write({ lines, next }: Page): string {
      // A file must not control the terminal.
      const shown = color(
        lines.map(({ text }) => isTerminal ? escapeHidden(text) : text),
      );
      width = Math.max(width, String(lines.at(-1)?.number ?? "").length);
      const cut = next?.column !== undefined;
      const rows = lines.map(({ number, ending }, index) => {
        const digits = String(number).padStart(width);
        const continues = isOpen && index === 0;
        const gutter = continues || !numbers ? "" : `${dimmed(digits)}  `;
        // The separator of grep. Lines of a file cannot look like it, since all have numbers.
        const isApart = last > 0 && number > last + 1;
        const gap = isApart && numbers ? `${dimmed("--")}\n` : "";
        last = number;
        const isLast = index === lines.length - 1;
        const end = isTerminal && !(cut && isLast) ? "\n" : ending;
        return `${gap}${gutter}${shown[index]}${end}`;
      });
      isOpen = cut;
      return rows.join("");
    },
    /** Returns the line break that a terminal needs after the last page. */
    end: () => isOpen && isTerminal ? "\n" : "",
  };
}
