// Runtime-agnostic.
import { copyOf, type Refuse } from "../core/base/check.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { nearest, quote } from "../core/base/words.ts";

/** A JSON Schema, as far as the tools need one. */
export interface JsonSchema {
  /** The type of the value. */
  readonly type: string;
  /** What the value is for. */
  readonly description?: string;
  /** The properties of an object. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The properties that an object must have. */
  readonly required?: readonly string[];
  /** Whether an object may have properties not named here. */
  readonly additionalProperties?: boolean;
  /** What each element of an array is. */
  readonly items?: JsonSchema;
  /** The fewest elements of an array. */
  readonly minItems?: number;
  /** The most elements of an array. */
  readonly maxItems?: number;
  /** The smallest number allowed. */
  readonly minimum?: number;
  /** The largest number allowed. */
  readonly maximum?: number;
  /** The strings allowed. */
  readonly enum?: readonly string[];
  /** The value that stands for an absent one. */
  readonly default?: string | number | boolean;
}

/** The arguments of a call, as they came. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Takes the arguments of a call: an object, or its JSON text.
 *
 * @returns A copy of the object, or `undefined` if it is no such thing.
 */
export function takeArguments(
  args: unknown,
): Record<string, unknown> | undefined {
  try {
    const value: unknown = typeof args === "string" ? JSON.parse(args) : args;
    const isObject = typeof value === "object" && value !== null &&
      !Array.isArray(value);
    // A copy: getters and proxies are asked once, here, where they may throw.
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The same; `INVALID_ARGUMENT` says why there are none. */
export function needArguments(args: unknown): Arguments {
  const object = takeArguments(args);
  if (object !== undefined) return object;
  const fault = typeof args === "string" ? faultIn(args) : undefined;
  const problem = "must be an object, or its JSON text";
  const where = fault === undefined ? "" : `; ${fault}`;
  throw badArgument("", "arguments", problem + where);
}

/** An own property; `null` means absent, and so does what is inherited. */
export function argument(args: Arguments, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] ?? undefined : undefined;
}

/** The path among the arguments, for messages, whatever it is. */
export function pathOf(args: unknown, name: string): string {
  return textOf(argument(takeArguments(args) ?? {}, name));
}

/** What was given where a string belongs, for messages. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The failure of an argument; the message is the whole sentence. */
export function badArgument(
  path: string,
  argument: string,
  problem: string,
  hint?: string,
): ReadFileError<"INVALID_ARGUMENT"> {
  return new ReadFileError("INVALID_ARGUMENT", path, { argument, problem }, {
    hint: hint ?? null,
    words: {
      INVALID_ARGUMENT: ({ details: { argument, problem } }) => [
        `${argument} ${problem}`,
      ],
    },
  });
}

/**
 * Takes the range of a typed call. A program that misspells a name is refused,
 * as it would get other lines; what a model sends is judged by each tool.
 */
export function takeRange(
  path: string,
  range: object | null | undefined,
  known: readonly string[],
): Arguments {
  const fail: Refuse = (name, problem) => badArgument(path, name, problem);
  const given = (range ?? {}) as Arguments;
  const object = copyOf(given, "range", fail);
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || known.includes(name)) continue;
    const names = `the names are ${known.join(", ")}`;
    throw fail(quote(name), `is unknown; ${names}${endingFor(name, known)}`);
  }
  return object;
}

/** Refuses the first argument that the tool does not have. */
export function refuseUnknown(
  tool: string,
  path: string,
  args: Arguments,
  known: readonly string[],
): void {
  const name = Object.keys(args).find((name) => !known.includes(name));
  if (name === undefined) return;
  const problem = `hold ${quote(name)}, which ${tool} does not take; it takes ${
    known.join(", ")
  }${endingFor(name, known)}`;
  throw badArgument(path, "arguments", problem);
}

