// Runtime-agnostic.
import { doAtOnce, STEP, type Steps } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import { encodingOfNumber, numberOfEncoding } from "../encodings/charsets.ts";
import { Checksum, Sha256, viewOf } from "./digest.ts";
import { bitsOf, digitsOf, readStamp, writeStamp } from "./stamp.ts";

/** The lines that a page showed, without their text. */
export interface Receipt {
  /** The number of the first line; from the end if negative. */
  readonly line: number;
  /** The column at which the page began. */
  readonly column: number;
  /** The encoding that its lines are in. */
  readonly encoding: string;
  /** How many bytes it showed. */
  readonly length: number;
  /** Whether it reached the end of the file. */
  readonly isEnd: boolean;
  /** Whether it ended inside its last line. */
  readonly isCut: boolean;
  /** The first 128 bits of the SHA-256 of its bytes, which decide whether they are the same. */
  readonly digest: string;
  /** A tag of 24 bits for each line, to find lines; it proves nothing. */
  readonly tags: Int32Array;
}

/** The separator of the receipts of several runs of lines. */
export const RECEIPT_GAP = "~";

/** The facts for a receipt. */
export interface Receipted
  extends Pick<Receipt, "line" | "column" | "isEnd" | "encoding"> {
  readonly bytes: Uint8Array;
}

const LF = 0x0a;

/** The lowest kind of stamp that is a receipt; its last bits say how the page ended. */
const RECEIPT = 4;
const IS_END = 1;
const IS_CUT = 2;

/** How many digits a digest and a tag have. */
const DIGEST_DIGITS = 22;
const TAG_DIGITS = 4;

/** How many numbers a receipt holds. */
const NUMBERS = 4;

/** How many bytes are hashed per step: about a millisecond. */
const STEP_BYTES = 262_144;

/**
 * Where the line ends that begins at `from`, or 0 if it does not end in the bytes.
 * In UTF-16, a line feed is two bytes, the first of which has an even place.
 */
export function endOfLine(
  bytes: Uint8Array,
  from: number,
  encoding: string,
): number {
  if (!encoding.startsWith("utf-16")) return bytes.indexOf(LF, from) + 1;
  const place = encoding === "utf-16le" ? 0 : 1;
  for (let at = from;; at++) {
    at = bytes.indexOf(LF, at);
    if (at < 0) return 0;
    const begin = at - place;
    const isFeed = begin % 2 === 0 && begin >= from &&
      bytes[begin + 1 - place] === 0;
    if (isFeed) return begin + 2;
  }
}

/** Computes the tags of lines from parts of bytes, each of which begins at an even place. */
export class LineTags {
  readonly #encoding: string;
  readonly #end: (tag: number) => void;
  readonly #checksum = new Checksum();
  /** Where the current line begins. */
  #begin = 0;

  /** Constructs a new instance; `end` gets the tag of each line. */
  constructor(encoding: string, end: (tag: number) => void) {
    this.#encoding = encoding;
    this.#end = end;
  }

  *add(bytes: Uint8Array, position: number): Steps<void> {
    const view = viewOf(bytes);
    let from = 0;
    for (let count = 1;; count++) {
      const to = endOfLine(bytes, from, this.#encoding);
      this.#checksum.addPart(view, from, to || bytes.length);
      if (to === 0) return;
      this.#endLine(position + to);
      from = to;
      if (count % STEP === 0) yield;
    }
  }

  /** Ends the last line at the end of the bytes, unless it has ended. */
  endAt(position: number): void {
    if (this.#begin < position) this.#endLine(position);
  }

  #endLine(to: number): void {
    this.#end(this.#checksum.bits >>> 8);
    this.#checksum.reset();
    this.#begin = to;
  }
}

export function* digestOf(bytes: Uint8Array): Steps<string> {
  const hash = new Sha256();
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    hash.add(bytes.subarray(from, from + STEP_BYTES));
    yield;
  }
  return hash.end();
}

