// Runtime-agnostic.
import { readFile } from "@agent-tools/read-file";
import type { JsonSchema, Page, PageOptions } from "@agent-tools/read-file";
import { PAGE_NAMES, takeArguments } from "./arguments.ts";
import { boundsOf, fits, isOverdrawn, minus, sizeOf } from "./bounds.ts";
import type { Size } from "./bounds.ts";
import { attempt } from "./directories.ts";
import type { Json } from "./messages.ts";
import { ASK_FOR_MORE } from "./progress.ts";
import type { CallContext } from "./served_tool.ts";
import { hasCode, wrongArgument } from "./visible.ts";
import { type PageToWrite, shortPath, writeWords } from "./words.ts";

/** The largest file whose lines are all counted for each page. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

export type PageCall = Awaited<ReturnType<typeof takePageCall>>;

/** Takes the arguments of a call for one file. The library checks all options except the etag. */
export async function takePageCall(
  schema: JsonSchema,
  args: Json,
  context: CallContext,
) {
  const { notes, scope, versions } = context;
  const taken = await takeArguments(schema, args, PAGE_NAMES, notes);
  const { path: asked, maxChars, options: given } = taken;
  const place = scope.find(asked);
  const { refresh = false, etag: token, ...others } = given;
  if (typeof refresh !== "boolean") {
    throw wrongArgument("refresh", "must be true or false");
  }
  const etagOption = token === undefined ? {} : versions.etagOf(token, asked);
  const options: PageOptions = { ...others, ...etagOption };
  const bounds = boundsOf(maxChars, context.bounds);
  const call = { ...context, ...place, bounds };
  // `asked` and `given` are the path and the options as the call has them.
  return { ...call, asked, given, options, refresh, maxChars };
}

/** A page whose text is within the bounds. */
export interface FittedPage extends PageToWrite {
  readonly page: Page;
  readonly text: string;
}

/**
 * Reads as much of a page as fits. A page that is too long is read again with
 * fewer bytes, not cut, so that each answer is of one version.
 */
export async function fitPage(call: PageCall): Promise<FittedPage> {
  try {
    return await readFitting(call);
  } catch (error) {
    if (!hasCode(error, "SCAN_LIMIT")) throw error;
    // The failure of a view has its own hint, and a cause.
    const isOfView = error.cause !== undefined;
    throw isOfView ? error : error.with({ hint: hintOf(call) });
  }
}

/** The hint after `SCAN_LIMIT`: a call that reads less. */
function hintOf({ options: { tail, numbered } }: PageCall): string {
  const or = `, or ${ASK_FOR_MORE}`;
  if (tail === undefined || numbered) {
    return `read the end of the file with tail and "numbered": false${or}`;
  }
  return tail > 1 ? `ask for fewer of the last lines${or}` : ASK_FOR_MORE;
}

async function readFitting(call: PageCall): Promise<FittedPage> {
  const { root, scope, bounds, encoding, signal, notes } = call;
  const { workspace } = root;
  const usualEncoding = encoding === undefined ? {} : { encoding };
  const numbering = await numberingOf(call);
  // A first upper bound: an answer has at least as many bytes as the text in it.
  let maxBytes = bounds.bytes;
  let first: Page | undefined;
  for (;;) {
    const options = {
      ...usualEncoding,
      ...call.options,
      ...numbering,
      maxBytes,
    };
    const page = first?.hits === undefined
      ? await workspace.read(call.path, options, { signal })
      : await readFewer(first, call, options);
    first ??= page;
    if (mayBeBinary(page)) await refuseBinary(page, call);
    const path = scope.show(root, page.path);
    const totalLines = page.totalLines ?? await totalOf(page, call);
    const next = nextOf(path, page, call);
    const { pages } = call.options;
    const shown = { page, path, totalLines, next, notes, pages };
    const words = writeWords(shown);
    const size = page.bytes().length;
    if (fits(sizeOf(words.text), bounds) || size <= 1) {
      return { ...shown, text: words.text };
    }
    const fewer = bytesThatFit(page, words, bounds);
    // An estimate that is not less than this page is wrong: then halve the page.
    maxBytes = Math.max(1, fewer < size ? fewer : Math.floor(size / 2));
  }
}

/** Reads fewer of the matching lines. With `limit`, the search stops after as many of them as the first page showed; the counts of that page are kept. */
async function readFewer(
  { size, totalLines, hits }: Page,
  { root: { workspace }, path, signal }: PageCall,
  options: PageOptions,
): Promise<Page> {
  const { count, exact, lines } = hits!;
  const fewer = { ...options, limit: lines.length };
  const read = await workspace.read(path, fewer, { signal });
  if (read.size !== size || read.hits === undefined) return read;
  return { ...read, totalLines, hits: { ...read.hits, count, exact } };
}

/**
 * How a tail is numbered, if the call does not say so: from the end of a large
 * file, since each call would otherwise count all lines of a growing log again.
 */
async function numberingOf(
  { root: { workspace }, path, options, signal, maxScan }: PageCall,
): Promise<Pick<PageOptions, "numbered">> {
  if (options.tail === undefined || options.numbered !== undefined) return {};
  await using file = await workspace.open(path, { signal });
  return isCounted(file.stat.size, maxScan) ? {} : { numbered: false };
}

