/** Forged etags with impossible numbers. */
import { runAtOnce } from "../../src/core/base/call.ts";
import { readStamp, writeStamp } from "../../src/core/pages/receipt.ts";

/** The index of the file's size among the numbers of an etag. */
export const SIZE = 1;
/** The indexes of the position and the length of the shown bytes. */
export const START = 4;
export const LENGTH = 5;

/** All numbers of an etag. */
export function numbersOf(etag: string): readonly (number | null)[] {
  for (let count = 1;; count++) {
    const { numbers, tail } = runAtOnce(readStamp(etag, count))!;
    if (tail === "") return numbers;
  }
}

/** An etag with other numbers and a valid checksum. */
export function madeUp(
  etag: string,
  numbers: readonly (number | null)[],
): string {
  const { kind } = runAtOnce(readStamp(etag, 1))!;
  return runAtOnce(writeStamp({ kind, numbers, tail: "" }));
}
