// Runtime-agnostic.
import { failureClass, ReadFileError } from "../core/base/errors.ts";
import type { ReadFileErrorCode } from "../core/base/errors.ts";
import type { TextPolicy } from "../core/base/selection.ts";
import { findLines, findMatch, withBinaryKind } from "../core/finders.ts";
import { readWith } from "../core/read.ts";
import type { TextWindow } from "../core/lines/window.ts";
import type { FileRoot } from "../core/file_root.ts";
import { type Kind, propertyOf } from "../core/base/check.ts";
import { CallArguments, countNote, FROM_ZERO, isWhole } from "./arguments.ts";
import { type EncodingOption, noteText, takeEncoded } from "./shown_text.ts";
import {
  forCodes,
  frozen,
  property,
  refuseMaking,
  takeCallOptions,
  type Tool,
  type ToolDefinition,
} from "./call.ts";

/** The lines to read by the toolkit's `read_file`. */
export interface ToolkitReadFileRange {
  /** The first line, from 1 on; 1 by default. */
  readonly start_line?: number | null | undefined;
  /** The most lines, from 1 to 500; 200 by default. */
  readonly max_lines?: number | null | undefined;
}

/** What a model sends to the toolkit's `read_file`. */
export interface ToolkitReadFileArguments extends ToolkitReadFileRange {
  /** The file, from the root. */
  readonly path: string;
  /** A text to find, if the tool was made with {@linkcode toolkitFind}. */
  readonly match?: string | null | undefined;
  /** How many lines before each hit. */
  readonly before?: number | null | undefined;
  /** How many lines after each hit. */
  readonly after?: number | null | undefined;
}

/** The output of the toolkit's `read_file`. */
export interface ToolkitReadFileOutput {
  /** The requested path, from the root; of a link, not of its target. */
  readonly path: string;
  /** The lines, joined by LF; with a final LF only if the file ends with one. */
  readonly content: string;
  /** Whether lines remain after these. */
  readonly truncated: boolean;
  /** The first remaining line; `null` if none remain. */
  readonly next_start_line: number | null;
  /** The stat of the file when it was opened. */
  readonly meta: ToolkitReadFileMeta;
}

/** The facts about a file in the output of the toolkit's `read_file`. */
export interface ToolkitReadFileMeta {
  /** Its size in bytes. */
  readonly byte_length: number;
  /** How many lines it has. */
  readonly line_count: number;
  /** How many lines are in the answer. */
  readonly returned_line_count: number;
  /** When it last changed, in whole milliseconds since the epoch; 0 if unknown. */
  readonly mtime_ms: number;
}

/** Lets a model find lines; {@linkcode toolkitFind} is one. */
export interface ToolkitFind {
  /** Adds its arguments to a definition. */
  define(definition: ToolDefinition<"read_file">): ToolDefinition<"read_file">;
  /** Reads the lines that a call searches for; `undefined` if it does not search. */
  read(
    workspace: FileRoot,
    args: unknown,
    request: Readonly<{ path: string; start: number; count: number }>,
    policy: TextPolicy,
  ): Promise<TextWindow | undefined>;
}

/** Options for {@linkcode createToolkitReadFile}. */
export interface ToolkitReadFileOptions extends EncodingOption {
  /** Lets the model find lines by `match`, `before` and `after`: {@linkcode toolkitFind}. Bundles that do not import it do not contain the search. */
  readonly find?: ToolkitFind;
}

const FIND: Kind = {
  wanted: "toolkitFind",
  fits: (value) => typeof propertyOf(value, "read") === "function",
};

/** The largest file that the toolkit's `read_file` reads, in bytes. */
export const TOOLKIT_MAX_FILE_BYTES = 1_048_576;

const DEFAULT_MAX_LINES = 200;
const MOST_MAX_LINES = 500;

/** The definitions of the toolkit's own tools, by name. */
export const TOOL_DEFINITIONS: {
  /** Reads a window of a file's lines. */
  readonly read_file: ToolDefinition<"read_file">;
} = /* @__PURE__ */ defineTools();

/** The original's definition, word for word, without the bounds of the numbers. */
function defineTools(): typeof TOOL_DEFINITIONS {
  const path =
    'Workspace-root-relative file path to read (e.g., "src/main.ts").';
  const start = "1-based start line of the returned window (default: 1).";
  const max = "Maximum number of lines to return (default: 200).";
  const properties = {
    path: property("string", path),
    start_line: property("number", start, { default: 1 }),
    max_lines: property("number", max, { default: DEFAULT_MAX_LINES }),
  };
  const read_file = frozen({
    name: "read_file",
    description:
      "Reads a UTF-8 text file in the workspace and returns a line-limited content window.",
    parameters: { type: "object", properties, required: ["path"] },
  });
  return Object.freeze({ read_file });
}

