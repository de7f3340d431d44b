// Runtime-agnostic.
import { ReadFileError } from "../base/errors.ts";
import { Checksum, viewOf } from "./digest.ts";
import { Sha256 } from "./sha256.ts";

/** The lines that a page showed, without their text. */
export interface Receipt {
  /** The number of the first line; from the end if it is below zero. */
  readonly line: number;
  /** The column at which the page began. */
  readonly column: number;
  /** How many bytes it showed. */
  readonly length: number;
  /** Whether it came to the end of the file. */
  readonly isEnd: boolean;
  /** Whether it ended inside its last line. */
  readonly isCut: boolean;
  /** The first 128 bits of the SHA-256 of its bytes: it alone decides whether they are the same. */
  readonly digest: string;
  /** 24 bits for each line: they tell where lines are, and prove nothing. */
  readonly tags: Int32Array;
}

/** What stands between the receipts of several runs of lines. */
export const RECEIPT_GAP = "~";

/** What a receipt is made of. */
export interface Receipted extends Pick<Receipt, "line" | "column" | "isEnd"> {
  readonly bytes: Uint8Array;
}

const LF = 0x0a;
const DIGITS =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The tag of a line whose bytes were added to a checksum. */
export function tagOf(checksum: Checksum): number {
  return checksum.bits >>> 8;
}

/** The digest of the bytes. */
export function digestOf(bytes: Uint8Array): string {
  const hash = new Sha256();
  hash.add(bytes);
  return hash.end();
}

/**
 * Writes a receipt: two characters of flags and a checksum, the line, the column
 * if it is not 1, the length, the digest, and four characters for each line.
 */
export function writeReceipt(
  { line, column, isEnd, bytes }: Receipted,
): string {
  const isCut = !isEnd && bytes.length > 0 && bytes.at(-1) !== LF;
  const place = [line, column > 1 ? column : "", bytes.length]
    .map((number) => number.toString(36)).join(".");
  let rest = `${place}.${digestOf(bytes)}`;
  const checksum = new Checksum();
  const view = viewOf(bytes);
  for (let from = 0; from < bytes.length;) {
    const to = bytes.indexOf(LF, from) + 1 || bytes.length;
    checksum.reset();
    checksum.addPart(view, from, to);
    rest += digits(tagOf(checksum), 4);
    from = to;
  }
  const flags = (isEnd ? 1 : 0) | (isCut ? 2 : 0);
  return digits(flags << FLAG_SHIFT | checkOf(rest), 2) + rest;
}

const FLAG_SHIFT = 10;

const RECEIPT =
  /^([\w-]{2})((-?[0-9a-z]{1,11})\.([0-9a-z]{0,11})\.([0-9a-z]{1,6})\.([\w-]{22})((?:[\w-]{4})*))$/;

/** Reads a receipt; `undefined` if it is none of ours, or not all of one. */
export function readReceipt(text: string): Receipt | undefined {
  const parts = RECEIPT.exec(text);
  if (parts === null) return undefined;
  const [, head, rest, line, column, length, digest, tags] = parts;
  const flags = bitsOf(head!, 0, 2) ^ checkOf(rest!);
  if ((flags & (1 << FLAG_SHIFT) - 1) !== 0) return undefined;
  const receipt = {
    line: parseInt(line!, 36),
    column: column === "" ? 1 : parseInt(column!, 36),
    length: parseInt(length!, 36),
    isEnd: (flags >> FLAG_SHIFT & 1) === 1,
    isCut: (flags >> FLAG_SHIFT & 2) === 2,
    digest: digest!,
    tags: Int32Array.from(
      { length: tags!.length / 4 },
      (_, at) => bitsOf(tags!, at * 4, 4),
    ),
  };
  // A part of a line is no line: its tag must match none.
  if (receipt.column > 1) receipt.tags[0] = -1;
  if (receipt.isCut) receipt.tags[receipt.tags.length - 1] = -1;
  return isPossible(receipt) ? receipt : undefined;
}

/** Takes a receipt; fails with `INVALID_ARGUMENT` for what is none. */
export function takeReceipt(
  path: string,
  text: unknown,
  argument = "receipt",
): Receipt {
  const receipt = typeof text === "string" ? readReceipt(text) : undefined;
  if (receipt !== undefined) return receipt;
  const problem = "is not the receipt of a page, or not all of it";
  const shown = typeof path === "string" ? path : "";
  throw new ReadFileError("INVALID_ARGUMENT", shown, {
    argument,
    problem,
  }, { hint: "read the lines again" });
}

/** Whether a page can have shown that: a forged receipt must not ask for what no page has. */
function isPossible(
  { line, column, length, isEnd, isCut, tags }: Receipt,
): boolean {
  return line !== 0 && Number.isSafeInteger(line) && column > 0 &&
    Number.isSafeInteger(column) && (line > 0 || column === 1) &&
    !(isEnd && isCut) && tags.length <= length &&
    (length === 0) === (tags.length === 0) &&
    (line > 0 || tags.length === -line);
}

function checkOf(text: string): number {
  const checksum = new Checksum();
  checksum.add(new TextEncoder().encode(text));
  return checksum.bits & (1 << FLAG_SHIFT) - 1;
}

function digits(bits: number, count: number): string {
  let text = "";
  for (let shift = (count - 1) * 6; shift >= 0; shift -= 6) {
    text += DIGITS[bits >>> shift & 63];
  }
  return text;
}

function bitsOf(text: string, from: number, count: number): number {
  let bits = 0;
  for (let at = from; at < from + count; at++) {
    bits = bits << 6 | DIGITS.indexOf(text[at]!);
  }
  return bits;
}