function isCounted(size: number, maxScan: number): boolean {
  return size <= Math.min(MAX_COUNTED_BYTES, maxScan);
}

/** Counts the lines of a file that is not too large and still of the page's version. */
async function totalOf(
  { size, etag, lines, view, encoding: { label } }: Page,
  { root: { workspace }, path, signal, maxScan, options: { pages } }: PageCall,
): Promise<number | null> {
  // Lines with negative numbers were read without counting.
  const hasNegative = (lines[0]?.number ?? 0) < 0;
  if (hasNegative || !isCounted(size, maxScan)) return null;
  try {
    // A read past the end shows nothing, but counts the lines of the file.
    const start = Number.MAX_SAFE_INTEGER;
    const same = { view: view ?? "raw", ...(pages !== undefined && { pages }) };
    const atEnd = { start, etag, encoding: label, ...same };
    const end = await workspace.read(path, atEnd, { signal });
    return end.size === size ? end.totalLines : null;
  } catch (error) {
    if (signal.aborted) throw error;
    // The file has changed since.
    return null;
  }
}

/** The next call, with the arguments of this one that still apply. */
function nextOf(
  path: string,
  { next }: Page,
  { options, maxChars, versions }: PageCall,
): Json | null {
  if (next === null) return null;
  const { maxBytes: _, limit: __, etag, view, ...rest } = next;
  // JSON leaves out what is undefined.
  return {
    ...shortPath(path),
    ...rest,
    // A default view is chosen again by the bytes of the file.
    view: options.view === undefined ? undefined : view,
    // Only a tail takes `numbered`, and a call with a start is not a tail.
    numbered: rest.start === undefined ? options.numbered : undefined,
    maxChars,
    etag: etag && versions.tokenOf(etag),
  };
}

/** How many bytes of the page fit: as many whole lines as possible, or a part of the first. */
function bytesThatFit(
  page: Page,
  { frame, rows }: ReturnType<typeof writeWords>,
  bounds: Size,
): number {
  const room = minus(minus(bounds, sizeOf(frame)), SPARE);
  let left = room;
  const tooMuch = rows.findIndex((row) => {
    left = minus(minus(left, sizeOf(row)), LINE_BREAK);
    return isOverdrawn(left);
  });
  // All rows fit, and only the frame is too long: keep the size, which the caller then
  // halves.
  if (tooMuch < 0) return endOfLine(page, rows.length);
  if (tooMuch > 0) return endOfLine(page, tooMuch);
  // Not even the first line fits.
  const [row = ""] = rows;
  const size = sizeOf(row);
  const share = Math.min(room.chars / size.chars, room.bytes / size.bytes);
  // Parts of a line may have more characters per byte than all of it: leave 5 % free.
  const first = rows.length === 1 ? page.bytes().length : endOfLine(page, 1);
  return Math.floor(first * Math.max(0, share) * 0.95);
}

/** By how much a frame may grow when a page is cut elsewhere: longer numbers, a mark. */
const SPARE: Size = { chars: 60, bytes: 60, lines: 0 };
const LINE_BREAK: Size = { chars: 1, bytes: 1, lines: 0 };

const LF = 0x0a;

/** Where the `count`th line of the bytes ends. */
function endOfLine(page: Page, count: number): number {
  if (page.encoding.label.startsWith("utf-16")) {
    return page.lines.slice(0, count).reduce(
      (sum, { text, ending }) => sum + 2 * (text.length + ending.length),
      0,
    );
  }
  const bytes = page.bytes();
  let end = 0;
  for (; count > 0; count--) {
    const feed = bytes.indexOf(LF, end);
    if (feed < 0) return bytes.length;
    end = feed + 1;
  }
  return end;
}

function mayBeBinary(page: Page): boolean {
  if (page.view !== null) return false;
  // A page without lines does not show whether the file is binary.
  if (page.empty === "past the end" || page.empty === "no hit") return true;
  const isUtf8 = page.encoding.label === "utf-8";
  return page.inexact.some(({ reason }) => reason === "not UTF-8") ||
    page.lines.some(({ text }) => text.includes("\0")) ||
    (isUtf8 && page.bytes().includes(0));
}

/** Fails with `BINARY` if the first bytes of the file are binary. */
async function refuseBinary(
  { encoding: { label: encoding } }: Page,
  { root: { workspace }, path, options: { view }, signal }: PageCall,
): Promise<void> {
  const first = { kind: "lines", start: 1, count: 1 } as const;
  const policy = { binary: "reject-nul", maxLineBytes: 1 } as const;
  try {
    await readFile(workspace, path, first, { ...policy, encoding, signal });
  } catch (error) {
    if (!hasCode(error, "BINARY")) throw error;
    // The view that the file has by default may show it as text.
    const usual = view === undefined
      ? undefined
      : await attempt(() => workspace.read(path, { count: 1 }, { signal }));
    if (usual?.view) {
      throw error.with({ hint: `leave view out to read it as ${usual.view}` });
    }
    const { name, type = "" } = error.details.media ?? {};
    const advice = ADVICE.find(([pattern]) => pattern.test(type));
    throw advice ? error.with({ hint: `it is ${name}; ${advice[1]}` }) : error;
  }
}

/** Advice for a file whose media type is not text. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^image\//, "read_file shows it"],
  [/pdf$/, "the server reads it if it is started with --pdf"],
];