/**
 * Makes the toolkit's `read_file` tool: a window of a file's lines, with the
 * facts to read on or to cache.
 *
 * @example Usage
 * ```ts
 * import { createToolkitReadFile, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\r\ntwo\r\nthree" });
 * const tool = createToolkitReadFile(await openWorkspace("/repo", { fs }));
 * const output = await tool.call({ path: "a.txt", max_lines: 2 });
 * assertEquals(output.content, "one\ntwo");
 * assertEquals(output.next_start_line, 3);
 * assertEquals(output.meta.line_count, 3);
 * ```
 */
export function createToolkitReadFile(
  workspace: FileRoot,
  options?: ToolkitReadFileOptions,
): Tool<ToolkitReadFileOutput, ToolkitReadFileArguments, "read_file"> {
  const refuse = refuseMaking("read_file", workspace);
  const rules = { encoding: "text", find: FIND } as const;
  const { encoding, find } = takeEncoded(workspace, options, rules, refuse);
  const { read_file } = TOOL_DEFINITIONS;
  const definition = find?.define(read_file) ?? read_file;
  return {
    definition,
    aliases: [],
    async call(args, options) {
      const { signal, note } = takeCallOptions("read_file", options);
      try {
        const request = takeReadFileRequest(args, definition);
        const { path, start, count } = request;
        for (const ignored of request.notes) note?.(ignored);
        const policy = {
          maxFileBytes: TOOLKIT_MAX_FILE_BYTES,
          binary: "reject-nul",
          countAll: true,
          encoding,
          signal,
        } as const;
        const found = await find?.read(workspace, args, request, policy);
        const isSearch = found !== undefined;
        const lines = { kind: "lines", start, count } as const;
        const finder = withBinaryKind(findLines(lines));
        const window = found ?? await readWith(workspace, path, finder, policy);
        const content = isSearch ? hitsOf(window) : contentOf(window);
        if (window.lineCount === 0) {
          const total = countNote(window.totalLines!);
          const missing = `no line from line ${start} on contains the match`;
          note?.(isSearch ? `${missing}; ${total}` : total);
        }
        noteText(window, content, note);
        return outputOf(window, content);
      } catch (error) {
        const isKnown = error instanceof ReadFileError;
        throw isKnown ? new ToolkitReadFileError(error) : error;
      }
    },
    render: (output) => JSON.stringify(output),
  };
}

export function takeReadFileRequest(
  given: unknown,
  { parameters }: ToolDefinition = TOOL_DEFINITIONS.read_file,
) {
  const args = new CallArguments(given, parameters);
  return {
    path: args.needPath(),
    start: args.integer("start_line", {
      problem: "must be an integer >= 1",
      least: 1,
      hint: "leave start_line out to read from the first line",
    }) ?? 1,
    count: args.integer("max_lines", {
      problem: `must be an integer between 1 and ${MOST_MAX_LINES}`,
      least: 1,
      most: MOST_MAX_LINES,
      hint: isWhole(args.get("max_lines"), MOST_MAX_LINES)
        ? "read on with start_line set to the next_start_line you got"
        : `leave max_lines out for ${DEFAULT_MAX_LINES} lines`,
    }) ?? DEFAULT_MAX_LINES,
    // Unknown arguments are ignored and noted.
    notes: args.notesOnUnknown(),
  };
}

function outputOf(
  { path, next, stat, lineCount, totalLines }: TextWindow,
  content: string,
): ToolkitReadFileOutput {
  return {
    path,
    content,
    truncated: next !== null,
    next_start_line: next,
    meta: {
      byte_length: stat.size,
      line_count: totalLines!,
      returned_line_count: lineCount,
      mtime_ms: Math.floor(stat.mtimeMs ?? 0),
    },
  };
}

/** The found lines, each after its number and a tab, since there are gaps. */
function hitsOf({ lines }: TextWindow): string {
  return lines.map(({ number, text }) => `${number}\t${text}`).join("\n");
}

