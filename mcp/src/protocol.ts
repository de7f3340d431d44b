// Runtime-agnostic.
import { MOST_NAME_CHARS } from "./bounds.ts";
import {
  type Client,
  clientOf,
  isClient,
  PREFIX,
  readEnvelope,
  STATELESS,
  unsupported,
  WITHOUT_ENVELOPE,
  type Wrong,
  wrongClient,
  wrongOf,
} from "./clients.ts";
import {
  failed,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  questionsTo,
} from "./messages.ts";
import type { Call, MessageId, Outcome, Reply } from "./messages.ts";
import type { Json } from "./served_tool.ts";
import { shorten, visibleJson } from "./visible.ts";

/** The revisions that `initialize` negotiates; the first one unless the client names another. */
const REVISIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
] as const;

export interface ToolRequest {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly progressToken: MessageId | undefined;
  /** In the stateless revision, what the client answers to the questions of an earlier result; else the client can be asked. */
  readonly inputs: { readonly given: unknown } | undefined;
  ask(method: string, timeoutMs: number): Promise<Outcome>;
  notify(method: string, params: Json): void;
}

export interface Service {
  readonly info: Json;
  instructions(client: Client): string;
  readonly tools: readonly (Json & { readonly name: string })[];
  call(name: string, args: Json, request: ToolRequest): Promise<Json>;
  forgetRoots(): void;
}

/** The other end of a connection. */
export interface Peer {
  send(message: Json): void;
  log(message: string): void;
}

/** Serves one client: takes its messages, and sends answers to them. */
export class Connection {
  readonly #peer: Peer;
  readonly #service: Service;
  /** Whether the client uses the stateless revision; its first request decides. */
  #isStateless: boolean | undefined;
  #client: Client = { name: undefined, hasRoots: false };
  /** The ids of the requests in progress; a client may use an id twice. */
  readonly #running = new Map<AbortController, MessageId>();
  #idle = () => {};
  readonly #questions: ReturnType<typeof questionsTo>;

  constructor(peer: Peer, service: Service) {
    this.#peer = peer;
    this.#service = service;
    this.#questions = questionsTo((message) => peer.send(message));
  }

  take(message: Call | Reply): void {
    if ("outcome" in message) this.#questions.settle(message);
    else if (message.id !== undefined) void this.#serve(message, message.id);
    else if (message.method === "notifications/cancelled") {
      this.#cancel(message.params.requestId as MessageId);
    } else if (message.method === "notifications/roots/list_changed") {
      this.#service.forgetRoots();
    }
  }

  /** Resolves when no request is in progress. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await new Promise<void>((resolve) => this.#idle = resolve);
    }
  }

  /** Aborts the requests in progress: they get no answer. */
  close(): void {
    for (const id of [...this.#running.values()]) this.#cancel(id);
    this.#questions.close();
  }

  async #serve(request: Call, id: MessageId): Promise<void> {
    const controller = new AbortController();
    this.#running.set(controller, id);
    const { signal } = controller;
    const send = (outcome: Outcome) =>
      this.#peer.send({ jsonrpc: "2.0", id, ...outcome });
    try {
      const outcome = await this.#outcomeOf(request, signal);
      if (outcome !== undefined && !signal.aborted) send(outcome);
    } catch (error) {
      this.#peer.log(`${request.method} failed: ${visibleJson(String(error))}`);
      if (!signal.aborted) send(failed(INTERNAL_ERROR, "Internal error"));
    }
    this.#end(controller);
  }

  #cancel(id: MessageId): void {
    for (const [controller, used] of [...this.#running]) {
      if (used !== id) continue;
      this.#end(controller);
      controller.abort();
    }
  }

  #end(controller: AbortController): void {
    this.#running.delete(controller);
    if (this.#running.size === 0) this.#idle();
  }

  /** The outcome of a request; none if the request stays open. */
  async #outcomeOf(request: Call, signal: AbortSignal) {
    const { method, params } = request;
    const envelope = readEnvelope(params);
    const isHandshake = method === "initialize" && !isClient(envelope);
    if (this.#isStateless === undefined) {
      if (envelope === undefined || isHandshake) this.#isStateless = false;
      else if (!isClient(envelope)) return { error: envelope };
      // A client discovers what a server speaks before it decides.
      else if (method !== "server/discover") this.#isStateless = true;
    }
    const isStateless = this.#isStateless ?? true;
    if (isStateless && isHandshake) {
      return { error: unsupported(params.protocolVersion) };
    }
    const known = isStateless ? STATELESS_METHODS : HANDSHAKE_METHODS;
    if (!known.includes(method)) {
      return failed(METHOD_NOT_FOUND, "Method not found");
    }
    if (!isStateless) return await this.#perform(request, signal, this.#client);
    if (!isClient(envelope)) return { error: envelope ?? WITHOUT_ENVELOPE };
    const outcome = await this.#perform(request, signal, envelope, true);
    return outcome && this.#stamped(outcome, method);
  }

