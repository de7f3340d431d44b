import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FIRST_CHUNK_BYTES } from "../../../src/core/base/limits.ts";
import type { Told } from "../../children/kernels.ts";
import { runChild } from "../../support/child.ts";
import { onDisk } from "../../support/disk.ts";

/** A file that fits in the first chunk, and one that does not. */
const SIZES = {
  "small.txt": FIRST_CHUNK_BYTES,
  "large.txt": FIRST_CHUNK_BYTES + 1,
} as const;

/** Reads files in a new process; returns how often it compiled and used WebAssembly. */
async function readInChild(
  waits: string,
  names: readonly (keyof typeof SIZES)[],
): Promise<Told> {
  await using place = await onDisk([]);
  for (const [name, size] of Object.entries(SIZES)) {
    writeFileSync(join(place.root, name), "line\n".repeat(size).slice(0, size));
  }
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
      const large = ["large.txt", "large.txt"] as const;
      const { compiled, scanned } = await readInChild(waits, large);
      assertEquals(compiled, 1);
      assertGreaterOrEqual(scanned, 2 * SIZES["large.txt"]);
    });
    it("compiles nothing for a small file", async () => {
      const told = await readInChild(waits, ["small.txt"]);
      assertEquals(told, { compiled: 0, scanned: 0 });
    });
    it("compiles once for very many small files", async () => {
      const many = Array.from({ length: 99 }, () => "small.txt" as const);
      const { compiled, scanned } = await readInChild(waits, many);
      assertEquals(compiled, 1);
      assertGreaterOrEqual(scanned, SIZES["small.txt"]);
    });
  });
}
