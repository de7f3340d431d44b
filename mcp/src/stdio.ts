// Deno, Bun and Node.js: all offer `node:process`.
import process from "node:process";
import { LINE_FEED, lineReader } from "./line_reader.ts";
import type { Connection, Peer } from "./protocol.ts";
import type { Json } from "./messages.ts";

/** How long the server works on the next answer when its input has ended: the official client waits for an answer that long. */
const DRAIN_MS = 60_000;
/** How many times the timer fires within the time for an answer. */
const IDLE_TICKS = 4;

/**
 * Serves one client over standard input and output, a message on each line.
 * When the input has ended, a request is aborted if none is answered for `drainMs`.
 */
export function serveStdio(
  connect: (peer: Peer) => Connection,
  log: (message: string) => void,
  drainMs: number = DRAIN_MS,
): void {
  const { stdin, stdout } = process;
  let isOpen = true;
  /** How many times the timer has fired since a request was answered. */
  let idleTicks = 0;
  const send = (message: Json) => {
    if (!isOpen) return;
    const isAnswer = message.method === undefined;
    if (isAnswer) idleTicks = 0;
    try {
      stdout.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      // Deno throws if a disk is full.
      close(error as Error);
    }
  };
  const peer = { send, log };
  const connection = connect(peer);
  const take = lineReader(peer, (message) => connection.take(message));

  /** Closes the connection. Stops reading, since more input would keep the process alive. */
  function close(error?: Error): void {
    if (error !== undefined && isOpen) log(error.message);
    isOpen = false;
    connection.close();
    stdin.off("data", take);
    stdin.pause();
  }

  /**
   * Waits until all requests are answered, or none was answered for a while,
   * and the client has read what was written.
   */
  async function drain(): Promise<void> {
    // The timer also keeps a Deno process alive, which a pending write does not.
    const timer = setInterval(() => {
      // A slow client may block the process for long, which counts as one tick.
      if (++idleTicks > IDLE_TICKS) connection.close();
    }, drainMs / IDLE_TICKS);
    await connection.idle();
    if (isOpen) await new Promise((resolve) => stdout.write("", resolve));
    clearInterval(timer);
    close();
  }

  stdin.on("data", take);
  stdin.on("end", () => {
    // The last line may have no line feed.
    take(Uint8Array.of(LINE_FEED));
    void drain();
  });
  stdin.on("error", close);
  stdout.on("error", close);
}
