// Runtime-agnostic.
import { MOST_LISTED } from "./limits.ts";
import type { FittedPage } from "./page_answer.ts";
import type { Json } from "./served_tool.ts";

/** The facts of a page, for programs; the text stands in the words alone. */
export function factsOfPage(
  { page, next }: FittedPage,
  notes: readonly string[],
): Json {
  const { path, lines, shown, size, totalLines, empty, exact, warnings } = page;
  return {
    path,
    firstLine: lines[0]?.number ?? null,
    lastLine: lines.at(-1)?.number ?? null,
    totalLines,
    shown,
    size,
    empty,
    next,
    exact,
    hidden: warnings.slice(0, MOST_LISTED).map(
      ({ line, column, code, name }) => ({ line, column, code, name }),
    ),
    hiddenCount: warnings.length,
    ...(notes.length > 0 && { notes }),
  };
}

/** The facts of one of several files: of its page, its failure, or neither. */
export function factsOfFile(
  path: string,
  { page, next = null, error = null }: {
    readonly page?: FittedPage;
    readonly next?: Json | null;
    readonly error?: Json | null;
  },
): Json {
  const all = page === undefined ? {} as Json : factsOfPage(page, []);
  const { firstLine = null, lastLine = null, totalLines = null } = all;
  const { shown = null, size = null, exact = null } = all;
  return {
    path: page === undefined ? path : page.page.path,
    ...{ firstLine, lastLine, totalLines, shown, size, exact },
    next: page === undefined ? next : page.next,
    error,
  };
}
