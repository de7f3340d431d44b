// Runtime-agnostic.
import type { Charset } from "../lines/codec.ts";
import type { NewlineKernel } from "../lines/scan.ts";

/** Which bytes of a double-byte encoding are characters, and the other way round: made from the decoder itself. */
export interface Tables {
  /** By both bytes of a pair: how many code points it is; 0 if it is none. */
  readonly pairs: Uint8Array;
  /** By code unit: the bytes as a number; 0 if there are none. */
  readonly bytesOf: Uint32Array;
  /** The same by code points beyond the first 65,536. */
  readonly bytesOfAstral: ReadonlyMap<number, number>;
}

/** A double-byte encoding, as far as tables cannot tell. */
export interface Shape {
  /** The first bytes of pairs. */
  readonly leads: (byte: number) => boolean;
  /** First bytes of pairs that an encoder does not use if there are others for the same character. */
  readonly seldom?: (byte: number) => boolean;
  /** Characters of which an encoder uses the last pair, and not the first. */
  readonly last?: string;
  /** The first byte of characters of three bytes. */
  readonly triple?: number;
  /** Whether pairs of a lead and a digit begin characters of four bytes. */
  readonly quads?: boolean;
}

const SIGN = "\uFFFD";
const LEAST_TRAIL = 0x40;

/** Makes the tables. A line feed after each sequence divides what the decoder makes of them. */
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

/** The sequences that are characters, and what they are. */
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

/** The sequences of four bytes that are code points below 65,536. */
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

/** What all encodings share in which a byte below 0x80 is ASCII wherever a character begins. */
export const ASCII_PARTS = {
  feed: 1,
  // No character has a byte 0x0A that is not its first, so each is a line feed.
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

/** The byte of each code unit; 0 if there is none. */
function makeTable(decoder: TextDecoder): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let byte = 0xff; byte >= 0x80; byte--) {
    const unit = decoder.decode(Uint8Array.of(byte)).charCodeAt(0);
    if (unit !== LOST) table[unit] = byte;
  }
  return table;
}
