// LangChain.js.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { definitions } from "@agent-tools/read-file";
import { createAgent, tool } from "langchain";
import { CALLS, makeTools, print } from "./played.ts";

/** A model that makes the calls, and prints what it is handed. */
class PlayedModel extends BaseChatModel {
  #calls = 0;

  _llmType() {
    return "played";
  }

  override bindTools() {
    return this;
  }

  // deno-lint-ignore require-await -- LangChain takes a promise
  async _generate(messages: BaseMessage[]) {
    const at = this.#calls++;
    if (at > 0) print(messages.at(-1)?.content);
    const args = CALLS[at];
    const message = args === undefined ? new AIMessage("done") : new AIMessage({
      content: "",
      tool_calls: [{ id: `${at}`, name: "read_file", args: { ...args } }],
    });
    return { generations: [{ text: "", message }] };
  }
}

const made = definitions("langchain", await makeTools());
const tools = made.map(([call, about]) => tool(call, about));
const agent = createAgent({ model: new PlayedModel({}), tools });
await agent.invoke({ messages: "What does add() return?" });
