// Runtime-agnostic.
import type { OpenOptions, Workspace } from "./workspace.ts";
import { readFile } from "./read.ts";
import type { PageSelection } from "./selection.ts";
import type { Line } from "./lines/line.ts";
import type { TextWindow } from "./lines/window.ts";
import { escapeHidden } from "./pages/escape.ts";
import { findHidden } from "./pages/hidden.ts";
import { type PageOptions, takeOptions } from "./pages/options.ts";
import type { InexactLine, Page, PageLine } from "./pages/page.ts";
import { refuseGap, writeEtag } from "./pages/version.ts";

/** The lines shown before and after the one in the middle, if nothing is said. */
const AROUND = 10;

/** Reads a page; {@linkcode Workspace.read} is the way to it. */
export async function readPage(
  workspace: Workspace,
  path: string,
  asked: PageOptions,
  { signal }: OpenOptions,
): Promise<Page> {
  const options = takeOptions(path, asked);
  const { maxBytes = Infinity, etag } = options;
  const policy = { maxWindowBytes: maxBytes, etag, signal };
  const selection = select(options);
  // From before the file is looked at, or its times would prove less.
  const now = Date.now();
  const window = await readFile(workspace, path, selection, policy);
  if (etag !== undefined) refuseGap(etag, window, path);
  return toPage(window, options, selection, writeEtag(window, etag, now));
}

/** Reads a page, and the ones after it, to the last. */
export async function* readPages(
  workspace: Workspace,
  path: string,
  options: PageOptions,
  limits: OpenOptions,
): AsyncGenerator<Page, void> {
  for (let next: PageOptions | null = options; next !== null;) {
    const page: Page = await readPage(workspace, path, next, limits);
    yield page;
    next = page.next;
  }
}

function select(options: PageOptions): PageSelection {
  const { tail, around, before = AROUND, after = AROUND } = options;
  const { start = 1, count, end, column = 1, width } = options;
  if (tail !== undefined) {
    return { kind: "page", start: -tail, column: 1, count: tail };
  }
  if (around !== undefined) {
    const first = Math.max(1, around - before);
    const last = Math.min(Number.MAX_SAFE_INTEGER, around + after);
    const count = Math.max(1, last - first + 1);
    return { kind: "page", start: first, column: 1, count };
  }
  const lines = count ??
    (end === undefined ? Number.MAX_SAFE_INTEGER : end - start + 1);
  return { kind: "page", start, column, count: lines, width };
}

function toPage(
  window: TextWindow,
  options: PageOptions,
  selection: PageSelection,
  etag: string,
): Page {
  const { path, span, bytes, stat: { size } } = window;
  const read = window.lines.map((line, index) => toLine(line, index, window));
  const warnings = findHidden(read);
  const lines = options.escape ? read.map(escapeLine) : read;
  const inexact = findInexact(lines, read, bytes);
  return {
    path,
    lines,
    shown: span,
    size,
    totalLines: window.totalLines,
    empty: lines.length > 0 ? null : size === 0 ? "empty file" : "past the end",
    next: nextOf(window, options, selection, etag),
    etag,
    exact: inexact.length === 0,
    inexact,
    warnings,
    bytes: () => bytes.slice(),
  };
}

function toLine(line: Line, index: number, { column }: TextWindow): PageLine {
  const { number, text, ending } = line;
  return { number: number!, column: index === 0 ? column : 1, text, ending };
}

function escapeLine(line: PageLine): PageLine {
  return { ...line, text: escapeHidden(line.text) };
}

/** What goes on where the page ends; what it is bounded by goes along. */
function nextOf(
  window: TextWindow,
  options: PageOptions,
  { start, count }: PageSelection,
  etag: string,
): PageOptions | null {
  const { next, nextColumn } = window;
  if (next === null) return null;
  const { maxBytes, width, escape } = options;
  const first = start < 0 ? window.start! : start;
  const bound = options.count !== undefined
    ? { count: options.count }
    : count === Number.MAX_SAFE_INTEGER
    ? {}
    : { end: options.end ?? first + count - 1 };
  if (bound.end !== undefined && next > bound.end) return null;
  return {
    start: next,
    ...(nextColumn > 1 ? { column: nextColumn } : {}),
    ...bound,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(width === undefined ? {} : { width }),
    ...(escape === undefined ? {} : { escape }),
    etag,
  };
}

const LF = 0x0a;

/** The lines whose text is not their bytes; `read` is them before they were escaped. */
function findInexact(
  lines: readonly PageLine[],
  read: readonly PageLine[],
  bytes: Uint8Array,
): InexactLine[] {
  const inexact: InexactLine[] = [];
  let from = 0;
  for (let index = 0; index < lines.length; index++) {
    const { number, text } = lines[index]!;
    const feed = bytes.indexOf(LF, from);
    const to = feed < 0 ? bytes.length : feed + 1;
    const signs = countSigns(read[index]!.text);
    if (signs > 0 && signs > countWrittenSigns(bytes, from, to)) {
      inexact.push({ number, reason: "not UTF-8" });
    }
    if (text !== read[index]!.text) inexact.push({ number, reason: "escaped" });
    from = to;
  }
  return inexact;
}

/** How often the sign stands in a text that a decoder puts where it loses something. */
function countSigns(text: string): number {
  let count = 0;
  for (let at = text.indexOf(SIGN); at >= 0; at = text.indexOf(SIGN, at + 1)) {
    count++;
  }
  return count;
}

/** How often the file itself has it: more often it cannot stand where nothing was lost. */
function countWrittenSigns(
  bytes: Uint8Array,
  from: number,
  to: number,
): number {
  let count = 0;
  for (let at = bytes.indexOf(0xef, from); at >= 0 && at < to;) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++;
    at = bytes.indexOf(0xef, at + 1);
  }
  return count;
}

const SIGN = "\uFFFD";
