import {
  type Client,
  isBadEnvelope,
  isWrong,
  PREFIX,
  readClient,
  readEnvelope,
  STATELESS,
  unsupported,
  type Wrong,
  wrongOf,
} from "./clients.ts";
import {
  failed,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  questionsTo,
} from "./messages.ts";
import type {
  ClientMessage,
  Json,
  MessageId,
  Reply,
  RpcError,
  RpcOutcome,
} from "./messages.ts";
import { cutText, visibleJson } from "./words.ts";

/** The revisions that `initialize` negotiates; the first one unless the client names another. */
const REVISIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
] as const;

/** How many calls of tools may be in progress; further ones wait. */
const MOST_CALLS = 100;

/** How much of the name of an unknown tool a failure repeats. */
const MOST_NAME_CHARS = 100;

export interface ToolRequest {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly progressToken: MessageId | undefined;
  /** In the stateless revision: what the client answers to the questions of an earlier result. In others it is `undefined`, and `ask` asks the client. */
  readonly inputs: { readonly given: unknown } | undefined;
  ask(method: string, timeoutMs: number): Promise<RpcOutcome>;
  notify(method: string, params: Json): void;
}

export interface Service {
  readonly info: Json;
  instructions(client: Client, isStateless: boolean): string;
  /** The names of the tools. */
  readonly names: readonly string[];
  /** The definitions of the tools, for a client. */
  definitions(client: Client, isStateless: boolean): readonly Json[];
  call(name: string, args: Json, request: ToolRequest): Promise<Json>;
  forgetRoots(): void;
}

/** The other end of a connection. */
export interface Peer {
  send(message: Json): void;
  log(message: string): void;
  /** Whether much of what was sent still waits for it: then calls wait, too, until `proceed()`. */
  isBehind?(): boolean;
}

