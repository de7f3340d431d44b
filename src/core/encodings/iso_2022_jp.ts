// Runtime-agnostic.
import type { FileBytes } from "../base/port.ts";
import type { Charset } from "../lines/codec.ts";
import { endingAt } from "../lines/text.ts";
import { makeTables, type Tables } from "./tables.ts";

const ESC = 0x1b;
const LF = 0x0a;
const SIGN = "\uFFFD";

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

/** Where a run of another set ends: after the escape back to ASCII, or at the end of its line. */
function runLength(bytes: Uint8Array, at: number): number {
  let place = at;
  // Searching for the end of the line at each run would take quadratic time.
  for (; place < bytes.length && bytes[place] !== LF; place++) {
    if (setAt(bytes, place) === ASCII) return place + 3 - at;
  }
  return place - at;
}

/**
 * ISO-2022-JP, whose escapes switch between sets of characters. Each line
 * begins in ASCII. A run of another set is one unit and is never divided, so
 * that each page can be decoded by itself.
 */
export function iso2022jpCharset(): Charset {
  const label = "iso-2022-jp";
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });
  let made: Tables | undefined;
  let pairs: Uint16Array | undefined;
  const unitLength = (bytes: Uint8Array, at: number) =>
    setAt(bytes, at) === 0 ? 1 : runLength(bytes, at);
  // A run without text is U+FFFD, since a page cannot end at bytes without a character.
  const decodeRun = (run: Uint8Array) => decoder.decode(run) || SIGN;
  /** Decodes valid bytes by a table, since a call of the decoder for each run takes far longer; -1 for others. */
  const readUnits = (bytes: Uint8Array, units: Uint16Array, count: number) =>
    unitsOf(bytes, units, count, pairs ??= makePairs(decoder));

  return {
    label,
    feed: 1,
    endingAt,
    most: 64 * 1024,
    hasAscii: false,
    unitLength,
    columnsOf(bytes, at, length) {
      if (length === 1) return 1;
      const run = bytes.subarray(at, at + length);
      const count = readUnits(run, NO_UNITS, 0);
      return count > 0 ? count : Array.from(decodeRun(run)).length;
    },
    decode(bytes) {
      const units = new Uint16Array(bytes.length);
      let text = "";
      let count = 0;
      for (let from = 0; from < bytes.length;) {
        const escape = bytes.indexOf(ESC, from);
        const to = escape === from
          ? from + unitLength(bytes, from)
          : escape < 0
          ? bytes.length
          : escape;
        const part = bytes.subarray(from, to);
        const after = readUnits(part, units, count);
        if (after > count) count = after;
        else {
          text += utf16.decode(units.subarray(0, count));
          text += escape === from ? decodeRun(part) : decoder.decode(part);
          count = 0;
        }
        from = to;
      }
      return text + utf16.decode(units.subarray(0, count));
    },
    encode(text) {
      return encodeRuns(text, made ??= makeTables("euc-jp"));
    },
  };
}

/** Ignores what is written to it. */
const NO_UNITS = /* @__PURE__ */ new Uint16Array(0);

const isPrinted = (byte: number) => byte > 0x20 && byte < 0x7f;

/** The character of each pair of bytes, without their highest bits; 0 for a pair without one. */
function makePairs(decoder: TextDecoder): Uint16Array {
  const pairs = new Uint16Array(0x8000);
  for (let lead = 0x21; lead < 0x7f; lead++) {
    const bytes: number[] = [];
    for (let trail = 0x21; trail < 0x7f; trail++) {
      bytes.push(ESC, 0x24, 0x42, lead, trail, ESC, 0x28, 0x42, LF);
    }
    const texts = decoder.decode(Uint8Array.from(bytes)).split("\n");
    for (let at = 0; at < 94; at++) {
      const isOne = texts[at]!.length === 1 && texts[at] !== SIGN;
      if (isOne) pairs[lead * 256 + 0x21 + at] = texts[at]!.charCodeAt(0);
    }
  }
  return pairs;
}

/** Writes the characters of ASCII or of one run after the first `count` units; returns their new count, or -1 if some byte is not valid. */
function unitsOf(
  bytes: Uint8Array,
  units: Uint16Array,
  count: number,
  pairs: Uint16Array,
): number {
  let set: number = ASCII;
  let isFirst = false;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === ESC) {
      const next = setAt(bytes, at);
      // Two escapes without a character between them are an error.
      if (next === 0 || isFirst) return -1;
      set = next;
      isFirst = next !== ASCII;
      at += 3;
      continue;
    }
    isFirst = false;
    let unit = byte;
    if (set === KANA) {
      unit = byte > 0x20 && byte < 0x60 ? byte + 0xff40 : 0;
    } else if (set === KANJI || set === OLD_KANJI) {
      const second = bytes[++at] ?? 0;
      unit = isPrinted(byte) && isPrinted(second)
        ? pairs[byte * 256 + second]!
        : 0;
    } else if (byte > 0x7f || byte === 0x0e || byte === 0x0f) unit = 0;
    else if (set === ROMAN && byte === 0x5c) unit = 0xa5;
    else if (set === ROMAN && byte === 0x7e) unit = 0x203e;
    // NUL is a character of ASCII.
    if (unit === 0 && (byte !== 0 || set !== ASCII)) return -1;
    units[count++] = unit;
    at++;
  }
  return isFirst ? -1 : count;
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
      // Others have one byte or three, or are katakana, which it encodes otherwise.
      if (pair < 0xa1a1 || pair > 0xfefe) return undefined;
      begin(KANJI);
      bytes[length++] = (pair >> 8) & 0x7f;
      bytes[length++] = pair & 0x7f;
    }
  }
  begin(ASCII);
  return bytes.slice(0, length);
}
