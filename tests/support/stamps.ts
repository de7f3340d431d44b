/** Forged etags, with impossible numbers. */
import { doAtOnce } from "../../src/core/base/call.ts";
import { readStamp, writeStamp } from "../../src/core/pages/receipt.ts";

/** The places of some numbers of an etag. */
export const SIZE = 1;
/** Where the bytes shown begin, and how many there are. */
export const START = 4;
export const LENGTH = 5;

/** All numbers of an etag. */
export function numbersOf(etag: string): readonly (number | null)[] {
  for (let count = 1;; count++) {
    const { numbers, tail } = doAtOnce(readStamp(etag, count))!;
    if (tail === "") return numbers;
  }
}

/** The same etag with other numbers, and a check that fits. */
export function madeUp(
  etag: string,
  numbers: readonly (number | null)[],
): string {
  const { kind } = doAtOnce(readStamp(etag, 1))!;
  return doAtOnce(writeStamp({ kind, numbers, tail: "" }));
}
