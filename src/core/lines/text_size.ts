import { ReadFileError } from "../base/errors.ts";
import type { Codec } from "./codec.ts";
import type { Source } from "./source.ts";

/** How many bytes are decoded at a time. */
const STEP_BYTES = 4096;

/** The size of a text: in columns, in code units, or in bytes of UTF-8. */
export type Measure = (text: string) => number;

export const columnsOf: Measure = (text) => {
  let count = 0;
  // Decoded text has no half of a pair: the second one of each is left out.
  for (let at = 0; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count++;
  }
  return count;
};

export const unitsOf: Measure = ({ length }) => length;

const encoder = new TextEncoder();
const encoded = new Uint8Array(3 * STEP_BYTES);

export const utf8BytesOf: Measure = (text) => {
  const code = text.codePointAt(0) ?? 0;
  if (text.length === (code > 0xffff ? 2 : 1)) {
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  let size = 0;
  for (let at = 0; at < text.length;) {
    const { read, written } = encoder.encodeInto(text.slice(at), encoded);
    at += read;
    size += written;
  }
  return size;
};

/** Where bytes are to be divided so that their text has at most the size `most`, and its size; 0 if its first character has more. */
export function placeOf(
  codec: Codec,
  bytes: Uint8Array,
  most: number,
  measure: Measure,
): { readonly place: number; readonly size: number } {
  const sizeOf = (from: number, to: number) =>
    measure(codec.decode(bytes.subarray(from, to)));
  let place = 0;
  let size = 0;
  // More than fits ends at `over`.
  let over = bytes.length;
  let overSize = sizeOf(0, over);
  if (overSize <= most) return { place: over, size: overSize };
  for (let step = 0; place < over && size < most; step++) {
    // As if all characters were alike; and every other time halfway, in case they are not.
    const part = step % 2 === 1 ? 0.5 : (most - size) / (overSize - size);
    const guess = Math.max(1, Math.floor(part * (over - place)));
    const to = codec.divide(bytes, place, place + guess);
    const own = sizeOf(place, to);
    if (size + own <= most) {
      place = to;
      size += own;
    } else if (guess === 1) break;
    else {
      over = place + guess;
      overSize = size + own;
    }
  }
  return { place, size };
}

/** Where {@linkcode skipText} stopped. */
interface SkippedText {
  /** A position between two characters. */
  readonly position: number;
  /** The size of the text that it skipped. */
  readonly size: number;
  /** Whether it stopped at a line ending, or at the end of the file. */
  readonly ended: boolean;
}

/**
 * Skips text of at most the size `most` from `position` on, within the line, and
 * no byte from `until` on. With `takesOne`, skips at least one character, even if
 * it is larger.
 */
export async function skipText(
  source: Source,
  codec: Codec,
  position: number,
  most: number,
  { takesOne = false, until = source.size, measure = columnsOf },
): Promise<SkippedText> {
  let at = position;
  let size = 0;
  for (;;) {
    // More bytes than the rest of the text has.
    const rest = (most - size + 1) * MAX_CHAR_BYTES;
    const step = Math.min(STEP_BYTES, rest, Math.max(0, until - at));
    const bytes = await source.piece(at, at + step + codec.maxCharLength);
    const isLast = at + bytes.length === source.size;
    const line = lineOf(codec, bytes, isLast);
    const ended = line.length === 0;
    if (ended || size >= most || at >= until) {
      return { position: at, size, ended };
    }
    const end = codec.divide(line, 0, step);
    refuseLong(codec, source, end);
    if (at + end > until) return { position: at, size, ended };
    // Where the line ends, its ending is decoded with it: it may end a character, too.
    const ending = end === line.length && line.length < bytes.length
      ? codec.feedLength
      : 0;
    const part = bytes.subarray(0, end + ending);
    const text = measure(codec.decode(part)) - (ending > 0 ? 1 : 0);
    if (size + text <= most) {
      at += end;
      size += text;
    } else {
      let fits = placeOf(codec, part, most - size, measure);
      if (fits.place === 0 && size === 0 && takesOne) {
        const place = codec.divide(line, 0, 1);
        fits = { place, size: measure(codec.decode(line.subarray(0, place))) };
      }
      // Nothing more fits.
      until = at += fits.place;
      size += fits.size;
    }
    const yielding = source.yieldIfDue();
    if (yielding !== undefined) await yielding;
  }
}

/** The bytes up to the end of their first line, without its ending. */
function lineOf(
  { feedLength, endingAt }: Codec,
  bytes: Uint8Array,
  isLast: boolean,
): Uint8Array {
  let at = feedLength === 1 ? bytes.indexOf(LF) : 0;
  if (at < 0) at = bytes.length;
  if (feedLength === 1 && at > 0 && at < bytes.length) at--;
  for (; at + feedLength <= bytes.length; at += feedLength) {
    if (endingAt(bytes, at) > 0) return bytes.subarray(0, at);
  }
  if (isLast || at <= feedLength) return bytes;
  // A carriage return at the end may be half of a line ending.
  return bytes.subarray(0, at - feedLength);
}

const LF = 0x0a;

/** The most bytes of a character, other than a run of ISO-2022-JP. */
const MAX_CHAR_BYTES = 4;

/** Refuses bytes that cannot be divided, if they are too long. */
export function refuseLong(
  { maxCharLength: limit }: Codec,
  { path }: Source,
  size: number,
): void {
  if (size < limit || limit <= MAX_CHAR_BYTES) return;
  const facts = { what: "line", size, limit } as const;
  throw new ReadFileError("TOO_LARGE", path, facts);
}
