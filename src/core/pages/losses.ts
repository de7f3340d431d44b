// Runtime-agnostic.
import { STEP, type Steps } from "../base/call.ts";
import { charsetOf, endOfLine } from "../encodings/charsets.ts";
import type { Charset } from "../lines/codec.ts";
import type { TextWindow } from "../lines/window.ts";
import type { InexactLine } from "./page.ts";

/** Finds, line by line, why the text of a line of a window does not give its bytes back. */
export class Losses {
  readonly #bytes: Uint8Array;
  readonly #charset: Charset | undefined;
  /** Whether any line may not be exact; if not, they need not be checked. */
  readonly isPossible: boolean;
  #position = 0;

  /** Constructs a new instance; if the window `isPlain`, all its lines are exact. */
  constructor({ encoding, text, bytes }: TextWindow, isPlain: boolean) {
    this.#bytes = bytes;
    this.#charset = isPlain ? undefined : charsetOf(encoding.label);
    // The decoder writes U+FFFD for invalid bytes.
    this.isPossible = !isPlain &&
      (this.#charset !== undefined || text.includes(SIGN));
  }

  /** Checks the next line, with its ending. */
  *next(text: string): Steps<InexactLine["reason"] | undefined> {
    const bytes = this.#bytes;
    const from = this.#position;
    const charset = this.#charset;
    const label = charset?.label ?? "utf-8";
    const end = endOfLine(bytes, from, label) || bytes.length;
    this.#position = end;
    if (charset !== undefined) {
      if (isSame(charset.encode(text), bytes.subarray(from, end))) return;
      return text.includes(SIGN) ? "undecodable" : "ambiguous";
    }
    const isLost = yield* isLossy(text, bytes.subarray(from, end));
    return isLost ? "not UTF-8" : undefined;
  }
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
  if (!text.includes(SIGN)) return false;
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
