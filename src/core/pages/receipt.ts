// Runtime-agnostic.
import { runAtOnce, STEP_ITEMS, type Steps } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import { ENCODING_NAMES, endOfLine } from "../encodings/charsets.ts";
import { Checksum, Sha256, viewOf } from "./digest.ts";

/** The lines that a page showed, without their text. */
export interface Receipt {
  /** The number of the first line; from the end if negative. */
  readonly line: number;
  /** The column at which the page began. */
  readonly column: number;
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
/** The lowest kind of stamp that is a receipt; the bits below say how the page ended. */
const RECEIPT = 4;
const IS_END = 1;
const IS_CUT = 2;
const DIGEST_DIGITS = 22;
const TAG_DIGITS = 4;
/** How many numbers a receipt holds. */
const NUMBERS = 4;
/** How many bytes are hashed per step: about a millisecond. */
const STEP_BYTES = 131_072;

/** Computes the tag of each line, and calls `give` with it. `add` takes the bytes in parts, which begin at even positions; `end` ends the last line. */
export function lineTags(encoding: string, give: (tag: number) => void) {
  let checksum = new Checksum();
  let isOpen = false;
  /** Ends the last line, unless it has ended. */
  const end = () => {
    if (!isOpen) return;
    give(checksum.bits >>> 8);
    checksum = new Checksum();
    isOpen = false;
  };
  function* add(bytes: Uint8Array): Steps<void> {
    const view = viewOf(bytes);
    let from = 0;
    for (let count = 1; from < bytes.length; count++) {
      isOpen = true;
      const to = endOfLine(bytes, from, encoding);
      checksum.addPart(view, from, to || bytes.length);
      if (to === 0) return;
      end();
      from = to;
      if (count % STEP_ITEMS === 0) yield;
    }
  }
  return { add, end };
}

/** The first 128 bits of the SHA-256 of bytes, as text. */
export function digestOf(bytes: Uint8Array): string {
  const hash = new Sha256();
  hash.add(bytes);
  return hash.end();
}

/** Where the bytes of a page begin, whether they reach the end of the file, and their encoding. */
type PageExtent = Pick<Receipt, "line" | "column" | "isEnd" | "encoding">;

/** Writes a receipt: the line, the column, the length, the digest, and four characters for each line. */
export function* writeReceipt(
  bytes: Uint8Array,
  { line, column, isEnd, encoding }: PageExtent,
): Steps<string> {
  const isCut = !isEnd && bytes.length > 0 && !endsLine(bytes, encoding);
  const kind = RECEIPT | (isEnd ? IS_END : 0) | (isCut ? IS_CUT : 0);
  // An encoding that is not in the list is written as UTF-8, which has index 0.
  const encodingIndex = Math.max(0, ENCODING_NAMES.indexOf(encoding));
  const numbers = [line, column, bytes.length, encodingIndex];
  let digits = "";
  const hash = new Sha256();
  const tags = lineTags(encoding, (tag) => {
    digits += digitsOf(tag, TAG_DIGITS);
  });
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    const part = bytes.subarray(from, from + STEP_BYTES);
    hash.add(part);
    yield* tags.add(part);
    yield;
  }
  tags.end();
  return yield* writeStamp({ kind, numbers, tail: hash.end() + digits });
}

export function endsLine(bytes: Uint8Array, encoding: string): boolean {
  const unit = encoding.startsWith("utf-16") ? 2 : 1;
  const last = bytes.subarray(Math.max(0, bytes.length - unit));
  return endOfLine(last, 0, encoding) > 0;
}

/** The same receipt without its tags, which `applyDelta` does not need. */
export function shortReceipt(text: string): string {
  const stamp = runAtOnce(readStamp(text, NUMBERS));
  if (stamp === undefined) return text;
  const tail = stamp.tail.slice(0, DIGEST_DIGITS);
  return runAtOnce(writeStamp({ ...stamp, tail }));
}

/** Reads a receipt; `undefined` for an invalid or incomplete one. With `mayBeShort`, it may have no tags. */
export function* readReceipt(
  text: string,
  mayBeShort = false,
): Steps<Receipt | undefined> {
  const stamp = yield* readStamp(text, NUMBERS);
  if (stamp === undefined || stamp.kind < RECEIPT) return undefined;
  const { kind, tail } = stamp;
  const numbers = stamp.numbers.map((number) => number ?? 0);
  const [line = 0, column = 0, length = 0, encodingIndex = 0] = numbers;
  const encoding = ENCODING_NAMES[encodingIndex];
  if (encoding === undefined) return undefined;
  const count = (tail.length - DIGEST_DIGITS) / TAG_DIGITS;
  if (count < 0 || !Number.isInteger(count)) return undefined;
  const tags = new Int32Array(count);
  for (let at = 0; at < count; at++) {
    tags[at] = bitsOf(tail, DIGEST_DIGITS + at * TAG_DIGITS, TAG_DIGITS);
    if (at % STEP_ITEMS === 0) yield;
  }
  const isEnd = (kind & IS_END) > 0;
  const isCut = (kind & IS_CUT) > 0;
  // The tag of a part of a line must not match any line.
  if (column > 1) tags.fill(-1, 0, 1);
  if (isCut) tags.fill(-1, -1);
  const digest = tail.slice(0, DIGEST_DIGITS);
  const bounds = { line, column, length, isEnd, isCut };
  const receipt = { ...bounds, encoding, digest, tags };
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
  // The path of a delta has not been checked yet.
  const shown = typeof path === "string" ? path : "";
  throw new ReadFileError("INVALID_ARGUMENT", shown, { argument, problem }, {
    hint: "read the lines again",
  });
}

