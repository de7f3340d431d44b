// The AI SDK calls the tools by itself.
import {
  createForgeRead,
  definitions,
  openWorkspace,
} from "@agent-tools/read-file";
// @ts-types="./ai_sdk.d.ts"
import { generateText, isStepCount } from "ai";
// @ts-types="./ai_sdk.d.ts"
import { MockLanguageModelV4 } from "ai/test";

const workspace = await openWorkspace(
  new URL("files", import.meta.url).pathname,
);
const { text, steps } = await generateText({
  model: simulateModel(), // or "openai/gpt-5"
  tools: definitions("ai-sdk", [createForgeRead(workspace)]),
  stopWhen: isStepCount(5),
  prompt: "What does add() return?",
});
for (const { toolResults } of steps) {
  for (const { toolName, input, output } of toolResults) {
    console.log(`${toolName} ${JSON.stringify(input)}\n${output}`);
  }
}
console.log(text);

/** A model that asks for one line, and repeats what it got. */
function simulateModel() {
  const rest = {
    usage: {
      inputTokens: { total: 1, noCache: 1 },
      outputTokens: { total: 1, text: 1 },
    },
    warnings: [],
  };
  return new MockLanguageModelV4({
    // deno-lint-ignore require-await -- the SDK takes a promise
    async doGenerate({ prompt }) {
      const last = JSON.stringify(prompt.at(-1)?.content);
      const [, line] = /(\d\| [^"\\]*)/.exec(last) ?? [];
      if (line !== undefined) {
        const content = [{ type: "text", text: `It says: ${line}` }];
        return { ...rest, finishReason: { unified: "stop" }, content };
      }
      const input = JSON.stringify({ path: "add.ts", start_line: 3, limit: 1 });
      const call = { type: "tool-call", toolCallId: "1", toolName: "Read" };
      const content = [{ ...call, input }];
      return { ...rest, finishReason: { unified: "tool-calls" }, content };
    },
  });
}
