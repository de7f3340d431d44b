// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";
import type { TextPolicy } from "../core/base/policy.ts";
import type { LineSelection } from "../core/base/selection.ts";
import { showHidden } from "../core/base/words.ts";
import type { TextWindow } from "../core/lines/window.ts";
import { findSome, readFound } from "../core/read.ts";
import type { FileRoot } from "../core/workspace.ts";
import type { ForgeReadArguments, ForgeRequest } from "./forge_arguments.ts";
import type { ForgeReadConfig } from "./forge_config.ts";

/** A call of `Read`, and the limits it is under. */
export interface ForgeCall {
  readonly workspace: FileRoot;
  readonly request: ForgeRequest;
  readonly config: Required<ForgeReadConfig>;
  readonly signal: AbortSignal | undefined;
}

/** How to go on after an answer that was cut. */
export interface WayOn {
  /** The arguments of the next call, but for the path; `null` if none shows more. */
  readonly next: Omit<ForgeReadArguments, "path"> | null;
  /** What no such call shows. */
  readonly warning?: string;
}

/** Finds the call that shows what a window left out of what was asked for. */
export async function wayAfter(
  call: ForgeCall,
  { start, next, totalLines, span, stat }: TextWindow,
): Promise<WayOn> {
  const { selection } = call.request;
  if (selection.kind !== "tail") {
    return await wayFrom(call, next!, span.end, stat.size);
  }
  return start === null || totalLines === null
    ? { next: null, warning: `earlier lines are left out; ${NO_NUMBERS}` }
    : wayBefore(call, selection.count, totalLines, start - 1);
}

const NO_NUMBERS =
  "they have no numbers in a file larger than max_scan_bytes, so read it from start_line 1, or ask for a larger limit";

/** Lines of the end of the file, as a range. */
function wayBefore(
  call: ForgeCall,
  tail: number,
  totalLines: number,
  end: number,
): WayOn {
  return { next: rangeOf(call, Math.max(1, totalLines - tail + 1), end) };
}

/** Finds the call that shows the lines from `start`, at the byte `from`, to the end that was asked for. */
async function wayFrom(
  call: ForgeCall,
  start: number,
  from: number,
  size: number,
): Promise<WayOn> {
  const { max_file_read_bytes: shown, max_scan_bytes: scanned } = call.config;
  const end = lastOf(call.request.selection);
  // Another cut comes before the scan limit does.
  if (size <= scanned || from + shown <= scanned) {
    return { next: rangeOf(call, start, end) };
  }
  const last = await lastInReach(call, start, end, from);
  if (last === end) return { next: rangeOf(call, start, end) };
  const warning = outOfReach(last + 1, scanned);
  return last < start
    ? { next: null, warning }
    : { next: rangeOf(call, start, last), warning };
}

/** The last line that a range can show before the scan limit. */
async function lastInReach(
  call: ForgeCall,
  start: number,
  end: number,
  from: number,
): Promise<number> {
  const room = call.config.max_scan_bytes - from;
  const window = await look(call, start, end - start + 1, room);
  return start - 1 + (window?.lineCount ?? 0);
}

/** What to do about a limit that a call ran into. */
export async function hintAfter(
  call: ForgeCall,
  error: ReadFileError<"TOO_LARGE" | "SCAN_LIMIT">,
): Promise<string> {
  const { selection, path } = call.request;
  const { warning, next } = selection.kind === "tail"
    ? await tailAfter(call, selection.count, error)
    : await rangeAfter(call, error);
  const going = next === null ? [] : [`continue with ${write(next, path)}`];
  return [...warning === undefined ? [] : [warning], ...going].join("; ");
}

