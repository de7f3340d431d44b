// Runtime-agnostic.
import { STEP, type Steps } from "../base/call.ts";

/** The digits of base64url, six bits each. */
const DIGITS =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The values of the digits, by character code; made at the first use. */
let values: Uint8Array | undefined;
const NO_DIGIT = 64;

/** The content of a stamp, which is the text of an etag or a receipt. */
interface Stamp {
  /** Less than 7, so that a stamp never begins with a dash, like an option. */
  readonly kind: number;
  /** Safe integers. */
  readonly numbers: readonly (number | null)[];
  /** The digits after the numbers. */
  readonly tail: string;
}

/** How many digits hold the kind and a checksum of the rest. */
const HEAD_DIGITS = 3;
const CHECK_BITS = 15;

/** How many digits are checked per step. */
const STEP_DIGITS = 16 * STEP;

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
    let number = first & 15;
    let digit = first;
    for (let unit = 16; digit > 31; unit *= 32) {
      digit = bitsOf(text, at++, 1);
      number += (digit & 31) * unit;
    }
    if (!Number.isSafeInteger(number)) return undefined;
    const isBelow = (first & 16) > 0;
    numbers.push(isBelow ? number === 0 ? null : -number : number);
  }
  return at > text.length ? undefined : { kind, numbers, tail: text.slice(at) };
}

/** Writes a number in a variable number of digits; the first digit holds the sign. A negative zero is `null`. */
function numberDigits(number: number | null): string {
  let rest = Math.abs(number ?? 0);
  let text = "";
  let [room, sign] = [16, number === null || number < 0 ? 16 : 0];
  do {
    const digit = rest % room + sign;
    rest = Math.floor(rest / room);
    text += DIGITS[rest > 0 ? digit | 32 : digit];
    [room, sign] = [32, 0];
  } while (rest > 0);
  return text;
}

/** Computes the head of a stamp with these digits; -1 for invalid digits. */
function* headOf(kind: number, text: string, from: number): Steps<number> {
  values ??= valuesOf(DIGITS);
  let bits = kind + 1;
  for (let at = from; at < text.length; at++) {
    const value = values[text.charCodeAt(at)] ?? NO_DIGIT;
    if (value === NO_DIGIT) return -1;
    bits = Math.imul(bits ^ value, 0x5bd1e995);
    bits ^= bits >>> 15;
    if (at % STEP_DIGITS === 0) yield;
  }
  return kind << CHECK_BITS | bits & (1 << CHECK_BITS) - 1;
}

/** Writes the last bits of a number in `count` digits. */
export function digitsOf(bits: number, count: number): string {
  let text = "";
  for (let shift = (count - 1) * 6; shift >= 0; shift -= 6) {
    text += DIGITS[bits >>> shift & 63];
  }
  return text;
}

/** Reads the bits of `count` digits, the last 32 of them. */
export function bitsOf(text: string, from: number, count: number): number {
  values ??= valuesOf(DIGITS);
  let bits = 0;
  for (let at = from; at < from + count; at++) {
    bits = bits << 6 | values[text.charCodeAt(at)]! & 63;
  }
  return bits;
}

function valuesOf(digits: string): Uint8Array {
  const values = new Uint8Array(128).fill(NO_DIGIT);
  for (let at = 0; at < digits.length; at++) values[digits.charCodeAt(at)] = at;
  return values;
}
