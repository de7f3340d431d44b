// Runtime-agnostic.

/** The most bytes of text of a small member; bgzip writes up to 64 KiB. */
export const MAX_SMALL_TEXT_BYTES = 64 * 1024;
/** The most bytes that such a member takes in the file. */
export const MAX_SMALL_BYTES = 66 * 1024;

/**
 * The most table entries that are made for one member: some milliseconds' work. A
 * forged member may need tables of 64,000 entries for each 30 bytes.
 */
const MAX_ENTRIES = 2 ** 21;
/** How many entries a block counts as, besides those of its tables. */
const BLOCK_ENTRIES = 2 ** 12;

type Code = NonNullable<ReturnType<typeof makeCode>>;
/** The code of bytes and lengths, and that of distances. */
type Codes = readonly [Code, Code];

/** The order in which the lengths of the codes of lengths are written. */
const ORDER = "16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1 15"
  .split(" ").map(Number);

/** The most symbols of bytes and lengths that a block may write, and of distances. */
const MAX_SYMBOLS = 286;
const MAX_DISTANCES = 30;

/** How many bits follow the symbol of a length, from 257 on, and that of a distance. */
const lengthBits = (at: number) =>
  at < 4 || at === 28 ? 0 : Math.floor(at / 4) - 1;
const distanceBits = (at: number) => at < 2 ? 0 : Math.floor(at / 2) - 1;

/** The first length or distance of each symbol. */
function basesOf(count: number, first: number, bitsOf: (at: number) => number) {
  const bases = [first];
  for (let at = 0; at < count - 1; at++) {
    bases.push(bases[at]! + (1 << bitsOf(at)));
  }
  return bases;
}

