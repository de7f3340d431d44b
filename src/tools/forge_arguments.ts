// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";
import type { LineSelection } from "../core/base/selection.ts";
import {
  argument,
  type Arguments,
  badArgument,
  needArguments,
  refuseUnknown,
  takeInteger,
  textOf,
} from "./arguments.ts";
import type { ToolDefinition } from "./call.ts";

/** The arguments that choose lines. */
type LineArgument =
  | "start_line"
  | "end_line"
  | "limit"
  | "head"
  | "tail";

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
  /** The first lines, this many. */
  readonly head?: number | null | undefined;
  /** The last lines, this many. */
  readonly tail?: number | null | undefined;
  /** Whether lines are numbered; as configured by default. */
  readonly show_line_numbers?: boolean | null | undefined;
}

/** A call of `Read`, understood. */
export interface ForgeRequest {
  /** The path as it was given. */
  readonly path: string;
  /** Which lines. */
  readonly selection: LineSelection;
  /** The first of the line arguments that is there, if any is. */
  readonly lineArgument: LineArgument | undefined;
  /** Whether to number lines; `undefined` if the request does not say. */
  readonly showLineNumbers: boolean | undefined;
}

type LineArguments = Readonly<Record<LineArgument, number | undefined>>;

const RANGE = ["start_line", "end_line", "limit"] as const;
const LINE_ARGUMENTS = [
  "start_line",
  "end_line",
  "limit",
  "head",
  "tail",
] as const;

/**
 * Understands the arguments of a call.
 *
 * The order of the checks is fixed: object, unknown keys, types, empty path,
 * numbers from 1 on, combinations, the order of a range.
 */
export function takeForgeRequest(args: unknown): ForgeRequest {
  const object = needArguments(args);
  const path = textOf(argument(object, "path"));
  refuseUnknown("Read", path, object, KNOWN);
  const lines = takeTypes(path, object);
  const showLineNumbers = argument(object, "show_line_numbers");
  if (showLineNumbers !== undefined && typeof showLineNumbers !== "boolean") {
    throw badArgument(path, "show_line_numbers", "must be a boolean");
  }
  if (path === "") {
    throw badArgument(path, "path", "must not be empty", "name a file");
  }
  refuseBelowOne(path, lines);
  refuseCombinations(path, lines);
  return {
    path,
    selection: select(path, lines),
    lineArgument: firstOf(lines, LINE_ARGUMENTS),
    showLineNumbers,
  };
}

const KNOWN = ["path", ...LINE_ARGUMENTS, "show_line_numbers"];

function takeTypes(path: string, args: Arguments): LineArguments {
  if (typeof argument(args, "path") !== "string") {
    throw badArgument(path, "path", "must be a string");
  }
  const take = (name: LineArgument) => takeInteger(path, args, name);
  return {
    start_line: take("start_line"),
    end_line: take("end_line"),
    limit: take("limit"),
    head: take("head"),
    tail: take("tail"),
  };
}

function refuseBelowOne(path: string, lines: LineArguments): void {
  for (const name of LINE_ARGUMENTS) {
    if ((lines[name] ?? 1) >= 1) continue;
    throw badArgument(path, name, "must be >= 1", "lines are counted from 1");
  }
}

function refuseCombinations(path: string, lines: LineArguments): void {
  const end = firstOf(lines, ["head", "tail"]);
  if (end === undefined) return;
  if (firstOf(lines, RANGE) !== undefined) {
    throw refusal(path, end, {
      message: "head/tail cannot be combined with start_line/end_line/limit",
      problem: "cannot be combined with start_line/end_line/limit",
      hint: "give head or tail alone, or a range without them",
    });
  }
  if (lines.head !== undefined && lines.tail !== undefined) {
    throw refusal(path, "head", {
      message: "head and tail cannot be combined",
      problem: "cannot be combined with tail",
      hint: "make two calls, one with head and one with tail",
    });
  }
}

function select(path: string, lines: LineArguments): LineSelection {
  const { head, tail, limit, end_line: end } = lines;
  if (tail !== undefined) return { kind: "tail", count: tail };
  if (firstOf(lines, LINE_ARGUMENTS) === undefined) return { kind: "all" };
  const start = lines.start_line ?? 1;
  const toEnd = (end ?? Number.MAX_SAFE_INTEGER) - start + 1;
  if (toEnd < 1) {
    const hint = "give the smaller number as start_line";
    throw badArgument(path, "start_line", "must be <= end_line", hint);
  }
  const count = Math.min(toEnd, limit ?? head ?? Infinity);
  return { kind: "lines", start, count };
}

function firstOf<Name extends LineArgument>(
  lines: LineArguments,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => lines[name] !== undefined);
}

/** The failure of an argument whose sentence does not begin with its name. */
export function refusal(
  path: string,
  argument: LineArgument,
  { message, problem, hint }: {
    readonly message: string;
    readonly problem: string;
    readonly hint: string;
  },
): ReadFileError<"INVALID_ARGUMENT"> {
  return new ReadFileError("INVALID_ARGUMENT", path, { argument, problem }, {
    words: { INVALID_ARGUMENT: () => [message, hint] },
  });
}

/** Defines the tool; `showLineNumbers` is the default of `show_line_numbers`. */
export function defineForge(showLineNumbers: boolean): ToolDefinition<"Read"> {
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
