// Runtime-agnostic.
import { checkValue, hasFunctions, isA } from "../core/base/check.ts";
import { reading, refuseMistake, takeOptions } from "../core/base/check.ts";
import type { Kind, Refuse, Rules } from "../core/base/check.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { type FileRoot, WORKSPACE } from "../core/workspace.ts";
import { badArgument, pathOf, takeArguments } from "./arguments.ts";
import type { JsonSchema } from "./schema.ts";
import { Notes, takeLeniently } from "./lenient.ts";
import { checkPolicy, takePolicyFor, type ToolPolicy } from "./tool_policy.ts";

/** What JSON can say. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [name: string]: JsonValue };

/** The schema of a tool's arguments, a copy that is the caller's own. */
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

/** What a model is told of a tool; it can be handed over as it is. */
export interface ToolDefinition<Name extends string = string> {
  /** The name the model calls it by. */
  readonly name: Name;
  /** What it does. */
  readonly description: string;
  /** What it takes. */
  readonly parameters: JsonSchema;
}

/** Options for {@linkcode Tool.call}. */
export interface CallOptions {
  /** Ends the call early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what a model should know besides the answer, a sentence at a time. */
  readonly note?: ((note: string) => void) | undefined;
}

/** Options for {@linkcode callTool} and {@linkcode respond}. */
export interface CallToolOptions extends Pick<CallOptions, "signal"> {
  /**
   * Whether to accept numbers and truth values in quotes, and `null` for absent
   * arguments, as models often send them; `false` by default.
   */
  readonly lenient?: boolean | undefined;
  /** Which tools may be called; all of them by default. */
  readonly policy?: ToolPolicy | undefined;
}

/** A tool that a model can call. */
export interface Tool<
  Output = unknown,
  Args = unknown,
  Name extends string = string,
> {
  /** What the model is told of it. */
  readonly definition: ToolDefinition<Name>;
  /** Other names that it answers to; they are not listed to the model. */
  readonly aliases: readonly string[];
  /**
   * Answers a call in the tool's own shape; a `ReadFileError` says why it cannot.
   * For a model, use {@linkcode callTool} or {@linkcode respond}.
   */
  call(args: Args, options?: CallOptions): Promise<Output>;
  /** Writes an answer as the one string that a model gets. */
  render(output: Output): string;
}

/**
 * How a call ended: the tool's own answer, or why there is none. The notes say how
 * arguments were understood, what was cut, and why an answer shows nothing.
 */
export type ToolOutcome<Output = unknown> =
  & { readonly notes: readonly string[] }
  & (
    | { readonly output: Output; readonly error?: undefined }
    | { readonly output?: undefined; readonly error: ReadFileError }
  );

/** What a model gets. */
export interface ToolReply {
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** The answer, or what went wrong and what to do next. */
  readonly content: string;
  /** How arguments were understood, what was cut, and why an answer shows nothing. */
  readonly notes?: readonly string[];
}

/** A definition that no caller can change: policies go by its name. */
export function frozen<Name extends string>(
  definition: ToolDefinition<Name>,
): ToolDefinition<Name> {
  const copy: unknown = JSON.parse(
    JSON.stringify(definition),
    (_, value) => Object.freeze(value),
  );
  return copy as ToolDefinition<Name>;
}

/** The same of a definition that was given, which may be none. */
export function takeDefinition(
  definition: ToolDefinition,
  of: string,
  refuse: Refuse,
): ToolDefinition {
  const name = `the definition of ${of}`;
  const copy = reading(
    () => frozen(definition),
    name,
    refuse,
    "must be plain JSON",
  );
  if (isDefinition(copy)) return copy;
  throw refuse(name, "must have a name, a description and parameters");
}

function isDefinition(definition: ToolDefinition | null): boolean {
  return typeof definition?.name === "string" &&
    typeof definition.description === "string" &&
    typeof definition.parameters?.type === "string";
}

/** What a model can call. */
export const TOOL: Kind = {
  wanted: "a tool, such as createOpenFile(workspace) makes",
  fits(value) {
    try {
      const { definition, aliases } = value as Tool;
      return isDefinition(definition) && Array.isArray(aliases) &&
        aliases.every((alias) => typeof alias === "string") &&
        hasFunctions(value, ["call", "render"]);
    } catch {
      return false;
    }
  },
};

const CALL_OPTIONS: Rules<CallOptions> = { signal: "signal", note: "function" };

const CALL_TOOL_OPTIONS: Rules<CallToolOptions> = {
  signal: "signal",
  lenient: "flag",
  policy: "any",
};

