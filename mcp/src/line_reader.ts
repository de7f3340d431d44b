// Runtime-agnostic.
import { MOST_MESSAGE_BYTES } from "./bounds.ts";
import {
  type Call,
  INVALID_REQUEST,
  type MessageId,
  PARSE_ERROR,
  readMessage,
  type Reply,
} from "./messages.ts";

/** The answer to a line that is not a message. */
export interface Refusal {
  /**
   * The id of the message, if it is known. An unknown id is left out, as in
   * MCP, and not `null`, as in JSON-RPC: after a `null`, the Inspector lists no
   * tools.
   */
  readonly id?: MessageId;
  readonly code: number;
  readonly message: string;
}

/** What the reader does with lines. */
export interface LineReaderOptions {
  pass(message: Call | Reply): void;
  /** Takes the error for any other line. Lines that are answers get no error. */
  refuse(refusal: Refusal): void;
  log(message: string): void;
}

const LINE_FEED = 10;

/** How many messages of a batch are answered. */
const MOST_REFUSED = 1000;

/** How many bytes of each end of a line are searched for an id. */
const END_BYTES = 256;

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

/** Cuts bytes into lines, and reads each line as one message. */
export class LineReader {
  readonly #options: LineReaderOptions;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** The start of a line that is too long to keep. */
  #head: Uint8Array | undefined;

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  take(chunk: Uint8Array): void {
    for (let start = 0;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end < 0) return this.#keep(chunk.subarray(start));
      this.#keep(chunk.subarray(start, end + 1));
      this.#finish();
      start = end + 1;
    }
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= MOST_MESSAGE_BYTES) return;
    const kept = concat(this.#parts);
    this.#head ??= kept.slice(0, END_BYTES);
    this.#parts = [kept.slice(-END_BYTES)];
  }

  #finish(): void {
    const line = decode(concat(this.#parts));
    const head = this.#head;
    this.#parts = [];
    this.#length = 0;
    this.#head = undefined;
    if (head === undefined) return this.#read(line.trim());
    const problem =
      `a message has more than ${MOST_MESSAGE_BYTES} bytes; send less at a time`;
    this.#refuse([idAtEnds(decode(head), line)], INVALID_REQUEST, problem);
  }

  #read(text: string): void {
    if (text === "") return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      const id = idAtEnds(text.slice(0, END_BYTES), text.slice(-END_BYTES));
      const problem = "a line is no JSON; send one message on each line";
      return this.#refuse([id], PARSE_ERROR, problem);
    }
    const message = readMessage(value);
    if (message !== undefined) return this.#options.pass(message);
    if (Array.isArray(value)) return this.#refuseBatch(value);
    const problem = "a line is no message of JSON-RPC 2.0 as MCP has them";
    const ids = isAnswer(value) ? [] : [idOf(value)];
    this.#refuse(ids, INVALID_REQUEST, problem);
  }

  #refuseBatch(batch: readonly unknown[]): void {
    const problem =
      "a batch of messages is not served; send each by itself, on a line of its own";
    const requests = batch.filter((value) => !isAnswer(value));
    // A line of 10 MiB could cause a million answers.
    const ids = requests.slice(0, MOST_REFUSED).map(idOf)
      .filter((id) => id !== undefined);
    const isAnswered = requests.length === 0 && batch.length > 0;
    const all = isAnswered || ids.length > 0 ? ids : [undefined];
    this.#refuse(all, INVALID_REQUEST, problem);
  }

  /** Logs a line once, and answers each of the ids; an unknown one is `undefined`. */
  #refuse(
    ids: readonly (MessageId | undefined)[],
    code: number,
    problem: string,
  ): void {
    const { log, refuse } = this.#options;
    log(`refused: ${problem}`);
    const message = `Cannot serve: ${problem}`;
    for (const id of ids) {
      refuse({ ...(id !== undefined && { id }), code, message });
    }
  }
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

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only = new Uint8Array()] = parts;
  if (parts.length <= 1) return only;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const whole = new Uint8Array(length);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}