/** Writes a receipt: the line, the column, the length, the digest, and four characters for each line. */
export function* writeReceipt(
  { line, column, isEnd, bytes, encoding }: Receipted,
): Steps<string> {
  const isCut = !isEnd && bytes.length > 0 && !endsLine(bytes, encoding);
  let tail = yield* digestOf(bytes);
  const tags = new LineTags(
    encoding,
    (tag) => tail += digitsOf(tag, TAG_DIGITS),
  );
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    yield* tags.add(bytes.subarray(from, from + STEP_BYTES), from);
    yield;
  }
  tags.endAt(bytes.length);
  const kind = RECEIPT | (isEnd ? IS_END : 0) | (isCut ? IS_CUT : 0);
  return yield* writeStamp({
    kind,
    numbers: [line, column, bytes.length, numberOfEncoding(encoding)],
    tail,
  });
}

/** Whether the bytes end with a line feed. */
export function endsLine(bytes: Uint8Array, encoding: string): boolean {
  const unit = encoding.startsWith("utf-16") ? 2 : 1;
  const last = bytes.subarray(Math.max(0, bytes.length - unit));
  return endOfLine(last, 0, encoding) > 0;
}

/** The same receipt without its tags, which a delta does not need. */
export function shortReceipt(text: string): string {
  const stamp = doAtOnce(readStamp(text, NUMBERS));
  if (stamp === undefined) return text;
  const tail = stamp.tail.slice(0, DIGEST_DIGITS);
  return doAtOnce(writeStamp({ ...stamp, tail }));
}

/** Reads a receipt; `undefined` for an invalid or incomplete one. */
export function* readReceipt(
  text: string,
  mayBeShort = false,
): Steps<Receipt | undefined> {
  const stamp = yield* readStamp(text, NUMBERS);
  if (stamp === undefined || stamp.kind < RECEIPT) return undefined;
  const { kind, tail } = stamp;
  const [line = 0, column = 0, length = 0, place = 0] = stamp.numbers
    .map((x) => x ?? 0);
  const encoding = encodingOfNumber(place);
  if (encoding === undefined) return undefined;
  const count = (tail.length - DIGEST_DIGITS) / TAG_DIGITS;
  if (count < 0 || !Number.isInteger(count)) return undefined;
  const tags = new Int32Array(count);
  for (let at = 0; at < count; at++) {
    tags[at] = bitsOf(tail, DIGEST_DIGITS + at * TAG_DIGITS, TAG_DIGITS);
    if (at % STEP === 0) yield;
  }
  const [isEnd, isCut] = [(kind & IS_END) > 0, (kind & IS_CUT) > 0];
  const digest = tail.slice(0, DIGEST_DIGITS);
  // The tag of a part of a line must not match any line.
  if (column > 1) tags.fill(-1, 0, 1);
  if (isCut) tags.fill(-1, -1);
  const receipt = {
    ...{ line, column, encoding, length },
    ...{ isEnd, isCut, digest, tags },
  };
  if (mayBeShort && count === 0) return receipt;
  return isPossible(receipt) ? receipt : undefined;
}

/** Reads a receipt; fails with `INVALID_ARGUMENT` for an invalid one. */
export function* takeReceipt(
  path: string,
  text: unknown,
  argument = "receipt",
  mayBeShort = false,
): Steps<Receipt> {
  const receipt = typeof text === "string"
    ? yield* readReceipt(text, mayBeShort)
    : undefined;
  if (receipt !== undefined) return receipt;
  const problem = "is not the receipt of a page, or not all of it";
  const shown = typeof path === "string" ? path : "";
  throw new ReadFileError("INVALID_ARGUMENT", shown, {
    argument,
    problem,
  }, { hint: "read the lines again" });
}

/** Whether a page can have this receipt: a forged one must not make the reader read impossible bytes. */
function isPossible(
  { line, column, length, isEnd, isCut, tags }: Receipt,
): boolean {
  return line !== 0 && Number.isSafeInteger(line) && column > 0 &&
    Number.isSafeInteger(column) && (line > 0 || column === 1) &&
    length >= 0 && !(isEnd && isCut) && tags.length <= length &&
    (length === 0) === (tags.length === 0) &&
    (line > 0 || tags.length === -line);
}
