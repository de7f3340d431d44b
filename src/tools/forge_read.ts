import { Call } from "../core/base/call.ts";
import {
  coreWords,
  type FailureOf,
  ReadFileError,
  type ReadFileErrorWords,
} from "../core/base/errors.ts";
import { quote, visibleJson } from "../core/base/words.ts";
import { type Page, placeOfNext } from "../core/pages/page.ts";
import type { CallContext, ReadFields } from "../core/read_options.ts";
import { readPage } from "../core/read.ts";
import { partsOf, type Workspace } from "../core/workspace.ts";
import { completeForgeConfig, type ForgeReadConfig } from "./forge_config.ts";
import {
  cacheLabels,
  noteText,
  numberLines,
  takeEncoded,
  toBase64,
} from "./shown_text.ts";
import { badArgument, CallArguments, countNote } from "./arguments.ts";
import {
  forCodes,
  frozen,
  isTooLargeFile,
  parametersOf,
  property,
  refuseMaking,
  takeToolContext,
  type Tool,
  type ToolDefinition,
} from "./call.ts";

/** What a model sends to `Read`. */
export interface ForgeReadArguments {
  /** The file, from the root. */
  readonly path: string;
  /** The first line, from 1 on; 1 by default. */
  readonly start_line?: number | null | undefined;
  /** The last line, inclusive; the last of the file by default. */
  readonly end_line?: number | null | undefined;
  /** The most lines, from `start_line` on. */
  readonly limit?: number | null | undefined;
  /** How many lines to show from the beginning. */
  readonly head?: number | null | undefined;
  /** How many lines to show from the end. */
  readonly tail?: number | null | undefined;
  /** Whether lines are numbered; as configured by default. */
  readonly show_line_numbers?: boolean | null | undefined;
}

/** The answer of `Read`. */
export interface ForgeReadOutput {
  /** The path of the file, from the root. */
  readonly path: string;
  /** The text for the model: the lines, numbered or plain, or a header and base64. */
  readonly text: string;
  /** The bytes of a binary file as base64; `null` for text. */
  readonly data: string | null;
  /** Whether the file is binary. */
  readonly binary: boolean;
  /** How the content is written. */
  readonly encoding: "utf-8" | "base64";
  /** Whether `max_file_read_bytes` cut the answer. */
  readonly truncated: boolean;
  /** The first line shown; `null` without lines or numbers. */
  readonly start_line: number | null;
  /** The last line shown; `null` without lines or numbers. */
  readonly end_line: number | null;
  /** How many lines the file has; `null` if they were not counted. */
  readonly total_lines: number | null;
  /** The first line of the next call; `null` at the end of the file. */
  readonly next_start_line: number | null;
  /** The size of the file in bytes. */
  readonly size: number;
}

/**
 * Makes the `Read` tool: a file, a range of its lines, its head or its tail,
 * numbered; a binary file as base64.
 *
 * `max_file_read_bytes` limits how much of the file one answer shows: a larger
 * whole file is `TOO_LARGE`, a larger range is cut after its last whole line that
 * fits, and its text for a model ends with the arguments of the next call.
 * `max_scan_bytes` limits how much is scanned for lines, from the start of the
 * file, or for `tail` from its end; past it, the call fails with `SCAN_LIMIT`.
 *
 * @example Usage
 * ```ts
 * import { createForgeRead, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const tool = createForgeRead(await openWorkspace("/repo", { fs }));
 * const output = await tool.call({ path: "a.txt", head: 2 });
 * assertEquals(output.text, "1| one\n2| two\n");
 * assertEquals(output.next_start_line, 3);
 * ```
 */
