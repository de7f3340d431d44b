// Runtime-agnostic.
import type { BinaryContent } from "../core/lines/text.ts";
import {
  coreWords,
  ReadFileError,
  type ReadFileErrorOptions,
  type ReadFileErrorWords,
} from "../core/base/errors.ts";
import type { LineSelection } from "../core/base/selection.ts";
import { quote } from "../core/base/words.ts";
import type { ReadPolicy } from "../core/base/policy.ts";
import { type FileContent, findSome, readFound } from "../core/read.ts";
import type { TextWindow } from "../core/lines/window.ts";
import type { FileRoot } from "../core/workspace.ts";
import {
  type ForgeReadArguments,
  type ForgeRequest,
  refusal,
  takeForgeRequest,
} from "./forge_arguments.ts";
import { completeForgeConfig, type ForgeReadConfig } from "./forge_config.ts";
import { numberedView, toBase64 } from "./numbered.ts";
import {
  frozen,
  refuseMaking,
  takeCallOptions,
  type Tool,
  type ToolDefinition,
} from "./call.ts";

/**
 * The answer of `Read`.
 */
export interface ForgeReadOutput {
  /** The path of the file, from the root. */
  readonly path: string;
  /** The view: the lines, numbered or as they are, or a header and the base64. */
  readonly text: string;
  /** The bytes of a binary file as base64; `null` for text. */
  readonly data: string | null;
  /** Whether the file is binary. */
  readonly binary: boolean;
  /** How the content is written. */
  readonly encoding: "utf-8" | "base64";
  /** Whether `max_file_read_bytes` left out some of what was asked for. */
  readonly truncated: boolean;
  /** The first line shown; `null` if none is, or lines have no numbers. */
  readonly start_line: number | null;
  /** The last line shown; `null` if none is, or lines have no numbers. */
  readonly end_line: number | null;
  /** How many lines the file has; `null` where they were not counted. */
  readonly total_lines: number | null;
  /** The line to go on from; `null` at the end of the file. */
  readonly next_start_line: number | null;
  /** The size of the file in bytes. */
  readonly size: number;
}

/**
 * Makes the `Read` tool: a file, a range of its lines, its head or its tail,
 * numbered; a binary file as base64.
 *
 * Two limits hold, both inclusive. `max_file_read_bytes` is how much of the
 * file one answer shows: a larger whole file is `TOO_LARGE`, a larger choice of
 * lines is cut after its last whole line that fits. `max_scan_bytes` is how far
 * the tool looks for lines: from the start of the file, or for `tail` from its
 * end; past it, `SCAN_LIMIT`. A whole file, once it fits, is not scanned.
 *
 * For a model, an answer that was cut ends with a line that says how to go on:
 * `[truncated: continue with start_line=N]`. A `tail` that was cut lacks the
 * lines before it, so it says `[truncated: earlier lines are left out; continue
 * with end_line=N]`, or only that they are left out where lines have no
 * numbers. Base64 that was cut says so in its header, and has no such line.
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
 *
 * @param workspace The workspace whose files it reads.
 * @param config The limits, and whether lines are numbered; `parseForgeConfig` reads one from TOML.
 * @returns The tool; its failures are `ReadFileError`s.
 */
export function createForgeRead(
  workspace: FileRoot,
  config: ForgeReadConfig = {},
): Tool<ForgeReadOutput, ForgeReadArguments, "Read"> {
  const refuse = refuseMaking("Read", workspace);
  const { max_file_read_bytes, max_scan_bytes, show_line_numbers } =
    completeForgeConfig(config, refuse);
  return {
    definition: frozen(define(show_line_numbers)),
    aliases: ["read", "read_file", "read-file", "ReadFile"],
    async call(args, options): Promise<ForgeReadOutput> {
      const { signal } = takeCallOptions(options, "Read");
      const request = takeForgeRequest(args);
      const content = await read(workspace, request, {
        binary: "bytes",
        maxWindowBytes: max_file_read_bytes,
        maxScanBytes: max_scan_bytes,
        // A range ends where it ends; only a tail has to count to be numbered.
        countAll: request.selection.kind === "tail",
        signal,
      });
      return content.kind === "binary"
        ? tellBinary(content, request)
        : tellText(content, request.showLineNumbers ?? show_line_numbers);
    },
    render,
  };
}

function define(showLineNumbers: boolean): ToolDefinition<"Read"> {
  const line = (description: string) =>
    ({ type: "integer", minimum: 1, description }) as const;
  return {
    name: "Read",
    description:
      "Reads a file of the workspace, or a range, the head or the tail of its lines; binary files come as base64.",
    parameters: {
      type: "object",
      properties: {
        path: {
          type: "string",
          description: "Path of the file, relative to the workspace.",
        },
        start_line: line("First line to read, 1-indexed (default: 1)."),
        end_line: line("Last line to read, inclusive (default: the last)."),
        limit: line("The most lines to read, from start_line on."),
        head: line("Read the first N lines; not with a range or tail."),
        tail: line("Read the last N lines; not with a range or head."),
        show_line_numbers: {
          type: "boolean",
          default: showLineNumbers,
          description: "Whether to number the lines.",
        },
      },
      required: ["path"],
      additionalProperties: false,
    },
  };
}

