// Runtime-agnostic.
import type { Source } from "../lines/source.ts";

// The kinds of bytes, as bits: 0 for tabs, line feeds and printable ASCII.
/** The carriage return. */
export const CR_KIND = 1;
/** Every other byte. */
const ODD_KIND = 2;
/** The kind of each byte. */
const BYTE_KINDS = /* @__PURE__ */ makeByteKinds();

function makeByteKinds(): Uint8Array {
  const kinds = new Uint8Array(256).fill(ODD_KIND).fill(0, 0x20, 0x7f);
  kinds[0x09] = kinds[0x0a] = 0;
  kinds[0x0d] = CR_KIND;
  return kinds;
}

/** The state of a checksum of no bytes. */
const NONE = [0x811c9dc5, 0x01000193, 0] as const;

/** A checksum of 64 bits, to notice changes; it does not resist forgery. An etag holds its whole state, so that a later page can continue it. */
export class Checksum {
  #one: number;
  #two: number;
  /** The bytes after the last whole word of four, as a number. The bit above them shows how many they are, so the number is 1 if there are none. */
  #rest: number;
  #byteKinds = 0;

  /** Constructs a new instance, empty or with an earlier state. */
  constructor([one = 0, two = 0, rest = 0]: readonly number[] = NONE) {
    this.#one = one | 0;
    this.#two = two | 0;
    this.#rest = rest + 1;
  }

  add(bytes: Uint8Array): void {
    this.addPart(viewOf(bytes), 0, bytes.length);
  }

  /** Adds a part of a view. The caller makes one view for many lines. */
  addPart(view: DataView, from: number, to: number): void {
    let at = from;
    while (this.#rest > 1 && at < to) this.#addByte(view.getUint8(at++));
    at = this.#addWords(view, at, to);
    while (at < to) this.#addByte(view.getUint8(at++));
  }

  /** Adds whole words of four bytes from `at` on; returns where they end. */
  #addWords(view: DataView, at: number, to: number): number {
    let one = this.#one;
    let two = this.#two;
    let kinds = this.#byteKinds;
    for (const last = to - 4; at <= last; at += 4) {
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
    this.#addWords(word, 0, 4);
  }

  /** The kinds of the added bytes, as bits: `CR_KIND` for carriage returns, another bit for other odd bytes. */
  get byteKinds(): number {
    return this.#byteKinds;
  }

  /** Its state, as whole numbers from 0 on. */
  get state(): readonly number[] {
    return [this.#one >>> 0, this.#two >>> 0, this.#rest - 1];
  }

  /** Its whole state as text, to compare; more bytes can be added after that. */
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

/** A checksum of bytes, in 32 bits. */
export function checksumOf(bytes: Uint8Array): number {
  const checksum = new Checksum();
  checksum.add(bytes);
  return checksum.bits >>> 0;
}

/** Whether the bytes `[start, end)` of a file have this digest. `hash` is new: a `Checksum` for etags, a `Sha256` for receipts. */
export async function hasDigest(
  source: Source,
  start: number,
  end: number,
  hash: Pick<Sha256, "add" | "end">,
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

/** The first 128 bits of SHA-256. Implemented here, since `crypto.subtle` is asynchronous, which `page.receipt` cannot be, and the runtimes have no other hash in common. */
export class Sha256 {
  readonly #state = Int32Array.from(initial ??= fractions(2, 8));
  readonly #words = new Int32Array(64);
  readonly #block = new Uint8Array(64);
  readonly #view = new DataView(this.#block.buffer);
  #held = 0;
  #length = 0;

  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    let at = 0;
    if (this.#held > 0) {
      at = Math.min(64 - this.#held, bytes.length);
      this.#block.set(bytes.subarray(0, at), this.#held);
      this.#held += at;
      if (this.#held < 64) return;
      this.#mix(this.#view, 0);
      this.#held = 0;
    }
    const view = viewOf(bytes);
    for (; at + 64 <= bytes.length; at += 64) this.#mix(view, at);
    this.#block.set(bytes.subarray(at));
    this.#held = bytes.length - at;
  }

  /** Returns the first 128 bits, as 22 characters of base64url; nothing can be added after that. */
  end(): string {
    const length = this.#length;
    const padded = new Uint8Array((this.#held < 56 ? 64 : 128) - this.#held);
    padded[0] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, length / 2 ** 29);
    view.setUint32(padded.length - 4, length * 8 % 2 ** 32);
    this.add(padded);
    const digest = new Uint8Array(16);
    const words = new DataView(digest.buffer);
    for (let at = 0; at < 4; at++) words.setInt32(at * 4, this.#state[at]!);
    return btoa(String.fromCharCode(...digest))
      .replaceAll("+", "-").replaceAll("/", "_").slice(0, 22);
  }

  #mix(view: DataView, from: number): void {
    const words = this.#words;
    const state = this.#state;
    const keys = rounds ??= fractions(3, 64);
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(from + at * 4);
    for (let at = 16; at < 64; at++) {
      const one = words[at - 15]!;
      const two = words[at - 2]!;
      const low = (one >>> 7 | one << 25) ^ (one >>> 18 | one << 14) ^
        one >>> 3;
      const high = (two >>> 17 | two << 15) ^ (two >>> 19 | two << 13) ^
        two >>> 10;
      words[at] = words[at - 16]! + low + words[at - 7]! + high | 0;
    }
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let d = state[3]!;
    let e = state[4]!;
    let f = state[5]!;
    let g = state[6]!;
    let h = state[7]!;
    for (let at = 0; at < 64; at++) {
      const high = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^
        (e >>> 25 | e << 7);
      const one = h + high + (g ^ (e & (f ^ g))) + keys[at]! + words[at]! | 0;
      const low = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^
        (a >>> 22 | a << 10);
      const two = low + ((a & b) ^ (c & (a ^ b))) | 0;
      h = g;
      g = f;
      f = e;
      e = d + one | 0;
      d = c;
      c = b;
      b = a;
      a = one + two | 0;
    }
    const sums = [a, b, c, d, e, f, g, h];
    for (let at = 0; at < 8; at++) state[at]! += sums[at]!;
  }
}

/** The constants, made at the first use, so that bundles without receipts tree-shake them. */
let initial: Int32Array | undefined;
let rounds: Int32Array | undefined;

/** The first 32 bits of the fractional parts of the square or cube roots of the first primes. */
function fractions(root: 2 | 3, count: number): Int32Array {
  const found = new Int32Array(count);
  const power = root === 2 ? Math.sqrt : Math.cbrt;
  let at = 0;
  for (let prime = 2; at < count; prime++) {
    let factor = 2;
    while (factor * factor <= prime && prime % factor > 0) factor++;
    if (factor * factor <= prime) continue;
    const value = power(prime);
    found[at++] = (value - Math.floor(value)) * 2 ** 32;
  }
  return found;
}