function contentOf({ text, span, next }: TextWindow): string {
  const hasMark = span.start === 0 && text.startsWith("\uFEFF");
  const lines = text.slice(hasMark ? 1 : 0).replaceAll("\r\n", "\n");
  // A caller joins windows by LF, so only the last window keeps its final LF.
  return next === null ? lines : lines.slice(0, -1);
}

/**
 * Lets a model find lines with the toolkit's `read_file`: `match` is a text,
 * and `before` and `after` are numbers of lines around each hit. The answer has
 * each line after its number and a tab, and at most `max_lines` of them.
 *
 * @example Usage
 * ```ts
 * import { createToolkitReadFile, memoryFs, openWorkspace, toolkitFind } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo needle\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const tool = createToolkitReadFile(workspace, { find: toolkitFind });
 * const { content } = await tool.call({ path: "a.txt", match: "needle", after: 1 });
 * assertEquals(content, "2\ttwo needle\n3\tthree");
 * ```
 */
export const toolkitFind: ToolkitFind = {
  define(definition) {
    const { parameters } = definition;
    const lines = (where: string) => {
      const text = `Lines to return ${where} each match (default: 0).`;
      return property("number", text, { default: 0 });
    };
    const properties = {
      ...parameters.properties,
      match: property("string", "Return only lines that contain this text."),
      before: lines("before"),
      after: lines("after"),
    };
    return frozen({ ...definition, parameters: { ...parameters, properties } });
  },
  async read(workspace, given, { path, start, count }, policy) {
    const { parameters } = TOOL_DEFINITIONS.read_file;
    const args = new CallArguments(given, parameters);
    const match = args.get("match");
    if (match === undefined) return undefined;
    if (typeof match !== "string") throw args.bad("match", "must be a string");
    const before = args.integer("before", FROM_ZERO) ?? 0;
    const after = args.integer("after", FROM_ZERO) ?? 0;
    const each = before + after + 1;
    if (each > count) {
      const problem =
        `and after are ${each} lines with each match, and max_lines is ${count}`;
      throw args.bad("before", problem, "ask for fewer, or for more max_lines");
    }
    const limit = Math.floor(count / each);
    const selection = { match, before, after, limit, start, counts: true };
    const finder = await findMatch(selection, path);
    return await readWith(workspace, path, finder, policy);
  },
};

/** The names of failures of the toolkit's `read_file`. */
export type ToolkitReadFileCode =
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "NOT_FILE"
  | "BINARY_NOT_SUPPORTED"
  | "SIZE_LIMIT_EXCEEDED"
  | "INTERNAL"
  | "SANDBOX_VIOLATION"
  | "POLICY_DENIED";

/** A failure of the toolkit's `read_file`, with the tool's name for it. */
export type ToolkitReadFileError = ReadFileError & {
  /** The tool's own name for the failure. */
  readonly toolkitCode: ToolkitReadFileCode;
};

/**
 * A failure of the toolkit's `read_file`, with the tool's name for it.
 *
 * @example Usage
 * ```ts
 * import { createToolkitReadFile, memoryFs, openWorkspace, ToolkitReadFileError } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/src/a.ts": "" });
 * const tool = createToolkitReadFile(await openWorkspace("/repo", { fs }));
 * const error = await assertRejects(() => tool.call({ path: "src" }), ToolkitReadFileError);
 * assertEquals(error.toolkitCode, "NOT_FILE");
 * ```
 */
export const ToolkitReadFileError: {
  readonly prototype: ToolkitReadFileError;
  new (error: ReadFileError): ToolkitReadFileError;
} = /* @__PURE__ */ failureClass("ToolkitReadFileError", "toolkitCode", codes);

function codes(): Record<ReadFileErrorCode, ToolkitReadFileCode> {
  return {
    INVALID_ARGUMENT: "INVALID_ARGUMENT",
    OUTSIDE_WORKSPACE: "SANDBOX_VIOLATION",
    POLICY_DENIED: "POLICY_DENIED",
    NOT_FOUND: "NOT_FOUND",
    NOT_A_FILE: "NOT_FILE",
    TOO_LARGE: "SIZE_LIMIT_EXCEEDED",
    BINARY: "BINARY_NOT_SUPPORTED",
    ...forCodes("INTERNAL", "UNREADABLE", "PERMISSION_DENIED", "SYMLINK_LOOP"),
    ...forCodes("INTERNAL", "RANGE_OUT_OF_BOUNDS", "SCAN_LIMIT", "CHANGED"),
    ...forCodes("INTERNAL", "ABORTED", "IO"),
  };
}
