import {
  copyOf,
  isObject,
  type Json,
  ownOf,
  type Refuse,
  unknownName,
} from "../core/base/check.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { nearest, quote } from "../core/base/words.ts";
import type { JsonSchema } from "./call.ts";

/** Parses arguments that are the JSON text of an object; returns any other value as it is. */
export function parseArguments(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    const value: unknown = JSON.parse(args);
    return isObject(value) ? value : args;
  } catch {
    return args;
  }
}

/** Parses arguments, if they are JSON text; throws if they are not an object. */
export function needArguments(args: unknown, fail = badArgument): Json {
  const value = parseArguments(args);
  if (isObject(value)) return value;
  const fault = typeof args === "string" ? faultIn(args) : undefined;
  const where = fault === undefined ? "" : `; ${fault}`;
  throw fail("", "arguments", `must be an object, or its JSON text${where}`);
}

/** The bounds of an integer, and what the error says. */
interface IntegerRule {
  readonly problem?: string;
  readonly least?: number;
  readonly most?: number;
  readonly hint?: string;
}

export const FROM_ZERO = { problem: "must be an integer >= 0", least: 0 };

/** The arguments of one call; its errors name the path of the call. */
export class CallArguments {
  readonly path: string;
  readonly #args: Json;
  readonly #known: readonly string[];
  readonly #fail: typeof badArgument;

