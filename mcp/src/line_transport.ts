// Deno and Bun: both offer `node:process` and `node:stream`.
import process from "node:process";
import { Transform } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { DRAIN_MS } from "./bounds.ts";
import { LineGuard, type MessageId } from "./line_guard.ts";

/** The SDK's transport over standard input and output, behind the line guard. */
export class LineTransport extends StdioServerTransport {
  readonly #lines: Transform;
  /** The requests that have no answer yet. */
  readonly #pending = new Set<MessageId>();
  #drained = () => {};
  /** Whether no request was answered since the last tick of the timer. */
  #isIdle = true;

  constructor(log: (message: string) => void) {
    const guard = new LineGuard({
      pass: (line, message) => {
        this.#track(message);
        lines.push(line);
      },
      refuse: async ({ code, message, ...id }) => {
        try {
          await this.send({ jsonrpc: "2.0", ...id, error: { code, message } });
        } catch (reason) {
          log(`cannot answer: ${String(reason)}`);
        }
      },
      log,
    });
    const lines = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        guard.take(chunk);
        done();
      },
      flush: (done) => void this.#drain(done),
    });
    // No line is longer than the guard allows.
    super(lines, process.stdout, { maxBufferSize: Infinity });
    this.#lines = lines;
  }

  override async start(): Promise<void> {
    // Each answer that waits for a slow client adds a listener.
    process.stdout.setMaxListeners(0);
    await super.start();
    process.stdin.on("error", (error) => this.#lines.destroy(error));
    process.stdin.pipe(this.#lines);
  }

  /** Sends a message; the request that it answers is no longer in flight. */
  override async send(message: JSONRPCMessage): Promise<void> {
    const sending = super.send(message);
    if (!("method" in message)) this.#settle(message.id);
    await sending;
  }

  /** Closes; input that still arrives does not keep the process alive. */
  override async close(): Promise<void> {
    await super.close();
    process.stdin.unpipe(this.#lines);
    process.stdin.pause();
  }

  #track(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#pending.add(message.id);
    else if (message.method === "notifications/cancelled") {
      // A cancelled request gets no answer.
      this.#settle(Object(message.params).requestId);
    }
  }

  #settle(id: MessageId | undefined): void {
    this.#isIdle = false;
    if (id !== undefined) this.#pending.delete(id);
    if (this.#pending.size === 0) this.#drained();
  }

  /**
   * Delays the end of the input, at which the SDK drops requests in flight,
   * until all requests are answered, or none was answered for a while, and the
   * client has read what was written.
   */
  async #drain(done: () => void): Promise<void> {
    // The timer also keeps a Deno process alive, which a pending write does not.
    const timer = setInterval(() => {
      if (this.#isIdle) this.#drained();
      // A client that reads slowly may have blocked the whole process.
      this.#isIdle = true;
    }, DRAIN_MS);
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
      if (this.#pending.size === 0) resolve();
    });
    await new Promise((resolve) => process.stdout.write("", resolve));
    clearInterval(timer);
    done();
  }
}
