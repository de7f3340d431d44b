import type { ReadFileError } from "../core/base/errors.ts";
import type { ReadFields } from "../core/read_options.ts";
import { isAbsolute, isRootOfWindows } from "../core/base/windows_paths.ts";
import {
  badArgument,
  CallArguments,
  isObject,
  isWhole,
  numberHint,
} from "./arguments.ts";
import { parametersOf, property } from "./call.ts";
import type { JsonSchema, ToolDefinition } from "./call.ts";

/** What a model sends to the codex `read_file`. */
export interface CodexReadFileArguments {
  /** The file: absolute, and inside the workspace. */
  readonly file_path: string;
  /** The first line, from 1 on; 1 by default. */
  readonly offset?: number | null | undefined;
  /** The most lines; 2,000 by default. */
  readonly limit?: number | null | undefined;
  /** `"slice"`, the default, or `"indentation"`. */
  readonly mode?: "slice" | "indentation" | null | undefined;
  /** Options of the mode `"indentation"`. */
  readonly indentation?:
    | {
      /** The line to begin from; `offset` by default. */
      readonly anchor_line?: number | null | undefined;
      /** The levels to climb; 0, for all of them, by default. */
      readonly max_levels?: number | null | undefined;
      /** Whether neighbours at the outermost level are included. */
      readonly include_siblings?: boolean | null | undefined;
      /** Whether comments directly above are included; `true` by default. */
      readonly include_header?: boolean | null | undefined;
      /** The most lines, `limit` by default; `limit` holds as well. */
      readonly max_lines?: number | null | undefined;
    }
    | null
    | undefined;
}

/** The arguments of a call, checked as far as possible without the workspace. */
export type CodexRequest = ReturnType<typeof takeCodexRequest>;

/** Takes the arguments, in the fixed order of their checks, for a workspace with this root; the original leaves siblings out by default. */
export function takeCodexRequest(
  given: unknown,
  tool: ToolDefinition,
  original: boolean,
  root: string,
) {
  const args = new CallArguments(given, tool.parameters, unparsed);
  const { path } = args;
  if (typeof args.get("file_path") !== "string") {
    throw args.bad("file_path", "must be a string", args.pathHint);
  }
  const offset = takeCount(args, "offset") ?? 1;
  const limit = takeCount(args, "limit") ?? 2000;
  const mode = args.get("mode") ?? "slice";
  if (mode !== "slice" && mode !== "indentation") {
    throw args.bad("mode", 'must be "slice" or "indentation"');
  }
  const inner = takeInner(args, tool.parameters);
  const indentation = {
    anchor: takeCount(inner, "anchor_line"),
    levels: takeCount(inner, "max_levels") ?? 0,
    siblings: inner.flag("include_siblings") ?? !original,
    header: inner.flag("include_header") ?? true,
    maxLines: takeCount(inner, "max_lines"),
  };
  // The original ignores unknown arguments; they are noted.
  const notes = [
    ...args.notesOnUnknown(),
    ...inner.notesOnUnknown("indentation."),
  ];
  if (offset === 0) throw notFromOne(path, "offset");
  if (limit === 0) throw notAboveZero(path, "limit");
  if (!isAbsolute(path, root)) {
    const start = isRootOfWindows(root) ? "its drive or server" : "/";
    const hint = `name the file by its whole path, from ${start} on`;
    throw badArgument(path, "file_path", "must be an absolute path", hint);
  }
  return { path, offset, limit, mode, indentation, notes };
}

/** The lines of a request, as the reader takes them. */
export function codexLines(
  { path, offset, limit, mode, indentation }: CodexRequest,
): ReadFields {
  if (mode === "slice") return { start: offset, count: limit };
  const { anchor = offset, maxLines = limit, ...block } = indentation;
  if (anchor === 0) throw notFromOne(path, "anchor_line");
  if (maxLines === 0) throw notAboveZero(path, "max_lines");
  const count = Math.min(limit, maxLines);
  return { around: anchor, block: { ...block, count } };
}

/** The arguments within `indentation`. */
function takeInner(args: CallArguments, { properties }: JsonSchema) {
  const given = args.get("indentation") ?? {};
  // JSON text is accepted only for all arguments, not for a part of them.
  if (!isObject(given)) throw args.bad("indentation", "must be an object");
  const schema = properties!.indentation!;
  return new CallArguments(given, schema, unparsed, args.path);
}

function takeCount(args: CallArguments, name: string): number | undefined {
  const value = args.get(name);
  if (value === undefined) return undefined;
  // Larger numbers mean the same: no file has so many lines.
  if (isWhole(value, 0)) return Math.min(value, Number.MAX_SAFE_INTEGER);
  throw args.bad(name, "must be a non-negative integer", numberHint(value));
}

function unparsed(
  path: string,
  argument: string,
  problem: string,
  hint = "call the tool again with arguments that follow its schema",
): ReadFileError {
  const message = `failed to parse function arguments: ${argument} ${problem}`;
  return badArgument(path, argument, problem, hint, message);
}

function notFromOne(path: string, name: string): ReadFileError {
  const hint = "the first line is line 1";
  return badArgument(path, name, "must be a 1-indexed line number", hint);
}

function notAboveZero(path: string, name: string): ReadFileError {
  const hint = `ask for at least one line, or leave ${name} out`;
  return badArgument(path, name, "must be greater than zero", hint);
}

/** Defines the tool; the original leaves siblings out by default. */
export function defineCodex(original: boolean): ToolDefinition<"read_file"> {
  const number = (description: string) => property("number", description);
  const boolean = (description: string) => property("boolean", description);
  const path = "Absolute path of the file, inside the workspace.";
  const max = "Most lines in the block; limit holds as well (default: limit).";
  return {
    name: "read_file",
    description:
      "Reads a local file with 1-indexed line numbers, supporting slice and indentation-aware block modes.",
    parameters: parametersOf({
      file_path: property("string", path),
      offset: number("First line to show, counted from 1 (default: 1)."),
      limit: number(
        "Most lines to show (default: 2000), each cut at 500 bytes; notes say what was cut.",
      ),
      mode: property(
        "string",
        'Which lines to show: "slice" (default) for consecutive lines, or "indentation" for the block around a line.',
      ),
      indentation: {
        type: "object",
        description: "How to choose the block in indentation mode.",
        properties: {
          anchor_line: number("Line to begin from (default: offset)."),
          max_levels: number(
            "Levels of indentation to climb; 0 for all of them (default: 0).",
          ),
          include_siblings: boolean(
            `Whether to include neighbouring blocks at the outermost level (default: ${!original}).`,
          ),
          include_header: boolean(
            "Whether to include the comments directly above the block (default: true).",
          ),
          max_lines: number(max),
        },
        additionalProperties: false,
      },
    }),
  };
}
