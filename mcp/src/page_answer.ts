// Runtime-agnostic.
import {
  type Page,
  type PageOptions,
  readFile,
  renderPage,
} from "@agent-tools/read-file";
import { badArgument } from "./failure.ts";
import { LEAST_WORDS, MOST_GROWTH, MOST_LISTED } from "./limits.ts";
import type { RootDirectory, Scope } from "./scope.ts";
import type { Answer, Json } from "./served_tool.ts";

/** Options that are bounded, as every call of the server is. */
export type BoundedOptions = PageOptions & { readonly maxBytes: number };

/** Reads the page that a path asks for, and answers with it. */
export async function answerPage(
  scope: Scope,
  path: unknown,
  options: BoundedOptions,
  signal: AbortSignal,
): Promise<Answer> {
  return await scope.at(takePath(path), async ({ root, path }) => {
    const page = await root.workspace.read(path, options, { signal });
    const asked = { scope, root, path, options, signal };
    return await present(page, asked, options.maxBytes);
  });
}

/** Takes a path; of another value there is nothing to name in quotes. */
export function takePath(path: unknown): string {
  if (typeof path === "string") return path;
  throw badArgument("path", 'must be a string, such as "a.txt"');
}

/** What a page was asked for with. */
export interface AskedPage {
  readonly scope: Scope;
  readonly root: RootDirectory;
  /** The path in the directory. */
  readonly path: string;
  readonly options: BoundedOptions;
  readonly signal: AbortSignal;
}

/** Puts a page in words that are no flood: where they would be, the page is read again, smaller. */
export async function present(
  read: Page,
  { scope, root, path, options, signal }: AskedPage,
  maxBytes: number,
): Promise<Answer> {
  const { workspace } = root;
  const most = Math.max(LEAST_WORDS, MOST_GROWTH * maxBytes);
  for (;;) {
    if (mayBeBinary(read)) await refuseBinary(workspace, path, signal);
    const page = { ...read, path: scope.show(root, read.path) };
    const text = renderPage(page);
    const shown = page.shown.end - page.shown.start;
    if (text.length <= most || shown <= 1) {
      return { text, structured: structure(page, text) };
    }
    // Of lines that are short, or escaped, fewer bytes make as many words.
    const fewer = Math.floor(shown * most / text.length / 1.1);
    const smaller = { ...options, maxBytes: Math.max(1, fewer) };
    const { next, ...rest } = await workspace.read(path, smaller, { signal });
    const { maxBytes: own } = options;
    // How to go on is bound by the call's own limit.
    read = { ...rest, next: next === null ? null : { ...next, maxBytes: own } };
  }
}

/** Whether a page shows what text seldom holds. */
function mayBeBinary(page: Page): boolean {
  return page.inexact.some(({ reason }) => reason === "not UTF-8") ||
    page.lines.some(({ text }) => text.includes("\0")) ||
    page.bytes().includes(0);
}

/** Fails with `BINARY` if the file begins as binary ones do, UTF-16 among them. */
async function refuseBinary(
  workspace: Parameters<typeof readFile>[0],
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const first = { kind: "lines", start: 1, count: 1 } as const;
  await readFile(workspace, path, first, {
    binary: "reject-nul",
    maxLineBytes: 1,
    signal,
  });
}

/** What a program gets of a page; `text` is the same that a model reads. */
export function structure(page: Omit<Page, "bytes">, text: string): Json {
  const { path, lines, shown, size, totalLines, empty, next } = page;
  const { etag, exact, warnings } = page;
  return {
    path,
    text,
    firstLine: lines[0]?.number ?? null,
    lastLine: lines.at(-1)?.number ?? null,
    totalLines,
    shown,
    size,
    empty,
    next: next === null ? null : { path, ...next },
    etag,
    exact,
    hidden: warnings.slice(0, MOST_LISTED).map(
      ({ line, column, code, name }) => ({ line, column, code, name }),
    ),
    hiddenCount: warnings.length,
  };
}