interface ClientCall extends ClientMessage {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Performs a request of a client; it has no outcome if it stays open. */
type Perform = (
  call: ClientCall,
) => RpcOutcome | undefined | Promise<RpcOutcome>;

/** How a client uses the protocol: `initialize` begins a handshake, and any other good request is one of the stateless revision. */
type Era = "handshake" | "stateless";

/** Whether a request begins a handshake. An `initialize` with a good envelope is a request of the stateless revision. */
function isHandshake(method: string, envelope: Client | RpcError): boolean {
  return method === "initialize" && isBadEnvelope(envelope);
}

export type Connection = ReturnType<typeof openConnection>;

/** Serves one client: takes its messages, and sends answers to them. */
export function openConnection(peer: Peer, service: Service) {
  let era: Era | undefined;
  /** The client of a handshake. */
  let greeted: Client = { name: "", hasRoots: false };
  /** The ids of the requests in progress; a client may use an id twice. */
  const running = new Map<AbortController, MessageId>();
  /** The calls of tools that wait, by id, in order. */
  const waiting = new Map<MessageId, Set<ClientMessage>>();
  /** How many calls of tools are in progress. */
  let calls = 0;
  /** The ids of the open subscriptions. */
  const subscriptions = new Set<MessageId>();
  let becomeIdle = () => {};
  const questions = questionsTo((message) => peer.send(message));

  function notify(method: string, params: Json): void {
    peer.send({ jsonrpc: "2.0", method, params });
  }

  function initialize({ params }: ClientMessage): RpcOutcome {
    const keys = ["protocolVersion", "capabilities", "clientInfo"] as const;
    const client = readClient(params, keys);
    if (isWrong(client)) return invalid("initialize request", client);
    greeted = client;
    const { protocolVersion: asked } = params;
    const known = REVISIONS.find((revision) => revision === asked);
    const said = { protocolVersion: known ?? REVISIONS[0], ...CAPABILITIES };
    const instructions = service.instructions(client, false);
    return { result: { ...said, serverInfo: service.info, instructions } };
  }

  function discover({ client }: ClientCall): RpcOutcome {
    const said = { supportedVersions: [STATELESS], ...CAPABILITIES };
    const instructions = service.instructions(client, true);
    return { result: { ...said, instructions, ...UNCACHED } };
  }

  function list({ params: { cursor }, client }: ClientCall): RpcOutcome {
    if (cursor !== undefined) {
      const problem = "there is one page of tools, so no cursor was given";
      return invalid("tools/list request", { key: "cursor", problem });
    }
    const isStateless = era !== "handshake";
    const tools = service.definitions(client, isStateless);
    return { result: { tools, ...(isStateless && UNCACHED) } };
  }

  async function call({ params, client, signal }: ClientCall) {
    const { name, arguments: args = {}, inputResponses: given } = params;
    const wrong = wrongOf(
      ["name", name, "a string"],
      ["arguments", args, "an object"],
    );
    if (wrong !== undefined) return invalid("tools/call request", wrong);
    const { names } = service;
    const known = names.find((known) => known === name);
    if (known === undefined) {
      const shown = cutText(name as string, MOST_NAME_CHARS);
      const all = names.join(", ");
      const problem = `Tool ${shown} not found; name one of ${all}`;
      return failed(INVALID_PARAMS, problem);
    }
    const { progressToken } = Object(params._meta);
    const inputs = era === "handshake" ? undefined : { given };
    const { ask } = questions;
    const request = { client, signal, progressToken, inputs, ask, notify };
    return { result: await service.call(known, args as Json, request) };
  }

  const metaOf = (id: MessageId) => ({ [`${PREFIX}subscriptionId`]: id });

  /** Acknowledges a subscription; nothing that can be subscribed to changes. */
  function subscribe({ id, params }: ClientMessage): RpcOutcome | undefined {
    const { notifications } = params;
    const wrong = wrongOf(["notifications", notifications, "an object"]);
    if (wrong !== undefined) return invalid("params", wrong);
    notify("notifications/subscriptions/acknowledged", {
      notifications: {},
      _meta: metaOf(id!),
    });
    subscriptions.add(id!);
    return undefined;
  }

  const tools = [["tools/list", list], ["tools/call", call]] as const;
  const handshakeMethods = new Map<string, Perform>([
    ...tools,
    ["initialize", initialize],
    ["ping", () => ({ result: {} })],
  ]);
  const statelessMethods = new Map<string, Perform>([
    ...tools,
    ["server/discover", discover],
    ["subscriptions/listen", subscribe],
  ]);

  async function answerTo(request: ClientMessage, signal: AbortSignal) {
    const { method, params } = request;
    const envelope = readEnvelope(params);
    if (isHandshake(method, envelope)) {
      if (era === "stateless") {
        return { error: unsupported(params.protocolVersion) };
      }
      const outcome = initialize(request);
      // A refused one binds nobody.
      if ("result" in outcome) era = "handshake";
      return outcome;
    }
    if (era === "handshake") {
      const perform = handshakeMethods.get(method);
      if (perform === undefined) return NO_METHOD;
      return await perform({ ...request, client: greeted, signal });
    }
    if (isBadEnvelope(envelope)) return { error: envelope };
    // A client may discover, and shake hands all the same.
    if (method !== "server/discover") era = "stateless";
    const perform = statelessMethods.get(method);
    if (perform === undefined) return NO_METHOD;
    return stamped(await perform({ ...request, client: envelope, signal }));
  }

  /** Adds what results of the stateless revision hold. */
  function stamped(outcome: RpcOutcome | undefined) {
    if (outcome === undefined || "error" in outcome) return outcome;
    const { _meta, ...result } = outcome.result;
    const serverInfo = { [`${PREFIX}serverInfo`]: service.info };
    const meta = { ...Object(_meta), ...serverInfo };
    return { result: { resultType: "complete", ...result, _meta: meta } };
  }

  async function serve(request: ClientMessage, id: MessageId): Promise<void> {
    const controller = new AbortController();
    running.set(controller, id);
    const { signal } = controller;
    const send = (outcome: RpcOutcome) =>
      peer.send({ jsonrpc: "2.0", id, ...outcome });
    try {
      const outcome = await answerTo(request, signal);
      if (outcome !== undefined && !signal.aborted) send(outcome);
    } catch (error) {
      peer.log(`${request.method} failed: ${visibleJson(String(error))}`);
      if (!signal.aborted) send(failed(INTERNAL_ERROR, "Internal error"));
    }
    end(controller);
  }

  function end(controller: AbortController): void {
    running.delete(controller);
    if (isIdle()) becomeIdle();
  }

  function isIdle(): boolean {
    return running.size === 0 && waiting.size === 0;
  }

  /** Calls a tool when its turn has come. Nothing else waits: a client may ask whether the server is alive. */
  function wait(call: ClientMessage, id: MessageId): void {
    const same = waiting.get(id);
    if (same === undefined) waiting.set(id, new Set([call]));
    else same.add(call);
    callNext();
  }

  /** Begins the calls that need not wait. */
  function callNext(): void {
    for (const [id, same] of waiting) {
      if (calls >= MOST_CALLS || peer.isBehind?.()) return;
      const [call] = same;
      same.delete(call!);
      if (same.size === 0) waiting.delete(id);
      void serveCall(call!, id);
    }
  }

  async function serveCall(call: ClientMessage, id: MessageId): Promise<void> {
    calls++;
    await serve(call, id);
    calls--;
    callNext();
  }

  function cancel(id: unknown): void {
    waiting.delete(id as MessageId);
    subscriptions.delete(id as MessageId);
    for (const [controller, used] of [...running]) {
      if (used !== id) continue;
      end(controller);
      controller.abort();
    }
    if (isIdle()) becomeIdle();
  }

  return {
    take(message: ClientMessage | Reply): void {
      if ("outcome" in message) questions.settle(message);
      else if (message.id !== undefined) {
        const { method, id } = message;
        if (method === "tools/call") wait(message, id);
        else void serve(message, id);
      } else if (message.method === "notifications/cancelled") {
        cancel(message.params.requestId);
      } else if (message.method === "notifications/roots/list_changed") {
        service.forgetRoots();
      }
    },
    /** Begins calls that waited for the peer. */
    proceed: callNext,
    /** Resolves when no request is in progress or waits. */
    async idle(): Promise<void> {
      while (!isIdle()) {
        await new Promise<void>((resolve) => becomeIdle = resolve);
      }
    },
    /** Ends the subscriptions: each gets its result. */
    endSubscriptions(): void {
      for (const id of subscriptions) {
        const outcome = stamped({ result: { _meta: metaOf(id) } })!;
        peer.send({ jsonrpc: "2.0", id, ...outcome });
      }
      subscriptions.clear();
    },
    /** Aborts the requests in progress, and those that wait: they get no answer. */
    close(): void {
      waiting.clear();
      subscriptions.clear();
      for (const id of [...running.values()]) cancel(id);
      questions.close();
    },
  };
}

const NO_METHOD = failed(METHOD_NOT_FOUND, "Method not found");

const CAPABILITIES = { capabilities: { tools: { listChanged: false } } };

/** How long a client may cache a result of the stateless revision. */
const UNCACHED = { ttlMs: 0, cacheScope: "private" };

function invalid(what: string, { key, problem }: Wrong): RpcOutcome {
  return failed(INVALID_PARAMS, `Invalid ${what}: ${key}: ${problem}`);
}
