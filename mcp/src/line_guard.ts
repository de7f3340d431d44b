// Runtime-agnostic.
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { MOST_MESSAGE_BYTES } from "./bounds.ts";

/** What is answered to a message that is none. */
export interface Refusal {
  /**
   * The id that it had, if one could be told. MCP leaves out one that is not
   * known, where JSON-RPC has `null`: the Inspector lists no tools after that.
   */
  readonly id?: string | number;
  /** The code, by JSON-RPC. */
  readonly code: number;
  /** What is the case, and what to do next. */
  readonly message: string;
}

/** Where lines go. */
export interface LineGuardOptions {
  /** Takes a line that is a message, with its ending. */
  pass(line: Uint8Array): void;
  /** Takes what is to be answered to another, unless that is itself an answer. */
  refuse(refusal: Refusal): void;
  /** Told of each line that is no message. */
  log(message: string): void;
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const LINE_FEED = 10;

/** How much of each end of a line is looked at for an id. */
const END_BYTES = 256;

/** An id that is surely of the message itself: at its very start, or at its very end after its version. */
const ID = /("id"\s*:\s*)(-?\d{1,15}|"[^"\\]{0,128}")/.source;
const START = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"[^"\\]*"\s*,\s*)?/.source;
const OUTCOME = /"(?:result|error)"/.source;
const ID_FIRST = new RegExp(`${START}${ID}\\s*,(?!\\s*${OUTCOME})`);
/** An answer: its id is that of a request of ours. */
const ANSWER = new RegExp(`${START}${OUTCOME}`);
const ID_LAST = new RegExp(
  `"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*${ID}\\s*\\}\\s*$`,
);

/**
 * Keeps from the SDK what is no message: it would be silent on it, or say all
 * of its schema, and end where a line is too long.
 */
export class LineGuard {
  readonly #options: LineGuardOptions;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** How a line began of which not all is kept. */
  #head: Uint8Array | undefined;

  constructor(options: LineGuardOptions) {
    this.#options = options;
  }

  /** Takes what comes next. */
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
    const line = concat(this.#parts);
    const head = this.#head;
    this.#parts = [];
    this.#length = 0;
    this.#head = undefined;
    if (head === undefined) return this.#judge(line);
    this.#refuse(
      idAtEnds(decode(head), decode(line)),
      INVALID_REQUEST,
      `a message has more than ${MOST_MESSAGE_BYTES} bytes; send less at a time`,
    );
  }

  #judge(line: Uint8Array): void {
    const text = decode(line).trim();
    if (text === "") return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      const id = idAtEnds(text.slice(0, END_BYTES), text.slice(-END_BYTES));
      const problem = "a line is no JSON; send one message on each line";
      return this.#refuse(id, PARSE_ERROR, problem);
    }
    // Not the line as it came: what is trimmed here, the SDK would take for no JSON.
    if (isMessage(value)) return this.#options.pass(encode(`${text}\n`));
    if (Array.isArray(value)) return this.#refuseBatch(value);
    const problem = "a line is no message of JSON-RPC 2.0 as MCP has them";
    if (isAnswer(value)) this.#say(problem);
    else this.#refuse(idOf(value), INVALID_REQUEST, problem);
  }

  #refuseBatch(batch: readonly unknown[]): void {
    const problem =
      "a batch of messages is not served; send each by itself, on a line of its own";
    this.#say(problem);
    const asked = batch.filter((value) => !isAnswer(value));
    if (asked.length === 0 && batch.length > 0) return;
    const ids = asked.map(idOf).filter((id) => id !== undefined);
    for (const id of ids.length > 0 ? ids : [undefined]) {
      this.#answer(id, INVALID_REQUEST, problem);
    }
  }

  #refuse(
    id: string | number | undefined,
    code: number,
    problem: string,
  ): void {
    this.#say(problem);
    this.#answer(id, code, problem);
  }

  #say(problem: string): void {
    this.#options.log(`refused: ${problem}`);
  }

  #answer(
    id: string | number | undefined,
    code: number,
    problem: string,
  ): void {
    const message = `Cannot serve: ${problem}`;
    this.#options.refuse({ ...(id !== undefined && { id }), code, message });
  }
}

function isMessage(value: unknown): boolean {
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    return false;
  }
}

/** Whether it seems to be an answer, which is not answered: that could go on for ever. */
function isAnswer(value: unknown): boolean {
  const { result, error } = Object(value) as Readonly<Record<string, unknown>>;
  return result !== undefined || error !== undefined;
}

function idOf(value: unknown): string | number | undefined {
  const { id } = Object(value) as { readonly id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function idAtEnds(head: string, tail: string): string | number | undefined {
  const found = ANSWER.test(head)
    ? null
    : ID_FIRST.exec(head) ?? ID_LAST.exec(tail);
  try {
    return found === null ? undefined : JSON.parse(found[2]!);
  } catch {
    // A control character may stand in it.
    return undefined;
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
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