  /** Takes the arguments that a schema names; the first of them is the path. */
  constructor(
    args: unknown,
    { properties = {} }: JsonSchema,
    fail?: typeof badArgument,
    path?: string,
  ) {
    this.#fail = fail ?? badArgument;
    this.#args = needArguments(args, fail);
    this.#known = Object.keys(properties);
    this.path = path ?? asText(this.get(this.#known[0]!));
  }

  /** Returns an own property; `null` and inherited properties count as absent. */
  get(name: string): unknown {
    return argument(this.#args, name);
  }

  bad(name: string, problem: string, hint?: string): ReadFileError {
    return this.#fail(this.path, name, problem, hint);
  }

  get unknown(): readonly string[] {
    return Object.keys(this.#args).filter((key) => !this.#known.includes(key));
  }

  refuseUnknown(tool: string): void {
    const [name] = this.unknown;
    if (name === undefined) return;
    const problem = `hold ${quote(name)}, which ${tool} does not take`;
    const names = this.#known.join(", ") + endingFor(name, this.#known);
    throw this.bad("arguments", `${problem}; it takes ${names}`);
  }

  /** Returns the path; throws if it is missing, with a hint that names a misspelt one. */
  needPath(): string {
    if (this.path !== "") return this.path;
    const hint = this.pathHint ??
      "name a file by its path from the root of the workspace";
    throw this.bad(this.#known[0]!, "must be a non-empty string", hint);
  }

  /** The hint about an unknown argument whose name resembles that of the path; `undefined` without such an argument. */
  get pathHint(): string | undefined {
    const other = this.unknown.slice(0, MAX_LOOKED_AT)
      .find((name) => meantBy(name, this.#known) === this.#known[0]);
    return other && unknownArgument(other, this.#known);
  }

  /** The notes on unknown arguments, where they are ignored. */
  notesOnUnknown(prefix?: string): readonly string[] {
    return this.unknown.slice(0, MAX_NOTES)
      .map((name) => unknownArgument(name, this.#known, prefix));
  }

  /** Reads a whole number within inclusive bounds; `undefined` if it is absent. */
  integer(name: string, rule: IntegerRule = {}): number | undefined {
    const { problem = "must be an integer", least, most, hint } = ownOf(rule);
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (!isWhole(value, least, most)) {
      throw this.bad(name, problem, numberHint(value) ?? hint);
    }
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    throw this.bad(name, `must be at most ${Number.MAX_SAFE_INTEGER}`);
  }

  flag(name: string, problem = "must be true or false"): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw this.bad(name, problem);
  }
}

export function isWhole(
  value: unknown,
  least = -Infinity,
  most = Infinity,
): value is number {
  const number = value as number;
  return Number.isInteger(value) && number >= least && number <= most;
}

function argument(args: Json, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] ?? undefined : undefined;
}

/** The path among parsed arguments, for messages; may have any type. */
export function pathOf(args: unknown, name: string): string {
  return isObject(args) ? asText(argument(args, name)) : "";
}

/** A string for messages; empty for another value. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Makes the failure of an argument; the message is a whole sentence. */
export function badArgument(
  path: string,
  argument: string,
  problem: string,
  hint?: string,
  message = `${argument} ${problem}`,
): ReadFileError {
  return new ReadFileError("INVALID_ARGUMENT", path, { argument, problem }, {
    hint: hint ?? null,
    words: { INVALID_ARGUMENT: () => [message] },
  });
}

/** Takes the range that a program gives. Refuses a misspelt name: if it were ignored, the program would get other lines. */
export function takeRange(
  path: unknown,
  range: object | null | undefined,
  known: readonly string[],
): Json {
  const fail: Refuse = (name, why) => badArgument(asText(path), name, why);
  const object = copyOf((range ?? {}) as Json, "range", fail);
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || known.includes(name)) continue;
    throw fail(quote(name), unknownName(name, known, endingFor(name, known)));
  }
  return object;
}

/** The names of one argument in different tools. */
const SAME: readonly (readonly string[])[] = [
  ["path", "file_path", "filepath", "filename", "file", "absolute_path"],
  ["start_line", "offset", "start", "line"],
  ["end_line", "end", "to"],
  ["max_lines", "limit", "head", "count", "num_lines"],
];

/** The longest name that may be a misspelt argument. */
const MAX_NAME = 64;

/** The known name that is most like an unknown one. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const same = SAME.find((names) => names.includes(name.toLowerCase())) ?? [];
  return nearest(name, known) ?? known.find((other) => same.includes(other));
}

/** The known name that an unknown one means, as the end of a sentence. */
export function endingFor(name: string, known: readonly string[]): string {
  const meant = meantBy(name, known);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** How many names are compared to find a misspelt one. */
const MAX_LOOKED_AT = 100;

/** The most notes of an answer: a model does not learn from a hundred. */
export const MAX_NOTES = 8;

export function unknownArgument(
  name: string,
  known: readonly string[],
  prefix = "",
): string {
  return `${quote(prefix + name)} is not an argument${endingFor(name, known)}`;
}

/** The note with the number of lines of a file, for an answer without lines. */
export function countNote(totalLines: number): string {
  return `the file has ${totalLines} ${totalLines === 1 ? "line" : "lines"}`;
}

export function numberHint(value: unknown): string | undefined {
  return typeof value === "string" && WHOLE.test(value)
    ? `write the number without quotes: ${Number(value)}`
    : undefined;
}

/** A whole number in digits, as models write it. */
export const WHOLE = /^\s*[+-]?\d{1,16}(?:\.0+)?\s*$/;

const BLANK = /[ \t\r\n]*/y;
const TEXT =
  // deno-lint-ignore no-control-regex -- JSON forbids control characters in a string unless they are escaped.
  /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-f]{4})[^"\\\x00-\x1f]*)*"/iy;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/y;

/** The deepest JSON that is checked: the depth of the stack differs between runtimes. */
const MAX_DEPTH = 500;

/** Says where a text stops being JSON, alike in each runtime; `undefined` if it is JSON, or too deep to check. */
export function faultIn(text: string): string | undefined {
  let at = 0;
  let depth = 0;
  /** Moves past blanks and a token; returns whether the token is there. */
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
  function value(): boolean {
    if (took(/\{/y)) return took(/\}/y) || list(member, /\}/y);
    if (took(/\[/y)) return took(/\]/y) || list(value, /\]/y);
    return took(TEXT) || took(WORD);
  }
  function list(item: () => boolean, end: RegExp): boolean {
    depth++;
    if (depth > MAX_DEPTH) return false;
    do {
      if (!item()) return false;
    } while (took(/,/y));
    depth--;
    return took(end);
  }
  const isJson = value() && took(/$/y);
  if (isJson || depth > MAX_DEPTH) return undefined;
  const found = text.slice(at, at + 1);
  return found === ""
    ? `the JSON breaks off after ${at} characters`
    : `${quote(found)} at character ${at + 1} is not JSON`;
}
