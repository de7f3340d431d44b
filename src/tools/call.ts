// Runtime-agnostic.
import {
  checkValue,
  type Kind,
  type Refuse,
  refuseMistake,
  type Rules,
  takeOptions,
} from "../core/base/check.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { type FileRoot, WORKSPACE } from "../core/workspace.ts";
import { pathOf, takeArguments } from "./arguments.ts";
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
export interface CallToolOptions {
  /** Ends the call early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether to take what models often send for what they mean: numbers and
   * truth values in quotes, `null` for what is absent; `false` by default.
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
   * Answers a call in the tool's own shape. What a model sent goes through
   * {@linkcode callTool} or {@linkcode respond} instead.
   *
   * @param args The arguments.
   * @param options When to give up.
   * @returns The answer; a `ReadFileError` says why there is none.
   */
  call(args: Args, options?: CallOptions): Promise<Output>;
  /**
   * Writes an answer as the one string that a model gets.
   *
   * @param output The answer.
   * @returns The string.
   */
  render(output: Output): string;
}

/** How a call ended. */
export type ToolOutcome<Output = unknown> =
  | {
    /** The tool's own answer. */
    readonly output: Output;
    /** There is none. */
    readonly error?: undefined;
    /** How arguments were understood, what was cut, and why an answer shows nothing. */
    readonly notes: readonly string[];
  }
  | {
    /** There is none. */
    readonly output?: undefined;
    /** Why there is no answer. */
    readonly error: ReadFileError;
    /** How arguments were understood. */
    readonly notes: readonly string[];
  };

/** What a model gets. */
export interface ToolReply {
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** The answer, or what went wrong and what to do next. */
  readonly content: string;
  /** How arguments were understood, what was cut, and why an answer shows nothing; if there is any of it. */
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

/** What a model can call. */
export const TOOL: Kind = {
  wanted: "a tool, such as createOpenFile(workspace) makes",
  fits(value) {
    try {
      const { definition, aliases, call, render } = Object(value);
      return typeof definition.name === "string" &&
        typeof definition.description === "string" &&
        typeof definition.parameters.type === "string" &&
        Array.isArray(aliases) &&
        typeof call === "function" && typeof render === "function";
    } catch {
      return false;
    }
  },
};

const CALL_OPTIONS: Rules<CallOptions> = { signal: "signal", note: "any" };

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

/** For what a program got wrong in making a tool, such as its workspace. */
export function refuseMaking(tool: string, workspace: FileRoot): Refuse {
  const refuse = refuseMistake(`Cannot make ${tool}`);
  checkValue("workspace", workspace, WORKSPACE, refuse);
  return refuse;
}

/** For what a program, and no model, got wrong about a call. */
export function refuseCall(tool: string): Refuse {
  return (argument, problem) =>
    new ReadFileError("INVALID_ARGUMENT", "", { argument, problem }, {
      hint: null,
      words: {
        INVALID_ARGUMENT: () => [`Cannot call ${tool}: ${argument} ${problem}`],
      },
    });
}

/**
 * Calls a tool for a model: policy first, then the arguments as they were
 * meant, then the tool. A call that fails has an `error`; nothing is thrown.
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
 *
 * @param tool The tool.
 * @param args The arguments: an object, or its JSON text as a model sends it.
 * @param options When to give up, how to take the arguments, and which tools may be called.
 * @returns The tool's answer, or why there is none.
 */
export async function callTool<Output>(
  tool: Tool<Output>,
  args: unknown,
  options?: CallToolOptions,
): Promise<ToolOutcome<Output>> {
  const notes = new Notes();
  let path = () => "";
  try {
    checkValue("tool", tool, TOOL, refuseCall("a tool"));
    const { definition: { name, parameters }, aliases } = tool;
    path = () => pathOf(args, parameters.required?.[0] ?? "path");
    const refuse = refuseCall(name);
    const { signal, lenient = false, policy } = takeOptions(
      options,
      CALL_TOOL_OPTIONS,
      refuse,
    );
    if (policy !== undefined) {
      const taken = takePolicyFor(policy, name, aliases, refuse);
      checkPolicy(taken, name, path());
    }
    const meant = lenient
      ? takeLeniently(parameters, args, notes)
      : takeArguments(args) ?? args;
    const note = (note: string) => notes.take(note);
    const output = await tool.call(meant, {
      signal,
      note,
    });
    return { output, notes: notes.list };
  } catch (error) {
    return { error: asReadFileError(error, path), notes: notes.list };
  }
}

/** The failures of a tool's own; of those only the path is told. */
const foreign: WeakSet<ReadFileError> = /* @__PURE__ */ new WeakSet();

/** Whether a tool failed with what is no failure of reading. */
export function isForeign(error: ReadFileError): boolean {
  return foreign.has(error);
}

/** A failure for a model: the message of another's error may name what it should not see. */
export function asReadFileError(
  error: unknown,
  path: () => string,
): ReadFileError {
  if (error instanceof ReadFileError) return error;
  const failure = new ReadFileError(
    "IO",
    path(),
    { errno: null, passing: false },
    {
      cause: error,
      hint: null,
      words: { IO: () => ["The tool failed for a reason of its own"] },
    },
  );
  foreign.add(failure);
  return failure;
}

/** Writes a failure for a model: what went wrong and, on a new line, what to do next. */
export function failureText({ message, hint }: ReadFileError): string {
  return hint === undefined ? message : `${message}\n${hint}`;
}

/**
 * Calls a tool for a model, as {@linkcode callTool} does, and writes how it
 * ended as a string.
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
 *
 * @param tool The tool.
 * @param args The arguments: an object, or its JSON text as a model sends it.
 * @param options When to give up, how to take the arguments, and which tools may be called.
 * @returns The reply.
 */
export async function respond<Output>(
  tool: Tool<Output>,
  args: unknown,
  options?: CallToolOptions,
): Promise<ToolReply> {
  // What is no tool is left to `callTool`; it may throw when it is looked at.
  const told: Tool<string> = TOOL.fits(tool)
    ? {
      definition: tool.definition,
      aliases: tool.aliases,
      async call(args, options) {
        return tool.render(await tool.call(args, options));
      },
      render: (text) => text,
    }
    : tool as never;
  const { output, error, notes } = await callTool(told, args, options);
  const reply = error === undefined
    ? { ok: true, content: output }
    : { ok: false, content: failureText(error) };
  return notes.length === 0 ? reply : { ...reply, notes };
}