const LENGTHS = basesOf(28, 3, lengthBits).concat(258);
const DISTANCES = basesOf(30, 1, distanceBits);

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
  readonly text = new Uint8Array(MAX_SMALL_TEXT_BYTES);
  #fixed: Codes | undefined;
  #bytes = new Uint8Array(0);
  #at = 0;
  /** The bits that were read and not used yet, the next one lowest, and their number. */
  #hold = 0;
  #held = 0;
  #size = 0;
  #entries = 0;

  /** Decompresses the member at the beginning of `bytes`; returns how many it takes, and the size of its text, or `undefined` if it is not small and whole. */
  take(bytes: Uint8Array<ArrayBuffer>) {
    const header = headerLength(bytes);
    if (header === undefined) return undefined;
    this.#bytes = bytes;
    this.#at = header;
    this.#hold = this.#held = 0;
    this.#size = this.#entries = 0;
    for (let isLast = 0; isLast === 0;) {
      isLast = this.#bits(1);
      const kind = this.#bits(2);
      const isValid = kind === 0
        ? this.#copyStored()
        : kind < 3 && this.#decode(kind === 1);
      if (!isValid) return undefined;
    }
    this.#dropBits();
    const trailer = bytes.subarray(this.#at, this.#at + 8);
    if (trailer.length < 8) return undefined;
    const numbers = new DataView(bytes.buffer, trailer.byteOffset);
    const isWhole = numbers.getInt32(0, true) === this.#crc() &&
      numbers.getUint32(4, true) === this.#size;
    return isWhole ? { taken: this.#at + 8, size: this.#size } : undefined;
  }

  #crc(): number {
    let crc = -1;
    for (let at = 0; at < this.#size; at++) {
      crc = crc >>> 8 ^ CRCS[(crc ^ this.text[at]!) & 0xff]!;
    }
    return ~crc;
  }

  #bits(count: number): number {
    const bits = this.#peek(count);
    this.#skip(count);
    return bits;
  }

  /** The next bits; zeros follow the last byte. */
  #peek(count: number): number {
    while (this.#held < count) {
      this.#hold |= (this.#bytes[this.#at++] ?? 0) << this.#held;
      this.#held += 8;
    }
    return this.#hold & ((1 << count) - 1);
  }

  #skip(count: number): void {
    this.#hold >>>= count;
    this.#held -= count;
  }

  /** Returns to the first byte of which no bit was read. */
  #dropBits(): void {
    this.#at -= this.#held >> 3;
    this.#hold = this.#held = 0;
  }

  #copyStored(): boolean {
    this.#dropBits();
    const size = this.#bits(16);
    if ((size ^ this.#bits(16)) !== 0xffff) return false;
    const from = this.#bytes.subarray(this.#at, this.#at + size);
    const isFitting = this.#size + size <= this.text.length;
    if (from.length < size || !isFitting) return false;
    this.text.set(from, this.#size);
    this.#at += size;
    this.#size += size;
    return true;
  }

  /** Decodes a block; returns whether it is valid, and fits. */
  #decode(isFixed: boolean): boolean {
    const codes = isFixed ? this.#fixed ??= fixedCodes() : this.#readCodes();
    if (codes === undefined) return false;
    const [symbols, distances] = codes;
    const { text } = this;
    while (this.#at <= this.#bytes.length + 4) {
      const symbol = this.#symbol(symbols);
      if (symbol === 256) return true;
      if (symbol < 0 || symbol > 285) return false;
      if (symbol < 256) {
        if (this.#size === text.length) return false;
        text[this.#size++] = symbol;
        continue;
      }
      const length = LENGTHS[symbol - 257]! +
        this.#bits(lengthBits(symbol - 257));
      const at = this.#symbol(distances);
      if (at < 0 || at > 29) return false;
      const distance = DISTANCES[at]! + this.#bits(distanceBits(at));
      const end = this.#size + length;
      if (distance > this.#size || end > text.length) return false;
      for (; this.#size < end; this.#size++) {
        text[this.#size] = text[this.#size - distance]!;
      }
    }
    return false;
  }

  #readCodes(): Codes | undefined {
    if (this.#entries > MAX_ENTRIES) return undefined;
    const counts = [this.#bits(5) + 257, this.#bits(5) + 1] as const;
    if (counts[0] > MAX_SYMBOLS || counts[1] > MAX_DISTANCES) return undefined;
    const first = new Uint8Array(ORDER.length);
    const written = this.#bits(4) + 4;
    for (const at of ORDER.slice(0, written)) first[at] = this.#bits(3);
    const code = makeCode(first);
    if (code === undefined || !code.isComplete) return undefined;
    const lengths = new Uint8Array(counts[0] + counts[1]);
    for (let at = 0; at < lengths.length;) {
      const symbol = this.#symbol(code);
      if (symbol < 0) return undefined;
      if (symbol < 16) {
        lengths[at++] = symbol;
        continue;
      }
      const length = symbol === 16 ? lengths[at - 1] : 0;
      const count = symbol === 16
        ? 3 + this.#bits(2)
        : symbol === 17
        ? 3 + this.#bits(3)
        : 11 + this.#bits(7);
      if (length === undefined || at + count > lengths.length) return undefined;
      lengths.fill(length, at, at + count);
      at += count;
    }
    const codes = codesOf(lengths, counts[0]);
    for (const { entries } of codes ?? []) this.#entries += entries.length;
    this.#entries += BLOCK_ENTRIES;
    return codes;
  }

  /** Reads a symbol; -1 if the next bits are not a code. */
  #symbol({ bits, entries }: Code): number {
    const entry = entries[this.#peek(bits)]!;
    this.#skip(entry & 15);
    return entry === 0 ? -1 : entry >> 4;
  }
}

/** The codes of a block that does not write them. */
function fixedCodes(): Codes | undefined {
  const lengths = new Uint8Array(288 + 32).fill(8).fill(9, 144, 256)
    .fill(7, 256, 280).fill(5, 288);
  return codesOf(lengths, 288);
}

/** Makes the codes of the first lengths, and of the others; as in zlib, one of a single bit may be incomplete. */
function codesOf(lengths: Uint8Array, count: number): Codes | undefined {
  const symbols = makeCode(lengths.subarray(0, count));
  const distances = makeCode(lengths.subarray(count));
  if (symbols === undefined || distances === undefined) return undefined;
  const codes = [symbols, distances] as const;
  const isValid = codes.every((code) => code.isComplete || code.bits === 1);
  return isValid ? codes : undefined;
}

/**
 * Makes the table of a Huffman code from the lengths of its symbols. The next bits
 * of the input index an entry: a symbol, and its number of bits. Returns
 * `undefined` if the lengths are not those of a code. A code is complete if each
 * sequence of bits begins with a symbol.
 */
function makeCode(lengths: Uint8Array) {
  const bits = lengths.reduce((most, length) => Math.max(most, length), 1);
  const entries = new Uint16Array(1 << bits);
  // Codes are ordered by length, then by symbol.
  let code = 0;
  for (let length = 1; length <= bits; length++, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      if (code >= 1 << length) return undefined;
      // The first bit of a code is the lowest one of the input.
      let reversed = 0;
      for (let bit = 0; bit < length; bit++) {
        reversed |= (code >> bit & 1) << (length - 1 - bit);
      }
      for (let at = reversed; at < entries.length; at += 1 << length) {
        entries[at] = symbol << 4 | length;
      }
      code++;
    }
  }
  return { bits, entries, isComplete: code === 2 << bits };
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
