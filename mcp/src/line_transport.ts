// Deno and Bun: both offer `node:process` and `node:stream`.
import process from "node:process";
import { Transform } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { LineGuard } from "./line_guard.ts";

/** The SDK's transport over standard input and output, behind a guard that lets nothing but messages in. */
export class LineTransport extends StdioServerTransport {
  readonly #lines: Transform;

  constructor(log: (message: string) => void) {
    const guard = new LineGuard({
      pass: (line) => void lines.push(line),
      refuse: ({ code, message, ...id }) =>
        void this.send({ jsonrpc: "2.0", ...id, error: { code, message } })
          .catch((reason: unknown) => log(`cannot answer: ${String(reason)}`)),
      log,
    });
    const lines = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        guard.take(chunk);
        done();
      },
    });
    // No line is longer than the guard allows.
    super(lines, process.stdout, { maxBufferSize: Infinity });
    this.#lines = lines;
  }

  /** Begins to listen. */
  override async start(): Promise<void> {
    // Each answer that waits until a client reads listens there meanwhile.
    process.stdout.setMaxListeners(0);
    await super.start();
    process.stdin.on("error", (error) => this.#lines.destroy(error));
    process.stdin.pipe(this.#lines);
  }

  /** Ends; what still comes keeps no process alive. */
  override async close(): Promise<void> {
    await super.close();
    process.stdin.unpipe(this.#lines);
    process.stdin.pause();
  }
}
