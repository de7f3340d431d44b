// Runtime-agnostic.
import { STEP, type Steps } from "../base/call.ts";
import { charsetOf, endOfLine } from "../encodings/charsets.ts";
import type { TextWindow } from "../lines/window.ts";
import type { InexactLine } from "./page.ts";

/** Returns a function that takes the lines of a window one by one, with their endings, and finds why the text does not give the bytes back; `undefined` if all lines are exact. */
export function findLosses({ encoding: { label }, text, bytes }: TextWindow) {
  const charset = charsetOf(label);
  // The decoder writes U+FFFD for invalid bytes.
  if (charset === undefined && !text.includes(SIGN)) return undefined;
  let end = 0;
  return function* (line: string): Steps<InexactLine["reason"] | undefined> {
    const start = end;
    end = endOfLine(bytes, start, label) || bytes.length;
    const hasSign = line.includes(SIGN);
    const own = bytes.subarray(start, end);
    if (charset === undefined) {
      return hasSign && (yield* isLossy(line, own)) ? "not UTF-8" : undefined;
    }
    if (isSame(charset.encode(line), own)) return undefined;
    return hasSign ? "undecodable" : "ambiguous";
  };
}

function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  if (one?.length !== other.length) return false;
  for (let at = 0; at < other.length; at++) {
    if (one[at] !== other[at]) return false;
  }
  return true;
}

/** Whether decoding a line lost bytes: then its text has more U+FFFD than its bytes. */
function* isLossy(text: string, bytes: Uint8Array): Steps<boolean> {
  let written = 0;
  let steps = 0;
  for (let at = 0; (at = bytes.indexOf(0xef, at)) >= 0; at++) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) written++;
    if (++steps % STEP === 0) yield;
  }
  for (let at = 0; (at = text.indexOf(SIGN, at)) >= 0; at++) {
    if (--written < 0) return true;
    if (written % STEP === 0) yield;
  }
  return false;
}

const SIGN = "\uFFFD";
