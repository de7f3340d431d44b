// Runtime-agnostic.
import type { Charset } from "../lines/codec.ts";
import type { NewlineKernel } from "../lines/scan.ts";

const LF = 0x0a;
const CR = 0x0d;
const SIGN = 0xfffd;

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

/** The byte of each code unit; 0 if there is none. */
function makeTable(decoder: TextDecoder): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let byte = 0xff; byte >= 0x80; byte--) {
    const unit = decoder.decode(Uint8Array.of(byte)).charCodeAt(0);
    if (unit !== SIGN) table[unit] = byte;
  }
  return table;
}