/** Whether a page can have this receipt: a forged one must not make the reader read impossible bytes. */
function isPossible({ line, column, length, isEnd, isCut, tags }: Receipt) {
  // Lines that are numbered from the end are whole, and reach the end.
  const fitsEnd = line > 0 || column === 1 && tags.length === -line;
  return line !== 0 && Number.isSafeInteger(line) && fitsEnd &&
    column > 0 && Number.isSafeInteger(column) && !(isEnd && isCut) &&
    length >= 0 && tags.length <= length &&
    (length === 0) === (tags.length === 0);
}

/** The digits of base64url, six bits each. */
const DIGITS =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const NO_DIGIT = 64;
/** The values of the digits, by character code. */
const VALUES = /* @__PURE__ */ valuesOf(DIGITS);

/** The content of a stamp, which is the text of an etag or a receipt. */
interface Stamp {
  /** Less than 7, so that a stamp never begins with a dash, as an option of a command does. */
  readonly kind: number;
  /** Safe integers. */
  readonly numbers: readonly (number | null)[];
  /** The digits after the numbers. */
  readonly tail: string;
}

/** How many digits hold the kind and a checksum of the rest. */
const HEAD_DIGITS = 3;
const CHECK_BITS = 15;
const STEP_DIGITS = 16 * STEP_ITEMS;

// A number has a variable number of digits, the lowest bits first. The first digit has
// four bits of the number and its sign, the others have five bits. `null` is a negative
// zero. The flags are above these bits, so each flag is also how many values they have.
/** The bit of each digit that says that another digit follows. */
const MORE = 32;
/** The bit of the first digit that says that the number is negative. */
const NEGATIVE = 16;

export function* writeStamp({ kind, numbers, tail }: Stamp): Steps<string> {
  const rest = numbers.map(numberDigits).join("") + tail;
  return digitsOf(yield* headOf(kind, rest, 0), HEAD_DIGITS) + rest;
}

/** Reads a stamp of `count` numbers; `undefined` for an invalid or incomplete one. */
export function* readStamp(
  text: string,
  count: number,
): Steps<Stamp | undefined> {
  const head = bitsOf(text, 0, HEAD_DIGITS);
  const kind = head >>> CHECK_BITS;
  if (head !== (yield* headOf(kind, text, HEAD_DIGITS))) return undefined;
  const numbers: (number | null)[] = [];
  let at = HEAD_DIGITS;
  while (numbers.length < count) {
    const first = bitsOf(text, at++, 1);
    let number = first & (NEGATIVE - 1);
    let digit = first;
    for (let unit = NEGATIVE; digit >= MORE; unit *= MORE) {
      digit = bitsOf(text, at++, 1);
      number += (digit & (MORE - 1)) * unit;
    }
    if (!Number.isSafeInteger(number)) return undefined;
    const isNegative = (first & NEGATIVE) > 0;
    if (!isNegative) numbers.push(number);
    else numbers.push(number === 0 ? null : -number);
  }
  return at > text.length ? undefined : { kind, numbers, tail: text.slice(at) };
}

function numberDigits(number: number | null): string {
  let rest = Math.abs(number ?? 0);
  let text = "";
  /** How many values the bits of the digit have. */
  let room = NEGATIVE;
  let sign = number === null || number < 0 ? NEGATIVE : 0;
  do {
    const digit = rest % room + sign;
    rest = Math.floor(rest / room);
    text += DIGITS[rest > 0 ? digit | MORE : digit];
    room = MORE;
    sign = 0;
  } while (rest > 0);
  return text;
}

/** Computes the head of a stamp, whose other digits begin at `from`; -1 for invalid digits. */
function* headOf(kind: number, text: string, from: number): Steps<number> {
  let bits = kind + 1;
  for (let at = from; at < text.length; at++) {
    const value = VALUES[text.charCodeAt(at)] ?? NO_DIGIT;
    if (value === NO_DIGIT) return -1;
    bits = Math.imul(bits ^ value, 0x5bd1e995);
    bits ^= bits >>> 15;
    if (at % STEP_DIGITS === 0) yield;
  }
  return kind << CHECK_BITS | bits & (1 << CHECK_BITS) - 1;
}

/** Writes the last bits of a number in `count` digits. */
function digitsOf(bits: number, count: number): string {
  let text = "";
  for (let shift = (count - 1) * 6; shift >= 0; shift -= 6) {
    text += DIGITS[bits >>> shift & 63];
  }
  return text;
}

/** Reads `count` digits as a number of 32 bits; the bits before these are lost. */
function bitsOf(text: string, from: number, count: number): number {
  let bits = 0;
  for (let at = from; at < from + count; at++) {
    bits = bits << 6 | VALUES[text.charCodeAt(at)]! & 63;
  }
  return bits;
}

function valuesOf(digits: string): Uint8Array {
  const values = new Uint8Array(128).fill(NO_DIGIT);
  for (let at = 0; at < digits.length; at++) values[digits.charCodeAt(at)] = at;
  return values;
}
