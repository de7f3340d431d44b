import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FIRST_CHUNK_BYTES } from "../../../src/core/base/limits.ts";
import type { Told } from "../../children/kernels.ts";
import { runChild } from "../../support/child.ts";
import { onDisk } from "../../support/disk.ts";

/** The size of a file that fits in the first chunk, and of one that does not. */
const SMALL = FIRST_CHUNK_BYTES;
const LARGE = FIRST_CHUNK_BYTES + 1;

/** Reads files of some sizes in a new process; returns how often it compiled and used WebAssembly. */
async function readInChild(
  waits: string,
  sizes: readonly number[],
): Promise<Told> {
  await using place = await onDisk([]);
  const names = sizes.map((size, at) => {
    const name = `${at}.txt`;
    writeFileSync(join(place.root, name), "line\n".repeat(size).slice(0, size));
    return name;
  });
  const { stdout, stderr } = runChild(
    "tests/children/kernels.ts",
    [place.root, waits, ...names],
    { permissions: ["--allow-read"] },
  );
  assertEquals(stderr, "");
  return JSON.parse(stdout);
}

for (const waits of ["blocking", "nonBlocking"]) {
  describe(`a disk (${waits})`, () => {
    it("scans every large file in WebAssembly, compiled once", async () => {
      const { compiled, scanned } = await readInChild(waits, [LARGE, LARGE]);
      assertEquals(compiled, 1);
      assertGreaterOrEqual(scanned, 2 * LARGE);
    });
    it("compiles nothing for a small file", async () => {
      const told = await readInChild(waits, [SMALL]);
      assertEquals(told, { compiled: 0, scanned: 0 });
    });
    it("compiles once for very many small files", async () => {
      // Different files: once a file is at rest, its count is known and it is not scanned again.
      const many = new Array<number>(99).fill(SMALL);
      const { compiled, scanned } = await readInChild(waits, many);
      assertEquals(compiled, 1);
      assertGreaterOrEqual(scanned, SMALL);
    });
  });
}