async function read(
  workspace: FileRoot,
  request: ForgeRequest,
  policy: ReadPolicy,
): Promise<FileContent> {
  try {
    const { path, selection } = request;
    return await readFound(workspace, path, findSome(selection), policy);
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    const told = error.with({ words: WORDS });
    const isLine = error.code === "TOO_LARGE" && error.details.what === "line";
    throw isLine ? told.with(aboutLine(request.selection)) : told;
  }
}

/** Which line is too long, and what to do about it. */
function aboutLine(
  selection: LineSelection,
): Pick<ReadFileErrorOptions, "words" | "hint"> {
  const line = selection.kind === "lines"
    ? `line ${selection.start}`
    : "its last line";
  const hint = selection.kind === "lines"
    ? `skip it with start_line=${selection.start + 1}`
    : "use start_line/end_line or head for those before it";
  const words: Partial<ReadFileErrorWords> = {
    TOO_LARGE: ({ path, details: { limit } }) => [
      `Cannot read ${
        quote(path)
      }: ${line} is longer than the limit of ${limit} bytes`,
    ],
  };
  return { words, hint };
}

const WORDS = {
  INVALID_ARGUMENT: /* @__PURE__ */ coreWords("INVALID_ARGUMENT"),
  OUTSIDE_WORKSPACE: /* @__PURE__ */ coreWords("OUTSIDE_WORKSPACE"),
  POLICY_DENIED: /* @__PURE__ */ coreWords("POLICY_DENIED"),
  NOT_FOUND: /* @__PURE__ */ coreWords("NOT_FOUND"),
  NOT_A_FILE: /* @__PURE__ */ coreWords("NOT_A_FILE"),
  PERMISSION_DENIED: /* @__PURE__ */ coreWords("PERMISSION_DENIED"),
  SYMLINK_LOOP: /* @__PURE__ */ coreWords("SYMLINK_LOOP"),
  TOO_LARGE: ({ path, details: { what, limit } }) =>
    what === "file"
      ? [
        "File too large; use start_line/end_line, head or tail",
        "start with head, and go on from next_start_line",
      ]
      : [`Cannot read ${quote(path)}: a line is longer than ${limit} bytes`],
  BINARY: /* @__PURE__ */ coreWords("BINARY"),
  RANGE_OUT_OF_BOUNDS: /* @__PURE__ */ coreWords("RANGE_OUT_OF_BOUNDS"),
  SCAN_LIMIT: ({ details: { limit } }) => [
    "Scan limit exceeded; narrow the range",
    `lines more than ${limit} bytes into the file, or for tail before its end, are out of reach`,
  ],
  CHANGED: /* @__PURE__ */ coreWords("CHANGED"),
  ABORTED: /* @__PURE__ */ coreWords("ABORTED"),
  IO: /* @__PURE__ */ coreWords("IO"),
} satisfies ReadFileErrorWords;

function tellBinary(
  { path, stat: { size }, bytes, cut }: BinaryContent,
  request: ForgeRequest,
): ForgeReadOutput {
  if (request.lineArgument !== undefined) {
    throw refusal(request.path, request.lineArgument, {
      message: "Line ranges are not supported for binary files",
      problem: "cannot be used for a binary file",
      hint: "leave out start_line, end_line, limit, head and tail",
    });
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
  const { path, stat: { size }, start, next, lineCount, totalLines } = window;
  const first = lineCount === 0 ? null : start;
  const last = first === null ? null : first + lineCount - 1;
  return {
    path,
    text: numbered && start !== null
      ? numberedView(window.text, start, start + lineCount - 1)
      : window.text,
    data: null,
    binary: false,
    encoding: "utf-8",
    truncated: window.cut,
    start_line: first,
    end_line: last,
    // What runs to the end of the file ends with its last line.
    total_lines: totalLines ?? (next === null ? last : null) ??
      (size === 0 ? 0 : null),
    next_start_line: next,
    size,
  };
}

function render(output: ForgeReadOutput): string {
  const { text, binary, truncated, start_line, next_start_line } = output;
  if (!truncated || binary) return text;
  const way = next_start_line !== null
    ? `continue with start_line=${next_start_line}`
    : start_line !== null
    ? `earlier lines are left out; continue with end_line=${start_line - 1}`
    : "earlier lines are left out";
  return `${text}${text.endsWith("\n") ? "" : "\n"}[truncated: ${way}]`;
}
