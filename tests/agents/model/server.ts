/** Serves a simulated model with the vendors' protocols, on the loopback. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerMessages } from "./anthropic.ts";
import { answerGemini } from "./gemini.ts";
import { answerChat, answerResponses } from "./openai.ts";
import { argsOf, type FollowingModel, type Loose } from "./play.ts";

/** A response: one value, or a stream of events. */
export type Reply =
  | { readonly json: unknown }
  | {
    readonly events: readonly {
      readonly event: string | undefined;
      readonly data: unknown;
    }[];
  };

/** The address of a served model. */
export interface ServedModel extends AsyncDisposable {
  readonly url: string;
}

/**
 * The delay of the first answers. A real model is slow, so agents send their first
 * requests before their servers have started.
 */
const THOUGHT_MS = 2000;
const STARTING_CALLS = 3;

/** Serves a model until it is disposed of. */
export async function serveModel(model: FollowingModel): Promise<ServedModel> {
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const text = chunks.length === 0 ? "{}" : decodeAll(chunks);
      model.look(text);
      const body = argsOf(text);
      const isPost = request.method === "POST";
      const reply = answer(request.url ?? "", isPost, body, model);
      const isStarting = model.seen.length < STARTING_CALLS;
      setTimeout(() => send(response, reply), isStarting ? THOUGHT_MS : 0);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function decodeAll(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join(
    "",
  ) +
    decoder.decode();
}

function answer(
  url: string,
  isPost: boolean,
  body: Loose,
  model: FollowingModel,
): Reply {
  if (/\/responses/.test(url)) return answerResponses(body, model);
  if (/chat\/completions/.test(url)) return answerChat(body, model);
  if (/\/messages\/count_tokens/.test(url)) {
    // Claude Code requests this for long results; a token is about four characters.
    const input_tokens = Math.ceil(JSON.stringify(body).length / 4);
    return { json: { input_tokens } };
  }
  if (/\/messages/.test(url) && isPost) return answerMessages(body, model);
  if (/generateContent/i.test(url)) {
    return answerGemini(body, model, /stream/i.test(url));
  }
  if (/countTokens/.test(url)) return { json: { totalTokens: 10 } };
  return { json: { object: "list", data: [], models: [] } };
}

function send(response: ServerResponse, reply: Reply): void {
  if ("json" in reply) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(reply.json));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of reply.events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`data: ${text}\n\n`);
  }
  response.end();
}
