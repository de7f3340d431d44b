// The AI SDK.
import { definitions } from "@agent-tools/read-file";
import { generateText, isStepCount } from "ai";
import { playedModel } from "./ai_model.ts";
import { makeTools } from "./played.ts";

await generateText({
  model: playedModel(), // or "openai/gpt-5"
  tools: definitions("ai-sdk", await makeTools()),
  stopWhen: isStepCount(9),
  prompt: "What does add() return?",
});
