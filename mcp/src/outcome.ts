// Runtime-agnostic.
import { respond, type Tool } from "@agent-tools/read-file";
import type { Scope } from "./scope.ts";
import type { Answer, Json, ServedTool } from "./served_tool.ts";

/** How a call went, and how its arguments were understood. */
export interface Outcome {
  /** What the tool gave, or `undefined` if it failed. */
  readonly answer: Answer | undefined;
  /** What it failed with. */
  readonly error: unknown;
  /** How arguments were understood, and what may have been meant. */
  readonly notes: readonly string[];
}

/**
 * Calls a tool, and takes what models often send for what they mean, as the
 * library does for tools of its own.
 */
export async function outcomeOf(
  { name, description, input, call }: ServedTool,
  given: Json,
  scope: Scope,
  signal: AbortSignal,
): Promise<Outcome> {
  let answer: Answer | undefined;
  let error: unknown;
  const tool: Tool<Answer> = {
    definition: { name, description, parameters: input },
    aliases: [],
    async call(args) {
      try {
        return answer = await call(Object(args), scope, signal);
      } catch (thrown) {
        error = thrown;
        throw thrown;
      }
    },
    render: ({ text }) => text,
  };
  const { notes = [] } = await respond(tool, given, { signal, lenient: true });
  return { answer, error, notes };
}
