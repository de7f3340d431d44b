import type { ReadFields } from "../core/read_options.ts";
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

export type ForgeRequest = ReturnType<typeof takeForgeRequest>;

const LINES = ["start_line", "end_line", "limit", "head", "tail"] as const;

type LineArguments = Readonly<Record<typeof LINES[number], number | undefined>>;

/** Takes the arguments, in the fixed order of their checks. */
export function takeForgeRequest(given: unknown, tool: ToolDefinition) {
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
