/** Anthropic's Messages protocol (Claude Code). */
import {
  argsOf,
  type FollowingModel,
  listOf,
  type Loose,
  type Seen,
  textOf,
} from "./play.ts";
import type { Reply } from "./server.ts";

const SEARCH = "ToolSearch";
const READ = { name: "read_file", args: {} };

/** Answers a request of the Messages protocol. */
export function answerMessages(body: Loose, model: FollowingModel): Reply {
  const names = listOf(body.tools).map(({ name }) => String(name));
  for (const name of names) model.offered.add(name);
  const parts = listOf(body.messages).flatMap(({ content }) => listOf(content));
  const results = new Map(
    parts.filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id, content }) => [tool_use_id, textOf(content)]),
  );
  const uses = parts.filter(({ type }) => type === "tool_use");
  const history: Seen[] = uses.filter(({ name }) => name !== SEARCH)
    .map(({ id, name, input }) => ({
      name: String(name),
      args: argsOf(input),
      result: results.get(id) ?? "",
    }));
  const isHidden = names.includes(SEARCH) &&
    model.nameOf(READ) === undefined &&
    uses.length === history.length;
  const made = isHidden
    ? { name: SEARCH, args: { query: "read file", max_results: 5 } }
    : callOf(model, history);
  const content = made === null ? { type: "text", text: "done" } : {
    type: "tool_use",
    id: `use_${uses.length}`,
    name: made.name,
    input: made.args,
  };
  const message = {
    id: `message_${parts.length}`,
    type: "message",
    role: "assistant",
    model: body.model,
    content: [content],
    stop_reason: made === null ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
  if (body.stream !== true) return { json: message };
  const delta = made === null
    ? { type: "text_delta", text: "done" }
    : { type: "input_json_delta", partial_json: JSON.stringify(made.args) };
  const { stop_reason } = message;
  const started = { ...message, content: [], stop_reason: null };
  const empty = made === null
    ? { type: "text", text: "" }
    : { ...content, input: {} };
  const events = [
    ["message_start", { message: started }],
    ["content_block_start", { index: 0, content_block: empty }],
    ["content_block_delta", { index: 0, delta }],
    ["content_block_stop", { index: 0 }],
    ["message_delta", {
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 5 },
    }],
    ["message_stop", {}],
  ] as const;
  return {
    events: events.map(([type, data]) => ({
      event: type,
      data: { type, ...data },
    })),
  };
}

function callOf(model: FollowingModel, history: readonly Seen[]) {
  const call = model.next(history);
  if (call === null) return null;
  const name = model.nameOf(call) ?? `mcp__read-file__${call.name}`;
  return { name, args: call.args };
}
