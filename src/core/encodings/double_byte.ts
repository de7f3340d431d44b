// Runtime-agnostic.
import type { FileBytes } from "../base/port.ts";
import type { Charset } from "../lines/codec.ts";
import { ASCII_PARTS, makeTables, type Shape, type Tables } from "./tables.ts";

const isWithin = (byte: number, least: number, most: number) =>
  byte >= least && byte <= most;
const isDigit = (byte: number) => isWithin(byte, 0x30, 0x39);
const isHigh = (byte: number) => isWithin(byte, 0xa1, 0xfe);
const isAnyLead = (byte: number) => isWithin(byte, 0x81, 0xfe);

const GB18030: Shape = { leads: isAnyLead, quads: true };

/** The double-byte encodings, by name. */
export const SHAPES: Readonly<Record<string, Shape>> = {
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
    leads: (byte) => isWithin(byte, 0x81, 0x9f) || isWithin(byte, 0xe0, 0xfc),
    seldom: (byte) => isWithin(byte, 0xed, 0xef),
  },
};

/** The bytes of U+10000 in GB18030, and how many code points follow. */
const FIRST_ASTRAL = 0x90308130;
const ASTRAL_POINTS = 0x100000;

const SIGN = "\uFFFD";
const EURO = 0x20ac;

/**
 * An encoding of one to four bytes a character. Bytes after the first are 0x30
 * or more. The decoder reads an ASCII byte that does not complete a character
 * as ASCII.
 */
export function doubleByteCodec(label: string, shape: Shape): Charset {
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  const { triple, quads = false } = shape;
  let made: Tables | undefined;
  const tables = () => made ??= tablesFor(label, decoder, shape);

  function unitLength(bytes: Uint8Array, at: number): number {
    const first = bytes[at]!;
    if (first < 0x80) return 1;
    const second = bytes[at + 1];
    if (first === triple) {
      if (second === undefined || second < 0x80) return 1;
      if (!isHigh(second)) return 2;
      return (bytes[at + 2] ?? 0) < 0x80 ? 2 : 3;
    }
    if (!shape.leads(first) || second === undefined) return 1;
    if (second >= 0x80) return 2;
    if (quads && isDigit(second)) return quadLength(bytes, at);
    // An ASCII byte that does not complete a pair is a character itself.
    return tables().pairs[first * 256 + second]! > 0 ? 2 : 1;
  }

  function isValid(bytes: Uint8Array, at: number, length: number): boolean {
    const first = bytes[at]!;
    if (length === 1) return !shape.leads(first) && first !== triple;
    if (length === 2) {
      return tables().pairs[first * 256 + bytes[at + 1]!]! > 0;
    }
    return false;
  }

  /** The decoders of the runtimes divide invalid bytes differently, so they are divided here. */
  function decodeOdd(bytes: Uint8Array): string {
    let text = "";
    let from = 0;
    for (let at = 0; at < bytes.length;) {
      const length = unitLength(bytes, at);
      if (!isValid(bytes, at, length)) {
        text += decoder.decode(bytes.subarray(from, at));
        const unit = decoder.decode(bytes.subarray(at, at + length));
        text += unit.includes(SIGN) ? SIGN : unit;
        from = at + length;
      }
      at += length;
    }
    return text + decoder.decode(bytes.subarray(from));
  }

  return {
    ...ASCII_PARTS,
    label,
    most: 4,
    hasAscii: true,
    unitLength,
    columnsOf(bytes, at, length) {
      if (length !== 2) return 1;
      return tables().pairs[bytes[at]! * 256 + bytes[at + 1]!]! || 1;
    },
    decode(bytes) {
      const text = decoder.decode(bytes);
      return text.includes(SIGN) ? decodeOdd(bytes) : text;
    },
    encode: (text) => encode(text, tables(), label),
  };
}

function tablesFor(
  label: string,
  decoder: TextDecoder,
  shape: Shape,
): Tables {
  const tables = makeTables(decoder, shape);
  // GBK has two encodings of the euro sign, and its encoder uses the single byte.
  if (label === "gb18030") tables.bytesOf[EURO] = 0xa2e3;
  if (shape.quads) tables.bytesOf[0xfffd] = 0x8431a437;
  return tables;
}

/** The length of a sequence that begins with a lead byte and a digit. */
function quadLength(bytes: Uint8Array, at: number): number {
  const third = bytes[at + 2];
  // A decoder makes one U+FFFD of such a sequence at the end of a file, but not at the end of a page.
  if (third === undefined || !isAnyLead(third)) return 1;
  const fourth = bytes[at + 3];
  return fourth !== undefined && isDigit(fourth) ? 4 : 1;
}

/** The bytes of a text; `undefined` if a character has none. */
export function encode(
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
    for (let shift = 24; shift >= 0; shift -= 8) {
      if (sequence >= 2 ** shift) bytes[length++] = sequence >>> shift;
    }
  }
  return bytes.subarray(0, length);
}

/** The four bytes of a code point beyond the first 65,536, in GB18030. */
function quadOf(point: number): number {
  const place = point - 0x10000;
  if (place >= ASTRAL_POINTS) return 0;
  const first = (FIRST_ASTRAL >>> 24) + Math.floor(place / 12600);
  const second = 0x30 + Math.floor(place / 1260) % 10;
  const third = 0x81 + Math.floor(place / 10) % 126;
  return ((first * 256 + second) * 256 + third) * 256 + 0x30 + place % 10;
}
