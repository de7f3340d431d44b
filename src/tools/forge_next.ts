// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";
import type { LineSelection } from "../core/base/selection.ts";
import { showHidden } from "../core/base/words.ts";
import type { TextWindow } from "../core/lines/window.ts";
import { findLines, readFound } from "../core/read.ts";
import type { FileRoot } from "../core/workspace.ts";
import type { EncodingOption } from "./encodings.ts";
import type { ForgeReadArguments, ForgeRequest } from "./forge_arguments.ts";
import type { ForgeReadConfig } from "./forge_config.ts";

/** A call of `Read`, and the limits it is under. */
export interface ForgeCall {
  readonly workspace: FileRoot;
  readonly request: ForgeRequest;
  readonly config: Required<ForgeReadConfig>;
  readonly encoding: EncodingOption;
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
    ? dead(`earlier lines are left out; ${NO_NUMBERS}`)
    : wayBefore(call, selection.count, totalLines, start - 1);
}

const NO_NUMBERS =
  "they have no numbers in a file larger than max_scan_bytes, so read it from start_line 1, or ask for a larger limit";

/** No call shows more. */
function dead(warning: string): WayOn {
  return { next: null, warning };
}

/** Lines of a tail up to `end`, as a range. */
function wayBefore(
  call: ForgeCall,
  tail: number,
  totalLines: number,
  end: number,
): WayOn {
  return { next: rangeOf(call, Math.max(1, totalLines - tail + 1), end) };
}

/** The way from `start`, a line at the byte `from`, to the end that was asked for. */
async function wayFrom(
  call: ForgeCall,
  start: number,
  from: number,
  size: number,
): Promise<WayOn> {
  const { max_file_read_bytes: shown, max_scan_bytes: scanned } = call.config;
  // Another cut comes before the scan limit does.
  if (size <= scanned || from + shown <= scanned) return wayTo(call, start);
  const count = lastOf(call) - start + 1;
  const window = await look(call, start, count, scanned - from);
  return wayTo(call, start, start - 1 + (window?.lineCount ?? 0));
}

/** The rest of what was asked for, as far as the last line in reach. */
function wayTo(call: ForgeCall, start: number, last = lastOf(call)): WayOn {
  const next = last < start ? null : rangeOf(call, start, last);
  return last === lastOf(call)
    ? { next }
    : { next, warning: outOfReach(call, last + 1) };
}

/** What to do about a limit that a call ran into. */
export async function hintAfter(
  call: ForgeCall,
  error: ReadFileError<"TOO_LARGE" | "SCAN_LIMIT">,
): Promise<string> {
  const { warning, next } = error.code === "SCAN_LIMIT"
    ? wayWithin(call, error.details.lines ?? 0)
    : error.details.what === "file"
    ? await wayFrom(call, 1, 0, error.details.size)
    : await wayAround(call);
  const going = next && `continue with ${write(next, call.request.path)}`;
  return [warning, going].filter(Boolean).join("; ");
}

/** The part of what was asked for within the scan limit, which holds so many lines. */
function wayWithin(call: ForgeCall, lines: number): WayOn {
  const { selection } = call.request;
  if (selection.kind === "lines") return wayTo(call, selection.start, lines);
  const warning = "no larger tail is within max_scan_bytes";
  return { next: lines === 0 ? null : { tail: lines }, warning };
}

/** The lines beside one that is too long: after it, or for a tail before it. */
async function wayAround(call: ForgeCall): Promise<WayOn> {
  const { selection } = call.request;
  if (selection.kind === "tail") {
    return await wayBeforeLast(call, selection.count);
  }
  const start = (selection as LineRange).start + 1;
  if (start > lastOf(call)) return dead("it is the last line asked for");
  const window = await look(call, start, 1);
  if (window === undefined) return dead(outOfReach(call, start));
  return window.lineCount === 0
    ? dead("it is the last line of the file")
    : await wayFrom(call, start, window.span.start, window.stat.size);
}

async function wayBeforeLast(call: ForgeCall, count: number): Promise<WayOn> {
  if (count === 1) return dead("it is the only line asked for");
  const total = (await look(call, 1, 1))?.totalLines ?? null;
  if (total === null) {
    return dead(`lines before it are left out; ${NO_NUMBERS}`);
  }
  return total === 1
    ? dead("it is the only line of the file")
    : wayBefore(call, count, total, total - 1);
}

type LineRange = Extract<LineSelection, { readonly kind: "lines" }>;

function outOfReach({ config }: ForgeCall, line: number): string {
  return `the lines from ${line} on are more than ${config.max_scan_bytes} bytes into the file, where only tail or a larger max_scan_bytes reaches`;
}

/** Locates lines without their text; `undefined` if they are out of reach. */
async function look(
  { workspace, request: { path }, config, encoding, signal }: ForgeCall,
  start: number,
  count: number,
  maxWindowBytes = Infinity,
): Promise<TextWindow | undefined> {
  try {
    const lines = findLines({ kind: "lines", start, count });
    return await readFound(workspace, path, lines, {
      maxScanBytes: config.max_scan_bytes,
      maxWindowBytes,
      // No more of a line is kept than it takes to count it.
      maxLineBytes: 1,
      countAll: start === 1 && count === 1,
      ...encoding,
      signal,
    });
  } catch (error) {
    if (error instanceof ReadFileError && error.code !== "ABORTED") {
      return undefined;
    }
    throw error;
  }
}

/** The last line that was asked for; past all of them if the file's end was. */
function lastOf({ request: { selection } }: ForgeCall): number {
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
