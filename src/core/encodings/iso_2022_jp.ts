import type { FileBytes } from "../base/port.ts";
import type { Charset } from "../lines/codec.ts";
import { endingAt } from "../lines/text.ts";
import { makeTables, type Tables } from "./tables.ts";

const ESC = 0x1b;
const LF = 0x0a;
const REPLACEMENT = "\uFFFD";

// The sets of characters, as the two bytes after the escape that selects them.
const ASCII = 0x2842;
const ROMAN = 0x284a;
const KANA = 0x2849;
const OLD_KANJI = 0x2440;
const KANJI = 0x2442;
const SETS = [ASCII, ROMAN, KANA, OLD_KANJI, KANJI];

/** The set that an escape at `at` selects; 0 if it selects none. */
function setAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== ESC || at + 2 >= bytes.length) return 0;
  const set = bytes[at + 1]! * 256 + bytes[at + 2]!;
  return SETS.includes(set) ? set : 0;
}

/** The length of a run of another set, up to and with the escape back to ASCII, or up to the end of its line; 1 for other bytes. */
function charLength(bytes: Uint8Array, at: number): number {
  if (setAt(bytes, at) === 0) return 1;
  let place = at;
  // Searching for the end of the line at each run would take quadratic time.
  for (; place < bytes.length && bytes[place] !== LF; place++) {
    if (setAt(bytes, place) === ASCII) return place + 3 - at;
  }
  return place - at;
}

/**
 * ISO-2022-JP, whose escapes switch between sets of characters. Each line
 * begins in ASCII. A run of another set counts as one character, which is never
 * divided: so each page can be decoded by itself.
 */
export function iso2022jpCharset(): Charset {
  const label = "iso-2022-jp";
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  /** Made when a text is first encoded. */
  let made: Tables | undefined;
  // A run without text is U+FFFD, since a page cannot end at bytes without a character.
  const decodeRun = (run: Uint8Array) => decoder.decode(run) || REPLACEMENT;

  function decode(bytes: Uint8Array): string {
    const regular = withoutReturns(bytes);
    const text = regular === undefined ? REPLACEMENT : decoder.decode(regular);
    if (!text.includes(REPLACEMENT)) return text;
    // A call of the decoder for each run takes far longer, so only parts with an error are divided.
    const middle = bytes.lastIndexOf(LF, bytes.length >> 1) + 1;
    if (middle > 0 && middle < bytes.length) {
      return decode(bytes.subarray(0, middle)) + decode(bytes.subarray(middle));
    }
    let runs = "";
    for (let from = 0; from < bytes.length;) {
      const escape = bytes.indexOf(ESC, from);
      const end = escape < 0 ? bytes.length : escape;
      runs += decoder.decode(bytes.subarray(from, end));
      if (escape < 0) break;
      from = escape + charLength(bytes, escape);
      runs += decodeRun(bytes.subarray(escape, from));
    }
    return runs;
  }

  return {
    label,
    feedLength: 1,
    endingAt,
    maxCharLength: 64 * 1024,
    hasAscii: false,
    charLength,
    columnsOf(bytes, at, length) {
      if (length === 1) return 1;
      return Array.from(decodeRun(bytes.subarray(at, at + length))).length;
    },
    decode,
    encode: (text) => encodeRuns(text, made ??= makeTables("euc-jp")),
  };
}

const ESCAPE_BYTES = 3;
/** The shortest run: an escape, one byte, and the escape back. */
const LEAST_RUN_BYTES = 2 * ESCAPE_BYTES + 1;

/**
 * Leaves out each escape back to ASCII that another escape follows at once,
 * since decoders refuse two escapes without text between them. Returns
 * `undefined` if a run has no characters or is not closed in its line: decoders
 * differ about such runs.
 */
function withoutReturns(bytes: Uint8Array): Uint8Array | undefined {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  let from = 0;
  let at = bytes.indexOf(ESC);
  while (at >= 0) {
    const end = at + charLength(bytes, at);
    const back = end - ESCAPE_BYTES;
    const isClosed = setAt(bytes, back) === ASCII;
    if (end - at < LEAST_RUN_BYTES || !isClosed) return undefined;
    if (bytes[end] === ESC) {
      kept.set(bytes.subarray(from, back), length);
      length += back - from;
      from = end;
    }
    at = bytes.indexOf(ESC, end);
  }
  if (from === 0) return bytes;
  kept.set(bytes.subarray(from), length);
  return kept.subarray(0, length + bytes.length - from);
}

/** Encodes a text by the table of EUC-JP, whose bytes are the same with the highest bit set. */
function encodeRuns(text: string, { bytesOf }: Tables): FileBytes | undefined {
  // Each character may need an escape before it.
  const bytes = new Uint8Array(text.length * 5 + 3);
  let length = 0;
  let set: number = ASCII;
  const begin = (other: number) => {
    if (other === set) return;
    bytes[length++] = ESC;
    bytes[length++] = other >> 8;
    bytes[length++] = other & 0xff;
    set = other;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      begin(ASCII);
      bytes[length++] = unit;
    } else if (unit === 0xa5 || unit === 0x203e) {
      begin(ROMAN);
      bytes[length++] = unit === 0xa5 ? 0x5c : 0x7e;
    } else {
      const pair = bytesOf[unit]!;
      // In EUC-JP, pairs below A1 A1 are half-width katakana, which ISO-2022-JP
      // encodes otherwise; characters of one or three bytes are not in its sets.
      if (pair < 0xa1a1 || pair > 0xfefe) return undefined;
      begin(KANJI);
      bytes[length++] = (pair >> 8) & 0x7f;
      bytes[length++] = pair & 0x7f;
    }
  }
  begin(ASCII);
  return bytes.slice(0, length);
}
