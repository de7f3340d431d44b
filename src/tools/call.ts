import {
  checkValue,
  hasFunctions,
  propertyOf,
  refuseMistake,
  takeOptions,
} from "../core/base/check.ts";
import type { Kind, Refuse } from "../core/base/check.ts";
import { optionsOf, ReadFileError } from "../core/base/errors.ts";
import type { Awaitable } from "../core/base/port.ts";
import type {
  ReadFileErrorCode,
  ReadFileErrorOptions,
} from "../core/base/errors.ts";
import { type CallContext, CONTEXT_RULES } from "../core/read_options.ts";
import { noteOf, withNotes } from "../core/pages/frame.ts";
import { WORKSPACE, type Workspace } from "../core/workspace.ts";
import { badArgument, parseArguments, pathOf } from "./arguments.ts";
import {
  checkPolicy,
  Notes,
  takeLeniently,
  takePolicyFor,
  type ToolPolicy,
} from "./call_options.ts";

/** Any JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [name: string]: JsonValue };

/** The schema of a tool's arguments: a copy that the caller may change. */
export type ArgumentsSchema = {
  type: "object";
  properties: Record<string, { [keyword: string]: JsonValue }>;
  required: string[];
  [keyword: string]: unknown;
};

/** The part of JSON Schema that the tools use. */
export type JsonSchema = {
  readonly type: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema | { readonly anyOf: readonly JsonSchema[] };
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
};

/** The definition of a tool, to be sent to a model as it is. */
export type ToolDefinition<Name extends string = string> = {
  readonly name: Name;
  readonly description: string;
  /** The schema of its arguments. */
  readonly parameters: JsonSchema;
};

/** Options for {@linkcode callTool} and {@linkcode respond}. */
export interface CallToolOptions<Name extends string = string>
  extends Pick<CallContext, "signal"> {
  /** Whether to accept quoted numbers and booleans, and `null` for absent arguments; by default a call that is written for a model does, as {@linkcode respond}, and {@linkcode callTool} does not. */
  readonly lenient?: boolean | undefined;
  /** Which tools may be called; all of them by default. */
  readonly policy?: ToolPolicy<Name> | undefined;
}

/** A tool of your own: `definition` and `call` are enough. */
export interface CustomTool<
  Output = unknown,
  Args = unknown,
  Name extends string = string,
> {
  /** The definition for the model. */
  readonly definition: ToolDefinition<Name>;
  /** Other names by which it can be called, which are not shown to the model; none by default. */
  readonly aliases?: readonly string[];
  /** Calls the tool; throws a `ReadFileError`. The methods of a {@linkcode Workspace} take the same context. For a model, use {@linkcode callTool}. */
  call(args: Args, context?: CallContext): Awaitable<Output>;
  /** Writes an answer as one string, for the model; by default a string is the answer, and anything else is written as JSON. */
  render?(output: Output): string;
  /** The images after the text of an answer, for the model. */
  images?(output: Output): readonly ReplyImage[];
  /** The facts of an answer, for programs. */
  facts?(output: Output): Readonly<Record<string, unknown>>;
  /**
   * Writes a failure and its notes as one string, for the model; by default it is
   * the message and, on a new line, what to do next. A tool with this function
   * writes its notes into its answers, too, so a reply has none beside the text;
   * and it takes arguments leniently by itself.
   */
  failure?(error: ReadFileError, notes: readonly string[]): string;
  /** The arguments of a call of this tool that reads what another tool of a toolkit refused, if there is one; `lines` are those that were asked for. */
  insteadOf?(
    error: ReadFileError,
    lines?: { readonly start?: number; readonly count?: number },
  ): object | undefined;
}

/** A tool that a model can call. */
export interface Tool<
  Output = unknown,
  Args = unknown,
  Name extends string = string,
> extends CustomTool<Output, Args, Name> {
  /** Other names by which it can be called; they are not shown to the model. */
  readonly aliases: readonly string[];
  /** Calls the tool; a failure rejects with a `ReadFileError`. */
  call(args: Args, context?: CallContext): Promise<Output>;
  /** Writes an answer as one string, for the model. */
  render(output: Output): string;
}

/**
 * The arguments of a call of a tool, as the compiler checks them: where they are
 * written out, each must be an argument of the tool and have its type, or be a
 * text instead of a number or a flag. What a model sent, as `unknown`, a text, a
 * list or a record, is checked by the tool.
 */