export function createForgeRead(
  workspace: Workspace,
  config: ForgeReadConfig = {},
  options: {
    /** The encoding of files, as a label of `TextDecoder`, or `"auto"`; UTF-8 by default. */
    readonly encoding?: string | undefined;
  } = {},
): Tool<ForgeReadOutput, ForgeReadArguments, "Read"> {
  const refuse = refuseMaking("Read", workspace);
  const limits = completeForgeConfig(config, refuse);
  const { show_line_numbers } = limits;
  const rules = { encoding: "text" } as const;
  const { encoding = "utf-8" } = takeEncoded(options, rules, refuse);
  const definition = frozen(defineForge(show_line_numbers));
  return {
    definition,
    aliases: ["read", "read_file", "read-file", "ReadFile"],
    async call(args, options): Promise<ForgeReadOutput> {
      const { signal, note } = takeToolContext("Read", options);
      const request = takeForgeRequest(args, definition);
      const call = { workspace, request, config: limits, encoding, signal };
      const page = await read(call);
      if (page.empty === "binary") return tellBinary(page, request);
      const numbered = request.showLineNumbers ?? show_line_numbers;
      const isCut = isCutShort(request, page);
      const output = tellText(page, numbered, isCut);
      if (isCut) {
        const rest = await nextAfter(call, page);
        Object.defineProperty(output, "rest", { value: rest });
      } else if (NOTICE.test(output.text)) {
        note?.("the last line is the file's own: nothing was cut");
      }
      if (!isCut) noteRest(request, output, note);
      noteText(page, output.text, note);
      const total = output.total_lines;
      if (page.lineCount === 0) {
        note?.(total === null ? "no line is there" : countNote(total));
      }
      return output;
    },
    render(output: CutOutput) {
      const { text, path, binary, truncated, next_start_line } = output;
      if (!truncated || binary) return text;
      const { rest = nextFromLine(next_start_line) } = output;
      return `${text}${text.endsWith("\n") ? "" : "\n"}${noticeOf(rest, path)}`;
    },
    insteadOf(error, { start = 1, count = 200 } = {}) {
      const { path } = error;
      if (isTooLargeFile(error)) {
        return { path, start_line: start, limit: count };
      }
      // It shows the bytes of a small file as base64.
      const isUnknown = error.is("BINARY") && error.details.media === undefined;
      return isUnknown ? { path } : undefined;
    },
  };
}

/** An answer that was cut, or a copy of one. */
interface CutOutput extends ForgeReadOutput {
  /** Its next call, which a copy lacks: the fields are fixed, also as JSON. */
  readonly rest?: NextCall;
}

