// A tool loop with OpenAI's Chat Completions API, or a compatible one.
import {
  createAgentToolkit,
  definitions,
  readerTools,
} from "@agent-tools/read-file";
import OpenAI from "openai";
import { type Body, simulated } from "./simulated.ts";

const kit = await createAgentToolkit({
  workspaceRoot: new URL("files", import.meta.url).pathname,
  deny: ["**/*.pem"],
  tools: [readerTools],
});

const client = new OpenAI({ apiKey: "key", fetch: simulateOpenAi() });
const messages: OpenAI.ChatCompletionMessageParam[] = [
  {
    role: "user",
    content: "What does add() return, and how long was the last request?",
  },
];
for (;;) {
  const { choices: [choice] } = await client.chat.completions.create({
    model: "gpt-5",
    tools: definitions("openai-chat", kit),
    messages,
  });
  const { message } = choice!;
  messages.push(message);
  if (message.tool_calls === undefined) {
    console.log(message.content);
    break;
  }
  for (const call of message.tool_calls) {
    if (call.type !== "function") continue;
    const { name, arguments: args } = call.function;
    const { text: content } = await kit.respond(name, args);
    console.log(`${name} ${args}\n${content}\n`);
    messages.push({ role: "tool", tool_call_id: call.id, content });
  }
}

/** A model that lists the directory, reads two files, and repeats what it got. */
function simulateOpenAi() {
  const reply = (message: object) => ({
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", ...message } }],
  });
  const call = (name: string, args: object) => {
    const called = { name, arguments: JSON.stringify(args) };
    const use = { id: "1", type: "function", function: called };
    return reply({ content: null, tool_calls: [use] });
  };
  return simulated([
    () => call("list_directory", {}),
    () =>
      call("read_files", {
        files: ["add.ts", { path: "app.log", tail: 1 }, "key.pem"],
      }),
    ({ messages }: Body) => {
      const [, sum, time] = /(one \+ other)[^]*took (\d+ ms)/
        .exec(messages.at(-1).content) ?? [];
      return reply({
        content: `It returns ${sum}. The last one took ${time}.`,
      });
    },
  ]);
}
