import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isId,
  PARSE_ERROR,
  readMessage,
} from "./messages.ts";
import type { ClientMessage, Reply } from "./messages.ts";
import type { Peer } from "./protocol.ts";
import { visibleJson } from "./words.ts";

/** Parsed, brackets take fifty times as much memory. */
export const MOST_MESSAGE_BYTES = 512 * 1024;

export const LINE_FEED = 10;

/** How many characters of a message that is too long are kept, at its beginning and at its end. */
const KEPT_CHARS = 1024;
/** A member of an object, whose value is a string, a number, a boolean or null. */
const MEMBER = String.raw`\s*"[^"\\]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*`;
/** The members before the first that is long, and the name of that one in an answer. */
const FIRST_MEMBERS = new RegExp(
  String.raw`^\s*\{((?:${MEMBER},)*)\s*(?:"(?:result|error)"\s*:)?`,
);
/** The members after the last that is long. */
const LAST_MEMBERS = new RegExp(String.raw`((?:,${MEMBER})*)\}\s*$`);

/**
 * Returns a function that cuts chunks of bytes into lines, and passes on each
 * line that is a message. Other lines are refused with an error, unless they
 * seem to be answers.
 */
export function lineReader(
  peer: Peer,
  pass: (message: ClientMessage | Reply) => void,
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  /** The beginning of a message that is too long; `text` is then its end. */
  let head = "";

  /** Logs why a line is refused. Answers with an error, unless the line is itself an answer. */
  function refuse(code: number, problem: string, value?: unknown): void {
    peer.log(`refused: ${problem}`);
    if (isAnswer(value)) return;
    const { id } = Object(value);
    const error = { code, message: `Cannot serve: ${problem}` };
    // As in MCP, an unknown id is left out: after the `null` of JSON-RPC, the Inspector lists no tools.
    peer.send({ jsonrpc: "2.0", ...(isId(id) && { id }), error });
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
    refuse(INVALID_REQUEST, problemWith(value), value);
  }

  /** Keeps a part of a line. After its last part, the decoder begins anew, and skips a byte order mark. */
  function keep(part: Uint8Array, isLast: boolean): void {
    length += part.length;
    text += decoder.decode(part, { stream: !isLast });
    if (length <= MOST_MESSAGE_BYTES) return;
    head ||= text.slice(0, KEPT_CHARS);
    text = text.slice(-KEPT_CHARS);
  }

  function finish(): void {
    const line = text.trim();
    const beginning = head;
    text = head = "";
    length = 0;
    try {
      if (beginning === "") return read(line);
      const problem =
        `a message has more than ${MOST_MESSAGE_BYTES} bytes; send less at a time`;
      refuse(INVALID_REQUEST, problem, outlineOf(beginning, line));
    } catch (error) {
      // No line may end the server: what is thrown here would be uncaught.
      const problem = `a line could not be read: ${visibleJson(String(error))}`;
      refuse(INTERNAL_ERROR, problem);
    }
  }

  return (chunk) => {
    for (let start = 0;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end < 0) return keep(chunk.subarray(start), false);
      // A chunk may hold thousands of empty lines.
      if (end > start || length > 0) {
        keep(chunk.subarray(start, end), true);
        finish();
      }
      start = end + 1;
    }
  };
}

/** What is known of a message from its beginning and its end: the client waits for the answer with its id. */
function outlineOf(head: string, end: string): unknown {
  const first = FIRST_MEMBERS.exec(head);
  if (first === null) return undefined;
  const [all, before = ""] = first;
  const [, after = ""] = LAST_MEMBERS.exec(end) ?? [];
  try {
    const known = JSON.parse(`{${before}"":0${after}}`);
    return { ...known, ...(all.endsWith(":") && { result: {} }) };
  } catch {
    // Such as a number with two points.
    return undefined;
  }
}

/** Why a value is not a message. */
function problemWith(value: unknown): string {
  if (Array.isArray(value)) {
    return "a batch of messages is not served; send each by itself, on a line of its own";
  }
  return isInexact(Object(value).id)
    ? `an id is a number beyond ${Number.MAX_SAFE_INTEGER}, and may have been rounded; send it as a string`
    : "a line is not a message of JSON-RPC 2.0, as MCP uses it";
}

/** Whether an id may have been rounded: an error would go to the id of another request. */
function isInexact(id: unknown): boolean {
  return typeof id === "number" && Math.abs(id) > Number.MAX_SAFE_INTEGER;
}

/** Whether a value seems to be an answer, or a batch of answers. If peers sent errors for answers, two of them would never stop. */
function isAnswer(value: unknown): boolean {
  // It does not look into a batch inside a batch: a deep line could overflow the stack.
  return Array.isArray(value)
    ? value.length > 0 && value.every(isOneAnswer)
    : isOneAnswer(value);
}

function isOneAnswer(value: unknown): boolean {
  const { result, error } = Object(value);
  return result !== undefined || error !== undefined;
}
