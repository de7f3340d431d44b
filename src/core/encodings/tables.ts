// Runtime-agnostic.
import type { Charset } from "../lines/codec.ts";
import type { NewlineKernel } from "../lines/scan.ts";

/** The characters of a double-byte encoding by bytes, and the bytes by characters, made with the runtime's decoder. */
export interface Tables {
  /** By both bytes of a pair: the number of its code points; 0 if it is not a character. */
  readonly pairs: Uint8Array;
  /** By code unit: the bytes as a number; 0 if it cannot be encoded. */
  readonly bytesOf: Uint32Array;
  /** The same by code point, beyond the first 65,536. */
  readonly bytesOfAstral: ReadonlyMap<number, number>;
}

/** The properties of a double-byte encoding that the tables do not show. */
export interface Shape {
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

const SIGN = "\uFFFD";
const LEAST_TRAIL = 0x40;

/** Makes the tables. All sequences are decoded together, with a line feed after each. */
export function makeTables(decoder: TextDecoder, shape: Shape): Tables {
  const pairs = new Uint8Array(0x10000);
  const bytesOf = new Uint32Array(0x10000);
  const bytesOfAstral = new Map<number, number>();
  const later = new Set(shape.last);
  const learn = (text: string, sequence: number) => {
    const point = text.codePointAt(0)!;
    if (text.length > (point > 0xffff ? 2 : 1)) return;
    if (point > 0xffff) {
      if (!bytesOfAstral.has(point)) bytesOfAstral.set(point, sequence);
    } else if (bytesOf[point] === 0 || later.has(text)) {
      bytesOf[point] = sequence;
    }
  };
  const singles = range(0x80, 0xff).filter((byte) => !shape.leads(byte));
  for (const [sequence, text] of decodeAll(decoder, singles)) {
    learn(text, sequence);
  }
  const { seldom = () => false, triple, quads = false } = shape;
  const leads = range(0x81, 0xfe).filter(shape.leads);
  const ordered = [
    ...leads.filter((byte) => !seldom(byte)),
    ...leads.filter(seldom),
  ];
  for (const [sequence, text] of decodeAll(decoder, pairsOf(ordered))) {
    pairs[sequence] = Array.from(text).length;
    learn(text, sequence);
  }
  if (triple !== undefined) {
    const both = pairsOf(range(0xa1, 0xfe)).filter((pair) =>
      (pair & 0xff) >= 0xa1
    );
    const all = both.map((pair) => triple * 0x10000 + pair);
    for (const [sequence, text] of decodeAll(decoder, all)) {
      learn(text, sequence);
    }
  }
  if (quads) {
    for (const [sequence, text] of decodeAll(decoder, quadsOf())) {
      learn(text, sequence);
    }
  }
  return { pairs, bytesOf, bytesOfAstral };
}

/** Decodes sequences; yields those that are characters. */
function decodeAll(
  decoder: TextDecoder,
  sequences: readonly number[],
): (readonly [number, string])[] {
  const bytes: number[] = [];
  for (const sequence of sequences) {
    for (let shift = 24; shift >= 0; shift -= 8) {
      const byte = (sequence >>> shift) & 0xff;
      if (sequence >= 2 ** shift) bytes.push(byte);
    }
    bytes.push(0x0a);
  }
  const texts = decoder.decode(Uint8Array.from(bytes)).split("\n");
  return sequences.flatMap((sequence, at) => {
    const text = texts[at]!;
    return text === "" || text.includes(SIGN)
      ? []
      : [[sequence, text] as const];
  });
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function pairsOf(leads: readonly number[]): number[] {
  const trails = range(LEAST_TRAIL, 0xfe);
  return leads.flatMap((lead) => trails.map((trail) => lead * 256 + trail));
}

/** The sequences of four bytes that encode code points below 65,536. */
function quadsOf(): number[] {
  const digits = range(0x30, 0x39);
  return range(0x81, 0x84).flatMap((first) =>
    digits.flatMap((second) =>
      range(0x81, 0xfe).flatMap((third) =>
        digits.map((fourth) =>
          ((first * 256 + second) * 256 + third) * 256 + fourth
        )
      )
    )
  );
}

const LF = 0x0a;
const CR = 0x0d;
const LOST = 0xfffd;

/** The parts that encodings share in which a character that begins below 0x80 is ASCII. */
export const ASCII_PARTS = {
  feed: 1,
  // The byte 0x0A occurs only as a line feed.
  kernelFor: (kernel: NewlineKernel) => kernel,
  endingAt(bytes: Uint8Array, at: number): number {
    if (bytes[at] === LF) return 1;
    return bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0;
  },
  columnsOf: () => 1,
} as const satisfies Partial<Charset>;

/** An encoding in which each byte is a character. */
export function singleByteCodec(label: string): Charset {
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  let byteOf: Uint8Array | undefined;
  return {
    ...ASCII_PARTS,
    label,
    most: 2,
    hasAscii: true,
    unitLength: () => 1,
    decode: (bytes) => decoder.decode(bytes),
    encode(text) {
      byteOf ??= makeTable(decoder);
      const bytes = new Uint8Array(text.length);
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        const byte = unit < 0x80 ? unit : byteOf[unit]!;
        if (byte === 0 && unit > 0) return undefined;
        bytes[at] = byte;
      }
      return bytes;
    },
  };
}

/** The byte of each code unit; 0 if it cannot be encoded. */
function makeTable(decoder: TextDecoder): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let byte = 0xff; byte >= 0x80; byte--) {
    const unit = decoder.decode(Uint8Array.of(byte)).charCodeAt(0);
    if (unit !== LOST) table[unit] = byte;
  }
  return table;
}
