// Runtime-agnostic.
import type { BlockSelection, Selection } from "../core/base/selection.ts";
import { ReadFileError, type ReadFileErrorWords } from "../core/base/errors.ts";
import {
  argument,
  type Arguments,
  badArgument,
  misspelt,
  needArguments,
  numberHint,
  takeArguments,
  textOf,
} from "./arguments.ts";
import type { ToolDefinition } from "./call.ts";

/** What a model sends to the codex `read_file`. */
export interface CodexReadFileArguments {
  /** The file: absolute, and inside the workspace. */
  readonly file_path: string;
  /** The first line, from 1 on; 1 by default. */
  readonly offset?: number | null | undefined;
  /** The most lines; 2,000 by default. */
  readonly limit?: number | null | undefined;
  /** `"slice"`, the default, or `"indentation"`. */
  readonly mode?: string | null | undefined;
  /** What the mode `"indentation"` goes by. */
  readonly indentation?: CodexIndentationArguments | null | undefined;
}

/** How the codex `read_file` chooses a block by indentation. */
export interface CodexIndentationArguments {
  /** The line to begin from; `offset` by default. */
  readonly anchor_line?: number | null | undefined;
  /** The levels to climb; 0, for all of them, by default. */
  readonly max_levels?: number | null | undefined;
  /** Whether neighbours at the outermost level are included. */
  readonly include_siblings?: boolean | null | undefined;
  /** Whether comments directly above are included; `true` by default. */
  readonly include_header?: boolean | null | undefined;
  /** The most lines; `limit` by default, which holds as well. */
  readonly max_lines?: number | null | undefined;
}

/** The arguments of a call, as far as they can be judged without the workspace. */
export interface CodexRequest {
  /** The path as it was given; absolute. */
  readonly path: string;
  /** The first line of a slice. */
  readonly offset: number;
  /** The most lines to show. */
  readonly limit: number;
  /** Which lines are shown. */
  readonly mode: "slice" | "indentation";
  /** What the indentation mode goes by; what was absent is `undefined`. */
  readonly indentation: CodexIndentation;
}

/** The arguments of the indentation mode. */
interface CodexIndentation {
  readonly anchorLine: number | undefined;
  readonly maxLevels: number;
  readonly includeSiblings: boolean | undefined;
  readonly includeHeader: boolean;
  readonly maxLines: number | undefined;
}

const DEFAULT_LIMIT = 2000;

/** Takes the arguments, in the fixed order of their checks. */
export function takeCodexRequest(args: unknown): CodexRequest {
  const request = parseRequest(args);
  const { path, offset, limit } = request;
  if (offset === 0) throw notFromOne(path, "offset");
  if (limit === 0) throw notAboveZero(path, "limit");
  if (path.startsWith("/")) return request;
  throw badArgument(
    path,
    "file_path",
    "must be an absolute path",
    "name the file by its whole path, from / on",
  );
}

/** The lines that a request is for; `siblings` stands for an absent `include_siblings`. */
export function codexSelection(
  { path, offset, limit, mode, indentation }: CodexRequest,
  siblings: "siblings" | "no-siblings",
): Extract<Selection, { readonly kind: "lines" }> | BlockSelection {
  if (mode === "slice") return { kind: "lines", start: offset, count: limit };
  const { maxLevels, includeSiblings, includeHeader } = indentation;
  const { anchorLine: anchor = offset, maxLines = limit } = indentation;
  if (anchor === 0) throw notFromOne(path, "anchor_line");
  if (maxLines === 0) throw notAboveZero(path, "max_lines");
  return {
    kind: "block",
    anchor,
    maxLevels,
    siblings: includeSiblings ?? siblings === "siblings",
    header: includeHeader,
    count: Math.min(limit, maxLines),
  };
}

function parseRequest(args: unknown): CodexRequest {
  const object = parse(args);
  const given = argument(object, "file_path");
  const path = textOf(given);
  if (typeof given !== "string") {
    const hint = misspelt(object, "file_path", NAMES);
    throw unparsed(path, "file_path", "must be a string", hint);
  }
  const offset = takeCount(path, object, "offset") ?? 1;
  const limit = takeCount(path, object, "limit") ?? DEFAULT_LIMIT;
  const mode = argument(object, "mode") ?? "slice";
  if (mode !== "slice" && mode !== "indentation") {
    throw unparsed(path, "mode", 'must be "slice" or "indentation"');
  }
  const indentation = takeIndentation(path, object);
  return { path, offset, limit, mode, indentation };
}

