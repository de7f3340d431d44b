// Runtime-agnostic.
import type { LineSelection } from "../core/base/selection.ts";
import { badArgument, CallArguments } from "./arguments.ts";
import { parametersOf, property, type ToolDefinition } from "./call.ts";

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

/** An argument that selects lines. */
type LineArgument = typeof LINES[number];
type LineArguments = Readonly<Record<LineArgument, number | undefined>>;

/** A checked call of `Read`. */
export type ForgeRequest = ReturnType<typeof takeForgeRequest>;

const RANGE = ["start_line", "end_line", "limit"] as const;
const LINES = ["start_line", "end_line", "limit", "head", "tail"] as const;

/**
 * Checks the arguments of a call. The order of the checks is fixed: object,
 * unknown keys, types, empty path, numbers from 1 on, combinations, the order of
 * a range.
 */
export function takeForgeRequest(
  given: unknown,
  { parameters }: ToolDefinition,
) {
  const args = new CallArguments(given, parameters);
  const { path } = args;
  args.refuseUnknown("Read");
  if (typeof args.get("path") !== "string") {
    throw args.bad("path", "must be a string");
  }
  const lines = Object.fromEntries(
    LINES.map((name) => [name, args.integer(name)]),
  ) as LineArguments;
  const showLineNumbers = args.flag("show_line_numbers", "must be a boolean");
  if (path === "") throw args.bad("path", "must not be empty", "name a file");
  const low = LINES.find((name) => (lines[name] ?? 1) < 1);
  if (low !== undefined) {
    throw args.bad(low, "must be >= 1", "lines are counted from 1");
  }
  refuseCombinations(path, lines);
  return {
    path,
    selection: select(path, lines),
    /** The first of the line arguments that was given. */
    lineArgument: firstOf(lines, LINES),
    showLineNumbers,
  };
}

function refuseCombinations(path: string, lines: LineArguments): void {
  const end = firstOf(lines, ["head", "tail"]);
  if (end === undefined) return;
  if (firstOf(lines, RANGE) !== undefined) {
    const problem = "cannot be combined with start_line/end_line/limit";
    const hint = "give head or tail alone, or a range without them";
    throw badArgument(path, end, problem, hint, `head/tail ${problem}`);
  }
  if (lines.head !== undefined && lines.tail !== undefined) {
    const problem = "cannot be combined with tail";
    const hint = "make two calls, one with head and one with tail";
    const message = "head and tail cannot be combined";
    throw badArgument(path, "head", problem, hint, message);
  }
}

function select(path: string, lines: LineArguments): LineSelection {
  const { head, tail, limit, end_line: end } = lines;
  if (tail !== undefined) return { kind: "tail", count: tail };
  if (firstOf(lines, LINES) === undefined) return { kind: "all" };
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

/** Defines the tool; `showLineNumbers` is the default of `show_line_numbers`. */
export function defineForge(showLineNumbers: boolean): ToolDefinition<"Read"> {
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
