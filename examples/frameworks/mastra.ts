// Mastra.
import { Agent } from "@mastra/core/agent";
import { definitions } from "@agent-tools/read-file";
import { playedModel } from "./ai_model.ts";
import { makeTools } from "./played.ts";

const agent = new Agent({
  id: "reader",
  name: "reader",
  instructions: "Read files.",
  model: playedModel() as never, // or "openai/gpt-5", without a cast
  tools: definitions("mastra", await makeTools()),
});
await agent.generate("What does add() return?", { maxSteps: 9 });
