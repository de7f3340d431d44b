/** Encodes texts in legacy encodings: no runtime does, so the bytes of each character are learned from its decoder. */

/** The bytes of the characters of an encoding. */
interface Tables {
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

/** The most sequences that are decoded at a time. */
const MOST_TRAILS = 256;

/** Makes the tables. The sequences of one lead are decoded together, with a line feed after each: all at once would take 20 MiB. */
function makeTables(label: string): Tables {
  const shape = SHAPES[label] ?? SINGLE;
  const { leads: isLead, seldom = () => false, triple, quads = false } = shape;
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  const bytesOf = new Uint32Array(0x10000);
  const bytesOfAstral = new Map<number, number>();
  const last = Array.from(shape.last ?? "", (text) => text.charCodeAt(0));
  const bytes = new Uint8Array(MOST_TRAILS * 5);

  /** Adds a sequence of bytes, and the text that it decodes to. */
  function learn(sequence: number, text: string): void {
    const point = text.codePointAt(0)!;
    const isOne = text.length === (point > 0xffff ? 2 : 1);
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
  return { bytesOf, bytesOfAstral };
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
function encodePairs(
  text: string,
  { bytesOf, bytesOfAstral }: Tables,
  label: string,
): Uint8Array<ArrayBuffer> | undefined {
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

const ESC = 0x1b;
const ASCII = 0x2842;
const ROMAN = 0x284a;
const KANJI = 0x2442;

/** Encodes a text by the table of EUC-JP, whose bytes are the same with the highest bit set. */
function encodeRuns(
  text: string,
  { bytesOf }: Tables,
): Uint8Array<ArrayBuffer> | undefined {
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

const tables = new Map<string, Tables>();

function tablesOf(label: string): Tables {
  let made = tables.get(label);
  if (made === undefined) tables.set(label, made = makeTables(label));
  return made;
}

/** Encodes a text; `undefined` if the encoding lacks a character. */
export function encode(
  text: string,
  label: string,
): Uint8Array<ArrayBuffer> | undefined {
  if (label.startsWith("utf-16")) return utf16Of(text, label === "utf-16be");
  return label === "iso-2022-jp"
    ? encodeRuns(text, tablesOf("euc-jp"))
    : encodePairs(text, tablesOf(label), label);
}

/** A text in UTF-16, without a BOM. */
export function utf16Of(text: string, big = false): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) {
    bytes.setUint16(at * 2, text.charCodeAt(at), !big);
  }
  return new Uint8Array(bytes.buffer);
}

/** Encodes a text; throws if the encoding lacks one of its characters. */
export function encodedIn(
  text: string,
  label: string,
): Uint8Array<ArrayBuffer> {
  const bytes = encode(text, label);
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  if (bytes === undefined || decoder.decode(bytes) !== text) {
    throw new Error(`${label} has no bytes for ${JSON.stringify(text)}`);
  }
  return bytes;
}
