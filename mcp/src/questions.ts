// Runtime-agnostic.
import { INTERNAL_ERROR, type Outcome, type Reply } from "./messages.ts";
import type { Json } from "./served_tool.ts";

/** The requests of the server to its client. */
export class Questions {
  readonly #send: (message: Json) => void;
  /** The requests that have no answer yet. */
  readonly #open = new Map<string, (outcome: Outcome) => void>();
  #count = 0;

  constructor(send: (message: Json) => void) {
    this.#send = send;
  }

  /** Sends a request; a client that takes too long is told that it is cancelled. */
  async ask(method: string, timeoutMs: number): Promise<Outcome> {
    const id = this.#count++;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#open.set(`${id}`, resolve);
      timer = setTimeout(() => {
        const params = { requestId: id, reason: "Request timed out" };
        const method = "notifications/cancelled";
        this.#send({ jsonrpc: "2.0", method, params });
        resolve(failed("the client did not answer in time"));
      }, timeoutMs);
      this.#send({ jsonrpc: "2.0", id, method });
    });
    clearTimeout(timer);
    this.#open.delete(`${id}`);
    return outcome;
  }

  /** Takes an answer, whose id may be the number as a string; others are ignored. */
  settle({ id, outcome }: Reply): void {
    this.#open.get(String(id))?.(outcome);
  }

  close(): void {
    for (const settle of [...this.#open.values()]) {
      settle(failed("the connection is closed"));
    }
  }
}

function failed(message: string): Outcome {
  return { error: { code: INTERNAL_ERROR, message } };
}
