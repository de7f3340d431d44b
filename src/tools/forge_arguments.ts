// Runtime-agnostic.
import type { LineSelection } from "../core/base/selection.ts";
import { badArgument, CallArguments } from "./arguments.ts";
import { parametersOf, property, type ToolDefinition } from "./call.ts";
import { type Refuse, type Rules, takeOptions } from "../core/base/check.ts";
import { nearest, quote, twinOf } from "../core/base/words.ts";
import { FAILED, isTable, lineAt, newTable, readToml } from "./toml.ts";
import type { TomlTable } from "./toml.ts";

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
  if (path === "") throw args.bad("path", "must not be empty", "name a file");
  const named = LINES.filter((name) => lines[name] !== undefined);
  const low = named.find((name) => lines[name]! < 1);
  if (low !== undefined) {
    throw args.bad(low, "must be >= 1", "lines are counted from 1");
  }
  refuseCombinations(path, named);
  const selection: LineSelection = named.length === 0
    ? { kind: "all" }
    : select(path, lines);
  return { path, selection, lineArgument: named[0], showLineNumbers };
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

function select(path: string, lines: LineArguments): LineSelection {
  const { head, tail, limit, end_line: end } = lines;
  if (tail !== undefined) return { kind: "tail", count: tail };
  const start = lines.start_line ?? 1;
  const toEnd = (end ?? Number.MAX_SAFE_INTEGER) - start + 1;
  if (toEnd < 1) {
    const hint = "give the smaller number as start_line";
    throw badArgument(path, "start_line", "must be <= end_line", hint);
  }
  const count = Math.min(toEnd, limit ?? head ?? Infinity);
  return { kind: "lines", start, count };
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

/** The configuration of `Read`, under the names it has in `[tools.read_file]`. */
export interface ForgeReadConfig {
  /** The most bytes of a file that one answer shows; 204,800 by default. */
  readonly max_file_read_bytes?: number;
  /** The most bytes scanned to find and read lines; 2,097,152 by default. */
  readonly max_scan_bytes?: number;
  /** Whether lines are numbered by default; `true` by default. */
  readonly show_line_numbers?: boolean;
}

const RULES: Rules<ForgeReadConfig> = {
  max_file_read_bytes: { least: 1, unlimited: true },
  max_scan_bytes: { least: 1, unlimited: true },
  show_line_numbers: "flag",
};

/**
 * Reads the table `[tools.read_file]` of a TOML text.
 *
 * It takes text instead of a path: a loader that opens files would bypass the
 * workspace. An unknown key, a wrong type and a misspelt table are a `TypeError`
 * with the line, broken TOML is a `SyntaxError` with the line, and more than 64
 * KiB or 1,000 keys are a `RangeError`.
 *
 * @example Usage
 * ```ts
 * import { parseForgeConfig } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const config = parseForgeConfig("[tools.read_file]\nmax_scan_bytes = 1_048_576\n");
 * assertEquals(config.max_scan_bytes, 1_048_576);
 * assertEquals(config.max_file_read_bytes, 204_800);
 * ```
 */
export function parseForgeConfig(toml: string): Required<ForgeReadConfig> {
  if (typeof toml !== "string") {
    throw new TypeError(`${FAILED}: it must be the text of a TOML file`);
  }
  const root = readToml(toml);
  const fail: Fail = (at, problem) =>
    new TypeError(`${FAILED}: line ${lineAt(toml, at)}: ${problem}`);
  const tools = tableIn(root, "tools", "tools", fail);
  const own = tableIn(tools, "read_file", "tools.read_file", fail);
  refuseMisspelt(root, tools, fail);
  const entries = [...own.entries];
  const values = entries.map(([key, { value }]) => [key, value]);
  return completeForgeConfig(Object.fromEntries(values), (name, problem) => {
    // An unknown key is named in quotes.
    const [key, { at }] = entries.find(([key]) =>
      key === name || quote(key) === name
    )!;
    const whole = `tools.read_file.${key}`;
    return fail(at, `${key === name ? whole : quote(whole)} ${problem}`);
  });
}

export function completeForgeConfig(
  config: ForgeReadConfig | undefined,
  refuse: Refuse,
): Required<ForgeReadConfig> {
  const {
    max_file_read_bytes = 204_800,
    max_scan_bytes = 2_097_152,
    show_line_numbers = true,
  } = takeOptions(config, RULES, refuse, "config");
  return { max_file_read_bytes, max_scan_bytes, show_line_numbers };
}

type Fail = (at: number, problem: string) => TypeError;

function tableIn(table: TomlTable, key: string, name: string, fail: Fail) {
  const entry = table.entries.get(key);
  if (entry === undefined) return newTable("inline");
  if (isTable(entry.value)) return entry.value;
  throw fail(entry.at, `${name} must be a table`);
}

/** Refuses a setting, or a table of the tool, that is misspelt or misplaced: it would be ignored. */
function refuseMisspelt(root: TomlTable, tools: TomlTable, fail: Fail): void {
  const misspelt = (at: number, name: string) =>
    fail(at, `${quote(name)} is not read; write it below [tools.read_file]`);
  for (const [name, { value, at }] of root.entries) {
    if (name === "tools") continue;
    const keys = isTable(value) ? [...value.entries.keys()] : [];
    const isTools = isLike(name, "tools");
    // Such as [tool.read_file].
    const below = isTools ? keys.find(isToolName) : undefined;
    if (below !== undefined) throw misspelt(at, `${name}.${below}`);
    // Such as ["tools.read_file"]: in quotes, the dot is part of the name.
    const isWholeName = /^tools\.read_file\b/.test(name);
    // Such as [read_file], or [tool] with a setting in it.
    const holdsSetting = (isTools || isToolName(name)) && keys.some(isSetting);
    if (isSetting(name) || isWholeName || holdsSetting) {
      throw misspelt(at, name);
    }
  }
  for (const [name, { at }] of tools.entries) {
    // Such as [tools.readfile].
    const isMisspelt = name !== "read_file" && isToolName(name);
    if (isMisspelt || isSetting(name)) throw misspelt(at, `tools.${name}`);
  }
}

function isSetting(name: string): boolean {
  return Object.hasOwn(RULES, name);
}

/** Whether a name is that of the tool's table, or a misspelling of it. */
function isToolName(name: string): boolean {
  return isLike(name, "read_file") || twinOf("Read")(name);
}

function isLike(name: string, known: string): boolean {
  return name === known || nearest(name, [known]) !== undefined;
}
