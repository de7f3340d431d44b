// Runtime-agnostic.
import { ReadFileError } from "../core/errors.ts";
import { quote, quoteAny, quoteEntries } from "../core/quote.ts";
import type { JsonSchema } from "./json_schema.ts";
import { takeLeniently } from "./lenient.ts";

/**
 * What a model is told of a tool; it can be handed over as it is.
 *
 * @example Usage
 * ```ts
 * import { TOOL_DEFINITIONS, type ToolDefinition } from "@agent-tools/read-file";
 * import { assertMatch } from "@std/assert";
 *
 * function summarize({ name, description, parameters }: ToolDefinition): string {
 *   return `${name}(${parameters.required?.join(", ")}): ${description}`;
 * }
 * assertMatch(summarize(TOOL_DEFINITIONS.read_file), /^read_file\(path\): Reads .+\.$/);
 * ```
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
 *
 * @example Usage
 * ```ts
 * import type { CallOptions } from "@agent-tools/read-file";
 * import { createOpenFile, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertRejects } from "@std/assert";
 *
 * const tool = createOpenFile(await openWorkspace("/", { fs: memoryFs({ "/a.txt": "one" }) }));
 * const gaveUp: CallOptions = { signal: AbortSignal.abort() };
 * await assertRejects(() => tool.call({ file_path: "a.txt" }, gaveUp), Error, "aborted");
 * ```
 */
export interface CallOptions {
  /** Ends the call early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Options for {@linkcode respond}.
 *
 * @example Usage
 * ```ts
 * import { createForgeRead, FileRoot, memoryFs } from "@agent-tools/read-file";
 * import { respond, type RespondOptions } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const forgiving: RespondOptions = { lenient: true };
 * const tool = createForgeRead(await FileRoot.at(memoryFs({ "/a.txt": "1\n2\n" }), "/"));
 * const { content, notes } = await respond(tool, { path: "a.txt", tail: "1" }, forgiving);
 * assertEquals([content, notes?.length], ["2| 2\n", 1]);
 * ```
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
 *
 * @example Usage
 * ```ts
 * import { respond, type Tool } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const answer: Tool<number> = {
 *   definition: { name: "answer", description: "Tells it.", parameters: { type: "object" } },
 *   aliases: [],
 *   call: () => Promise.resolve(42),
 *   render: (output) => `It is ${output}.`,
 * };
 * assertEquals(await respond(answer, {}), { ok: true, content: "It is 42." });
 * ```
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
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, FileRoot, memoryFs } from "@agent-tools/read-file";
 * import { respond, type ToolReply } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const show = ({ ok, content, notes = [] }: ToolReply) =>
 *   [ok ? content : `Error: ${content}`, ...notes].join("; ");
 * const tool = createOpenFile(await FileRoot.at(memoryFs({ "/readme.md": "# A" }), "/"));
 * const reply = await respond(tool, { file_path: "README.md" });
 * assertEquals(show(reply), 'Error: file not found: README.md; did you mean "readme.md"?');
 * ```
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
