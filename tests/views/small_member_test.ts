// Not at the edge: it compresses with node:zlib, which makes all kinds of blocks.
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { constants, gunzipSync, gzipSync } from "node:zlib";
import { SmallMembers } from "../../src/views/small_member.ts";
import { Random, SEED } from "../support/random.ts";

const { Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE, Z_DEFAULT_STRATEGY } = constants;

/** Bytes of few or many different values, with repetitions. */
function bytesOf(random: Random, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  const values = 1 + random.below(256);
  for (let at = 0; at < size;) {
    const count = Math.min(1 + random.below(300), size - at);
    const distance = 1 + random.below(40_000);
    if (random.below(2) === 0 && distance <= at) {
      for (const end = at + count; at < end; at++) {
        bytes[at] = bytes[at - distance]!;
      }
    } else {
      for (const end = at + count; at < end; at++) {
        bytes[at] = random.below(values);
      }
    }
  }
  return bytes;
}

/** A member, and bytes after it. */
function packed(bytes: Uint8Array, options: object): Uint8Array<ArrayBuffer> {
  const member = gzipSync(bytes, options);
  return Uint8Array.from([...member, ...member.subarray(0, 20)]);
}

/** An empty block that defines its own codes. */
interface Forged {
  /** The code lengths of symbols and of distances; a negative number is a run of zeros. */
  readonly symbols: readonly number[];
  readonly distances: readonly number[];
  /** The length of the codes for code lengths; with 4 bits, these 16 codes are complete. */
  readonly width?: number;
}

/** An empty member that repeats a block. */
function forged(
  { symbols, distances, width = 4 }: Forged,
  times = 1,
): Uint8Array<ArrayBuffer> {
  const bits: number[] = [];
  const write = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit++) bits.push(value >> bit & 1);
  };
  const writeCode = (value: number, count: number) => {
    while (count-- > 0) bits.push(value >> count & 1);
  };
  const sizeOf = (lengths: readonly number[]) =>
    lengths.reduce((sum, length) => sum + (length < 0 ? -length : 1), 0);
  for (let left = times; left > 0; left--) {
    write(left === 1 ? 1 : 0, 1);
    write(2, 2);
    write(sizeOf(symbols) - 257, 5);
    write(sizeOf(distances) - 1, 5);
    write(15, 4);
    // The code lengths 16, 17 and 0 are not used; 18 and the others are.
    for (let at = 0; at < 19; at++) {
      write(at === 0 || at === 1 || at === 3 ? 0 : width, 3);
    }
    for (const length of [...symbols, ...distances]) {
      writeCode(length < 0 ? 15 : length - 1, width);
      if (length < 0) write(-length - 11, 7);
    }
    // The symbol that ends the block has the first code.
    writeCode(0, symbols[2]!);
  }
  const deflated = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries()) deflated[at >> 3]! |= bit << at % 8;
  const [header, trailer] = [gzipSync("").subarray(0, 10), new Uint8Array(8)];
  return Uint8Array.from([...header, ...deflated, ...trailer]);
}

/** Code lengths of 0 for the symbols before the one that ends a block. */
const ZEROS = [-138, -118];

describe("a small member of a gzip file", () => {
  it(`is decompressed, for any kind of block (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const small = new SmallMembers();
    const strategies = [Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE];
    for (const strategy of strategies) {
      for (let level = 0; level <= 9; level++) {
        for (const size of [0, 1, 300, random.below(64 * 1024), 64 * 1024]) {
          const bytes = bytesOf(random, size);
          const member = packed(bytes, { level, strategy, memLevel: 4 });
          const told = small.take(member);
          const what = `${strategy} ${level} ${size}`;
          assertEquals(told, { taken: member.length - 20, size }, what);
          assert(
            small.text.subarray(0, size).every((byte, at) =>
              byte === bytes[at]
            ),
            what,
          );
        }
      }
    }
  });
  it("has a header of any length", () => {
    const small = new SmallMembers();
    const bytes = new TextEncoder().encode("text");
    const member = gzipSync(bytes);
    for (
      const [flags, more] of [[4, "\x03\0abc"], [8, "a.log\0"], [16, "\0"], [
        28,
        "\0\0n\0c\0",
      ]] as const
    ) {
      const head = Uint8Array.from(member.subarray(0, 10));
      head[3] = flags;
      const whole = Uint8Array.from([
        ...head,
        ...new TextEncoder().encode(more),
        ...member.subarray(10),
      ]);
      assertEquals(small.take(whole)?.size, 4, `${flags}`);
      for (let end = 0; end < whole.length; end++) {
        assertEquals(small.take(whole.slice(0, end)), undefined);
      }
    }
  });
  it(`never gives another text if bytes are damaged (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const small = new SmallMembers();
    for (let round = 0; round < 3000; round++) {
      const bytes = bytesOf(random, random.below(500));
      const strategy = random.pick([Z_DEFAULT_STRATEGY, Z_FIXED]);
      const member = packed(bytes, { strategy });
      for (let count = 1 + random.below(3); count > 0; count--) {
        member[random.below(member.length - 20)]! ^= 1 << random.below(8);
      }
      const told = small.take(member);
      if (told === undefined) continue;
      assertEquals(small.text.slice(0, told.size), bytes);
    }
  });
  it("accepts exactly the codes that zlib accepts", () => {
    const small = new SmallMembers();
    const valid: readonly Forged[] = [
      { symbols: [...ZEROS, 1], distances: [1] },
      { symbols: [...ZEROS, 1, 1], distances: [1, 1] },
    ];
    for (const block of valid) {
      const member = forged(block);
      assertEquals(gunzipSync(member).length, 0);
      assertEquals(small.take(member), { taken: member.length, size: 0 });
    }
    const invalid: Readonly<Record<string, Forged>> = {
      "an incomplete code of symbols": {
        symbols: [...ZEROS, 2],
        distances: [1],
      },
      "an incomplete code of distances": {
        symbols: [...ZEROS, 1],
        distances: [2, 2],
      },
      "an incomplete code of lengths": {
        symbols: [...ZEROS, 1],
        distances: [1],
        width: 5,
      },
      "too many symbols": { symbols: [...ZEROS, 1, 1, -29], distances: [1] },
      "too many distances": { symbols: [...ZEROS, 1], distances: [1, 1, -29] },
    };
    for (const [what, block] of Object.entries(invalid)) {
      const member = forged(block);
      assertThrows(() => gunzipSync(member), Error, "", what);
      assertEquals(small.take(member), undefined, what);
    }
  });
  it("is decompressed if it has many blocks with large codes", () => {
    const lengths = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15];
    const block: Forged = {
      symbols: [-138, -118, 1, ...lengths],
      distances: [1, ...lengths],
    };
    const small = new SmallMembers();
    const many = forged(block, 1500);
    assertEquals(gunzipSync(many).length, 0);
    assertEquals(small.take(many), { taken: many.length, size: 0 });
  });
  it("is left to the runtime if it is large", () => {
    const small = new SmallMembers();
    const bytes = new Uint8Array(64 * 1024 + 1);
    assertEquals(small.take(packed(bytes, {})), undefined);
    assertEquals(small.take(packed(bytes, { level: 0 })), undefined);
  });
});
