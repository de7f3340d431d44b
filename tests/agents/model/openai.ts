/** OpenAI's two protocols: Responses (Codex) and Chat Completions (Qwen Code, opencode). */
import {
  argsOf,
  type FollowingModel,
  listOf,
  type Loose,
  objectOf,
  type Seen,
  textOf,
} from "./play.ts";
import type { Reply } from "./server.ts";

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

/** Answers a request of the Responses protocol. */
export function answerResponses(body: Loose, model: FollowingModel): Reply {
  const items = listOf(body.input);
  const spaces = new Map<string, Loose>();
  const offer = (tool: Loose) => {
    if (tool.type === "namespace") {
      for (const { name } of listOf(tool.tools)) {
        const full = `${tool.name}${name}`;
        spaces.set(full, { namespace: tool.name, name });
        model.offered.add(full);
      }
    } else if (typeof tool.name === "string") model.offered.add(tool.name);
  };
  listOf(body.tools).forEach(offer);
  const found = items.filter(({ type }) => type === "tool_search_output");
  found.flatMap(({ tools }) => listOf(tools)).forEach(offer);
  const results = new Map(
    items.filter(({ type }) => type === "function_call_output")
      .map(({ call_id, output }) => [call_id, textOf(output)]),
  );
  const history: Seen[] = items
    .filter(({ type, name }) => type === "function_call" && name !== SHELL)
    .map(({ name, arguments: args, call_id }) => ({
      name: String(name),
      args: argsOf(args),
      result: results.get(call_id) ?? "",
    }));
  const canSearch = listOf(body.tools).some(({ type }) =>
    type === "tool_search"
  );
  const output = canSearch && found.length === 0
    ? {
      type: "tool_search_call",
      id: "search",
      call_id: "search",
      execution: "client",
      status: "completed",
      arguments: { query: "read file", limit: 8 },
    }
    : outputOf(model, history, spaces);
  const response = {
    id: `response_${items.length}`,
    object: "response",
    created_at: 1,
    status: "completed",
    model: body.model,
    output: [output],
    usage: USAGE,
  };
  if (body.stream !== true) return { json: response };
  const types = [
    ["response.created", { response: { ...response, status: "in_progress" } }],
    ["response.output_item.added", { output_index: 0, item: output }],
    ["response.output_item.done", { output_index: 0, item: output }],
    ["response.completed", { response }],
  ] as const;
  return {
    events: types.map(([type, data]) => ({
      event: type,
      data: { type, ...data },
    })),
  };
}

/** The tool of Codex that waits. */
const SHELL = "exec_command";
const MOST_WAITS = 30;

function outputOf(
  model: FollowingModel,
  history: readonly Seen[],
  spaces: ReadonlyMap<string, Loose>,
): Loose {
  const call = model.next(history);
  const name = call === null ? undefined : model.nameOf(call);
  if (call !== null && name === undefined && model.waits++ < MOST_WAITS) {
    // The first request of Codex comes before its servers have started; later requests have their tools.
    return {
      type: "function_call",
      id: `wait_${model.waits}`,
      call_id: `wait_${model.waits}`,
      name: SHELL,
      arguments: '{"cmd":"sleep 1"}',
      status: "completed",
    };
  }
  if (call === null || name === undefined) {
    return {
      type: "message",
      id: "done",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "done", annotations: [] }],
    };
  }
  return {
    type: "function_call",
    id: `item_${history.length}`,
    call_id: `call_${history.length}`,
    name,
    ...spaces.get(name),
    arguments: JSON.stringify(call.args),
    status: "completed",
  };
}

/** Answers a request of the Chat Completions protocol. */
export function answerChat(body: Loose, model: FollowingModel): Reply {
  const tools = new Set(
    listOf(body.tools).map((tool) => String(objectOf(tool.function).name)),
  );
  for (const name of tools) model.offered.add(name);
  const messages = listOf(body.messages);
  const results = new Map(
    messages.filter(({ role }) => role === "tool")
      .map(({ tool_call_id, content }) => [tool_call_id, content]),
  );
  const calls = messages.flatMap(({ tool_calls }) => listOf(tool_calls))
    .map(({ id, function: called }) => ({ id, ...objectOf(called) } as Loose));
  const searched = calls.some(({ name }) => name === SEARCH);
  const history: Seen[] = calls.filter(({ name }) => name !== SEARCH)
    .map(({ id, name, arguments: args }) => {
      const given = argsOf(args);
      // Qwen Code has a separate tool that calls the tools found by its search.
      const isMeta = name === CALL;
      const shown = results.get(id) ?? "";
      return {
        name: String(isMeta ? given.name : name),
        args: isMeta ? argsOf(given.arguments) : given,
        result: textOf(shown),
        ...(typeof shown === "string" && { literal: shown }),
      };
    });
  const made = tools.has(SEARCH) && !searched
    ? { name: SEARCH, args: { query: "read file" } }
    : chatCall(model, history, tools);
  const message = made === null ? { role: "assistant", content: "done" } : {
    role: "assistant",
    content: null,
    tool_calls: [{
      index: 0,
      id: `call_${calls.length}`,
      type: "function",
      function: { name: made.name, arguments: JSON.stringify(made.args) },
    }],
  };
  const finish_reason = made === null ? "stop" : "tool_calls";
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const common = {
    id: `chat_${messages.length}`,
    created: 1,
    model: body.model,
  };
  if (body.stream !== true) {
    const choices = [{ index: 0, message, finish_reason }];
    return { json: { ...common, object: "chat.completion", choices, usage } };
  }
  const chunk = (delta: unknown, reason: string | null, rest = {}) => ({
    event: undefined,
    data: {
      ...common,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...rest,
    },
  });
  return {
    events: [
      chunk(message, null),
      chunk({}, finish_reason, { usage }),
      { event: undefined, data: "[DONE]" },
    ],
  };
}

const SEARCH = "tool_search";
const CALL = "tool_call";

function chatCall(
  model: FollowingModel,
  history: readonly Seen[],
  tools: ReadonlySet<string>,
) {
  const call = model.next(history);
  if (call === null) return null;
  if (tools.has(CALL) && !call.isOwn) {
    const name = `mcp__read-file__${call.name}`;
    return { name: CALL, args: { name, arguments: call.args } };
  }
  const name = model.nameOf(call);
  return name === undefined ? null : { name, args: call.args };
}