/** A last line of a view without numbers that looks like the notice. */
const NOTICE = /(^|\n)\[truncated: [^\n]*\n?$/;

async function read(call: ForgeCall): Promise<Page> {
  const { workspace, request, config, encoding, signal } = call;
  const { path, range } = request;
  const { max_file_read_bytes: limit, max_scan_bytes } = config;
  const isTail = range.tail !== undefined;
  const isWhole = request.lineArgument === undefined;
  try {
    const page = await readPage(partsOf(workspace), new Call(path, signal), {
      ...range,
      binary: "bytes",
      maxBytes: limit,
      ...(isWhole ? { maxFileBytes: limit } : { maxScanBytes: max_scan_bytes }),
      // Only a tail needs a count, for its numbers.
      ...(isTail && {
        keepEnd: true,
        refuseCutTail: true,
        countLines: max_scan_bytes,
      }),
      encoding,
      view: "raw",
    });
    if (!isWhole) refuseLongLine(call, page);
    return page;
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    if (!error.is("TOO_LARGE") && !error.is("SCAN_LIMIT")) throw error;
    const hint = await hintAfter(call, error);
    throw error.with({ words: wordsFor(request), hint });
  }
}

/** Notes that `limit` or `head` left out lines, and the call that shows them. */
function noteRest(
  { path, end = Infinity, limit, showLineNumbers }: ForgeRequest,
  { next_start_line: start }: ForgeReadOutput,
  note: CallContext["note"],
): void {
  if (limit === undefined || start === null || start > end) return;
  const next = {
    start_line: start,
    ...(end < Infinity && { end_line: end }),
    limit,
    show_line_numbers: showLineNumbers,
    path,
  };
  note?.(`more lines follow; continue with ${visibleJson(next)}`);
}

/** Refuses a first line that does not fit. */
function refuseLongLine(
  { request, config: { max_file_read_bytes: limit } }: ForgeCall,
  page: Page,
): void {
  if (page.empty === "binary" || !isCutInside(page, limit)) return;
  const facts = { what: "line", size: limit + 1, limit } as const;
  throw new ReadFileError("TOO_LARGE", request.path, facts);
}

/** Whether `max_file_read_bytes` left out lines that were asked for. */
function isCutShort({ range }: ForgeRequest, page: Page): boolean {
  const { lineCount, shown } = page;
  return range.tail === undefined
    ? placeOfNext(page) !== null && lineCount < range.count!
    : lineCount < range.tail && shown.start > 0;
}

function wordsFor({ range }: ForgeRequest): ReadFileErrorWords {
  const line = range.start === undefined
    ? "its last line"
    : `line ${range.start}`;
  return {
    // All codes are listed, so that the compiler asks for a decision about a new one.
    ...forCodes(coreWords, "INVALID_ARGUMENT", "OUTSIDE_WORKSPACE"),
    ...forCodes(coreWords, "POLICY_DENIED", "NOT_FOUND", "NOT_A_FILE"),
    ...forCodes(coreWords, "PERMISSION_DENIED", "SYMLINK_LOOP", "BINARY"),
    ...forCodes(coreWords, "UNREADABLE", "RANGE_OUT_OF_BOUNDS", "CHANGED"),
    ...forCodes(coreWords, "ABORTED", "IO"),
    TOO_LARGE({ path, details: { what, limit } }) {
      const problem = `${line} is longer than the limit of ${limit} bytes`;
      return what === "file"
        ? ["File too large; use start_line/end_line, head or tail"]
        : [`Cannot read ${quote(path)}: ${problem}`];
    },
    SCAN_LIMIT: () => ["Scan limit exceeded; narrow the range"],
  };
}

function tellBinary(
  page: Page,
  { path: given, lineArgument }: ForgeRequest,
): ForgeReadOutput {
  if (lineArgument !== undefined) {
    const problem = "cannot be used for a binary file";
    const hint = "leave out start_line, end_line, limit, head and tail";
    const message = "Line ranges are not supported for binary files";
    throw badArgument(given, lineArgument, problem, hint, message);
  }
  const { path, size } = page;
  const bytes = page.bytes();
  const cut = bytes.length < size;
  const data = toBase64(bytes);
  return {
    path,
    text: `[binary:base64]${cut ? "[truncated]" : ""}\n${data}`,
    data,
    binary: true,
    encoding: "base64",
    truncated: cut,
    start_line: null,
    end_line: null,
    total_lines: null,
    next_start_line: null,
    size,
  };
}

const forgeLabelOf = cacheLabels((number) => `${number}| `);

/** Numbers lines for Forge; all numbers are as wide as the `last` one. */
function numberedView(text: string, first: number, last: number) {
  const { length } = forgeLabelOf(last);
  const write = (number: number, line: string) =>
    forgeLabelOf(number).padStart(length) + line;
  const view = numberLines(text, first, write);
  return text.endsWith("\n") ? `${view}\n` : view;
}

function tellText(
  page: Page,
  numbered: boolean,
  truncated: boolean,
): ForgeReadOutput {
  const { path, text, size, firstLine: first, lineCount, totalLines } = page;
  const last = first === null ? null : first + lineCount - 1;
  return {
    path,
    text: numbered && last !== null ? numberedView(text, first!, last) : text,
    data: null,
    binary: false,
    encoding: "utf-8",
    truncated,
    start_line: first,
    end_line: last,
    total_lines: totalLines,
    next_start_line: placeOfNext(page)?.line ?? null,
    size,
  };
}

type ForgeRequest = ReturnType<typeof takeForgeRequest>;

const LINES = ["start_line", "end_line", "limit", "head", "tail"] as const;

type LineArguments = Readonly<Record<typeof LINES[number], number | undefined>>;

/** Takes the arguments, in the fixed order of their checks. */
function takeForgeRequest(given: unknown, tool: ToolDefinition) {
  const args = new CallArguments(given, tool.parameters);
  const { path } = args;
  args.refuseUnknown("Read");
  if (typeof args.get("path") !== "string") {
    throw args.bad("path", "must be a string");
  }
  const lines = Object.fromEntries(
    LINES.map((name) => [name, args.integer(name)]),
  ) as LineArguments;
  const showLineNumbers = args.flag("show_line_numbers", "must be a boolean");
  if (path.trim() === "") {
    throw args.bad("path", "must not be empty", "name a file");
  }
  const named = LINES.filter((name) => lines[name] !== undefined);
  const low = named.find((name) => lines[name]! < 1);
  if (low !== undefined) {
    throw args.bad(low, "must be >= 1", "lines are counted from 1");
  }
  refuseCombinations(path, named);
  /** The lines that are asked for; none are named for the whole file. */
  const range = named.length === 0 ? {} : takeLineArguments(path, lines);
  const { end_line: end, limit = lines.head } = lines;
  return { path, range, end, limit, lineArgument: named[0], showLineNumbers };
}

function refuseCombinations(path: string, named: readonly string[]): void {
  const ends = named.filter((name) => name === "head" || name === "tail");
  const [end, other] = ends;
  if (end === undefined) return;
  if (named.length > ends.length) {
    const problem = "cannot be combined with start_line/end_line/limit";
    const hint = "give head or tail alone, or a range without them";
    throw badArgument(path, end, problem, hint, `head/tail ${problem}`);
  }
  if (other !== undefined) {
    const problem = "cannot be combined with tail";
    const hint = "make two calls, one with head and one with tail";
    const message = "head and tail cannot be combined";
    throw badArgument(path, end, problem, hint, message);
  }
}

/** Lines by their numbers, or the last ones. */
type ForgeLines = Pick<ReadFields, "start" | "count" | "tail">;

function takeLineArguments(path: string, lines: LineArguments): ForgeLines {
  const { head, tail, limit, end_line: end } = lines;
  if (tail !== undefined) return { tail };
  const start = lines.start_line ?? 1;
  const toEnd = (end ?? Number.MAX_SAFE_INTEGER) - start + 1;
  if (toEnd < 1) {
    const hint = "give the smaller number as start_line";
    throw badArgument(path, "start_line", "must be <= end_line", hint);
  }
  const count = Math.min(toEnd, limit ?? head ?? Infinity);
  return { start, count };
}

/** Defines the tool; `showLineNumbers` is the default of `show_line_numbers`. */
function defineForge(showLineNumbers: boolean): ToolDefinition<"Read"> {
  const line = (text: string) => property("integer", text, { minimum: 1 });
  return {
    name: "Read",
    description:
      "Reads a file of the workspace, or a range, the head or the tail of its lines; binary files come as base64.",
    parameters: parametersOf({
      path: property("string", "Path of the file, relative to the workspace."),
      start_line: line("First line to read, 1-indexed (default: 1)."),
      end_line: line("Last line to read, inclusive (default: the last)."),
      limit: line("The most lines to read, from start_line on."),
      head: line("Read the first N lines; not with a range or tail."),
      tail: line("Read the last N lines; not with a range or head."),
      show_line_numbers: property("boolean", "Whether to number the lines.", {
        default: showLineNumbers,
      }),
    }),
  };
}

interface ForgeCall {
  readonly workspace: Workspace;
  readonly request: ForgeRequest;
  readonly config: Required<ForgeReadConfig>;
  readonly encoding: string;
  readonly signal: AbortSignal | undefined;
}

/** How to continue after a cut answer. */
interface NextCall {
  /** The arguments of the next call, without the path; `null` if no call shows more. */
  readonly next: Omit<ForgeReadArguments, "path"> | null;
  /** A sentence about lines that no call shows. */
  readonly warning?: string;
}

/** Finds the next call after lines that were cut. */
async function nextAfter(
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

/** The next call from a `next_start_line`, for a copy without the requested range. */
function nextFromLine(start: number | null): NextCall {
  return start === null
    ? noNext("lines before these are left out")
    : { next: { start_line: start } };
}

/** The hint after a call that exceeded a limit. */
async function hintAfter(
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
function isCutInside(page: Page, maxBytes: number): boolean {
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
function noticeOf({ next, warning }: NextCall, path: string): string {
  if (next === null) return `[truncated: ${warning}]`;
  const before = warning === undefined ? "" : `[${warning}]\n`;
  return `${before}[truncated: continue with ${write(next, path)}]`;
}

function write(next: NonNullable<NextCall["next"]>, path: string): string {
  return visibleJson({ ...next, path });
}
