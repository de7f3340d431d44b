// Deno, Bun and Node.js: all offer `node:process`.
import process from "node:process";
import { LINE_FEED, lineReader } from "./line_reader.ts";
import type { Connection, Peer } from "./protocol.ts";
import type { Json } from "./messages.ts";
import { openOutput } from "./output.ts";

/** How long the server works on the next answer when its input has ended: the official client waits for an answer that long. */
const DRAIN_MS = 60_000;
/** How many times the timer fires within the time for an answer. */
const IDLE_TICKS = 4;
/** How many bytes may wait for the client before calls wait, too. */
const MOST_BEHIND_BYTES = 4 * 1024 * 1024;
/** How many bytes may wait for the client before its messages are no longer read. A client that writes all of them before it reads would then wait forever, so calls wait much sooner. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

/**
 * Serves one client over standard input and output, a message on each line.
 * When the input has ended, a request is aborted if none is answered for
 * `drainMs`, and no answer waits for the client.
 */
export function serveStdio(
  connect: (peer: Peer) => Connection,
  log: (message: string) => void,
  drainMs: number = DRAIN_MS,
): void {
  const { stdin } = process;
  let isOpen = true;
  let isPaused = false;
  /** How many times the timer has fired since a request was answered. */
  let idleTicks = 0;
  const send = (message: Json) => {
    if (!isOpen) return;
    const isAnswer = message.method === undefined;
    if (isAnswer) idleTicks = 0;
    output.write(`${JSON.stringify(message)}\n`);
    if (output.waiting <= MOST_WAITING_BYTES || isPaused) return;
    isPaused = true;
    stdin.pause();
  };
  const output = openOutput(() => {
    if (!isOpen) return;
    if (isPaused && output.waiting <= MOST_WAITING_BYTES) {
      isPaused = false;
      stdin.resume();
    }
    connection.proceed();
  }, close);
  const isBehind = () => output.waiting > MOST_BEHIND_BYTES;
  const peer = { send, log, isBehind };
  const connection = connect(peer);
  const take = lineReader(peer, (message) => connection.take(message));

  /** Closes the connection. Stops reading, since more input would keep the process alive. */
  function close(error?: Error): void {
    if (error !== undefined && isOpen) log(messageOf(error));
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
      // While answers wait, the client is slow, and not the calls.
      if (output.waiting > 0) idleTicks = 0;
      else if (++idleTicks > IDLE_TICKS) connection.close();
    }, drainMs / IDLE_TICKS);
    await connection.idle();
    connection.endSubscriptions();
    await output.flush();
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
}

/** The message of an error of a stream, with its code: Deno's messages have none. */
function messageOf({ message, code }: Error & { code?: unknown }): string {
  return typeof code !== "string" || message.includes(code)
    ? message
    : `${code}: ${message}`;
}
