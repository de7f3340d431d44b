// Runtime-agnostic.
import { ReadFileError } from "../core/errors.ts";

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
  /** The smallest number allowed. */
  readonly minimum?: number;
  /** The strings allowed. */
  readonly enum?: readonly string[];
  /** The value that stands for an absent one. */
  readonly default?: string | number | boolean;
}

/** What a model is told of a tool; it can be handed over as it is. */
export interface ToolDefinition {
  /** The name the model calls it by. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** What it takes. */
  readonly parameters: JsonSchema;
}

/** Options for {@linkcode Tool.call} and {@linkcode respond}. */
export interface CallOptions {
  /** Ends the call early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** A tool that a model can call. */
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

/** What a model gets. */
export interface ToolReply {
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** The answer, or what went wrong and what to do next. */
  readonly content: string;
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
 * @param options When to give up.
 * @returns The reply.
 */
export async function respond<Output>(
  tool: Tool<Output>,
  args: unknown,
  options: CallOptions = {},
): Promise<ToolReply> {
  try {
    const output = await tool.call(args, options);
    return { ok: true, content: tool.render(output) };
  } catch (error) {
    return { ok: false, content: sentenceOf(error) };
  }
}

function sentenceOf(error: unknown): string {
  // What is not ours may name, in its message, what a model should not see.
  return error instanceof ReadFileError
    ? error.message
    : "The tool failed for a reason of its own";
}