/** Checks the options of a call; `INVALID_ARGUMENT` says which is wrong. */
export function takeCallOptions(
  options: CallOptions | undefined,
  tool: string,
): CallOptions {
  return takeOptions(options, CALL_OPTIONS, refuseCall(tool));
}

/** For mistakes of a program in making a tool; checks its workspace. */
export function refuseMaking(tool: string, workspace: FileRoot): Refuse {
  const refuse = refuseMistake(`Cannot make ${tool}`);
  checkValue("workspace", workspace, WORKSPACE, refuse);
  return refuse;
}

/** For mistakes of a program, and not a model, in a call. */
export function refuseCall(tool: string): Refuse {
  return (name, problem) => {
    const message = `Cannot call ${tool}: ${name} ${problem}`;
    return badArgument("", name, problem, undefined, message);
  };
}

/**
 * Calls a tool with what a model sent, and gives its output or its error; nothing
 * is thrown. The policy is checked first, then the arguments.
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
 * const { error } = await callTool(tool, { file_path: "b.txt" });
 * assertEquals(error?.code, "NOT_FOUND");
 * ```
 */
export function callTool<Output>(
  tool: Tool<Output>,
  args: unknown,
  options?: CallToolOptions,
): Promise<ToolOutcome<Output>> {
  return runTool(tool, args, {
    take: (refuse) => takeForTool(tool, options, refuse),
    tell: (output) => output,
  });
}

/** How a call is made: its options, with a policy that was taken, and its answer. */
interface Run<Output, Told> {
  take(refuse: Refuse): CallToolOptions;
  tell(output: Output): Told;
}

/** Calls a tool, whose name and arguments are checked here; nothing is thrown. */
export async function runTool<Output, Told>(
  tool: Tool<Output>,
  args: unknown,
  { take, tell }: Run<Output, Told>,
): Promise<ToolOutcome<Told>> {
  const notes = new Notes();
  let path = () => "";
  try {
    checkValue("tool", tool, TOOL, refuseCall("a tool"));
    const { name, parameters } = tool.definition;
    path = () => pathOf(args, parameters.required?.[0] ?? "path");
    const { signal, lenient, policy = {} } = take(refuseCall(name));
    checkPolicy(policy, name, path());
    const meant = lenient === true
      ? takeLeniently(parameters, args, notes)
      : takeArguments(args) ?? args;
    const note = (note: string) => notes.take(note);
    const output = tell(await tool.call(meant, { signal, note }));
    return { output, notes: notes.list };
  } catch (error) {
    return { error: asReadFileError(error, path), notes: notes.list };
  }
}

function takeForTool(
  { definition: { name }, aliases }: Pick<Tool, "definition" | "aliases">,
  options: CallToolOptions | undefined,
  refuse: Refuse,
): CallToolOptions {
  const taken = takeOptions(options, CALL_TOOL_OPTIONS, refuse);
  const policy = takePolicyFor(taken.policy, name, aliases, refuse);
  return { ...taken, policy };
}

/** Failures that are no failures of reading; only their path is told. */
const foreign: WeakSet<ReadFileError> = /* @__PURE__ */ new WeakSet();

/** Whether a tool failed with an error other than a failure of reading. */
export function isForeign(error: ReadFileError): boolean {
  return foreign.has(error);
}

/** Hides the message of a foreign error, which may name what a model must not see. */
export function asReadFileError(
  error: unknown,
  path: () => string,
): ReadFileError {
  if (isA(error, ReadFileError)) return error;
  const details = { errno: null, passing: false };
  const failure = new ReadFileError("IO", path(), details, {
    cause: error,
    hint: null,
    words: { IO: () => ["The tool failed for a reason of its own"] },
  });
  foreign.add(failure);
  return failure;
}

/**
 * Calls a tool with what a model sent, and gives the answer, or what went wrong
 * and what to do next, as a string; nothing is thrown.
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
 * const failed = await respond(tool, { file_path: "A.txt" });
 * assertEquals(failed.content, 'file not found: A.txt\ndid you mean "a.txt"?');
 * ```
 */
export async function respond<Output>(
  tool: Tool<Output>,
  args: unknown,
  options?: CallToolOptions,
): Promise<ToolReply> {
  return replyOf(
    await runTool(tool, args, {
      take: (refuse) => takeForTool(tool, options, refuse),
      tell: (output) => tool.render(output),
    }),
  );
}

/** Writes how a call ended: what went wrong and, on a new line, what to do next. */
export function replyOf(
  { output, error, notes }: ToolOutcome<string>,
): ToolReply {
  const next = error?.hint === undefined ? "" : `\n${error.hint}`;
  const reply = error === undefined
    ? { ok: true, content: output }
    : { ok: false, content: error.message + next };
  return notes.length === 0 ? reply : { ...reply, notes };
}
