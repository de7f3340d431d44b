// Runtime-agnostic.
import type { Source } from "../lines/source.ts";

/** The sign of a carriage return. */
export const CR_SIGN = 1;
/** The sign of any other byte but a tab, a line feed and printable ASCII. */
const ODD_SIGN = 2;

const SIGNS = /* @__PURE__ */ makeSigns();

function makeSigns(): Uint8Array {
  const signs = new Uint8Array(256).fill(ODD_SIGN).fill(0, 0x20, 0x7f);
  signs[0x09] = signs[0x0a] = 0;
  signs[0x0d] = CR_SIGN;
  return signs;
}

/** The state of a checksum of no bytes. */
const NONE = [0x811c9dc5, 0x01000193, 0] as const;

/**
 * A checksum of 64 bits, to notice changes; it does not resist forgery. An
 * etag holds its whole state, so that a later page can continue it.
 */
export class Checksum {
  #one: number;
  #two: number;
  /** The bytes after the last whole word of four; the bit above them shows how many they are. */
  #rest: number;
  #signs = 0;

  /** Constructs a new instance, empty or with an earlier state. */
  constructor([one = 0, two = 0, rest = 0]: readonly number[] = NONE) {
    this.#one = one | 0;
    this.#two = two | 0;
    this.#rest = rest + 1;
  }

  add(bytes: Uint8Array): void {
    this.addPart(viewOf(bytes), 0, bytes.length);
  }

  /** Adds a part of a view, since a view of many lines is made once. */
  addPart(view: DataView, from: number, to: number): void {
    let at = from;
    while (this.#rest > 1 && at < to) this.#addByte(view.getUint8(at++));
    at = this.#addWords(view, at, to);
    while (at < to) this.#addByte(view.getUint8(at++));
  }

  reset(): void {
    [this.#one, this.#two] = [NONE[0] | 0, NONE[1]];
    this.#rest = 1;
    this.#signs = 0;
  }

  /** Adds whole words of four bytes from `at` on; returns where they end. */
  #addWords(view: DataView, at: number, to: number): number {
    let one = this.#one;
    let two = this.#two;
    let signs = this.#signs;
    for (const last = to - 4; at <= last; at += 4) {
      const word = view.getInt32(at, true);
      one = Math.imul(one ^ word, 0x01000193);
      one ^= one >>> 15;
      two = Math.imul(two + word, 0x5bd1e995);
      two ^= two >>> 13;
      // Whether a byte is below 0x20, is 0x7f, or is not ASCII.
      const odd = (word - 0x20202020 & ~word | word + 0x01010101 | word) &
        0x80808080;
      if (odd !== 0 && signs < ODD_SIGN) {
        signs |= SIGNS[word & 255]! | SIGNS[word >>> 8 & 255]! |
          SIGNS[word >>> 16 & 255]! | SIGNS[word >>> 24]!;
      }
    }
    this.#one = one;
    this.#two = two;
    this.#signs = signs;
    return at;
  }

  #addByte(byte: number): void {
    this.#signs |= SIGNS[byte]!;
    this.#rest = this.#rest * 256 + byte;
    if (this.#rest < 2 ** 32) return;
    const word = new DataView(new ArrayBuffer(4));
    word.setUint32(0, this.#rest % 2 ** 32);
    this.#rest = 1;
    this.#addWords(word, 0, 4);
  }

  /** Which signs the added bytes have, as bits; 0 if all are plain. */
  get signs(): number {
    return this.#signs;
  }

  /** Its state, as whole numbers from 0 on. */
  get state(): readonly number[] {
    return [this.#one >>> 0, this.#two >>> 0, this.#rest - 1];
  }

  /** Its whole state as text, to compare. */
  end(): string {
    return this.state.join();
  }

  /** Its state in 32 bits, each of which depends on all bytes. */
  get bits(): number {
    let bits = Math.imul(this.#one ^ this.#rest, 0x85ebca6b);
    bits = Math.imul(bits ^ bits >>> 15 ^ this.#two, 0xc2b2ae35);
    bits = Math.imul(bits ^ bits >>> 13 ^ this.#rest, 0x27d4eb2f);
    return bits ^ bits >>> 16;
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

export interface Hash {
  add(bytes: Uint8Array): void;
  /** Returns the digest of the added bytes. */
  end(): string;
}

/** A checksum of bytes, in 32 bits. */
export function checksumOf(bytes: Uint8Array): number {
  const checksum = new Checksum();
  checksum.add(bytes);
  return checksum.bits >>> 0;
}

/** Whether the bytes `[start, end)` of a file have a digest; used for etags and receipts. */
export async function hasDigest(
  source: Source,
  start: number,
  end: number,
  hash: Hash,
  digest: string,
): Promise<boolean> {
  if (end > source.size) return false;
  for (let position = start; position < end;) {
    const loading = source.load(position);
    if (loading !== undefined) await loading;
    const to = Math.min(source.end, end);
    hash.add(source.view(position, to));
    position = to;
  }
  return hash.end() === digest;
}
