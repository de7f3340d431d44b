// A tool loop with Anthropic's Messages API.
import Anthropic from "@anthropic-ai/sdk";
import {
  createForgeRead,
  definitions,
  openWorkspace,
  respond,
} from "@agent-tools/read-file";
import { type Body, simulated } from "./simulated.ts";

const workspace = await openWorkspace(
  new URL("files", import.meta.url).pathname,
);
const tool = createForgeRead(workspace);

const client = new Anthropic({ apiKey: "key", fetch: simulateAnthropic() });
const messages: Anthropic.MessageParam[] = [
  { role: "user", content: "What does add() return?" },
];
for (;;) {
  const { content, stop_reason } = await client.messages.create({
    model: "claude-opus-4-5",
    max_tokens: 1000,
    tools: definitions("anthropic", [tool]),
    messages,
  });
  messages.push({ role: "assistant", content });
  if (stop_reason !== "tool_use") {
    for (const block of content) {
      if (block.type === "text") console.log(block.text);
    }
    break;
  }
  const results: Anthropic.ToolResultBlockParam[] = [];
  for (const block of content) {
    if (block.type !== "tool_use") continue;
    const { ok, text } = await respond(tool, block.input);
    console.log(`${block.name} ${JSON.stringify(block.input)}\n${text}`);
    results.push({
      type: "tool_result",
      tool_use_id: block.id,
      is_error: !ok,
      content: text,
    });
  }
  messages.push({ role: "user", content: results });
}

/** A model that asks for the end of a file and for a missing file, and repeats what it got. */
function simulateAnthropic() {
  const message = (stop_reason: string, content: readonly unknown[]) => (
    { type: "message", role: "assistant", stop_reason, content }
  );
  const use = (id: string, input: unknown) => (
    { type: "tool_use", id, name: "Read", input }
  );
  return simulated([
    () =>
      message("tool_use", [
        use("1", { path: "add.ts", tail: 2 }),
        use("2", { path: "ad.ts" }),
      ]),
    ({ messages }: Body) => {
      const [first] = messages.at(-1).content;
      const [line] = first.content.split("\n");
      return message("end_turn", [{ type: "text", text: `It says: ${line}` }]);
    },
  ]);
}
