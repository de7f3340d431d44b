import type { FileBytes } from "../base/port.ts";
import type { Charset } from "../lines/codec.ts";
import { endingAt } from "../lines/text.ts";

/** The characters of an encoding by bytes, and the bytes by characters, made with the runtime's decoder. */
export interface Tables {
  /** By both bytes of a pair: the number of its code points; 0 if it is not a character. */
  readonly pairs: Uint8Array;
  /** By code unit: the bytes as a number; 0 if it cannot be encoded. */
  readonly bytesOf: Uint32Array;
  /** The same by code point, beyond the first 65,536. */
  readonly bytesOfAstral: ReadonlyMap<number, number>;
}

/** The properties of an encoding that its decoder does not show. */
interface Shape {
  /** The first bytes of pairs. */
  readonly leads: (byte: number) => boolean;
  /** First bytes of pairs that an encoder avoids if another pair is the same character. */
  readonly seldom?: (byte: number) => boolean;
  /** Characters for which an encoder uses the last pair instead of the first. */
  readonly last?: string;
  /** The first byte of characters of three bytes. */
  readonly triple?: number;
  /** Whether pairs of a lead and a digit begin characters of four bytes. */
  readonly quads?: boolean;
}

const isBetween = (byte: number, least: number, most: number) =>
  byte >= least && byte <= most;
const isDigit = (byte: number) => isBetween(byte, 0x30, 0x39);
const isHigh = (byte: number) => isBetween(byte, 0xa1, 0xfe);
const isAnyLead = (byte: number) => isBetween(byte, 0x81, 0xfe);

const GB18030: Shape = { leads: isAnyLead, quads: true };

/** The encodings with pairs of bytes, by name; in all others each byte is a character. */
const SHAPES: Readonly<Record<string, Shape>> = {
  gbk: GB18030,
  gb18030: GB18030,
  big5: {
    leads: isAnyLead,
    seldom: (byte) => byte < 0xa1,
    last: "\u2550\u255e\u2561\u256a\u5341\u5345",
  },
  "euc-jp": { leads: (byte) => byte === 0x8e || isHigh(byte), triple: 0x8f },
  "euc-kr": { leads: isAnyLead },
  shift_jis: {
    leads: (byte) => isBetween(byte, 0x81, 0x9f) || isBetween(byte, 0xe0, 0xfc),
    seldom: (byte) => isBetween(byte, 0xed, 0xef),
  },
};
const SINGLE: Shape = { leads: () => false };

const REPLACEMENT = "\uFFFD";
const EURO = 0x20ac;
const LF = 0x0a;

/**
 * An encoding of one to four bytes a character. Bytes after the first are 0x30
 * or more. The decoder reads an ASCII byte that does not complete a character
 * as ASCII.
 */
export function tableCharset(label: string): Charset {
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  const shape = SHAPES[label] ?? SINGLE;
  const { leads, triple, quads = false } = shape;
  let made: Tables | undefined;
  const tables = () => made ??= makeTables(label);

  function charLength(bytes: Uint8Array, at: number): number {
    const first = bytes[at]!;
    if (first < 0x80) return 1;
    const second = bytes[at + 1];
    if (first === triple) {
      if (second === undefined || second < 0x80) return 1;
      if (!isHigh(second)) return 2;
      return (bytes[at + 2] ?? 0) < 0x80 ? 2 : 3;
    }
    if (!leads(first) || second === undefined) return 1;
    if (second >= 0x80) return 2;
    if (quads && isDigit(second)) return quadLength(bytes, at);
    // An ASCII byte that does not complete a pair is a character itself.
    return tables().pairs[first * 256 + second]! > 0 ? 2 : 1;
  }

  function isValid(bytes: Uint8Array, at: number, length: number): boolean {
    const first = bytes[at]!;
    if (length === 1) return !leads(first) && first !== triple;
    return length === 2 && tables().pairs[first * 256 + bytes[at + 1]!]! > 0;
  }

  /** The text of characters of one or two bytes, as `decodeOdd` gives them. */
  const units = new Map<number, string>();

  /** The decoders of the runtimes divide invalid bytes differently, so they are divided here. Each character is decoded once: a call of the decoder takes a microsecond. */
  function decodeOdd(bytes: Uint8Array): string {
    let text = "";
    for (let at = 0; at < bytes.length;) {
      const length = charLength(bytes, at);
      const key = length === 1 ? bytes[at]! : bytes[at]! * 256 + bytes[at + 1]!;
      // A pair begins with a lead, so its number is above those of single bytes.
      let unit = length > 2 ? undefined : units.get(key);
      if (unit === undefined) {
        unit = decodeUnit(bytes.subarray(at, at + length));
        if (length <= 2) units.set(key, unit);
      }
      text += unit;
      at += length;
    }
    return text;
  }

  /** Decodes one character. */
  function decodeUnit(bytes: Uint8Array): string {
    const unit = decoder.decode(bytes);
    const isWhole = isValid(bytes, 0, bytes.length);
    return !isWhole && unit.includes(REPLACEMENT) ? REPLACEMENT : unit;
  }

  return {
    label,
    feedLength: 1,
    maxCharLength: 4,
    hasAscii: true,
    endingAt,
    charLength: shape === SINGLE ? () => 1 : charLength,
    columnsOf(bytes, at, length) {
      if (length !== 2) return 1;
      return tables().pairs[bytes[at]! * 256 + bytes[at + 1]!]! || 1;
    },
    decode(bytes) {
      const text = decoder.decode(bytes);
      const isOdd = shape !== SINGLE && text.includes(REPLACEMENT);
      return isOdd ? decodeOdd(bytes) : text;
    },
    encode: (text) => encode(text, tables(), label),
  };
}

