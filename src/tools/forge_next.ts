import { Call } from "../core/base/call.ts";
import { type FailureOf, ReadFileError } from "../core/base/errors.ts";
import { visibleJson } from "../core/base/words.ts";
import { type Page, placeOfNext } from "../core/pages/page.ts";
import type { ReadFields } from "../core/read_options.ts";
import { readPage } from "../core/read.ts";
import { partsOf, type Workspace } from "../core/workspace.ts";
import type { ForgeReadArguments, ForgeRequest } from "./forge_arguments.ts";
import type { ForgeReadConfig } from "./forge_config.ts";

export interface ForgeCall {
  readonly workspace: Workspace;
  readonly request: ForgeRequest;
  readonly config: Required<ForgeReadConfig>;
  readonly encoding: string;
  readonly signal: AbortSignal | undefined;
}

/** How to continue after a cut answer. */
export interface NextCall {
  /** The arguments of the next call, without the path; `null` if no call shows more. */
  readonly next: Omit<ForgeReadArguments, "path"> | null;
  /** A sentence about lines that no call shows. */
  readonly warning?: string;
}

/** Finds the next call after a window that was cut. */
export async function nextAfter(
  call: ForgeCall,
  page: Page,
): Promise<NextCall> {
  const { firstLine, totalLines, shown, size } = page;
  const { tail } = call.request.range;
  if (tail === undefined) {
    return await nextFrom(call, placeOfNext(page)!.line, shown.end, size);
  }
  return firstLine === null || totalLines === null
    ? noNext(`earlier lines are left out; ${NO_NUMBERS}`)
    : nextOfTail(call, tail, totalLines, firstLine - 1);
}

/** The next call from a `next_start_line`, if the requested range is not known. */
export function nextFromLine(start: number | null): NextCall {
  return start === null
    ? noNext("lines before these are left out")
    : { next: { start_line: start } };
}

/** The hint after a call that exceeded a limit. */
export async function hintAfter(
  call: ForgeCall,
  error: FailureOf<"TOO_LARGE"> | FailureOf<"SCAN_LIMIT">,
): Promise<string> {
  const { warning, next } = error.code === "SCAN_LIMIT"
    ? nextWithinScan(call, error.details.lines ?? 0)
    : await nextAfterTooLarge(call, error);
  const advice = next && `continue with ${write(next, call.request.path)}`;
  return [warning, advice].filter(Boolean).join("; ");
}

/** The next call for the part of the request within the scan limit, which holds `lines` lines. */
function nextWithinScan(call: ForgeCall, lines: number): NextCall {
  const { range: { start }, showLineNumbers } = call.request;
  if (start !== undefined) return nextRange(call, start, lines);
  const warning = "no larger tail is within max_scan_bytes";
  const next = { tail: lines, show_line_numbers: showLineNumbers };
  return { next: lines === 0 ? null : next, warning };
}

/** The next call for a file that is too large, or without a line that is too long. */
async function nextAfterTooLarge(
  call: ForgeCall,
  { details: { what, size } }: FailureOf<"TOO_LARGE">,
): Promise<NextCall> {
  const { tail } = call.request.range;
  if (what === "file") return await nextFrom(call, 1, 0, size);
  return tail === undefined
    ? await nextAfterFirstLine(call)
    : await nextBeforeLastLine(call, tail);
}

/** The next call for a range without its first line. Where that line ends is only known by another read. */
async function nextAfterFirstLine(call: ForgeCall): Promise<NextCall> {
  const start = (call.request.range.start ?? 1) + 1;
  if (start > lastAsked(call)) return noNext("it is the last line asked for");
  const page = await locatePage(call, { start, count: 1 });
  if (page === undefined) return noNext(outOfReach(call, start));
  return page.lineCount === 0
    ? noNext("it is the last line of the file")
    : await nextFrom(call, start, page.shown.start, page.size);
}

/** The next call for a tail without its last line; the lines are counted by another read. */
async function nextBeforeLastLine(call: ForgeCall, count: number) {
  if (count === 1) return noNext("it is the only line asked for");
  const countLines = call.config.max_scan_bytes;
  const first = await locatePage(call, { start: 1, count: 1, countLines });
  const total = first?.totalLines ?? null;
  if (total === null) {
    return noNext(`lines before it are left out; ${NO_NUMBERS}`);
  }
  return total === 1
    ? noNext("it is the only line of the file")
    : nextOfTail(call, count, total, total - 1);
}

