import type { Codec } from "../lines/codec.ts";
import { feedsIn } from "../lines/scan.ts";
import { endingAt } from "../lines/utf8.ts";

const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const BACKSLASH = 0x5c;

/** The most bytes of a character, other than a run of ISO-2022-JP. */
const MAX_CHAR_BYTES = 4;

const REPLACEMENT = "\uFFFD";

/** Bytes below are characters by themselves: later bytes of a character are 0x30 or more in GB18030, and 0x40 or more elsewhere. */
const LEAST_LATER = 0x30;

/** The codecs that were made, by label. */
const codecs = new Map<string, Codec>();

/** Returns the codec of an encoding that the runtime knows; `undefined` for UTF-8. */
export function codecOf(label: string): Codec | undefined {
  if (label === "utf-8") return undefined;
  let codec = codecs.get(label);
  if (codec === undefined) codecs.set(label, codec = makeCodec(label));
  return codec;
}

function makeCodec(label: string): Codec {
  if (label === "utf-16le" || label === "utf-16be") return utf16Codec(label);
  return label === "iso-2022-jp" ? iso2022jpCodec() : byteCodec(label);
}

/**
 * Where the line that begins at `from` ends, after its line feed; 0 if the bytes
 * do not hold its end.
 * In UTF-16, a line feed is two bytes, the first of which has an even place.
 */
export function endOfLine(
  bytes: Uint8Array,
  from: number,
  encoding: string,
): number {
  if (!encoding.startsWith("utf-16")) return bytes.indexOf(LF, from) + 1;
  const low = encoding === "utf-16le" ? 0 : 1;
  for (let at = from + from % 2; at + 1 < bytes.length; at += 2) {
    if (bytes[at + low] === LF && bytes[at + 1 - low] === 0) return at + 2;
  }
  return 0;
}

/** An encoding of one to four bytes a character, all of ASCII among them. */
function byteCodec(label: string): Codec {
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  const endsWhole = wholenessIn(label);

  /** Whether a character ends at `at`; another one begins at `from`. */
  function isBetween(bytes: Uint8Array, from: number, at: number): boolean {
    const head = bytes.subarray(from, at);
    if (endsWhole(head)) return true;
    const next = bytes[at] ?? 0x80;
    if (next >= 0x80) return false;
    // ASCII that does not complete a character is read again, after a U+FFFD.
    const longer = bytes.subarray(from, at + 1);
    const text = decoder.decode(head) + String.fromCharCode(next);
    return decoder.decode(longer) === text && endsWhole(longer);
  }

  return {
    label,
    feedLength: 1,
    maxCharLength: MAX_CHAR_BYTES,
    endingAt,
    decode: (bytes) => decoder.decode(bytes),
    divide(bytes, from, limit) {
      if (limit >= bytes.length) return bytes.length;
      let begin = limit;
      while (begin > from && bytes[begin - 1]! >= LEAST_LATER) begin--;
      const least = Math.max(begin, limit - MAX_CHAR_BYTES);
      for (let at = limit; at > least; at--) {
        if (isBetween(bytes, begin, at)) return at;
      }
      if (begin > from) return begin;
      const most = Math.min(bytes.length, limit + MAX_CHAR_BYTES);
      let end = limit + 1;
      while (end < most && !isBetween(bytes, from, end)) end++;
      return end;
    },
  };
}

/** Makes a function that tells whether bytes end with a whole character: then the decoder reads a backslash after them as one. */
function wholenessIn(label: string): (bytes: Uint8Array) => boolean {
  let decoder: TextDecoder | undefined;
  const sign = Uint8Array.of(BACKSLASH);
  return (bytes) => {
    try {
      decoder ??= new TextDecoder(label, { ignoreBOM: true });
      decoder.decode(bytes, { stream: true });
      return decoder.decode(sign) === "\\";
    } catch {
      // Some decoders of Node.js refuse parts that they decode as a whole.
      decoder = undefined;
      return false;
    }
  };
}

/**
 * ISO-2022-JP, whose escapes switch between sets of characters. Each line begins
 * in ASCII, and a run of another set is not divided: so each page can be decoded
 * by itself.
 */
