import { Call } from "../core/base/call.ts";
import { coreWords, ReadFileError } from "../core/base/errors.ts";
import type { ReadFileErrorWords } from "../core/base/errors.ts";
import { quote, visibleJson } from "../core/base/words.ts";
import { type Page, placeOfNext } from "../core/pages/page.ts";
import type { CallContext } from "../core/read_options.ts";
import { readPage } from "../core/read.ts";
import { partsOf, type Workspace } from "../core/workspace.ts";
import { defineForge, takeForgeRequest } from "./forge_arguments.ts";
import type { ForgeReadArguments, ForgeRequest } from "./forge_arguments.ts";
import { completeForgeConfig, type ForgeReadConfig } from "./forge_config.ts";
import { hintAfter, isCutInside, nextAfter } from "./forge_next.ts";
import { nextFromLine, noticeOf } from "./forge_next.ts";
import type { ForgeCall, NextCall } from "./forge_next.ts";
import { noteText, numberedView, takeEncoded, toBase64 } from "./shown_text.ts";
import { badArgument, countNote } from "./arguments.ts";
import {
  forCodes,
  frozen,
  isTooLargeFile,
  refuseMaking,
  takeToolContext,
} from "./call.ts";
import type { Tool } from "./call.ts";

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
  /** The next call of each output that was cut. */
  const nextCalls = new WeakMap<ForgeReadOutput, NextCall>();
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
      if (isCut) nextCalls.set(output, await nextAfter(call, page));
      else if (NOTICE.test(output.text)) {
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
    render(output) {
      const { text, path, binary, truncated, next_start_line } = output;
      if (!truncated || binary) return text;
      // A copy of an output, as through JSON, is not in `nextCalls`: only its
      // `next_start_line` is known.
      const next = nextCalls.get(output) ?? nextFromLine(next_start_line);
      return `${text}${text.endsWith("\n") ? "" : "\n"}${noticeOf(next, path)}`;
    },
    insteadOf(error) {
      const { path } = error;
      if (isTooLargeFile(error)) return { path, start_line: 1, limit: 200 };
      // It shows the bytes of a small file as base64.
      const isUnknown = error.is("BINARY") && error.details.media === undefined;
      return isUnknown ? { path } : undefined;
    },
  };
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
