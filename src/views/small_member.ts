// Runtime-agnostic.

/** The most bytes of text of a small member; bgzip writes up to 64 KiB. */
const MAX_TEXT_BYTES = 64 * 1024;
/** The most bytes that such a member takes in the file. */
export const MAX_SMALL_BYTES = 66 * 1024;

/** A Huffman code: how many codes have each length, and the symbols by length, then by number. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
  /** Whether each sequence of bits begins with a symbol. */
  readonly isComplete: boolean;
}

/** The code of bytes and lengths, and that of distances. */
type Codes = readonly [Code, Code];

/** The order in which the lengths of the codes of lengths are written. */
const ORDER = "16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1 15"
  .split(" ").map(Number);

/** The most symbols of bytes and lengths that a block may write, and of distances. */
const MAX_SYMBOLS = 286;
const MAX_DISTANCES = 30;

/** The table of the checksum, by the next byte. */
const CRCS = Int32Array.from({ length: 256 }, (_, at) => {
  for (let bit = 0; bit < 8; bit++) at = at >>> 1 ^ (at & 1 ? 0xedb88320 : 0);
  return at;
});

/**
 * Decompresses small members of gzip files. A `DecompressionStream` for each
 * leaves 7 KiB of garbage, which takes 100 MiB in some runtimes for a file of
 * thousands. It leaves members that are large, damaged or cut to that stream.
 */
export class SmallMembers {
  /** The text of the last member. */
  readonly text = new Uint8Array(MAX_TEXT_BYTES);
  #size = 0;
  #bytes = new Uint8Array(0);
  /** The position of the next bit. */
  #at = 0;

  /** Decompresses the member at the beginning of `bytes`; returns how many it takes, and the size of its text, or `undefined` if it is not small and whole. */
  take(bytes: Uint8Array<ArrayBuffer>) {
    const header = headerLength(bytes);
    if (header === undefined) return undefined;
    this.#bytes = bytes;
    this.#at = 8 * header;
    this.#size = 0;
    for (let isLast = 0; isLast === 0;) {
      isLast = this.#bits(1);
      const kind = this.#bits(2);
      const isValid = kind === 0
        ? this.#copyStored()
        : kind < 3 && this.#decode(kind === 1 ? FIXED : this.#readCodes());
      if (!isValid) return undefined;
    }
    const end = this.#nextByte() + 8;
    if (end > bytes.length) return undefined;
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + end - 8);
    const isWhole = trailer.getInt32(0, true) === this.#crc() &&
      trailer.getUint32(4, true) === this.#size;
    return isWhole ? { taken: end, size: this.#size } : undefined;
  }