function iso2022jpCodec(): Codec {
  const label = "iso-2022-jp";
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  return {
    label,
    feedLength: 1,
    maxCharLength: 64 * 1024,
    endingAt,
    decode(bytes) {
      if (areUsual(bytes)) {
        const text = decoder.decode(bytes);
        if (!text.includes(REPLACEMENT)) return text;
      }
      let text = "";
      for (let from = 0; from < bytes.length;) {
        const run = startOfRun(bytes, from);
        text += decoder.decode(bytes.subarray(from, run));
        if (run === bytes.length) break;
        from = endOfRun(bytes, run);
        // A page cannot end at bytes without a character, such as escapes alone.
        text += decoder.decode(bytes.subarray(run, from)) || REPLACEMENT;
      }
      return text;
    },
    divide(bytes, from, limit) {
      if (limit >= bytes.length) return bytes.length;
      let at = from + bytes.subarray(from, limit).lastIndexOf(LF) + 1;
      while (at < limit) {
        const run = startOfRun(bytes, at, limit);
        if (run >= limit) return limit;
        const end = endOfRun(bytes, run);
        if (end > limit) return run > from ? run : end;
        at = end;
      }
      return at;
    },
  };
}

/** The last two bytes of the escapes that select ASCII, Roman letters, katakana, and the older and newer kanji. */
const SETS = [0x2842, 0x284a, 0x2849, 0x2440, 0x2442];
const [ASCII] = SETS;

/** The set that the escape at `at` selects; `undefined` if none begins there. */
function setAt(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] !== ESC) return undefined;
  const set = bytes[at + 1]! * 256 + bytes[at + 2]!;
  return SETS.includes(set) ? set : undefined;
}

/** Where the next escape is; the end of the bytes, or any place from the limit on, without one. */
function startOfRun(
  bytes: Uint8Array,
  from: number,
  limit = bytes.length,
): number {
  let at = bytes.indexOf(ESC, from);
  while (at >= 0 && at < limit && setAt(bytes, at) === undefined) {
    at = bytes.indexOf(ESC, at + 1);
  }
  return at < 0 ? bytes.length : at;
}

/** Whether all runs have characters, and are closed, each before the next one: a decoder that gets all of them at once takes others for errors. */
function areUsual(bytes: Uint8Array): boolean {
  let run = startOfRun(bytes, 0);
  while (run < bytes.length) {
    const end = endOfRun(bytes, run);
    const isClosed = setAt(bytes, end - ESCAPE_BYTES) === ASCII;
    const hasText = end - run > 2 * ESCAPE_BYTES;
    if (!isClosed || !hasText || bytes[end] === ESC) return false;
    run = startOfRun(bytes, end);
  }
  return true;
}

const ESCAPE_BYTES = 3;

/** Where the run of an escape ends: after the escape back to ASCII, or with its line. No other set has LF or CR. */
function endOfRun(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === LF || byte === CR) return at;
    if (setAt(bytes, at) === ASCII) return at + ESCAPE_BYTES;
  }
  return bytes.length;
}

/** UTF-16, whose characters have two or four bytes. */
function utf16Codec(label: "utf-16le" | "utf-16be"): Codec {
  const isBig = label === "utf-16be";
  const high = isBig ? 0 : 1;
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  const isUnit = (bytes: Uint8Array, at: number, unit: number) =>
    bytes[at + high] === 0 && bytes[at + 1 - high] === unit;
  // At the end of a file, half a pair before half a unit is one U+FFFD.
  const isPair = (bytes: Uint8Array, at: number) =>
    (bytes[at + high]! & 0xfc) === 0xd8 &&
    (at + 3 === bytes.length || (bytes[at + 2 + high]! & 0xfc) === 0xdc);
  return {
    label,
    feedLength: 2,
    maxCharLength: 4,
    kernelFor(kernel, source) {
      const { buffer, countUnits } = kernel;
      const feed = isBig ? [0x00, 0x0a] as const : [0x0a, 0x00] as const;
      const found = feedsIn(buffer, feed, source, countUnits);
      return { ...kernel, ...found, isAscii: () => false };
    },
    endingAt(bytes, at) {
      if (isUnit(bytes, at, 0x0a)) return 2;
      return isUnit(bytes, at, 0x0d) && isUnit(bytes, at + 2, 0x0a) ? 4 : 0;
    },
    decode: (bytes) => decoder.decode(bytes),
    divide(bytes, from, limit) {
      if (limit >= bytes.length) return bytes.length;
      const at = limit - (limit - from) % 2;
      const last = at > from && isPair(bytes, at - 2) ? at - 2 : at;
      if (last > from) return last;
      return Math.min(bytes.length, from + (isPair(bytes, from) ? 4 : 2));
    },
  };
}
