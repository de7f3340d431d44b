// Runtime-agnostic.
import { parse } from "@std/toml";
import { hint, quote } from "../core/base/words.ts";
import { ReadFileError } from "../core/base/errors.ts";
import type { LineSelection } from "../core/base/selection.ts";
import {
  argument,
  type Arguments,
  badArgument,
  takeArguments,
  textOf,
} from "./call.ts";

/**
 * The configuration of `Read`, under the names it has in `[tools.read_file]`.
 */
export interface ForgeReadConfig {
  /** The most bytes of a file that one answer shows; 204,800 by default. */
  readonly max_file_read_bytes?: number;
  /** The most bytes looked through to find and read lines; 2,097,152 by default. */
  readonly max_scan_bytes?: number;
  /** Whether lines are numbered where the request does not say; `true` by default. */
  readonly show_line_numbers?: boolean;
}

const DEFAULTS: Required<ForgeReadConfig> = {
  max_file_read_bytes: 204_800,
  max_scan_bytes: 2_097_152,
  show_line_numbers: true,
};

/**
 * Reads the table `[tools.read_file]` of a TOML text.
 *
 * It takes text and no path: a loader that opened files would be a second way
 * past the workspace. A key that is unknown or holds the wrong type is a
 * `TypeError` that names it; broken TOML is a `SyntaxError` with the line.
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
 *
 * @param toml The text; other tables in it are left alone.
 * @returns The configuration, with the default for every key that is absent.
 */
export function parseForgeConfig(toml: string): Required<ForgeReadConfig> {
  const failed = "Cannot read the configuration";
  if (typeof toml !== "string") {
    throw new TypeError(`${failed}: it must be the text of a TOML file`);
  }
  refuseUnsafe(toml, failed);
  const tools = tableIn(parse(toml), "tools", "tools", failed);
  const table = tableIn(tools, "read_file", "tools.read_file", failed);
  return complete(table, {
    failed,
    prefix: "tools.read_file.",
    // In a file, a number that is out of range is as wrong as a string.
    OutOfRange: TypeError,
  });
}

/** Checks a configuration made by hand, and adds the defaults. */
export function completeForgeConfig(
  config: ForgeReadConfig,
): Required<ForgeReadConfig> {
  const failed = "Cannot make Read";
  if (!isTable(config)) {
    throw new TypeError(`${failed}: config must be an object`);
  }
  return complete(config, { failed, prefix: "", OutOfRange: RangeError });
}

interface Manner {
  /** The first half of each message. */
  readonly failed: string;
  /** What stands before a key. */
  readonly prefix: string;
  readonly OutOfRange: ErrorConstructor;
}

type Table = Readonly<Record<string, unknown>>;

function complete(
  table: Table,
  { failed, prefix, OutOfRange }: Manner,
): Required<ForgeReadConfig> {
  for (const key of Object.keys(table)) {
    if (Object.hasOwn(DEFAULTS, key)) continue;
    const known = Object.keys(DEFAULTS).join(", ");
    throw new TypeError(
      `${failed}: ${quote(prefix + key)} is unknown; the keys are ${known}`,
    );
  }
  const given = (key: keyof ForgeReadConfig): unknown =>
    (Object.hasOwn(table, key) ? table[key] : undefined) ?? DEFAULTS[key];

  function bytes(key: keyof ForgeReadConfig): number {
    const value = given(key);
    if (Number.isSafeInteger(value) && (value as number) >= 1) {
      return value as number;
    }
    const Failure = typeof value === "number" ? OutOfRange : TypeError;
    throw new Failure(`${failed}: ${prefix}${key} must be a positive integer`);
  }

  function flag(key: keyof ForgeReadConfig): boolean {
    const value = given(key);
    if (typeof value === "boolean") return value;
    throw new TypeError(`${failed}: ${prefix}${key} must be true or false`);
  }

  return {
    max_file_read_bytes: bytes("max_file_read_bytes"),
    max_scan_bytes: bytes("max_scan_bytes"),
    show_line_numbers: flag("show_line_numbers"),
  };
}

function tableIn(
  table: Table,
  key: string,
  name: string,
  failed: string,
): Table {
  const value = Object.hasOwn(table, key) ? table[key] : {};
  if (isTable(value)) return value;
  throw new TypeError(`${failed}: ${name} must be a table`);
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null &&
    !Array.isArray(value) && !(value instanceof Date);
}

/** A table's name that reaches a prototype, or whose escapes may spell one that does. */
const UNSAFE = /^[ \t]*\[[^\n]*(?:__proto__|\\[uU])/m;

/**
 * The parser follows `__proto__` in a table's name and writes to the prototype
 * of every object, unless the runtime has no such accessor, as Deno.
 */
function refuseUnsafe(toml: string, failed: string): void {
  const at = toml.search(UNSAFE);
  if (at < 0) return;
  const line = toml.slice(0, at).split("\n").length;
  throw new TypeError(
    `${failed}: line ${line} has "__proto__" or a \\u escape after a bracket; write the name plainly`,
  );
}

/** The arguments that choose lines. */
type LineArgument =
  | "start_line"
  | "end_line"
  | "limit"
  | "head"
  | "tail";

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
  const object = takeArguments(args);
  if (object === undefined) {
    throw badArgument("", "arguments", "must be an object, or its JSON text");
  }
  const path = textOf(argument(object, "path"));
  refuseUnknown(path, object);
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

function refuseUnknown(path: string, args: Arguments): void {
  const known = ["path", ...LINE_ARGUMENTS, "show_line_numbers"];
  for (const name of Object.keys(args)) {
    if (known.includes(name)) continue;
    const problem = `hold ${quote(name)}, which Read does not take; it takes ${
      known.join(", ")
    }${hint(name, known)}`;
    throw badArgument(path, "arguments", problem);
  }
}

function takeTypes(path: string, args: Arguments): LineArguments {
  if (typeof argument(args, "path") !== "string") {
    throw badArgument(path, "path", "must be a string");
  }
  const take = (name: LineArgument): number | undefined => {
    const value = argument(args, name);
    if (value === undefined) return undefined;
    if (!Number.isInteger(value)) {
      throw badArgument(path, name, "must be an integer");
    }
    if ((value as number) > Number.MAX_SAFE_INTEGER) {
      const problem = `must be an integer up to ${Number.MAX_SAFE_INTEGER}`;
      throw badArgument(path, name, problem);
    }
    return value as number;
  };
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
  const details = { argument, problem, hint };
  return new ReadFileError("INVALID_ARGUMENT", path, details, { message });
}
