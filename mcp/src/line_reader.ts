// Runtime-agnostic.
import { MOST_MESSAGE_BYTES } from "./bounds.ts";
import { INVALID_REQUEST, PARSE_ERROR, readMessage } from "./messages.ts";
import type { Call, Reply } from "./messages.ts";
import type { Peer } from "./protocol.ts";

const LINE_FEED = 10;

/**
 * Returns a function that cuts chunks of bytes into lines, and passes on each
 * line that is a message. Other lines are refused with an error, unless they
 * seem to be answers.
 */
export function lineReader(
  peer: Peer,
  pass: (message: Call | Reply) => void,
): (chunk: Uint8Array) => void {
  let decoder = new TextDecoder();
  let text = "";
  let length = 0;

  /** Logs why a line is refused. Answers with an error, unless the line is itself an answer. */
  function refuse(code: number, problem: string, value?: unknown): void {
    peer.log(`refused: ${problem}`);
    if (isAnswer(value)) return;
    const { id } = Object(value);
    // JSON.parse reads 1e999 as a number that JSON cannot write.
    const isKnown = typeof id === "string" || Number.isFinite(id);
    const error = { code, message: `Cannot serve: ${problem}` };
    // As in MCP, an unknown id is left out: after the `null` of JSON-RPC, the Inspector lists no tools.
    peer.send({ jsonrpc: "2.0", ...(isKnown && { id }), error });
  }

  function read(line: string): void {
    if (line === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      const problem = "a line is not JSON; send one message on each line";
      return refuse(PARSE_ERROR, problem);
    }
    const message = readMessage(value);
    if (message !== undefined) return pass(message);
    const problem = Array.isArray(value)
      ? "a batch of messages is not served; send each by itself, on a line of its own"
      : "a line is not a message of JSON-RPC 2.0, as MCP uses it";
    refuse(INVALID_REQUEST, problem, value);
  }

  function keep(part: Uint8Array): void {
    length += part.length;
    const isLong = length > MOST_MESSAGE_BYTES;
    text = isLong ? "" : text + decoder.decode(part, { stream: true });
  }

  function finish(): void {
    const line = text.trim();
    const isLong = length > MOST_MESSAGE_BYTES;
    text = "";
    length = 0;
    // A byte order mark is skipped at the start of each line.
    decoder = new TextDecoder();
    if (!isLong) return read(line);
    const problem =
      `a message has more than ${MOST_MESSAGE_BYTES} bytes; send less at a time`;
    refuse(INVALID_REQUEST, problem);
  }

  return (chunk) => {
    for (let start = 0;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end < 0) return keep(chunk.subarray(start));
      keep(chunk.subarray(start, end + 1));
      finish();
      start = end + 1;
    }
  };
}

/** Whether a value seems to be an answer, or a batch of answers. If peers sent errors for answers, two of them would never stop. */
function isAnswer(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isAnswer);
  const { result, error } = Object(value);
  return result !== undefined || error !== undefined;
}
