import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { BUFFER_BYTES, FIRST_CHUNK_BYTES } from "../src/core/limits.ts";
import {
  giveKernel,
  type NewlineKernel,
  takeKernel,
} from "../src/core/lines/scan.ts";
import { wasmKernel } from "../src/core/lines/scan_wasm.ts";

const MIB = 1024 * 1024;

/** The kernels that one read after the other gets, for `bytes` of files in all. */
function kernelsFor(bytes: number, size: number): NewlineKernel[] {
  return Array.from({ length: Math.ceil(bytes / size) }, () => {
    const kernel = takeKernel(size);
    giveKernel(kernel);
    return kernel;
  });
}

describe("the kernels that are lent", () => {
  it("hold a small file whole, and a chunk of a large one many times over", () => {
    for (const size of [0, 1, FIRST_CHUNK_BYTES, FIRST_CHUNK_BYTES + 1, 1e12]) {
      const [kernel] = kernelsFor(1, size || 1);
      assert(kernel!.buffer.length >= Math.min(size, BUFFER_BYTES), `${size}`);
    }
  });
  it("are compiled for very many small files as well", () => {
    // What others have left behind is put out of reach.
    const lent = Array.from({ length: 9 }, () => takeKernel(MIB));
    const last = kernelsFor(8 * MIB, 8192).at(-1)!;
    lent.forEach(giveKernel);
    // Where nothing can be compiled, any buffer does.
    const isCompiled = last.buffer.length === BUFFER_BYTES;
    assert(isCompiled || wasmKernel() === undefined);
  });
  it("belong to one read at a time", () => {
    const lent = Array.from(
      { length: 9 },
      (_, at) => takeKernel(at % 2 === 0 ? 100 : MIB),
    );
    assertEquals(new Set(lent.map(({ buffer }) => buffer.buffer)).size, 9);
    lent.forEach(giveKernel);
  });
});
