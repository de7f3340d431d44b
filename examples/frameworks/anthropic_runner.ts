// The tool runner of Anthropic's SDK.
import Anthropic from "@anthropic-ai/sdk";
import { definitions } from "@agent-tools/read-file";
import { type Body, simulated } from "../simulated.ts";
import { CALLS, makeTools, print } from "./played.ts";

const client = new Anthropic({ apiKey: "key", fetch: simulateAnthropic() });
await client.beta.messages.toolRunner({
  model: "claude-opus-4-5",
  max_tokens: 1000,
  messages: [{ role: "user", content: "What does add() return?" }],
  tools: definitions("anthropic-runner", await makeTools()),
});

/** A model that makes the calls, and prints what it is handed. */
function simulateAnthropic() {
  const message = (stop_reason: string, content: readonly unknown[]) => (
    { type: "message", role: "assistant", stop_reason, content, usage: {} }
  );
  const last = ({ messages }: Body) => messages.at(-1).content[0];
  return simulated([
    ...CALLS.map((input, at) => (sent: Body) => {
      if (at > 0) print(last(sent).content);
      const call = { type: "tool_use", id: `call-${at}`, name: "read_file" };
      return message("tool_use", [{ ...call, input }]);
    }),
    (sent) => {
      print(last(sent).content);
      return message("end_turn", [{ type: "text", text: "done" }]);
    },
  ]);
}