const NAMES = ["file_path", "offset", "limit", "mode", "indentation"];

function parse(args: unknown): Arguments {
  try {
    return needArguments(args);
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    throw error.with({ words: UNPARSED, hint: error.hint ?? FOLLOW_SCHEMA });
  }
}

function takeIndentation(path: string, object: Arguments): CodexIndentation {
  const given = argument(object, "indentation") ?? {};
  // JSON text stands for the arguments as a whole, not for a part of them.
  const inner = typeof given === "string" ? undefined : takeArguments(given);
  if (inner === undefined) {
    throw unparsed(path, "indentation", "must be an object");
  }
  return {
    anchorLine: takeCount(path, inner, "anchor_line"),
    maxLevels: takeCount(path, inner, "max_levels") ?? 0,
    includeSiblings: takeFlag(path, inner, "include_siblings"),
    includeHeader: takeFlag(path, inner, "include_header") ?? true,
    maxLines: takeCount(path, inner, "max_lines"),
  };
}

function takeCount(
  path: string,
  args: Arguments,
  name: string,
): number | undefined {
  const value = argument(args, name);
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && (value as number) >= 0) {
    // No file has so many lines that a larger number could mean another thing.
    return Math.min(value as number, Number.MAX_SAFE_INTEGER);
  }
  const problem = "must be a non-negative integer";
  throw unparsed(path, name, problem, numberHint(value));
}

function takeFlag(
  path: string,
  args: Arguments,
  name: string,
): boolean | undefined {
  const value = argument(args, name);
  if (value === undefined || typeof value === "boolean") return value;
  throw unparsed(path, name, "must be true or false");
}

const FOLLOW_SCHEMA =
  "call the tool again with arguments that follow its schema";

const UNPARSED: Partial<ReadFileErrorWords> = {
  INVALID_ARGUMENT: ({ details: { argument, problem } }) => [
    `failed to parse function arguments: ${argument} ${problem}`,
  ],
};

function unparsed(
  path: string,
  argument: string,
  problem: string,
  hint = FOLLOW_SCHEMA,
): ReadFileError<"INVALID_ARGUMENT"> {
  return new ReadFileError("INVALID_ARGUMENT", path, { argument, problem }, {
    words: UNPARSED,
    hint,
  });
}

function notFromOne(path: string, name: string): ReadFileError {
  const hint = "the first line is line 1";
  return badArgument(path, name, "must be a 1-indexed line number", hint);
}

function notAboveZero(path: string, name: string): ReadFileError {
  const hint = `ask for at least one line, or leave ${name} out`;
  return badArgument(path, name, "must be greater than zero", hint);
}

/** Defines the tool; `siblings` stands for an absent `include_siblings`. */
export function defineCodex(
  siblings: "siblings" | "no-siblings",
): ToolDefinition<"read_file"> {
  const number = (description: string) => ({ type: "number", description });
  const boolean = (description: string) => ({ type: "boolean", description });
  return {
    name: "read_file",
    description:
      "Reads a local file with 1-indexed line numbers, supporting slice and indentation-aware block modes.",
    parameters: {
      type: "object",
      properties: {
        file_path: {
          type: "string",
          description: "Absolute path of the file, inside the workspace.",
        },
        offset: number("First line to show, counted from 1 (default: 1)."),
        limit: number(
          "Most lines to show (default: 2000), each cut at 500 bytes; notes say what was cut.",
        ),
        mode: {
          type: "string",
          description:
            'Which lines to show: "slice" (default) for consecutive lines, or "indentation" for the block around a line.',
        },
        indentation: {
          type: "object",
          description: "How to choose the block in indentation mode.",
          properties: {
            anchor_line: number("Line to begin from (default: offset)."),
            max_levels: number(
              "Levels of indentation to climb; 0 for all of them (default: 0).",
            ),
            include_siblings: boolean(
              `Whether to include neighbouring blocks at the outermost level (default: ${
                siblings === "siblings"
              }).`,
            ),
            include_header: boolean(
              "Whether to include the comments directly above the block (default: true).",
            ),
            max_lines: number(
              "Most lines in the block; limit holds as well (default: limit).",
            ),
          },
          additionalProperties: false,
        },
      },
      required: ["file_path"],
      additionalProperties: false,
    },
  };
}
