import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  BUFFER_BYTES,
  FIRST_CHUNK_BYTES,
} from "../../../src/core/base/limits.ts";
import { KernelPool, wasmKernel } from "../../../src/core/lines/scan.ts";

const MIB = 1024 * 1024;

/** The size of a small file. */
const SMALL = 8192;

/** The sizes of the buffers for consecutive reads of small files with `bytes` in total. */
function buffersFor(
  pool: KernelPool,
  bytes: number,
): number[] {
  return Array.from({ length: Math.ceil(bytes / SMALL) }, () => {
    const kernel = pool.take(SMALL);
    pool.give(kernel);
    return kernel.buffer.length;
  });
}

describe("a pool of kernels", () => {
  it("has a buffer for a whole small file, and for a chunk of a large one", () => {
    for (const size of [0, 1, FIRST_CHUNK_BYTES, FIRST_CHUNK_BYTES + 1, 1e12]) {
      const { buffer } = new KernelPool().take(size);
      const wanted = size <= FIRST_CHUNK_BYTES
        ? FIRST_CHUNK_BYTES
        : BUFFER_BYTES;
      assertEquals(buffer.length, wanted, `${size}`);
    }
  });
  it("compiles nothing for a few small files, and once for very many", () => {
    const pool = new KernelPool(wasmKernel);
    const few = buffersFor(pool, MIB);
    assertEquals(new Set(few), new Set([FIRST_CHUNK_BYTES]));
    const last = buffersFor(pool, 2 * MIB).at(-1);
    // Without WebAssembly, the kernel stays the same.
    const isCompiled = wasmKernel() !== undefined;
    assertEquals(last, isCompiled ? BUFFER_BYTES : FIRST_CHUNK_BYTES);
  });
  it("requests no faster kernel for a few small files, and one for very many", () => {
    let tries = 0;
    const pool = new KernelPool(() => {
      tries++;
      return undefined;
    });
    buffersFor(pool, MIB);
    assertEquals(tries, 0);
    buffersFor(pool, 8 * MIB);
    assertEquals(tries, 1);
    assertEquals(pool.take(MIB).buffer.length, BUFFER_BYTES);
    assertEquals(tries, 2);
  });
  it("lends each kernel to one read at a time", () => {
    const pool = new KernelPool();
    const lent = Array.from(
      { length: 9 },
      (_, at) => pool.take(at % 2 === 0 ? 100 : MIB),
    );
    assertEquals(new Set(lent.map(({ buffer }) => buffer.buffer)).size, 9);
    lent.forEach((kernel) => pool.give(kernel));
    const again = [pool.take(MIB), pool.take(MIB), pool.take(100)];
    assert(again.every((kernel) => lent.includes(kernel)));
    assertEquals(new Set(again).size, 3);
  });
});