export type SentTo<Called extends CustomTool, Sent> = Called extends unknown
  ? unknown extends Parameters<Called["call"]>[0] ? Sent
  : Sent extends readonly unknown[]
    ? number extends Sent["length"] ? Sent : never
  : Sent extends object ? string extends keyof Sent ? Sent
    : {
      readonly [Name in keyof Sent]: Name extends
        keyof Parameters<Called["call"]>[0]
        ? Parameters<Called["call"]>[0][Name] extends infer Value
          ? Value | (Value extends number | boolean ? string : never)
        : never
        : never;
    }
  : Sent
  : never;

/** The result of a call: the tool's own answer or its failure, and the notes. */
export type ToolOutcome<Output = unknown> =
  & { readonly notes: readonly string[] }
  & (
    | { readonly output: Output; readonly error?: undefined }
    | { readonly output?: undefined; readonly error: ReadFileError }
  );

/** An image of an answer. */
export interface ReplyImage {
  /** Its bytes, as base64. */
  readonly data: string;
  /** The media type of the bytes. */
  readonly mimeType: string;
}

/** The answer for a model. */
export interface ToolReply {
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** What to hand to the model: `content`, and below it the notes. */
  readonly text: string;
  /** The answer alone, or what went wrong and what to do next. */
  readonly content: string;
  /** How arguments were understood, what was cut, and why an answer shows nothing; absent if `content` holds the notes already. */
  readonly notes?: readonly string[];
  /** Images after the text. */
  readonly images?: readonly ReplyImage[];
  /** Facts for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/**
 * Calls a tool with arguments from a model, and returns its output or its
 * error; never rejects. The policy is checked first, then the arguments.
 *
 * @example Usage
 * ```ts
 * import { callTool, createOpenFile, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n" });
 * const tool = createOpenFile(await openWorkspace("/repo", { fs }));
 * const sent = '{"file_path": "a.txt", "start_line": "2"}';
 * const { output, notes } = await callTool(tool, sent, { lenient: true });
 * assertEquals(output, "two\n");
 * assertEquals(notes, ['start_line: "2" was taken as 2']);
 * ```
 */
export function callTool<Called extends CustomTool, const Sent>(
  tool: Called,
  args: Sent & SentTo<Called, Sent>,
  options?: CallToolOptions<NoInfer<Called["definition"]["name"]>>,
): Promise<ToolOutcome<Awaited<ReturnType<Called["call"]>>>> {
  const sent = parseArguments(args);
  const own = tool as CustomTool<Awaited<ReturnType<Called["call"]>>>;
  const run = (notes: Notes) =>
    callIfAllowed(takeTool(own), sent, options, notes);
  return runCall(() => sentPath(tool, sent), run);
}

/** Runs a call of a tool; what it throws becomes the error of the outcome, with the path. */
export async function runCall<Output>(
  path: () => string,
  run: (notes: Notes) => Promise<Output>,
): Promise<ToolOutcome<Output>> {
  const notes = new Notes();
  try {
    return { output: await run(notes), notes: notes.list };
  } catch (error) {
    return { error: asReadFileError(error, path), notes: notes.list };
  }
}

const RULES = { signal: "signal", lenient: "flag", policy: "any" } as const;

/** Checks the options of a call and the policy, then calls the tool with parsed arguments. */
function callIfAllowed<Output>(
  tool: Tool<Output>,
  args: unknown,
  options: CallToolOptions | undefined,
  notes: Notes,
  isLenient = false,
): Promise<Output> {
  const { definition: { name }, aliases } = tool;
  const refuse = refuseCall(name);
  const { policy, lenient = isLenient, signal } = takeOptions(
    options,
    RULES,
    refuse,
  );
  if (policy !== undefined) {
    const checked = takePolicyFor(policy, name, aliases, refuse);
    checkPolicy(checked, name, sentPath(tool, args));
  }
  return callWithArguments(tool, args, { signal, lenient }, notes);
}

/** Calls a tool with parsed arguments. With `lenient`, they are converted. */
export function callWithArguments<Output>(
  tool: Tool<Output>,
  args: unknown,
  { signal, lenient }: Omit<CallToolOptions, "policy">,
  notes: Notes,
): Promise<Output> {
  const meant = lenient === true && tool.failure === undefined
    ? takeLeniently(tool.definition.parameters, args, notes)
    : args;
  return tool.call(meant, { signal, note: (note) => notes.add(note) });
}

/** The path among parsed arguments, for messages; empty without one. */
export function sentPath(tool: CustomTool, args: unknown): string {
  const [name] = tool.definition.parameters.required ?? [];
  return pathOf(args, name ?? "path");
}

/**
 * Calls a tool with arguments from a model. `text` of the reply is what to hand
 * to it: the answer, or what went wrong and what to do next, and below that the
 * notes; never rejects.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, memoryFs, openWorkspace, respond } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n" });
 * const tool = createOpenFile(await openWorkspace("/repo", { fs }));
 * const reply = await respond(tool, '{"file_path": "a.txt", "start_line": 2}');
 * assertEquals(reply, { ok: true, text: "two\n", content: "two\n" });
 * const failed = await respond(tool, { file_path: "A.txt" });
 * assertEquals(failed.text, 'file not found: A.txt\ndid you mean "a.txt"?');
 * ```
 */
export async function respond<Called extends CustomTool, const Sent>(
  tool: Called,
  args: Sent & SentTo<Called, Sent>,
  options?: CallToolOptions<NoInfer<Called["definition"]["name"]>>,
): Promise<ToolReply> {
  const sent = parseArguments(args);
  const run = async (notes: Notes) => {
    const taken = takeTool(tool);
    return writeAnswer(
      taken,
      await callIfAllowed(taken, sent, options, notes, true),
    );
  };
  return replyOf(tool, await runCall(() => sentPath(tool, sent), run));
}

/** What a reply has of an answer. */
type WrittenAnswer = Pick<ToolReply, "content" | "images" | "facts">;

/** Writes an answer for a model. What the tool's functions throw fails the call. */
export function writeAnswer<Output>(
  tool: Tool<Output>,
  output: Output,
): WrittenAnswer {
  const images = tool.images?.(output) ?? [];
  return {
    content: tool.render(output),
    ...(images.length > 0 && { images }),
    ...(tool.facts && { facts: tool.facts(output) }),
  };
}

/** Writes the result of a call for a model. */
export function replyOf(
  tool: Pick<Tool, "failure">,
  { output, error, notes }: ToolOutcome<WrittenAnswer>,
): ToolReply {
  const isBeside = notes.length > 0 && tool.failure === undefined;
  const answer = output ?? { content: writeFailure(tool, error, notes) };
  return {
    ok: error === undefined,
    text: isBeside ? textWith(notes, answer.content) : answer.content,
    ...answer,
    ...(isBeside && { notes }),
  };
}

/** An answer for a model, and below it the notes. */
function textWith(notes: readonly string[], content: string): string {
  return content === ""
    ? notes.map(noteOf).join("\n")
    : withNotes(content, notes);
}

function writeFailure(
  tool: Pick<Tool, "failure">,
  error: ReadFileError,
  notes: readonly string[],
): string {
  try {
    const own = tool.failure?.(error, notes);
    if (own !== undefined) return own;
  } catch {
    // A tool that cannot word the failure leaves it to the general form.
  }
  const { message, hint } = error;
  return hint === undefined ? message : `${message}\n${hint}`;
}

const FOREIGN_WORDS: ReadFileErrorOptions["words"] = {
  IO: () => ["The tool failed for a reason of its own"],
};

/** Whether a tool threw something else than a `ReadFileError`: only the path of such a failure is shown. */
export function isForeign(error: ReadFileError): boolean {
  return optionsOf(error).words === FOREIGN_WORDS;
}

/** Makes a foreign error a `ReadFileError` without its message, which may hold what a model must not see. */
export function asReadFileError(error: unknown, path: () => string) {
  if (error instanceof ReadFileError) return error;
  const options = { cause: error, hint: null, words: FOREIGN_WORDS };
  const details = { errno: null, passing: false };
  return new ReadFileError("IO", path(), details, options);
}

/** What looks like a tool, and is checked as one. */
export const TOOL: Kind = {
  wanted: "a tool, such as createOpenFile(workspace) makes",
  fits: (value) =>
    ["definition", "call"].some((name) =>
      propertyOf(value, name) !== undefined
    ),
};

/** Checks a tool, and adds what it may leave out. A refusal names what is missing or wrong. */
export function takeTool<Output>(
  given: CustomTool<Output>,
  name = "tool",
  refuse = refuseCall("a tool"),
): Tool<Output> {
  checkValue(name, given, TOOL, refuse);
  const wrong = wrongIn(given);
  if (wrong.length > 0) {
    const list = wrong.join(", ");
    throw refuse(
      name,
      `must be a tool: { definition, call }; it needs ${list}`,
    );
  }
  const { aliases, render } = given;
  if (aliases !== undefined && render !== undefined) {
    return given as Tool<Output>;
  }
  const { images, facts, failure, insteadOf } = given;
  return {
    definition: given.definition,
    aliases: aliases ?? [],
    call: async (args, options) => await given.call(args, options),
    render: render === undefined ? textOfOutput : render.bind(given),
    ...(images && { images: images.bind(given) }),
    ...(facts && { facts: facts.bind(given) }),
    ...(failure && { failure: failure.bind(given) }),
    ...(insteadOf && { insteadOf: insteadOf.bind(given) }),
  };
}

/** What a tool lacks, or has in another form, in words that follow "it needs". */
function wrongIn(tool: object): readonly string[] {
  const definition = propertyOf(tool, "definition");
  const lacks = (name: string) =>
    typeof propertyOf(definition, name) !== "string";
  const aliases = propertyOf(tool, "aliases");
  const isList = aliases === undefined ||
    Array.isArray(aliases) && aliases.every((one) => typeof one === "string");
  const parameters = propertyOf(definition, "parameters");
  const needs: readonly (readonly [boolean, string])[] = [
    [lacks("name"), "definition.name, a string"],
    [lacks("description"), "definition.description, a string"],
    [
      typeof propertyOf(parameters, "type") !== "string",
      'definition.parameters, a schema with "type": "object"',
    ],
    [!hasFunctions(tool, ["call"]), "call, a function"],
    [!isList, "aliases as a list of strings"],
    ...["render", "images", "facts", "failure", "insteadOf"].map((name) => {
      const value = propertyOf(tool, name);
      const isWrong = value !== undefined && typeof value !== "function";
      return [isWrong, `${name} as a function`] as const;
    }),
  ];
  return needs.filter(([isWrong]) => isWrong).map(([, words]) => words);
}

/** The text of an answer, if the tool does not write it itself. */
function textOfOutput(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output) ?? "";
}