  #crc(): number {
    let crc = -1;
    for (let at = 0; at < this.#size; at++) {
      crc = crc >>> 8 ^ CRCS[(crc ^ this.text[at]!) & 0xff]!;
    }
    return ~crc;
  }

  /** Reads a number, its lowest bit first; zeros follow the last byte. */
  #bits(count: number): number {
    let number = 0;
    for (let bit = 0; bit < count; bit++, this.#at++) {
      number |= (this.#bytes[this.#at >> 3]! >> (this.#at & 7) & 1) << bit;
    }
    return number;
  }

  /** The first byte of which no bit was read. */
  #nextByte(): number {
    return (this.#at + 7) >> 3;
  }

  #copyStored(): boolean {
    this.#at = 8 * this.#nextByte();
    const size = this.#bits(16);
    if ((size ^ this.#bits(16)) !== 0xffff) return false;
    const at = this.#at >> 3;
    const from = this.#bytes.subarray(at, at + size);
    const isFitting = this.#size + size <= this.text.length;
    if (from.length < size || !isFitting) return false;
    this.text.set(from, this.#size);
    this.#at += 8 * size;
    this.#size += size;
    return true;
  }

  /** Decodes a block; returns whether it is valid, and fits. */
  #decode(codes: Codes | undefined): boolean {
    if (codes === undefined) return false;
    const [symbols, distances] = codes;
    const { text } = this;
    while (this.#at <= 8 * this.#bytes.length) {
      const symbol = this.#symbol(symbols);
      if (symbol === 256) return true;
      if (symbol < 0 || symbol > 285) return false;
      if (symbol < 256) {
        if (this.#size === text.length) return false;
        text[this.#size++] = symbol;
        continue;
      }
      const length = symbol === 285 ? 258 : 3 + this.#number(symbol - 257, 2);
      const high = this.#symbol(distances);
      if (high < 0 || high > 29) return false;
      const distance = 1 + this.#number(high, 1);
      const end = this.#size + length;
      if (distance > this.#size || end > text.length) return false;
      for (; this.#size < end; this.#size++) {
        text[this.#size] = text[this.#size - distance]!;
      }
    }
    return false;
  }

  /** Reads the lower bits of a number whose symbol has the `kept` bits below its highest one. */
  #number(symbol: number, kept: number): number {
    const count = Math.max(0, (symbol >> kept) - 1);
    const high = symbol - (count << kept);
    return (high << count) + this.#bits(count);
  }

  #readCodes(): Codes | undefined {
    const counts = [this.#bits(5) + 257, this.#bits(5) + 1] as const;
    if (counts[0] > MAX_SYMBOLS || counts[1] > MAX_DISTANCES) return undefined;
    const first = new Uint8Array(ORDER.length);
    const written = this.#bits(4) + 4;
    for (const at of ORDER.slice(0, written)) first[at] = this.#bits(3);
    const code = makeCode(first);
    if (!code?.isComplete) return undefined;
    const lengths = new Uint8Array(counts[0] + counts[1]);
    for (let at = 0; at < lengths.length;) {
      const symbol = this.#symbol(code);
      if (symbol < 0) return undefined;
      if (symbol < 16) {
        lengths[at++] = symbol;
        continue;
      }
      const length = symbol === 16 ? lengths[at - 1] : 0;
      const [least, bits] = REPEATS[symbol - 16]!;
      const count = least + this.#bits(bits);
      if (length === undefined || at + count > lengths.length) return undefined;
      lengths.fill(length, at, at + count);
      at += count;
    }
    return codesOf(lengths, counts[0]);
  }

  /** Reads a symbol; -1 if the next bits are not a code. */
  #symbol({ counts, symbols }: Code): number {
    const bytes = this.#bytes;
    let code = 0;
    let passed = 0;
    for (let length = 1; length < counts.length; length++) {
      code = code << 1 | bytes[this.#at >> 3]! >> (this.#at & 7) & 1;
      this.#at++;
      const count = counts[length]!;
      // Codes of one length are consecutive numbers.
      if (code < count) return symbols[passed + code]!;
      code -= count;
      passed += count;
    }
    return -1;
  }
}

/** The least number of repetitions for each of the last symbols of a code of lengths, and how many bits follow. */
const REPEATS = [[3, 2], [3, 3], [11, 7]] as const;

/** The codes of a block that does not write them. */
const FIXED = /* @__PURE__ */ codesOf(
  new Uint8Array(288 + 32).fill(8).fill(9, 144, 256).fill(7, 256, 280)
    .fill(5, 288),
  288,
);

/** Makes the codes of the first lengths, and of the others; as in zlib, one of a single bit may be incomplete. */
function codesOf(lengths: Uint8Array, count: number): Codes | undefined {
  const symbols = makeCode(lengths.subarray(0, count));
  const distances = makeCode(lengths.subarray(count));
  if (symbols === undefined || distances === undefined) return undefined;
  const codes = [symbols, distances] as const;
  const isValid = ({ counts, isComplete }: Code) =>
    isComplete || counts.findLastIndex((count) => count > 0) < 2;
  return codes.every(isValid) ? codes : undefined;
}

/** Makes the code whose symbols have these lengths; `undefined` if there are too many. */
function makeCode(lengths: Uint8Array): Code | undefined {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  /** Where the next symbol of each length goes. */
  const places = new Uint16Array(17);
  let left = 1;
  for (let length = 1; length < 16; length++) {
    places[length + 1] = places[length]! + counts[length]!;
    left = 2 * left - counts[length]!;
    if (left < 0) return undefined;
  }
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!;
    if (length > 0) symbols[places[length]!++] = symbol;
  }
  return { counts, symbols, isComplete: left === 0 };
}

/** How many bytes the header of a member has; `undefined` without a header, or for one with a checksum. */
function headerLength(bytes: Uint8Array): number | undefined {
  const [first, second, method, flags = 0] = bytes;
  const isHeader = first === 0x1f && second === 0x8b && method === 8;
  if (!isHeader || (flags & 0xe2) !== 0) return undefined;
  let at = 10;
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [8, 16]) {
    // A name and a comment end with a zero.
    if (flags & flag) at = bytes.indexOf(0, at) + 1 || bytes.length;
  }
  return at;
}
