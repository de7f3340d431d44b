// Runtime-agnostic.
import { viewOf } from "./digest.ts";

/**
 * The first 128 bits of SHA-256. Implemented here, since `crypto.subtle` is
 * asynchronous and a getter is not, and no runtime module is needed.
 */
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
      const one = h + high + (g ^ e & (f ^ g)) + keys[at]! + words[at]! | 0;
      const low = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^
        (a >>> 22 | a << 10);
      const two = low + (a & b ^ c & (a ^ b)) | 0;
      h = g;
      g = f;
      f = e;
      e = d + one | 0;
      d = c;
      c = b;
      b = a;
      a = one + two | 0;
    }
    state[0]! += a;
    state[1]! += b;
    state[2]! += c;
    state[3]! += d;
    state[4]! += e;
    state[5]! += f;
    state[6]! += g;
    state[7]! += h;
  }
}

/** The constants, made at the first use, so that bundles without receipts tree-shake them. */
let initial: Int32Array | undefined;
let rounds: Int32Array | undefined;

/** The first 32 bits of the fractional parts of the `root`-th roots of the first primes. */
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