/** Whether a file is refused because of its size, so that a tool for parts of it may read it. */
export function isTooLargeFile(error: ReadFileError): boolean {
  return error.is("TOO_LARGE") && error.details.what === "file";
}

/** Whether a file is refused because it is an image that models take. */
export function isOfImage(error: ReadFileError): boolean {
  return error.is("BINARY") &&
    /^image\/(?!svg)/.test(error.details.media?.type ?? "");
}

/** Checks the context of a call; `INVALID_ARGUMENT` names what is wrong. */
export function takeToolContext(tool: string, context?: CallContext) {
  return takeOptions(context, CONTEXT_RULES, refuseCall(tool));
}

/** Makes the errors for wrong options of a tool; checks the workspace. */
export function refuseMaking(tool: string, workspace: Workspace): Refuse {
  const refuse = refuseMistake(`Cannot make ${tool}`);
  checkValue("workspace", workspace, WORKSPACE, refuse);
  return refuse;
}

/** Makes the errors for mistakes of the program, not the model, in a call. */
export function refuseCall(tool: string): Refuse {
  return (name, problem) => {
    const message = `Cannot call ${tool}: ${name} ${problem}`;
    return badArgument("", name, problem, undefined, message);
  };
}

/** Freezes a definition: policies rely on its name. */
export function frozen<Name extends string>(
  definition: ToolDefinition<Name>,
): ToolDefinition<Name> {
  const freeze = (_: string, value: unknown) => Object.freeze(value);
  return JSON.parse(JSON.stringify(definition), freeze);
}

