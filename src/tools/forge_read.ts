// Runtime-agnostic.
import type { BinaryContent } from "../core/lines/text.ts";
import { coreWords, ReadFileError } from "../core/base/errors.ts";
import type { ReadFileErrorWords } from "../core/base/errors.ts";
import type { LineSelection } from "../core/base/selection.ts";
import { quote } from "../core/base/words.ts";
import { findByNumber } from "../core/finders.ts";
import { type FileContent, readWith } from "../core/read.ts";
import type { TextWindow } from "../core/lines/window.ts";
import type { FileRoot } from "../core/file_root.ts";
import {
  completeForgeConfig,
  defineForge,
  takeForgeRequest,
} from "./forge_arguments.ts";
import type {
  ForgeReadArguments,
  ForgeReadConfig,
  ForgeRequest,
} from "./forge_arguments.ts";
import { hintAfter, nextAfter, nextFromLine, noticeOf } from "./forge_next.ts";
import type { ForgeCall, NextCall } from "./forge_next.ts";
import { noteText, numberedView, takeEncoded, toBase64 } from "./shown_text.ts";
import type { EncodingOption } from "./shown_text.ts";
import { badArgument, countNote } from "./arguments.ts";
import { forCodes, frozen, refuseMaking, takeCallOptions } from "./call.ts";
import type { CallOptions, Tool } from "./call.ts";

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
  workspace: FileRoot,
  config: ForgeReadConfig = {},
  options: EncodingOption = {},
): Tool<ForgeReadOutput, ForgeReadArguments, "Read"> {
  const refuse = refuseMaking("Read", workspace);
  const limits = completeForgeConfig(config, refuse);
  const { show_line_numbers } = limits;
  const rules = { encoding: "text" } as const;
  const { encoding } = takeEncoded(workspace, options, rules, refuse);
  /** The next call of each output that was cut. */
  const nextCalls = new WeakMap<ForgeReadOutput, NextCall>();
  const definition = frozen(defineForge(show_line_numbers));
  return {
    definition,
    aliases: ["read", "read_file", "read-file", "ReadFile"],
    async call(args, options): Promise<ForgeReadOutput> {
      const { signal, note } = takeCallOptions("Read", options);
      const request = takeForgeRequest(args, definition);
      const call = { workspace, request, config: limits, encoding, signal };
      const content = await read(call);
      if (content.kind === "binary") return tellBinary(content, request);
      const numbered = request.showLineNumbers ?? show_line_numbers;
      const output = tellText(content, numbered);
      if (content.cut) nextCalls.set(output, await nextAfter(call, content));
      else if (NOTICE.test(output.text)) {
        note?.("the last line is the file's own: nothing was cut");
      }
      noteText(content, output.text, note);
      const total = output.total_lines;
      if (content.lineCount === 0) {
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
  };
}

/** A last line of a view without numbers that looks like the notice. */
const NOTICE = /(^|\n)\[truncated: [^\n]*\n?$/;

async function read(call: ForgeCall): Promise<FileContent> {
  const { workspace, request, config, encoding, signal } = call;
  const { path, selection } = request;
  try {
    return await readWith(workspace, path, findByNumber(selection), {
      binary: "bytes",
      maxWindowBytes: config.max_file_read_bytes,
      maxScanBytes: config.max_scan_bytes,
      // Only a tail needs a count, for its numbers.
      countAll: selection.kind === "tail",
      encoding,
      signal,
    });
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    if (error.code !== "TOO_LARGE" && error.code !== "SCAN_LIMIT") throw error;
    const hint = await hintAfter(call, error);
    throw error.with({ words: wordsFor(selection), hint });
  }
}

function wordsFor(selection: LineSelection): ReadFileErrorWords {
  const line = selection.kind === "lines"
    ? `line ${selection.start}`
    : "its last line";
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
  { path, stat: { size }, bytes, cut }: BinaryContent,
  { path: given, lineArgument }: ForgeRequest,
): ForgeReadOutput {
  if (lineArgument !== undefined) {
    const problem = "cannot be used for a binary file";
    const hint = "leave out start_line, end_line, limit, head and tail";
    const message = "Line ranges are not supported for binary files";
    throw badArgument(given, lineArgument, problem, hint, message);
  }
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

function tellText(window: TextWindow, numbered: boolean): ForgeReadOutput {
  const { path, text, stat: { size }, start, next, lineCount } = window;
  const first = lineCount === 0 ? null : start;
  const last = first === null ? null : first + lineCount - 1;
  // A window that reaches the end of the file ends with the file's last line.
  const lastOfFile = next === null ? last : null;
  return {
    path,
    text: numbered && last !== null ? numberedView(text, first!, last) : text,
    data: null,
    binary: false,
    encoding: "utf-8",
    truncated: window.cut,
    start_line: first,
    end_line: last,
    total_lines: window.totalLines ?? (size === 0 ? 0 : lastOfFile),
    next_start_line: next,
    size,
  };
}

/**
 * Calls Forge's `Read` tool, for a program.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readForge } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const { text } = await readForge(workspace, { path: "a.txt", tail: 1 });
 * assertEquals(text.includes("three"), true);
 * ```
 */
export async function readForge(
  workspace: FileRoot,
  request: ForgeReadArguments,
  config: ForgeReadConfig = {},
  options: CallOptions = {},
): Promise<ForgeReadOutput> {
  return await createForgeRead(workspace, config).call(request, options);
}
