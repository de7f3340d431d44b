// The kinds of bytes, as bits: 0 for tabs, line feeds and printable ASCII.
/** The carriage return. */
export const CR_KIND = 1;
/** Every other byte. */
const ODD_KIND = 2;
/** The kind of each byte. */
const BYTE_KINDS = makeByteKinds();

function makeByteKinds(): Uint8Array {
  const kinds = new Uint8Array(256).fill(ODD_KIND).fill(0, 0x20, 0x7f);
  kinds[0x09] = kinds[0x0a] = 0;
  kinds[0x0d] = CR_KIND;
  return kinds;
}

/** The characters of an etag: each stands for six bits. */
const ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** A number in `count` characters of six bits. */
export function writeDigits(number: number, count: number): string {
  let text = "";
  for (; count > 0; count--, number = Math.floor(number / 64)) {
    text = ALPHABET[number % 64] + text;
  }
  return text;
}

/** The number that characters of six bits stand for. */
export function readDigits(text: string): number {
  let number = 0;
  for (const char of text) number = number * 64 + ALPHABET.indexOf(char);
  return number;
}

/** A checksum of 64 bits, to notice changes; it does not resist forgery. */
export class Checksum {
  #one = 0x811c9dc5 | 0;
  #two = 0x01000193;
  /** The bytes after the last whole word of four, as a number. The bit above them shows how many they are, so the number is 1 if there are none. */
  #rest = 1;
  #byteKinds = 0;

  /** The kinds of the added bytes, as bits: `CR_KIND` for carriage returns, another bit for other odd bytes. */
  get byteKinds(): number {
    return this.#byteKinds;
  }

  /** Adds bytes; how these are divided between calls makes no difference. */
  add(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const { length } = bytes;
    let at = 0;
    while (this.#rest > 1 && at < length) this.#addByte(view.getUint8(at++));
    at = this.#addWords(view, at);
    while (at < length) this.#addByte(view.getUint8(at++));
  }

  /** The 64 bits of the bytes that were added, as 11 characters. */
  end(): string {
    const one = this.#one ^ this.#rest;
    const first = mixed(one) ^ this.#two;
    const second = mixed(first) ^ one;
    const both = [mixed(second) ^ first, second] as const;
    const [high, low] = both.map((half) => half >>> 0) as [number, number];
    return writeDigits(high >>> 2, 5) + writeDigits(low >>> 2, 5) +
      writeDigits((high & 3) * 4 + (low & 3), 1);
  }

  /** Adds whole words of four bytes from `at` on; returns where they end. */
  #addWords(view: DataView, at: number): number {
    let one = this.#one;
    let two = this.#two;
    let kinds = this.#byteKinds;
    for (const last = view.byteLength - 4; at <= last; at += 4) {
      const word = view.getInt32(at, true);
      one = Math.imul(one ^ word, 0x01000193);
      one ^= one >>> 15;
      two = Math.imul(two + word, 0x5bd1e995);
      two ^= two >>> 13;
      // A byte below 0x20, of 0x7f, or beyond ASCII has its highest bit set here.
      // Borrows and carries may set other bits too; the table knows each byte.
      const below = (word - 0x20202020) & ~word;
      const above = (word + 0x01010101) | word;
      const mayBeOdd = ((below | above) & 0x80808080) !== 0;
      if (mayBeOdd && kinds < ODD_KIND) {
        kinds |= BYTE_KINDS[word & 255]! | BYTE_KINDS[word >>> 8 & 255]! |
          BYTE_KINDS[word >>> 16 & 255]! | BYTE_KINDS[word >>> 24]!;
      }
    }
    this.#one = one;
    this.#two = two;
    this.#byteKinds = kinds;
    return at;
  }

  #addByte(byte: number): void {
    this.#byteKinds |= BYTE_KINDS[byte]!;
    this.#rest = this.#rest * 256 + byte;
    if (this.#rest < 2 ** 32) return;
    const word = new DataView(new ArrayBuffer(4));
    word.setUint32(0, this.#rest % 2 ** 32);
    this.#rest = 1;
    this.#addWords(word, 0);
  }
}

/** Spreads each bit over all bits. */
function mixed(bits: number): number {
  bits = Math.imul(bits ^ bits >>> 16, 0x85ebca6b);
  bits = Math.imul(bits ^ bits >>> 13, 0xc2b2ae35);
  return bits ^ bits >>> 16;
}

const encoder = new TextEncoder();

/** The checksum of a text, as `length` characters: 11 at most. */
export function checksumOf(text: string, length: number): string {
  const checksum = new Checksum();
  checksum.add(encoder.encode(text));
  return checksum.end().slice(0, length);
}
