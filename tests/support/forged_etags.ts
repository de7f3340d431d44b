/** Forged etags: with other numbers or checksums, and the right two characters at their end. */
import { readDigits, writeDigits } from "../../src/core/pages/checksum.ts";

/** How many characters come before the numbers. */
const FACTS = 28;

/** The numbers of an etag. */
export interface EtagNumbers {
  readonly size: number;
  /** The byte after the page. */
  readonly end: number;
  /** How many bytes the page has. */
  readonly length: number;
}

/** The numbers of an etag. */
export function numbersOf(etag: string): EtagNumbers {
  const width = (etag.length - FACTS - 2) / 3;
  const [size, end, length] = [0, 1, 2].map((at) =>
    readDigits(etag.slice(FACTS + at * width, FACTS + (at + 1) * width))
  ) as [number, number, number];
  return { size, end, length };
}

/** An etag with some other numbers, each in `width` characters. */
export function forged(
  etag: string,
  numbers: Partial<EtagNumbers>,
  width = (etag.length - FACTS - 2) / 3,
): string {
  const { size, end, length } = { ...numbersOf(etag), ...numbers };
  const digits = [size, end, length].map((one) => writeDigits(one, width));
  return withCheck(etag.slice(0, FACTS) + digits.join(""));
}

/** A text with the two characters that an etag ends with. */
export function withCheck(text: string): string {
  let rest = 1;
  for (const char of text) rest = (rest * 64 + readDigits(char)) % 4093;
  return text + writeDigits(rest, 2);
}