/** The next call from the line `start`, which begins at byte `from`, to the requested end, or as far as the scan limit allows. */
async function nextFrom(
  call: ForgeCall,
  start: number,
  from: number,
  size: number,
): Promise<NextCall> {
  const { max_file_read_bytes: shown, max_scan_bytes: scanned } = call.config;
  const last = lastAsked(call);
  // The scan limit is past the end of the file, or past the next answer.
  const isInReach = size <= scanned || from + shown <= scanned;
  if (isInReach) return nextRange(call, start, last);
  const count = last - start + 1;
  const maxBytes = scanned - from;
  const page = maxBytes > 0
    ? await locatePage(call, { start, count, maxBytes })
    : undefined;
  const lines = page === undefined || isCutInside(page, maxBytes)
    ? 0
    : page.lineCount;
  return nextRange(call, start, start - 1 + lines);
}

/** Whether not even the first line of a page fits; if only its ending does not, the reader shows it. */
export function isCutInside(page: Page, maxBytes: number): boolean {
  const { shown } = page;
  return (placeOfNext(page)?.column ?? 1) > 1 ||
    shown.end - shown.start > maxBytes;
}

/** The next call for the lines from `start` to `last`, with a warning if more were asked for. */
function nextRange(call: ForgeCall, start: number, last: number): NextCall {
  const next = last < start ? null : rangeArguments(call, start, last);
  if (last === lastAsked(call)) return { next };
  return { next, warning: outOfReach(call, last + 1) };
}

/** The next call for the last `count` lines of the file up to the line `end`, as a range. */
function nextOfTail(
  call: ForgeCall,
  count: number,
  totalLines: number,
  end: number,
): NextCall {
  const start = Math.max(1, totalLines - count + 1);
  return { next: rangeArguments(call, start, end) };
}

/** The result if no call shows more. */
function noNext(warning: string): NextCall {
  return { next: null, warning };
}

const NO_NUMBERS =
  "they have no numbers in a file larger than max_scan_bytes, so read it from start_line 1, or ask for a larger limit";

function outOfReach({ config }: ForgeCall, line: number): string {
  return `the lines from ${line} on are more than ${config.max_scan_bytes} bytes into the file, where only tail or a larger max_scan_bytes reaches`;
}

/** Reads where lines are, with little of their text; `undefined` if they are beyond the scan limit. */
async function locatePage(
  { workspace, request: { path }, config, encoding, signal }: ForgeCall,
  lines: ReadFields,
): Promise<Page | undefined> {
  try {
    return await readPage(partsOf(workspace), new Call(path, signal), {
      ...lines,
      maxScanBytes: config.max_scan_bytes,
      // One byte of each line is enough to count lines.
      maxLineBytes: 1,
      encoding,
      view: "raw",
    });
  } catch (error) {
    if (error instanceof ReadFileError && error.code !== "ABORTED") {
      return undefined;
    }
    throw error;
  }
}

/** The last line of the request; a number past all lines for the end of the file. */
function lastAsked(
  { request: { range: { start, count } } }: ForgeCall,
): number {
  return start === undefined || count === undefined
    ? Number.MAX_SAFE_INTEGER
    : start + count - 1;
}

/** The arguments of the next call; JSON leaves out those that are undefined. */
function rangeArguments(
  { request }: ForgeCall,
  start_line: number,
  end: number,
) {
  const end_line = end < Number.MAX_SAFE_INTEGER ? end : undefined;
  return { start_line, end_line, show_line_numbers: request.showLineNumbers };
}

/** The notice at the end of a cut answer. */
export function noticeOf({ next, warning }: NextCall, path: string): string {
  if (next === null) return `[truncated: ${warning}]`;
  const before = warning === undefined ? "" : `[${warning}]\n`;
  return `${before}[truncated: continue with ${write(next, path)}]`;
}

function write(next: NonNullable<NextCall["next"]>, path: string): string {
  return visibleJson({ ...next, path });
}
