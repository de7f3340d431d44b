import { Call } from "../core/base/call.ts";
import { argumentsOf, ReadFileError } from "../core/base/errors.ts";
import type { ReadFileErrorCode } from "../core/base/errors.ts";
import { type Page, placeOfNext } from "../core/pages/page.ts";
import type { ReadFields } from "../core/read_options.ts";
import { readPage } from "../core/read.ts";
import { partsOf, type Workspace } from "../core/workspace.ts";
import { CallArguments, countNote, FROM_ZERO, isWhole } from "./arguments.ts";
import { noteText, takeEncoded } from "./shown_text.ts";
import {
  forCodes,
  frozen,
  isTooLargeFile,
  property,
  refuseMaking,
  takeToolContext,
  type Tool,
  type ToolDefinition,
} from "./call.ts";

/** What a model sends to the toolkit's `read_file`. */
export interface ToolkitReadFileArguments {
  /** The file, from the root. */
  readonly path: string;
  /** The first line, from 1 on; 1 by default. */
  readonly start_line?: number | null | undefined;
  /** The most lines, from 1 to 500; 200 by default. */
  readonly max_lines?: number | null | undefined;
  /** A text to find, with the option `find` of the tool. */
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
  readonly meta: {
    /** Its size in bytes. */
    readonly byte_length: number;
    /** How many lines it has. */
    readonly line_count: number;
    /** How many lines are in the answer. */
    readonly returned_line_count: number;
    /** When it last changed, in whole milliseconds since the epoch; 0 if unknown. */
    readonly mtime_ms: number;
  };
}

/** Options for {@linkcode createToolkitReadFile}. */
export interface ToolkitReadFileOptions {
  /** The encoding of files, as a label of `TextDecoder`, or `"auto"`; UTF-8 by default. */
  readonly encoding?: string | undefined;
  /**
   * Whether the model may find lines: `match` is a text, and `before` and `after`
   * are numbers of lines around each hit. The answer has each line after its
   * number and a tab, and at most `max_lines` of them. Not by default.
   */
  readonly find?: boolean;
}

/** The largest file that the toolkit's `read_file` reads, in bytes. */
export const TOOLKIT_MAX_FILE_BYTES = 1_048_576;

const DEFAULT_MAX_LINES = 200;
const MOST_MAX_LINES = 500;

/**
 * The definitions of the toolkit's own tools, by name.
 *
 * @example A tool that reads from elsewhere, under the same definition
 * ```ts
 * import { respond, TOOL_DEFINITIONS } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const notes = new Map([["today.md", "Buy milk"]]);
 * const tool = {
 *   definition: TOOL_DEFINITIONS.read_file,
 *   call: async ({ path }: { path: string }) => notes.get(path) ?? "no such note",
 * };
 * assertEquals((await respond(tool, { path: "today.md" })).text, "Buy milk");
 * ```
 */
