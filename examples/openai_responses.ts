// A tool loop with OpenAI's Responses API.
import { createAgentToolkit, definitions } from "@agent-tools/read-file";
import OpenAI from "openai";
import { type Body, simulated } from "./simulated.ts";

const kit = await createAgentToolkit({
  workspaceRoot: new URL("files", import.meta.url).pathname,
  deny: ["**/*.pem"],
});

const client = new OpenAI({ apiKey: "key", fetch: simulateOpenAi() });
let input: OpenAI.Responses.ResponseInput = [
  { role: "user", content: "What does add() return?" },
];
let previous: string | null = null;
for (;;) {
  const response: OpenAI.Responses.Response = await client.responses.create({
    model: "gpt-5",
    tools: definitions("openai", kit),
    previous_response_id: previous,
    input,
  });
  const calls = response.output.filter((item) => item.type === "function_call");
  if (calls.length === 0) {
    console.log(response.output_text);
    break;
  }
  previous = response.id;
  input = [];
  for (const { name, arguments: args, call_id } of calls) {
    const { text: output } = await kit.respond(name, args);
    console.log(`${name} ${args}\n${output}`);
    input.push({ type: "function_call_output", call_id, output });
  }
}

/** A model that asks for two files, and repeats what it got. */
function simulateOpenAi() {
  const respond = (output: readonly unknown[]) => (
    { object: "response", id: "response-1", status: "completed", output }
  );
  const call = (call_id: string, args: unknown) => ({
    type: "function_call",
    call_id,
    name: "open_file",
    arguments: JSON.stringify(args),
  });
  return simulated([
    () =>
      respond([
        call("1", { file_path: "add.ts", start_line: "3", end_line: "3" }),
        call("2", { file_path: "key.pem" }),
      ]),
    ({ input }: Body) => {
      const told = input.find((item: Body) =>
        item.type === "function_call_output" && item.call_id === "1"
      );
      const [line] = told.output.split("\n");
      const text = `It says: ${line.trim()}`;
      const content = [{ type: "output_text", text, annotations: [] }];
      return respond([{ type: "message", role: "assistant", content }]);
    },
  ]);
}