/** Checks and freezes the definition of a custom tool. */
export function takeDefinition(
  definition: ToolDefinition,
  of: string,
  refuse: Refuse,
): ToolDefinition {
  const copy = frozen(definition);
  if (isDefinition(copy)) return copy;
  const problem = "must have a name, a description and parameters";
  throw refuse(`the definition of ${of}`, problem);
}

function isDefinition(value: unknown): boolean {
  return typeof propertyOf(value, "name") === "string" &&
    typeof propertyOf(value, "description") === "string" &&
    typeof propertyOf(propertyOf(value, "parameters"), "type") === "string";
}

/** The entries of several codes in a table, with the same value. */
export function forCodes<Value, Code extends ReadFileErrorCode>(
  value: Value,
  ...codes: readonly Code[]
): Record<Code, Value> {
  // Cast, since the compiler forgets the names of `fromEntries`.
  return Object.fromEntries(codes.map((code) => [code, value])) as never;
}

export function property(
  type: string,
  description: string,
  rest?: Partial<JsonSchema>,
): JsonSchema {
  return { type, ...rest, description };
}

/** The schema of an object whose first property is required. */
export function parametersOf(properties: Record<string, JsonSchema>) {
  const required = Object.keys(properties).slice(0, 1);
  return { type: "object", properties, required, additionalProperties: false };
}