/** The length of a sequence that begins with a lead byte and a digit. */
function quadLength(bytes: Uint8Array, at: number): number {
  const third = bytes[at + 2];
  // At the end of a file, a decoder makes one U+FFFD of an incomplete sequence. A
  // page cannot know whether the file ends there, so its bytes are divided.
  if (third === undefined || !isAnyLead(third)) return 1;
  const fourth = bytes[at + 3];
  return fourth !== undefined && isDigit(fourth) ? 4 : 1;
}

/** The most sequences that are decoded at a time. */
const MOST_TRAILS = 256;

/** Makes the tables. The sequences of one lead are decoded together, with a line feed after each: all at once would take 20 MiB. */
export function makeTables(label: string): Tables {
  const shape = SHAPES[label] ?? SINGLE;
  const { leads: isLead, seldom = () => false, triple, quads = false } = shape;
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  const pairs = new Uint8Array(0x10000);
  const bytesOf = new Uint32Array(0x10000);
  const bytesOfAstral = new Map<number, number>();
  const last = Array.from(shape.last ?? "", (text) => text.charCodeAt(0));
  const bytes = new Uint8Array(MOST_TRAILS * 5);

  /** Adds a sequence of bytes, and the text that it decodes to. */
  function learn(sequence: number, text: string): void {
    const point = text.codePointAt(0)!;
    const isOne = text.length === (point > 0xffff ? 2 : 1);
    if (sequence <= 0xffff) pairs[sequence] = isOne ? 1 : 2;
    if (!isOne) return;
    if (point > 0xffff) {
      if (!bytesOfAstral.has(point)) bytesOfAstral.set(point, sequence);
    } else if (bytesOf[point] === 0 || last.includes(point)) {
      bytesOf[point] = sequence;
    }
  }

  /** Decodes the sequences that begin with the bytes of `lead`, and end with one byte, from `from` to `to`. */
  function decodeEach(lead: number, from: number, to: number): void {
    let length = 0;
    for (let trail = from; trail <= to; trail++) {
      length = writeSequence(bytes, length, lead * 256 + trail);
      bytes[length++] = LF;
    }
    const texts = decoder.decode(bytes.subarray(0, length)).split("\n");
    for (let trail = from; trail <= to; trail++) {
      const text = texts[trail - from]!;
      const isKnown = text !== "" && !text.includes(REPLACEMENT);
      if (isKnown) learn(lead * 256 + trail, text);
    }
  }

  for (let byte = 0x80; byte <= 0xff; byte++) {
    if (!isLead(byte)) decodeEach(0, byte, byte);
  }
  // The first sequence of a character counts, so pairs that are seldom used come last.
  for (const isSeldom of [false, true]) {
    for (let lead = 0x81; lead <= 0xfe; lead++) {
      if (!isLead(lead) || seldom(lead) !== isSeldom) continue;
      decodeEach(lead, 0x40, 0xfe);
    }
  }
  if (triple !== undefined) {
    for (let second = 0xa1; second <= 0xfe; second++) {
      decodeEach(triple * 256 + second, 0xa1, 0xfe);
    }
  }
  if (quads) {
    // The sequences of the first 65,536 code points; `quadOf()` has the others.
    for (let pair = 0x8130; pair <= 0x8439; pair++) {
      if (!isDigit(pair & 0xff)) continue;
      for (let third = 0x81; third <= 0xfe; third++) {
        decodeEach(pair * 256 + third, 0x30, 0x39);
      }
    }
    // `decodeEach()` leaves U+FFFD out, since invalid bytes are decoded to it too.
    bytesOf[0xfffd] = 0x8431a437;
  }
  // The decoder of GBK and GB18030 knows two forms of the euro sign: the encoder of
  // GBK writes a single byte, the encoder of GB18030 a pair.
  if (label === "gb18030") bytesOf[EURO] = 0xa2e3;
  return { pairs, bytesOf, bytesOfAstral };
}

/** Writes the bytes of a sequence at `at`; returns where they end. */
function writeSequence(into: Uint8Array, at: number, sequence: number): number {
  if (sequence > 0xffffff) into[at++] = sequence >>> 24;
  if (sequence > 0xffff) into[at++] = sequence >>> 16;
  if (sequence > 0xff) into[at++] = sequence >>> 8;
  into[at++] = sequence;
  return at;
}

/** The bytes of a text; `undefined` if a character has none. */
function encode(
  text: string,
  { bytesOf, bytesOfAstral }: Tables,
  label: string,
): FileBytes | undefined {
  const bytes = new Uint8Array(text.length * 4);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      bytes[length++] = unit;
      continue;
    }
    let sequence = bytesOf[unit]!;
    if (sequence === 0) {
      const point = text.codePointAt(at)!;
      if (point <= 0xffff) return undefined;
      at++;
      sequence = bytesOfAstral.get(point) ??
        (label.startsWith("gb") ? quadOf(point) : 0);
      if (sequence === 0) return undefined;
    }
    length = writeSequence(bytes, length, sequence);
  }
  return bytes.subarray(0, length);
}

/** The four bytes of a code point beyond the first 65,536, in GB18030: U+10000 is 90 30 81 30. */
function quadOf(point: number): number {
  const place = point - 0x10000;
  const first = 0x90 + Math.floor(place / 12600);
  const second = 0x30 + Math.floor(place / 1260) % 10;
  const third = 0x81 + Math.floor(place / 10) % 126;
  return ((first * 256 + second) * 256 + third) * 256 + 0x30 + place % 10;
}
