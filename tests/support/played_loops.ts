/** The vendors' own loops, with a played model that makes one call of a tool. */
import { assertEquals } from "@std/assert";
import { definitions, type Tool } from "../../mod.ts";

/** The used part of the AI SDK; its types are too complex for Deno's checker. */
interface AiSdk {
  generateText(options: {
    model: unknown;
    tools: unknown;
    prompt: string;
    stopWhen: unknown;
  }): Promise<{ text: string }>;
  isStepCount(count: number): unknown;
}

interface AiSdkTest {
  MockLanguageModelV4: new (options: {
    doGenerate(call: { prompt: readonly Message[] }): Promise<unknown>;
  }) => unknown;
}

interface Message {
  readonly role: string;
  readonly content: readonly { readonly output?: unknown }[];
}

/** What the AI SDK hands to a model that makes one call. */
export async function playAiSdk(tool: Tool, input: unknown): Promise<unknown> {
  const name = "ai";
  const { generateText, isStepCount }: AiSdk = await import(name);
  const { MockLanguageModelV4 }: AiSdkTest = await import(`${name}/test`);
  let seen: unknown;
  const rest = {
    usage: {
      inputTokens: { total: 1, noCache: 1 },
      outputTokens: { total: 1, text: 1 },
    },
    warnings: [],
  };
  const model = new MockLanguageModelV4({
    // deno-lint-ignore require-await
    async doGenerate({ prompt }) {
      const last = prompt.at(-1)!;
      if (last.role === "tool") {
        seen = last.content[0]!.output;
        return {
          content: [{ type: "text", text: "done" }],
          finishReason: { unified: "stop", raw: "stop" },
          ...rest,
        };
      }
      return {
        content: [{
          type: "tool-call",
          toolCallId: "1",
          toolName: tool.definition.name,
          input: JSON.stringify(input),
        }],
        finishReason: { unified: "tool-calls", raw: "tool_calls" },
        ...rest,
      };
    },
  });
  const { text } = await generateText({
    model,
    tools: definitions("ai-sdk", [tool]),
    prompt: "Read the file.",
    stopWhen: isStepCount(3),
  });
  assertEquals(text, "done");
  return seen;
}
