// Not at the edge: it compresses by node:zlib, which has all kinds of blocks.
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { constants, gzipSync } from "node:zlib";
import { SmallMembers } from "../../src/views/small_member.ts";
import { Random, SEED } from "../support/random.ts";

const { Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE, Z_DEFAULT_STRATEGY } = constants;

/** Bytes of few or many different values, some repeated. */
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

describe("a small member of a gzip file", () => {
  it(`is decompressed, whatever its blocks are (seed ${SEED})`, () => {
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
  it(`is never another text if bytes are damaged (seed ${SEED})`, () => {
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
  it("is left to the runtime if it is large", () => {
    const small = new SmallMembers();
    const bytes = new Uint8Array(64 * 1024 + 1);
    assertEquals(small.take(packed(bytes, {})), undefined);
    assertEquals(small.take(packed(bytes, { level: 0 })), undefined);
  });
});