  async #perform(
    { id, method, params }: Call,
    signal: AbortSignal,
    client: Client,
    isStateless = false,
  ): Promise<Outcome | undefined> {
    switch (method) {
      case "initialize":
        return this.#initialize(params);
      case "server/discover": {
        const instructions = this.#service.instructions(client);
        const said = { supportedVersions: [STATELESS], ...CAPABILITIES };
        return { result: { ...said, instructions } };
      }
      case "tools/list":
        return this.#list(params);
      case "tools/call":
        return await this.#call(params, signal, client, isStateless);
      case "subscriptions/listen":
        return this.#subscribe(id, params);
      default:
        // A ping.
        return { result: {} };
    }
  }

  #initialize(params: Json): Outcome {
    const { protocolVersion: asked, capabilities, clientInfo } = params;
    const wrong = wrongOf(["protocolVersion", asked, "string"]) ??
      wrongClient(["capabilities", capabilities], ["clientInfo", clientInfo]);
    if (wrong !== undefined) return invalid("initialize request", wrong);
    this.#client = clientOf(capabilities, clientInfo);
    const serverInfo = this.#service.info;
    const instructions = this.#service.instructions(this.#client);
    const known = REVISIONS.find((revision) => revision === asked);
    const protocolVersion = known ?? REVISIONS[0];
    const said = { protocolVersion, ...CAPABILITIES, serverInfo };
    return { result: { ...said, instructions } };
  }

  #list({ cursor = "" }: Json): Outcome {
    const wrong = wrongOf(["cursor", cursor, "string"]);
    if (wrong !== undefined) return invalid("tools/list request", wrong);
    return { result: { tools: this.#service.tools } };
  }

  async #call(
    { name, arguments: args = {}, inputResponses: given, _meta: meta }: Json,
    signal: AbortSignal,
    client: Client,
    isStateless: boolean,
  ): Promise<Outcome> {
    const wrong = wrongOf(
      ["name", name, "string"],
      ["arguments", args, "object"],
    );
    if (wrong !== undefined) return invalid("tools/call request", wrong);
    const tool = this.#service.tools.find((tool) => tool.name === name);
    if (tool === undefined) {
      const shown = shorten(name as string, MOST_NAME_CHARS);
      const names = this.#service.tools.map(({ name }) => name).join(", ");
      const problem = `Tool ${shown} not found; name one of ${names}`;
      return failed(INVALID_PARAMS, problem);
    }
    const { progressToken } = Object(meta);
    const inputs = isStateless ? { given } : undefined;
    const request = { client, signal, progressToken, inputs };
    const result = await this.#service.call(tool.name, args as Json, {
      ...request,
      ask: (method, timeoutMs) => this.#questions.ask(method, timeoutMs),
      notify: (method, params) => this.#notify(method, params),
    });
    return { result };
  }

  /** Acknowledges a subscription; nothing that can be subscribed to changes. */
  #subscribe(id: MessageId | undefined, params: Json): Outcome | undefined {
    const wrong = wrongOf(["notifications", params.notifications, "object"]);
    if (wrong !== undefined) return invalid("params", wrong);
    this.#notify("notifications/subscriptions/acknowledged", {
      notifications: {},
      _meta: { [`${PREFIX}subscriptionId`]: id },
    });
    return undefined;
  }

  /** Adds what results of the stateless revision hold. */
  #stamped(outcome: Outcome, method: string): Outcome {
    if ("error" in outcome) return outcome;
    const { result } = outcome;
    const serverInfo = { [`${PREFIX}serverInfo`]: this.#service.info };
    return {
      result: {
        resultType: "complete",
        ...result,
        ...(CACHEABLE_METHODS.includes(method) && UNCACHED),
        _meta: { ...Object(result._meta), ...serverInfo },
      },
    };
  }

  #notify(method: string, params: Json): void {
    this.#peer.send({ jsonrpc: "2.0", method, params });
  }
}

const CAPABILITIES = { capabilities: { tools: { listChanged: false } } };

const HANDSHAKE_METHODS = ["initialize", "ping", "tools/list", "tools/call"];
const STATELESS_METHODS = [
  "server/discover",
  "subscriptions/listen",
  "tools/call",
  "tools/list",
];

/** The methods whose results must say how long a client may cache them. */
const CACHEABLE_METHODS = ["server/discover", "tools/list"];
const UNCACHED = { ttlMs: 0, cacheScope: "private" };

function invalid(what: string, { key, problem }: Wrong): Outcome {
  return failed(INVALID_PARAMS, `Invalid ${what}: ${key}: ${problem}`);
}
