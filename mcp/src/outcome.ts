// Runtime-agnostic.
import { respond, type Tool } from "@agent-tools/read-file";
import type { Answer, CallContext, Json, ServedTool } from "./served_tool.ts";

/** How a call went, and what a model is told besides. */
export interface Outcome {
  /** What the tool gave, or `undefined` if it failed. */
  readonly answer: Answer | undefined;
  /** What it failed with. */
  readonly error: unknown;
  /** What may have been meant, and of a dialect how arguments were understood. */
  readonly notes: readonly string[];
}

/** Calls a tool, and advises who named no file as the library does. */
export async function outcomeOf(
  { name, description, input, call, isLenient }: ServedTool,
  given: Json,
  context: Omit<CallContext, "note">,
): Promise<Outcome> {
  const understood: string[] = [];
  const note = (notes: readonly string[]) => void understood.push(...notes);
  let answer: Answer | undefined;
  let error: unknown;
  const tool: Tool<Answer> = {
    definition: { name, description, parameters: input },
    aliases: [],
    async call(args) {
      try {
        return answer = await call(Object(args), { ...context, note });
      } catch (thrown) {
        error = thrown;
        throw thrown;
      }
    },
    render: ({ text }) => text,
  };
  const { signal } = context;
  const { notes = [] } = await respond(tool, given, {
    signal,
    lenient: !isLenient,
  });
  // An answer of ours tells its notes itself.
  const told = answer === undefined ? [...understood, ...notes] : notes;
  return { answer, error, notes: told };
}
