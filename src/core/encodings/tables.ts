// Runtime-agnostic.
import type { Charset } from "../lines/codec.ts";
import { endingAt } from "../lines/columns.ts";
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

/** The most sequences that are decoded at a time. */
const MOST_TRAILS = 256;

/** Makes the tables. The sequences of one lead are decoded together, with a line feed after each: all at once would take 20 MiB. */
export function makeTables(decoder: TextDecoder, shape: Shape): Tables {
  const { leads: isLead, seldom = () => false, triple, quads = false } = shape;
  const pairs = new Uint8Array(0x10000);
  const bytesOf = new Uint32Array(0x10000);
  const bytesOfAstral = new Map<number, number>();
  const last = Array.from(shape.last ?? "", (text) => text.charCodeAt(0));
  const bytes = new Uint8Array(MOST_TRAILS * 5);

  function learn(sequence: number, point: number, isOne: boolean): void {
    if (!isOne) return;
    if (point > 0xffff) {
      if (!bytesOfAstral.has(point)) bytesOfAstral.set(point, sequence);
    } else if (bytesOf[point] === 0 || last.includes(point)) {
      bytesOf[point] = sequence;
    }
  }

  /** Decodes the sequences of a lead, which may be several bytes; calls `take` with those that are characters. */
  function decodeEach(lead: number, [from, to]: Trails, take = learn): void {
    let length = 0;
    for (let trail = from; trail <= to; trail++) {
      const sequence = lead * 256 + trail;
      for (let shift = 24; shift >= 0; shift -= 8) {
        if (sequence >= 2 ** shift) bytes[length++] = sequence >>> shift;
      }
      bytes[length++] = LF;
    }
    const text = decoder.decode(bytes.subarray(0, length));
    let at = 0;
    for (let trail = from; trail <= to; trail++) {
      const end = text.indexOf("\n", at);
      const isKnown = end > at && text.charCodeAt(at) !== LOST &&
        text.charCodeAt(end - 1) !== LOST;
      if (isKnown) {
        const point = text.codePointAt(at)!;
        const isOne = end - at === (point > 0xffff ? 2 : 1);
        take(lead * 256 + trail, point, isOne);
      }
      at = end + 1;
    }
  }

  for (let byte = 0x80; byte <= 0xff; byte++) {
    if (!isLead(byte)) decodeEach(0, [byte, byte]);
  }
  for (const isLater of [false, true]) {
    for (let lead = 0x81; lead <= 0xfe; lead++) {
      if (!isLead(lead) || seldom(lead) !== isLater) continue;
      decodeEach(lead, [0x40, 0xfe], (sequence, point, isOne) => {
        pairs[sequence] = isOne ? 1 : 2;
        learn(sequence, point, isOne);
      });
    }
  }
  for (let second = 0xa1; triple !== undefined && second <= 0xfe; second++) {
    decodeEach(triple * 256 + second, [0xa1, 0xfe]);
  }
  for (let pair = 0x8130; quads && pair <= 0x8439; pair++) {
    if ((pair & 0xff) < 0x30 || (pair & 0xff) > 0x39) continue;
    for (let third = 0x81; third <= 0xfe; third++) {
      decodeEach(pair * 256 + third, [0x30, 0x39]);
    }
  }
  return { pairs, bytesOf, bytesOfAstral };
}

/** The first and the last byte after a lead. */
type Trails = readonly [number, number];

const LF = 0x0a;
const LOST = 0xfffd;

/** The parts that encodings share in which a character that begins below 0x80 is ASCII. */
export const ASCII_PARTS = {
  feed: 1,
  // The byte 0x0A occurs only as a line feed.
  kernelFor: (kernel: NewlineKernel) => kernel,
  endingAt,
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