export const TOOL_DEFINITIONS: {
  /** Reads a window of a file's lines. */
  readonly read_file: ToolDefinition<"read_file">;
} = Object.freeze({
  // The original's definition, word for word, without the bounds of the numbers.
  read_file: frozen({
    name: "read_file",
    description:
      "Reads a UTF-8 text file in the workspace and returns a line-limited content window.",
    parameters: {
      type: "object",
      properties: {
        path: property(
          "string",
          'Workspace-root-relative file path to read (e.g., "src/main.ts").',
        ),
        start_line: property(
          "number",
          "1-based start line of the returned window (default: 1).",
          { default: 1 },
        ),
        max_lines: property(
          "number",
          "Maximum number of lines to return (default: 200).",
          { default: DEFAULT_MAX_LINES },
        ),
      },
      required: ["path"],
    },
  }),
});

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
 * const finding = createToolkitReadFile(await openWorkspace("/repo", { fs }), { find: true });
 * const { content } = await finding.call({ path: "a.txt", match: "two", after: 1 });
 * assertEquals(content, "2\ttwo\n3\tthree");
 * ```
 */
export function createToolkitReadFile(
  workspace: Workspace,
  options?: ToolkitReadFileOptions,
): Tool<ToolkitReadFileOutput, ToolkitReadFileArguments, "read_file"> {
  const refuse = refuseMaking("read_file", workspace);
  const rules = { encoding: "text", find: "flag" } as const;
  const { encoding = "utf-8", find } = takeEncoded(options, rules, refuse);
  const { read_file } = TOOL_DEFINITIONS;
  const definition = find ? withFind(read_file) : read_file;
  return {
    definition,
    aliases: [],
    async call(args, options) {
      const { signal, note } = takeToolContext("read_file", options);
      try {
        const request = takeReadFileRequest(args, definition);
        const { path, start, count } = request;
        for (const ignored of request.notes) note?.(ignored);
        const found = find ? foundBy(args, request) : undefined;
        const isSearch = found !== undefined;
        const page = await readPage(
          partsOf(workspace),
          new Call(path, signal),
          {
            ...found ?? { start, count },
            maxFileBytes: TOOLKIT_MAX_FILE_BYTES,
            binary: "refuse-nul",
            countLines: true,
            encoding,
            view: "raw",
          },
        );
        const content = isSearch ? numberedHits(page) : contentOf(page);
        if (page.lineCount === 0) {
          const total = countNote(page.totalLines!);
          const missing = `no line from line ${start} on contains the match`;
          note?.(isSearch ? `${missing}; ${total}` : total);
        }
        noteText(page, content, note);
        return outputOf(page, content);
      } catch (error) {
        if (!(error instanceof ReadFileError)) throw error;
        throw new ToolkitReadFileError(withAdvice(error));
      }
    },
    render: (output) => JSON.stringify(output),
  };
}

/** The hint for a file that no call of this tool reads. */
function withAdvice(error: ReadFileError): ReadFileError {
  const ask = "ask the user for one that does, such as";
  if (isTooLargeFile(error)) {
    const hint =
      `this tool reads no part of it; ${ask} read_file of readerTools`;
    return error.with({ hint });
  }
  // What is known of the file is in the core's hint.
  if (!error.is("BINARY") || error.details.media !== undefined) return error;
  const hint = `this tool shows no bytes; ${ask} Read of createForgeRead`;
  return error.with({ hint });
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

function outputOf(page: Page, content: string): ToolkitReadFileOutput {
  const { path, size, mtimeMs, lineCount, totalLines } = page;
  const next = placeOfNext(page);
  return {
    path,
    content,
    truncated: next !== null,
    next_start_line: next?.line ?? null,
    meta: {
      byte_length: size,
      line_count: totalLines!,
      returned_line_count: lineCount,
      mtime_ms: Math.floor(mtimeMs ?? 0),
    },
  };
}

/** The found lines, each after its number and a tab, since there are gaps. */
function numberedHits({ lines }: Page): string {
  return lines.map(({ number, text }) => `${number}\t${text}`).join("\n");
}

function contentOf(page: Page): string {
  const { text, shown } = page;
  const hasMark = shown.start === 0 && text.startsWith("\uFEFF");
  const lines = text.slice(hasMark ? 1 : 0).replaceAll("\r\n", "\n");
  // A caller joins windows by LF, so only the last window keeps its final LF.
  return placeOfNext(page) === null ? lines : lines.slice(0, -1);
}

/** Adds the arguments of a search to the definition. */
function withFind(
  definition: ToolDefinition<"read_file">,
): ToolDefinition<"read_file"> {
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
}

/** The lines that a call searches for; `undefined` if it does not search. */
function foundBy(
  given: unknown,
  { start, count }: { readonly start: number; readonly count: number },
): ReadFields | undefined {
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
  // The next call takes a line, and no column.
  return { match, before, after, limit, start, wholeLines: true };
}

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
export class ToolkitReadFileError extends ReadFileError {
  /** The name of the class, which test libraries print. */
  static override readonly name: string = "ToolkitReadFileError";

  /** The tool's own name for the failure. */
  readonly toolkitCode:
    | "INVALID_ARGUMENT"
    | "NOT_FOUND"
    | "NOT_FILE"
    | "BINARY_NOT_SUPPORTED"
    | "SIZE_LIMIT_EXCEEDED"
    | "INTERNAL"
    | "SANDBOX_VIOLATION"
    | "POLICY_DENIED";

  /** Always `"ToolkitReadFileError"`. */
  override get name(): string {
    return "ToolkitReadFileError";
  }

  /** Constructs a new instance. */
  constructor(error: ReadFileError) {
    super(...argumentsOf(error));
    this.toolkitCode = CODES[error.code];
  }

  /** Makes the same error for another path, with other facts, words or another hint. */
  override with(
    changes: Parameters<ReadFileError["with"]>[0],
  ): ToolkitReadFileError {
    return new ToolkitReadFileError(super.with(changes));
  }
}

const CODES: Record<
  ReadFileErrorCode,
  ToolkitReadFileError["toolkitCode"]
> = {
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
