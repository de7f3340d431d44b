export type Json = Readonly<Record<string, unknown>>;

export type MessageId = string | number;

/** A request, or a notification if it has no id. */
export interface ClientMessage {
  readonly id?: MessageId | undefined;
  readonly method: string;
  readonly params: Json;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

export type RpcOutcome = { readonly result: Json } | {
  readonly error: RpcError;
};

/** The answer to a request of the server. */
export interface Reply {
  readonly id: MessageId | undefined;
  readonly outcome: RpcOutcome;
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const UNSUPPORTED_REVISION = -32022;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value may be an id in MCP: a string, or a whole number. */
export function isId(value: unknown): value is MessageId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Reads a message of JSON-RPC 2.0, with the limits of MCP; `undefined` for other values. */
export function readMessage(value: unknown): ClientMessage | Reply | undefined {
  if (!isObject(value) || value.jsonrpc !== "2.0") return undefined;
  const { jsonrpc: _, id, method, params, result, error, ...others } = value;
  if (Object.keys(others).length > 0) return undefined;
  if (id !== undefined && !isId(id)) return undefined;
  const isReply = result !== undefined || error !== undefined;
  if (typeof method === "string" && !isReply && areParams(params)) {
    return { id, method, params: params ?? {} };
  }
  if (method !== undefined || params !== undefined) return undefined;
  if (isObject(result) && error === undefined && id !== undefined) {
    return { id, outcome: { result } };
  }
  return isFailure(error) && result === undefined
    ? { id, outcome: { error } }
    : undefined;
}

function areParams(params: unknown): params is Json | undefined {
  if (!isObject(params)) return params === undefined;
  const { _meta: meta = {} } = params;
  return isObject(meta) &&
    (meta.progressToken === undefined || isId(meta.progressToken));
}

function isFailure(error: unknown): error is Json & RpcError {
  return isObject(error) && Number.isSafeInteger(error.code) &&
    typeof error.message === "string";
}

/** The requests of the server to its client. */
export function questionsTo(send: (message: Json) => void) {
  /** The requests without an answer, by id; each function takes the answer. */
  const open = new Map<string, (outcome: RpcOutcome) => void>();
  let count = 0;
  return {
    /** Sends a request; a client that takes too long is told that it is cancelled. */
    async ask(method: string, timeoutMs: number): Promise<RpcOutcome> {
      const id = count++;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const outcome = await new Promise<RpcOutcome>((resolve) => {
        open.set(`${id}`, resolve);
        timer = setTimeout(() => {
          send({
            jsonrpc: "2.0",
            method: "notifications/cancelled",
            params: { requestId: id, reason: "Request timed out" },
          });
          resolve(failed(INTERNAL_ERROR, "the client did not answer in time"));
        }, timeoutMs);
        send({ jsonrpc: "2.0", id, method });
      });
      clearTimeout(timer);
      open.delete(`${id}`);
      return outcome;
    },
    /** Takes the answer to an open request, and ignores any other. The id may be the number as a string. */
    settle({ id, outcome }: Reply): void {
      open.get(String(id))?.(outcome);
    },
    close(): void {
      for (const take of [...open.values()]) {
        take(failed(INTERNAL_ERROR, "the connection is closed"));
      }
    },
  };
}

export function failed(code: number, message: string): RpcOutcome {
  return { error: { code, message } };
}
