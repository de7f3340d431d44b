/** Google's generateContent protocol (Gemini CLI). */
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

/** Answers a request of generateContent. */
export function answerGemini(
  body: Loose,
  model: FollowingModel,
  isStream: boolean,
): Reply {
  const tools = listOf(body.tools)
    .flatMap(({ functionDeclarations }) => listOf(functionDeclarations));
  for (const { name } of tools) model.offered.add(String(name));
  const parts = listOf(body.contents).flatMap(({ parts }) => listOf(parts));
  const results = parts.filter(({ functionResponse }) => functionResponse)
    .map(({ functionResponse }) => textOf(objectOf(functionResponse).response));
  const history: Seen[] = parts.filter(({ functionCall }) => functionCall)
    .map(({ functionCall }, at) => ({
      name: String(objectOf(functionCall).name),
      args: argsOf(objectOf(functionCall).args),
      result: results[at] ?? "",
    }));
  // Requests without tools are internal questions of the agent.
  const call = tools.length === 0 ? null : model.next(history);
  const name = call === null ? undefined : model.nameOf(call);
  const { responseMimeType } = objectOf(body.generationConfig);
  const text = responseMimeType === "application/json" ? "{}" : "done";
  const part = call === null || name === undefined
    ? { text }
    : { functionCall: { name, args: call.args } };
  const answer = {
    candidates: [{
      content: { role: "model", parts: [part] },
      finishReason: "STOP",
      index: 0,
    }],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 5,
      totalTokenCount: 15,
    },
    modelVersion: "played",
  };
  return isStream
    ? { events: [{ event: undefined, data: answer }] }
    : { json: answer };
}