/** Takes an argument that is a whole number; `undefined` if it is absent. */
export function takeInteger(
  path: string,
  args: Arguments,
  name: string,
): number | undefined {
  const value = argument(args, name);
  if (value === undefined) return undefined;
  if (!Number.isInteger(value)) {
    throw badArgument(path, name, "must be an integer", numberHint(value));
  }
  const number = value as number;
  if (number <= Number.MAX_SAFE_INTEGER) return number;
  throw badArgument(path, name, `must be at most ${Number.MAX_SAFE_INTEGER}`);
}

/** Names that tools give to the same argument. */
const SAME: readonly (readonly string[])[] = [
  ["path", "file_path", "filepath", "filename", "file", "absolute_path"],
  ["start_line", "offset", "start", "line"],
  ["end_line", "end", "to"],
  ["max_lines", "limit", "head", "count", "num_lines"],
];

/** Longer names are no misspelling of an argument's. */
const MAX_NAME = 64;

/** The known name that an unknown one seems to mean. */
function meantBy(
  name: string,
  known: readonly string[],
): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const same = SAME.find((names) => names.includes(name.toLowerCase())) ?? [];
  return nearest(name, known, 1)[0] ??
    known.find((other) => same.includes(other));
}

/** What to do about a name that is not known, as the end of a sentence. */
function endingFor(name: string, known: readonly string[]): string {
  const meant = meantBy(name, known);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** How many names are looked at to find one that was misspelt. */
const MAX_LOOKED_AT = 100;

/** The hint for a missing argument whose value came under another name. */
export function misspelt(
  args: Arguments,
  name: string,
  known: readonly string[],
): string | undefined {
  const other = Object.keys(args).slice(0, MAX_LOOKED_AT).find((key) =>
    !known.includes(key) && meantBy(key, known) === name
  );
  return other === undefined ? undefined : unknownArgument(other, known);
}

/** What a model is told of an argument that the tool does not have. */
export function unknownArgument(
  name: string,
  known: readonly string[],
  prefix = "",
): string {
  const meant = endingFor(name, known);
  return `${quote(prefix + name)} is not an argument${meant}`;
}

/** Says how many lines a file has, to whom its answer shows none. */
export function linesOf(totalLines: number): string {
  return `the file has ${totalLines} ${totalLines === 1 ? "line" : "lines"}`;
}

/** How to write a number that came as something else. */
export function numberHint(value: unknown): string | undefined {
  return typeof value === "string" && WHOLE.test(value)
    ? `write the number without quotes: ${Number(value)}`
    : undefined;
}

/** A whole number in digits, as models write it. */
export const WHOLE = /^\s*[+-]?\d{1,16}(?:\.0+)?\s*$/;

const BLANK = /[ \t\r\n]*/y;
const TEXT =
  // deno-lint-ignore no-control-regex -- JSON allows them only escaped.
  /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-f]{4})[^"\\\x00-\x1f]*)*"/iy;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/y;

/** Deeper JSON is not looked through: how deep the stack goes differs. */
const MAX_DEPTH = 500;

/** Says where a text stops being JSON, the same in each runtime; `undefined` if it does not. */
function faultIn(text: string): string | undefined {
  let at = 0;
  let depth = 0;
  function took(token: RegExp): boolean {
    for (const part of [BLANK, token]) {
      part.lastIndex = at;
      const found = part.exec(text);
      if (found === null) return false;
      at += found[0].length;
    }
    return true;
  }
  const member = (): boolean => took(TEXT) && took(/:/y) && value();
  const value = (): boolean =>
    took(/\{/y)
      ? took(/\}/y) || list(member, /\}/y)
      : took(/\[/y)
      ? took(/\]/y) || list(value, /\]/y)
      : took(TEXT) || took(WORD);
  function list(item: () => boolean, end: RegExp): boolean {
    if (++depth > MAX_DEPTH) return false;
    do if (!item()) return false; while (took(/,/y));
    depth--;
    return took(end);
  }
  if (value() && took(/$/y) || depth > MAX_DEPTH) return undefined;
  const found = text.slice(at, at + 1);
  return found === ""
    ? `the JSON breaks off after ${at} characters`
    : `${quote(found)} at character ${at + 1} is not JSON`;
}
