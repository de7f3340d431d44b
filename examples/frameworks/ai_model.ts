// A played model of the AI SDK's kind, which Mastra takes, too.
import { MockLanguageModelV4 } from "ai/test";
import { CALLS, print } from "./played.ts";

const rest = {
  usage: {
    inputTokens: {
      total: 1,
      noCache: 1,
      cacheRead: undefined,
      cacheWrite: undefined,
    },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
  warnings: [],
};

/** A model that makes the calls, and prints what it is handed. */
export function playedModel() {
  let calls = 0;
  const next = (prompt: readonly { role: string; content: unknown }[]) => {
    const at = calls++;
    if (at > 0) {
      const [{ output }] = prompt.at(-1)?.content as [{ output: unknown }];
      print(output);
    }
    const args = CALLS[at];
    return { at, args };
  };
  return new MockLanguageModelV4({
    // deno-lint-ignore require-await -- the SDK takes a promise
    async doGenerate({ prompt }) {
      const { at, args } = next(prompt);
      if (args === undefined) {
        return {
          content: [{ type: "text", text: "done" }],
          finishReason: { unified: "stop", raw: "stop" },
          ...rest,
        };
      }
      const input = JSON.stringify(args);
      const call = { toolCallId: `${at}`, toolName: "read_file", input };
      return {
        content: [{ type: "tool-call", ...call }],
        finishReason: { unified: "tool-calls", raw: "tool_calls" },
        ...rest,
      };
    },
  });
}
