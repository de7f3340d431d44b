// OpenAI's Agents SDK.
import {
  Agent,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
} from "@openai/agents";
import { definitions } from "@agent-tools/read-file";
import OpenAI from "openai";
import { type Body, simulated } from "../simulated.ts";
import { CALLS, makeTools, print } from "./played.ts";

setTracingDisabled(true);
const client = new OpenAI({ apiKey: "key", fetch: simulateOpenAi() });
const model = new OpenAIResponsesModel(client, "gpt-5");
const tools = definitions("openai-agents", await makeTools());
const agent = new Agent({ name: "reader", model, tools });
await run(agent, "What does add() return?");

/** A model that makes the calls, and prints what it is handed. */
function simulateOpenAi() {
  const respond = (...output: readonly unknown[]) => (
    { object: "response", id: "response-1", status: "completed", output }
  );
  const last = ({ input }: Body) => input.at(-1).output;
  return simulated([
    ...CALLS.map((args, at) => (sent: Body) => {
      if (at > 0) print(last(sent));
      const call = { type: "function_call", id: `fc_${at}`, call_id: `${at}` };
      const named = { name: "read_file", arguments: JSON.stringify(args) };
      return respond({ ...call, ...named, status: "completed" });
    }),
    (sent) => {
      print(last(sent));
      const content = [{ type: "output_text", text: "done", annotations: [] }];
      const message = { type: "message", role: "assistant", id: "msg_1" };
      return respond({ ...message, status: "completed", content });
    },
  ]);
}
