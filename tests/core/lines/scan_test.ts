import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { BUFFER_BYTES } from "../../../src/core/base/limits.ts";
import {
  type NewlineKernel,
  plainKernel,
  wasmKernel,
} from "../../../src/core/lines/scan.ts";
import { Random } from "../../support/random.ts";

/** A simple, slow kernel. */
function slowKernel(buffer: Uint8Array): NewlineKernel {
  const feeds = (from: number, to: number) =>
    [...buffer.subarray(from, to).keys()]
      .filter((at) => buffer[from + at] === 0x0a).map((at) => from + at);
  const pick = (places: number[], n: number) => places[n - 1] ?? ~places.length;
  return {
    buffer,
    count: (from, to) => feeds(from, to).length,
    nth: (from, to, n) => pick(feeds(from, to), n),
    nthLast: (from, to, n) => pick(feeds(from, to).reverse(), n),
    has: (from, to, byte) =>
      buffer.subarray(from, to).some((one) => one === byte),
  };
}

for (
  const [name, make] of [
    ["plain", () => plainKernel(BUFFER_BYTES)],
    ["WebAssembly", wasmKernel],
  ] as const
) {
  describe(`the ${name} kernel`, () => {
    const kernel = make();
    // workerd cannot compile WebAssembly at run time.
    if (kernel === undefined) return;

    it("agrees with a slow one, at every alignment and length", () => {
      const slow = slowKernel(kernel.buffer);
      for (const density of [0, 0.02, 0.5, 1]) {
        fill(kernel.buffer.subarray(0, 256), density, 1);
        for (let from = 0; from < 70; from++) {
          for (let to = from; to < 140; to++) compare(kernel, slow, from, to);
        }
      }
    });

    it("agrees with a slow one on long stretches of random bytes", () => {
      const slow = slowKernel(kernel.buffer);
      const random = new Random(2);
      for (let round = 0; round < 120; round++) {
        const density = [0.001, 0.01, 0.1, 0.9, 1][round % 5]!;
        fill(kernel.buffer.subarray(0, 16384), density, round);
        const from = random.below(6000);
        compare(kernel, slow, from, from + random.below(10000), random);
      }
    });

    it("reads no byte beyond the end or before the beginning", () => {
      kernel.buffer.fill(0x0a);
      kernel.buffer.fill(0x61, 100, 200);
      assertEquals(kernel.count(100, 200), 0);
      assertEquals(kernel.nth(100, 200, 1), ~0);
      assertEquals(kernel.nthLast(100, 200, 1), ~0);
      kernel.buffer.fill(0, 0, 100).fill(0, 200, 300);
      assertEquals(kernel.has(100, 200, 0), false);
    });

    it("finds a byte at any position, and no other", () => {
      const { buffer } = kernel;
      const ESC = 0x1b;
      for (let byte = 0; byte < 256; byte++) {
        buffer.fill(byte, 0, 100);
        assertEquals(kernel.has(0, 100, 0), byte === 0, `${byte}`);
        assertEquals(kernel.has(0, 100, ESC), byte === ESC, `${byte}`);
      }
      for (let at = 0; at < 100; at++) {
        buffer.fill(0x61, 0, 100);
        buffer[at] = ESC;
        for (let from = 0; from < 40; from++) {
          for (const to of [from, from + 1, from + 15, from + 16, from + 60]) {
            const isWithin = from <= at && at < to;
            const where = `${at} in [${from}, ${to})`;
            assertEquals(kernel.has(from, to, ESC), isWithin, where);
          }
        }
      }
      buffer.fill(0x61);
      assertEquals(kernel.has(0, buffer.length, 0), false);
      buffer[buffer.length - 1] = 0;
      assertEquals(kernel.has(0, buffer.length, 0), true);
    });

    it("distinguishes ASCII from all other bytes at any position, if it supports that", () => {
      const { buffer } = kernel;
      if (kernel.isAscii === undefined) return;
      for (let byte = 0; byte < 256; byte++) {
        buffer.fill(0x61, 0, 100)[57] = byte;
        assertEquals(kernel.isAscii(0, 100), byte < 0x80, `${byte}`);
      }
      for (let at = 0; at < 100; at++) {
        buffer.fill(0x7f, 0, 100)[at] = 0x80;
        for (let from = 0; from < 40; from++) {
          for (const to of [from, from + 1, from + 15, from + 16, from + 60]) {
            const isWithin = from <= at && at < to;
            const where = `${at} in [${from}, ${to})`;
            assertEquals(kernel.isAscii(from, to), !isWithin, where);
          }
        }
      }
      buffer.fill(0x61);
      assertEquals(kernel.isAscii(0, buffer.length), true);
      buffer[buffer.length - 1] = 0xff;
      assertEquals(kernel.isAscii(0, buffer.length), false);
    });

    it("scans every byte of its buffer", () => {
      kernel.buffer.fill(0x0a);
      const { length } = kernel.buffer;
      assertEquals(length, BUFFER_BYTES);
      assertEquals(kernel.count(0, length), length);
      assertEquals(kernel.nth(0, length, length), length - 1);
      assertEquals(kernel.nthLast(0, length, length), 0);
      assertEquals(kernel.nth(0, length, Infinity), ~length);
      assertEquals(kernel.nthLast(0, length, Infinity), ~length);
    });

    it("mistakes no other byte for a line feed", () => {
      for (let byte = 0; byte < 256; byte++) {
        kernel.buffer.fill(byte, 0, 200);
        const expected = byte === 0x0a ? 199 : 0;
        assertEquals(kernel.count(1, 200), expected, `${byte}`);
      }
    });
  });
}

describe("the kernels", () => {
  it("are two if the runtime can compile WebAssembly", () => {
    let compiles = true;
    try {
      new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    } catch {
      compiles = false;
    }
    // workerd compiles only while a worker starts, so it may not compile here.
    const isEdge = navigator.userAgent === "Cloudflare-Workers";
    assert(isEdge || compiles);
    assert(!compiles || wasmKernel() !== undefined);
  });
});

function fill(bytes: Uint8Array, density: number, seed: number): void {
  const random = new Random(seed);
  for (let at = 0; at < bytes.length; at++) {
    const feed = random.below(1_000_000) < density * 1_000_000;
    bytes[at] = feed ? 0x0a : random.below(256);
  }
}

function compare(
  kernel: NewlineKernel,
  slow: NewlineKernel,
  from: number,
  to: number,
  random = new Random(from * 1000 + to),
): void {
  const count = slow.count(from, to);
  const where = `[${from}, ${to})`;
  assertEquals(kernel.count(from, to), count, where);
  assertEquals(kernel.has(from, to, 0), slow.has(from, to, 0), where);
  for (const n of new Set([1, count, count + 1, 1 + random.below(count + 1)])) {
    if (n === 0) continue;
    const what = `${n} of ${where}`;
    assertEquals(kernel.nth(from, to, n), slow.nth(from, to, n), what);
    assertEquals(kernel.nthLast(from, to, n), slow.nthLast(from, to, n), what);
  }
}