async function rangeAfter(
  call: ForgeCall,
  error: ReadFileError<"TOO_LARGE" | "SCAN_LIMIT">,
): Promise<WayOn> {
  const { selection } = call.request;
  const first = selection.kind === "lines" ? selection.start : 1;
  const isLine = error.code === "TOO_LARGE" && error.details.what === "line";
  const start = isLine ? first + 1 : first;
  if (start > lastOf(selection)) {
    return { next: null, warning: "it is the last line asked for" };
  }
  const window = await look(call, start, 1);
  if (window?.lineCount === 0) {
    return { next: null, warning: "it is the last line of the file" };
  }
  const { max_scan_bytes } = call.config;
  return window === undefined
    ? { next: null, warning: outOfReach(start, max_scan_bytes) }
    : await wayFrom(call, start, window.span.start, window.stat.size);
}

function outOfReach(start: number, scanned: number): string {
  return `the lines from ${start} on are more than ${scanned} bytes into the file, where only tail or a larger max_scan_bytes reaches`;
}

async function tailAfter(
  call: ForgeCall,
  count: number,
  error: ReadFileError<"TOO_LARGE" | "SCAN_LIMIT">,
): Promise<WayOn> {
  if (error.code === "SCAN_LIMIT") {
    const tail = (await lookBack(call, count))?.lineCount ?? 0;
    const warning = "no larger tail is in reach";
    return { next: tail === 0 ? null : { tail }, warning };
  }
  if (count === 1) {
    return { next: null, warning: "it is the only line asked for" };
  }
  const total = (await look(call, 1, 1))?.totalLines ?? null;
  return total === null
    ? { next: null, warning: `lines before it are left out; ${NO_NUMBERS}` }
    : total === 1
    ? { next: null, warning: "it is the only line of the file" }
    : wayBefore(call, count, total, total - 1);
}

/** Looks where lines are; `undefined` if they are out of reach. */
function look(
  call: ForgeCall,
  start: number,
  count: number,
  maxWindowBytes = Infinity,
): Promise<TextWindow | undefined> {
  return lookFor(call, { kind: "lines", start, count }, {
    maxScanBytes: call.config.max_scan_bytes,
    maxWindowBytes,
    countAll: start === 1 && count === 1,
  });
}

/** Looks how many of the last lines are in reach. */
function lookBack(
  call: ForgeCall,
  count: number,
): Promise<TextWindow | undefined> {
  const maxWindowBytes = call.config.max_scan_bytes;
  return lookFor(call, { kind: "tail", count }, { maxWindowBytes });
}

async function lookFor(
  { workspace, request: { path }, signal }: ForgeCall,
  lines: LineSelection,
  policy: TextPolicy,
): Promise<TextWindow | undefined> {
  try {
    // No more of a line is kept than it takes to count it.
    const limits = { ...policy, maxLineBytes: 1, signal };
    return await readFound(workspace, path, findSome(lines), limits);
  } catch (error) {
    if (error instanceof ReadFileError && error.code !== "ABORTED") {
      return undefined;
    }
    throw error;
  }
}

/** The last line that was asked for; past all of them if the file's end was. */
function lastOf(selection: LineSelection): number {
  return selection.kind === "lines"
    ? selection.start + selection.count - 1
    : Number.MAX_SAFE_INTEGER;
}

function rangeOf(
  { request: { showLineNumbers } }: ForgeCall,
  start: number,
  end: number,
): NonNullable<WayOn["next"]> {
  return {
    start_line: start,
    ...(end < Number.MAX_SAFE_INTEGER && { end_line: end }),
    ...(showLineNumbers !== undefined &&
      { show_line_numbers: showLineNumbers }),
  };
}

/** The notice at the end of an answer that was cut. */
export function noticeOf({ next, warning }: WayOn, path: string): string {
  if (next === null) return `[truncated: ${warning}]`;
  const before = warning === undefined ? "" : `[${warning}]\n`;
  return `${before}[truncated: continue with ${write(next, path)}]`;
}

/** The arguments of a call as JSON. */
function write(next: NonNullable<WayOn["next"]>, path: string): string {
  return showHidden(JSON.stringify({ ...next, path }));
}
