import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { describe, it } from "node:test";
import { MAX_RANGE_BYTES, readAhead } from "../../src/fs/store.ts";
import type { FileHandle } from "../../src/core/base/port.ts";
import { Random } from "../support/random.ts";
import { assertCode } from "../support/codes.ts";

const KIB = 1024;

/** The byte at a position depends on the position. */
function byteAt(position: number): number {
  return (position ^ position >> 8 ^ position >> 16) & 0xff;
}

/** The bytes from `start` on. */
function rangeOf(start: number, length: number): Uint8Array<ArrayBuffer> {
  const range = new Uint8Array(length);
  for (let at = 0; at < length; at++) range[at] = byteAt(start + at);
  return range;
}

/** An object of `size` bytes that records the fetched ranges. */
function objectOf(size: number) {
  const ranges: (readonly [start: number, length: number])[] = [];
  const bytes = readAhead(size, (start, length) => {
    ranges.push([start, length]);
    return Promise.resolve(rangeOf(start, length));
  });
  return { bytes, ranges };
}

/** Reads once, and checks the bytes. */
async function read(
  bytes: FileHandle["read"],
  position: number,
  length: number,
): Promise<number> {
  const buffer = new Uint8Array(length);
  const count = await bytes(buffer, position);
  for (let at = 0; at < length; at++) {
    const byte = at < count ? byteAt(position + at) : 0;
    if (buffer[at] !== byte) throw new Error(`byte ${position + at}`);
  }
  return count;
}

describe("the ranges of readAhead()", () => {
  it("begin at 64 KiB and double in a sequential read, up to 4 MiB", async () => {
    const size = 24 * KIB * KIB;
    const { bytes, ranges } = objectOf(size);
    for (let at = 0; at < size;) at += await read(bytes, at, 32 * KIB);
    const lengths = ranges.map(([, length]) => length / KIB);
    assertEquals(lengths.slice(0, 9), [
      64,
      128,
      256,
      512,
      1024,
      2048,
      4096,
      4096,
      4096,
    ]);
    assertEquals(lengths.reduce((sum, length) => sum + length), 24 * KIB);
  });
  it("also double backwards, and end where the previous one began", async () => {
    const size = 1024 * KIB;
    const { bytes, ranges } = objectOf(size);
    for (let at = size; at > 0; at -= 4 * KIB) {
      assertEquals(await read(bytes, at - 4 * KIB, 4 * KIB), 4 * KIB);
    }
    // A seek to the last 4 KiB fetches only those.
    assertEquals(ranges, [
      [1020 * KIB, 4 * KIB],
      [892 * KIB, 128 * KIB],
      [636 * KIB, 256 * KIB],
      [124 * KIB, 512 * KIB],
      [0, 124 * KIB],
    ]);
  });
  it("start small again after a seek", async () => {
    const { bytes, ranges } = objectOf(64 * KIB * KIB);
    for (const at of [0, 64 * KIB, 192 * KIB]) await read(bytes, at, 1);
    await read(bytes, 32 * KIB * KIB, 1);
    assertEquals(ranges.at(-1), [32 * KIB * KIB, 64 * KIB]);
    await read(bytes, 1, 1);
    assertEquals(ranges.at(-1), [1, 64 * KIB]);
  });
  it("are at least as long as the buffer", async () => {
    const { bytes, ranges } = objectOf(64 * KIB * KIB);
    assertEquals(await read(bytes, 5, 300 * KIB), 300 * KIB);
    assertEquals(ranges, [[5, 300 * KIB]]);
  });
  it("end at the end of the object", async () => {
    const { bytes, ranges } = objectOf(10);
    assertEquals(await read(bytes, 8, 100), 2);
    assertEquals(await read(bytes, 10, 1), 0);
    assertEquals(await read(bytes, 5e9, 1), 0);
    assertEquals(await read(bytes, 0, 0), 0);
    assertEquals(ranges, [[8, 2]]);
  });
  it("are not fetched if the bytes are in memory: read() returns a value, not a promise", async () => {
    const { bytes, ranges } = objectOf(100 * KIB);
    await read(bytes, 0, 1);
    const buffer = new Uint8Array(2 * KIB);
    assertEquals(bytes(buffer, 63 * KIB), KIB);
    assertEquals(ranges.length, 1);
  });
  it("are not fetched for first bytes that are known", async () => {
    const first = Uint8Array.of(0, 1, 2);
    const never = () => Promise.reject(new Error("asked"));
    const bytes = readAhead(3, never, first);
    assertEquals(await read(bytes, 1, 9), 2);
  });
  it("may be shorter, but not empty", async () => {
    const short = readAhead(9, () => Promise.resolve(Uint8Array.of(0)));
    assertEquals(await read(short, 0, 9), 1);
    const empty = readAhead(9, () => Promise.resolve(new Uint8Array(0)));
    await assertCode(() => empty(new Uint8Array(1), 0), "EIO");
  });
  it("may be longer; the rest is dropped", async () => {
    let fetched = 0;
    const long = readAhead(100 * KIB, (start) => {
      fetched++;
      return Promise.resolve(rangeOf(start, 99 * KIB));
    });
    assertEquals(await read(long, 0, KIB), KIB);
    assertEquals(await read(long, 63 * KIB, 2 * KIB), KIB);
    assertEquals(fetched, 1);
    assertEquals(await read(long, 64 * KIB, KIB), KIB);
    assertEquals(fetched, 2);
  });
  it("are separate for several pending reads", async () => {
    const { bytes } = objectOf(10_000 * KIB);
    const places = Array.from({ length: 40 }, (_, at) => at * 200 * KIB);
    const counts = await Promise.all(
      places.map((place) => read(bytes, place, 100)),
    );
    assertEquals(new Set(counts), new Set([100]));
  });
  it("give the right bytes after random seeks", async () => {
    const random = new Random(20251118);
    const size = 3000 * KIB;
    const { bytes, ranges } = objectOf(size);
    let at = 0;
    for (let round = 0; round < 400; round++) {
      const length = 1 + random.below(20 * KIB);
      at = [
        random.below(size),
        Math.min(size - 1, at + length),
        Math.max(0, at - length),
      ][random.below(3)]!;
      const count = await read(bytes, at, length);
      assert(count > 0 && count <= length);
    }
    for (const [start, length] of ranges) {
      assert(start >= 0 && length > 0 && start + length <= size);
      assertLessOrEqual(length, MAX_RANGE_BYTES);
    }
  });
});
