// Runtime-agnostic.
import { MOST_MESSAGE_BYTES } from "./bounds.ts";
import { INVALID_REQUEST, PARSE_ERROR, readMessage } from "./messages.ts";
import type { Call, MessageId, Reply } from "./messages.ts";
import type { Peer } from "./protocol.ts";

const LINE_FEED = 10;

/** How many messages of a batch are answered. */
const MOST_REFUSED = 1000;

/** How many characters of each end of a line are searched for an id. */
const END_CHARS = 256;

/** An id certainly belongs to the message only at its very start, or at its very end after the version. */
const ID = /("id"\s*:\s*)(-?\d{1,15}|"[^"\\]{0,128}")/.source;
const START = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"[^"\\]*"\s*,\s*)?/.source;
const OUTCOME = /"(?:result|error)"/.source;
const ID_FIRST = new RegExp(`${START}${ID}\\s*,(?!\\s*${OUTCOME})`);
/** An answer: its id is that of a request of the server. */
const ANSWER = new RegExp(`${START}${OUTCOME}`);
const ID_LAST = new RegExp(
  `"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*${ID}\\s*\\}\\s*$`,
);

/**
 * Returns a function that cuts chunks of bytes into lines, and passes each line
 * as a message. Other lines are refused, but a line that is an answer gets no
 * error.
 */
export function lineReader(
  peer: Peer,
  pass: (message: Call | Reply) => void,
): (chunk: Uint8Array) => void {
  let decoder = new TextDecoder();
  let text = "";
  let length = 0;
  /** The start of a line that is too long to keep. */
  let head: string | undefined;

  /** Logs a line once, and answers each of the ids; an unknown one is `undefined`. */
  function refuse(
    ids: readonly (MessageId | undefined)[],
    code: number,
    problem: string,
  ): void {
    peer.log(`refused: ${problem}`);
    const error = { code, message: `Cannot serve: ${problem}` };
    for (const id of ids) {
      // As in MCP, an unknown id is left out: after the `null` of JSON-RPC, the Inspector lists no tools.
      peer.send({ jsonrpc: "2.0", ...(id !== undefined && { id }), error });
    }
  }

  function refuseBatch(batch: readonly unknown[]): void {
    const problem =
      "a batch of messages is not served; send each by itself, on a line of its own";
    const requests = batch.filter((value) => !isAnswer(value));
    // A line of 10 MiB could cause a million answers.
    const ids = requests.slice(0, MOST_REFUSED).map(idOf)
      .filter((id) => id !== undefined);
    const isAnswered = requests.length === 0 && batch.length > 0;
    const all = isAnswered || ids.length > 0 ? ids : [undefined];
    refuse(all, INVALID_REQUEST, problem);
  }

  function read(line: string): void {
    if (line === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      const id = idAtEnds(line.slice(0, END_CHARS), line.slice(-END_CHARS));
      const problem = "a line is not JSON; send one message on each line";
      return refuse([id], PARSE_ERROR, problem);
    }
    const message = readMessage(value);
    if (message !== undefined) return pass(message);
    if (Array.isArray(value)) return refuseBatch(value);
    const problem = "a line is not a message of JSON-RPC 2.0, as MCP uses it";
    refuse(isAnswer(value) ? [] : [idOf(value)], INVALID_REQUEST, problem);
  }

  function keep(part: Uint8Array): void {
    text += decoder.decode(part, { stream: true });
    length += part.length;
    if (length <= MOST_MESSAGE_BYTES) return;
    head ??= text.slice(0, END_CHARS);
    text = text.slice(-END_CHARS);
  }

  function finish(): void {
    const [line, start] = [text, head];
    // A byte order mark is skipped at the start of each line.
    decoder = new TextDecoder();
    [text, length, head] = ["", 0, undefined];
    if (start === undefined) return read(line.trim());
    const problem =
      `a message has more than ${MOST_MESSAGE_BYTES} bytes; send less at a time`;
    refuse([idAtEnds(start, line)], INVALID_REQUEST, problem);
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

/** Whether a message seems to be an answer. An error is not sent for an answer: two peers would never stop. */
function isAnswer(value: unknown): boolean {
  const { result, error } = Object(value);
  return result !== undefined || error !== undefined;
}

function idOf(value: unknown): MessageId | undefined {
  const { id } = Object(value);
  // JSON.parse reads 1e999 as a number that JSON cannot write.
  return typeof id === "string" || Number.isFinite(id) ? id : undefined;
}

function idAtEnds(head: string, tail: string): MessageId | undefined {
  if (ANSWER.test(head)) return undefined;
  const found = ID_FIRST.exec(head) ?? ID_LAST.exec(tail);
  try {
    return found === null ? undefined : JSON.parse(found[2]!);
  } catch {
    // It holds a control character.
    return undefined;
  }
}
