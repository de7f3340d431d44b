// Runtime-agnostic.
import { ReadFileError } from "../core/base/errors.ts";
import { hint, quote, quoteAny, quoteEntries } from "../core/base/words.ts";

/**
 * A JSON Schema, as far as the tools need one.
 */
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

/**
 * What JSON can say.
 */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [name: string]: JsonValue };

/**
 * The schema of a tool's arguments, a copy that is the caller's own.
 */
export interface ArgumentsSchema {
  /** Arguments are an object. */
  type: "object";
  /** The arguments, by name. */
  properties: Record<string, { [keyword: string]: JsonValue }>;
  /** Those that must be there. */
  required: string[];
  /** Whatever else JSON Schema has. */
  [keyword: string]: unknown;
}

/** The arguments of a call, as they came. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Takes the arguments of a call: an object, or its JSON text.
 *
 * @returns A copy of the object, or `undefined` if it is no such thing.
 */
export function takeArguments(args: unknown): Arguments | undefined {
  try {
    const value: unknown = typeof args === "string" ? JSON.parse(args) : args;
    const isObject = typeof value === "object" && value !== null &&
      !Array.isArray(value);
    // What a getter or a proxy gives is asked for once, here, where it may throw.
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** An own property; `null` means absent, and so does what is inherited. */
export function argument(args: Arguments, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] ?? undefined : undefined;
}

/** The path among the arguments, for messages, whatever it is. */
export function pathOf(args: unknown, name: string): string {
  const path = argument(takeArguments(args) ?? {}, name);
  return typeof path === "string" ? path : "";
}

/** The failure of an argument; the message is the whole sentence. */
export function badArgument(
  path: string,
  argument: string,
  problem: string,
  hint?: string,
): ReadFileError<"INVALID_ARGUMENT"> {
  const details = {
    argument,
    problem,
    ...(hint === undefined ? {} : { hint }),
  };
  const message = `${argument} ${problem}`;
  return new ReadFileError("INVALID_ARGUMENT", path, details, { message });
}

/** The object form of a call whose path came by itself; the path wins. */
export function withPath(
  name: string,
  path: unknown,
  options: unknown,
): Arguments {
  const object = takeArguments(options ?? {});
  if (object === undefined) throw badArguments(textOf(path));
  return { ...object, [name]: path };
}

/** The failure of arguments that are no arguments at all. */
export function badArguments(path: string): ReadFileError {
  const problem = "must be an object, or its JSON text";
  return badArgument(path, "arguments", problem);
}

/** What was given where a string belongs, for messages. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Arguments as they were meant, and how that was understood. */
interface TakenLeniently {
  /** The arguments. */
  readonly args: unknown;
  /** A sentence for each that was not taken as it came. */
  readonly notes: readonly string[];
}

/** A note is for a model to learn from; a hundred of them are noise. */
const MAX_NOTES = 8;

/** A whole number in digits, as models write it. */
const WHOLE = /^\s*[+-]?\d{1,16}(?:\.0+)?\s*$/;

/**
 * Takes what models often send for what they mean: numbers and truth values in
 * quotes, a list as its JSON text, and `null` for what is absent. Never a path
 * for another one.
 */
function takeLeniently(
  schema: JsonSchema,
  args: unknown,
): TakenLeniently {
  const object = takeArguments(args);
  if (object === undefined) return { args, notes: [] };
  const notes: string[] = [];
  const taken = takeObject(schema, object, "", notes);
  const more = notes.splice(MAX_NOTES).length;
  if (more > 0) notes.push(`and so on, ${more} times more`);
  return { args: taken, notes };
}

function takeObject(
  { properties = {}, required = [] }: JsonSchema,
  object: Arguments,
  prefix: string,
  notes: string[],
): Arguments {
  const known = Object.keys(properties);
  const taken = Object.entries(object).flatMap(([key, value]) => {
    const name = prefix + key;
    if (!known.includes(key)) {
      notes.push(`${quote(name)} is not an argument${hint(key, known)}`);
      return [[key, value]];
    }
    if (value !== null || required.includes(key)) {
      return [[key, takeValue(properties[key]!, value, name, notes)]];
    }
    notes.push(`${name}: null was taken as absent`);
    return [];
  });
  return Object.fromEntries(taken);
}

function takeValue(
  schema: JsonSchema,
  value: unknown,
  name: string,
  notes: string[],
): unknown {
  if (schema.type === "object") {
    const object = typeof value === "string" ? undefined : takeArguments(value);
    return object === undefined
      ? value
      : takeObject(schema, object, `${name}.`, notes);
  }
  if (schema.type === "array") return takeArray(schema, value, name, notes);
  if (typeof value !== "string") return value;
  const meant = meaningOf(schema.type, value);
  if (meant === undefined) return value;
  notes.push(`${name}: ${quote(value)} was taken as ${meant}`);
  return meant;
}

function takeArray(
  { items }: JsonSchema,
  value: unknown,
  name: string,
  notes: string[],
): unknown {
  const list = listOf(value);
  if (list === undefined) return value;
  if (typeof value === "string") {
    notes.push(`${name}: JSON text was taken as a list`);
  }
  // What is null in a list is an element, and not an absent one.
  return list.map((element, at) =>
    items === undefined || element === null
      ? element
      : takeValue(items, element, `${name}[${at}]`, notes)
  );
}

/** A copy of an array, or of the one that a text has in JSON. */
function listOf(value: unknown): readonly unknown[] | undefined {
  try {
    const list: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return Array.isArray(list) ? [...list] : undefined;
  } catch {
    return undefined;
  }
}

function meaningOf(type: string, value: string): number | boolean | undefined {
  if (type === "boolean") {
    const word = value.trim().toLowerCase();
    return word === "true" ? true : word === "false" ? false : undefined;
  }
  const isNumber = type === "integer" || type === "number";
  if (!isNumber || !WHOLE.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * What a model is told of a tool; it can be handed over as it is.
 */
export interface ToolDefinition {
  /** The name the model calls it by. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** What it takes. */
  readonly parameters: JsonSchema;
}

/**
 * Options for {@linkcode Tool.call} and {@linkcode respond}.
 */
export interface CallOptions {
  /** Ends the call early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Options for {@linkcode respond}.
 */
export interface RespondOptions extends CallOptions {
  /**
   * Whether to take what models often send for what they mean: numbers and
   * truth values in quotes, `null` for what is absent; `false` by default.
   */
  readonly lenient?: boolean | undefined;
}

/**
 * A tool that a model can call.
 */
export interface Tool<Output = unknown> {
  /** What the model is told of it. */
  readonly definition: ToolDefinition;
  /** Other names that it answers to; they are not listed to the model. */
  readonly aliases: readonly string[];
  /**
   * Answers a call in the tool's own shape.
   *
   * @param args The arguments: an object, or its JSON text as a model sends it.
   * @param options When to give up.
   * @returns The answer; a `ReadFileError` says why there is none.
   */
  call(args: unknown, options?: CallOptions): Promise<Output>;
  /**
   * Writes an answer as the one string that a model gets.
   *
   * @param output The answer.
   * @returns The string.
   */
  render(output: Output): string;
}

/**
 * What a model gets.
 */
export interface ToolReply {
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** The answer, or what went wrong and what to do next. */
  readonly content: string;
  /** How arguments were understood, and which files may have been meant; if there is any of it. */
  readonly notes?: readonly string[];
}

/**
 * Calls a tool for a model: the answer is always a string, and nothing is thrown.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, memoryFs, openWorkspace, respond } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n" });
 * const tool = createOpenFile(await openWorkspace("/repo", { fs }));
 * const reply = await respond(tool, '{"file_path": "a.txt", "start_line": 2}');
 * assertEquals(reply, { ok: true, content: "two\n" });
 * ```
 *
 * @param tool The tool.
 * @param args The arguments: an object, or its JSON text as a model sends it.
 * @param options When to give up, and how to take the arguments.
 * @returns The reply.
 */
export async function respond<Output>(
  tool: Tool<Output>,
  args: unknown,
  options: RespondOptions = {},
): Promise<ToolReply> {
  const notes: string[] = [];
  const replyWith = (reply: ToolReply) =>
    notes.length === 0 ? reply : { ...reply, notes };
  try {
    const { lenient = false, ...rest } = options;
    let meant = args;
    if (lenient) {
      const taken = takeLeniently(tool.definition.parameters, args);
      meant = taken.args;
      notes.push(...taken.notes);
    }
    const output = await tool.call(meant, rest);
    return replyWith({ ok: true, content: tool.render(output) });
  } catch (error) {
    const content = sentenceOf(error);
    const advice = adviceOf(error, content);
    if (advice !== undefined) notes.push(advice);
    return replyWith({ ok: false, content });
  }
}

/** What may help whoever named no file, where the tool's own sentence leaves it out. */
function adviceOf(error: unknown, content: string): string | undefined {
  if (!(error instanceof ReadFileError)) return undefined;
  const { suggestions = [] } = error.is("NOT_FOUND") ? error.details : {};
  const { entries = [], more = false } = error.is("NOT_A_FILE")
    ? error.details
    : {};
  const advice = suggestions.length > 0
    ? `did you mean ${quoteAny(suggestions)}?`
    : entries.length > 0
    ? `the directory holds ${quoteEntries(entries, more)}`
    : "";
  const [told] = [...suggestions, ...entries];
  const isKnown = told === undefined || content.includes(quote(told));
  return isKnown ? undefined : advice;
}

function sentenceOf(error: unknown): string {
  // What is not ours may name, in its message, what a model should not see.
  return error instanceof ReadFileError
    ? error.message
    : "The tool failed for a reason of its own";
}
