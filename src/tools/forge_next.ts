// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";
import type { TextPolicy } from "../core/base/selection.ts";
import { showHidden } from "../core/base/words.ts";
import type { TextWindow } from "../core/lines/window.ts";
import { findLines } from "../core/finders.ts";
import { readWith } from "../core/read.ts";
import type { FileRoot } from "../core/file_root.ts";
import type {
  ForgeReadArguments,
  ForgeReadConfig,
  ForgeRequest,
} from "./forge_arguments.ts";

export interface ForgeCall {
  readonly workspace: FileRoot;
  readonly request: ForgeRequest;
  readonly config: Required<ForgeReadConfig>;
  readonly encoding: string | undefined;
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
  { start, next, totalLines, span, stat }: TextWindow,
): Promise<NextCall> {
  const { selection } = call.request;
  if (selection.kind !== "tail") {
    return await nextFrom(call, next!, span.end, stat.size);
  }
  return start === null || totalLines === null
    ? noNext(`earlier lines are left out; ${NO_NUMBERS}`)
    : nextOfTail(call, selection.count, totalLines, start - 1);
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
  error: ReadFileError<"TOO_LARGE" | "SCAN_LIMIT">,
): Promise<string> {
  const { warning, next } = error.code === "SCAN_LIMIT"
    ? nextWithinScan(call, error.details.lines ?? 0)
    : await nextAfterTooLarge(call, error);
  const advice = next && `continue with ${write(next, call.request.path)}`;
  return [warning, advice].filter(Boolean).join("; ");
}

/** The next call for the part of the request within the scan limit, which holds `lines` lines. */
function nextWithinScan(call: ForgeCall, lines: number): NextCall {
  const { selection, showLineNumbers } = call.request;
  if (selection.kind === "lines") {
    return nextRange(call, selection.start, lines);
  }
  const warning = "no larger tail is within max_scan_bytes";
  const next = { tail: lines, show_line_numbers: showLineNumbers };
  return { next: lines === 0 ? null : next, warning };
}

/** The next call for a file that is too large, or without a line that is too long. */
async function nextAfterTooLarge(
  call: ForgeCall,
  { details: { what, size } }: ReadFileError<"TOO_LARGE">,
): Promise<NextCall> {
  const { selection } = call.request;
  if (what === "file") return await nextFrom(call, 1, 0, size);
  return selection.kind === "tail"
    ? await nextBeforeLastLine(call, selection.count)
    : await nextAfterFirstLine(call);
}

/** The next call for a range without its first line. */
async function nextAfterFirstLine(call: ForgeCall): Promise<NextCall> {
  const { selection } = call.request;
  const start = selection.kind === "lines" ? selection.start + 1 : 2;
  if (start > lastOf(call)) return noNext("it is the last line asked for");
  const window = await locate(call, start, 1);
  if (window === undefined) return noNext(outOfReach(call, start));
  return window.lineCount === 0
    ? noNext("it is the last line of the file")
    : await nextFrom(call, start, window.span.start, window.stat.size);
}

/** The next call for a tail without its last line. */
async function nextBeforeLastLine(call: ForgeCall, count: number) {
  if (count === 1) return noNext("it is the only line asked for");
  const first = await locate(call, 1, 1, { countAll: true });
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
  const last = lastOf(call);
  // The scan limit is past the end of the file, or past the next answer.
  const isInReach = size <= scanned || from + shown <= scanned;
  if (isInReach) return nextRange(call, start, last);
  const count = last - start + 1;
  const limits = { maxWindowBytes: scanned - from };
  const window = await locate(call, start, count, limits);
  return nextRange(call, start, start - 1 + (window?.lineCount ?? 0));
}

/** The next call for the lines from `start` to `last`, with a warning if more were asked for. */
function nextRange(call: ForgeCall, start: number, last: number): NextCall {
  const next = last < start ? null : rangeOf(call, start, last);
  if (last === lastOf(call)) return { next };
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
  return { next: rangeOf(call, start, end) };
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

/** Locates lines without their text; `undefined` if they are beyond the scan limit. */
async function locate(
  { workspace, request: { path }, config, encoding, signal }: ForgeCall,
  start: number,
  count: number,
  limits: Pick<TextPolicy, "maxWindowBytes" | "countAll"> = {},
): Promise<TextWindow | undefined> {
  try {
    const lines = findLines({ kind: "lines", start, count });
    return await readWith(workspace, path, lines, {
      ...limits,
      maxScanBytes: config.max_scan_bytes,
      // One byte of each line is enough to count lines.
      maxLineBytes: 1,
      encoding,
      signal,
    });
  } catch (error) {
    if (error instanceof ReadFileError && error.code !== "ABORTED") {
      return undefined;
    }
    throw error;
  }
}

/** The last line of the request; a number past all lines for the end of the file. */
function lastOf({ request: { selection } }: ForgeCall): number {
  return selection.kind === "lines"
    ? selection.start + selection.count - 1
    : Number.MAX_SAFE_INTEGER;
}

/** The arguments of the next call; JSON leaves out those that are undefined. */
function rangeOf({ request }: ForgeCall, start_line: number, end: number) {
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
  return showHidden(JSON.stringify({ ...next, path }));
}
