import { assertEquals } from "@std/assert";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
// Imported before `Deno` is replaced, since Deno creates its process object from it.
import "node:process";
import { describe, it } from "node:test";
import { denoFs, hostFs } from "../../mod.ts";
import { MAX_LISTED_BYTES } from "../../src/fs/disk.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";
import { batchesIn } from "../../src/core/guard/lister.ts";
import { listed } from "../support/listings.ts";

/** Deno's disk, with a `Deno` whose directory is endless. */
function endlessDisk(nonBlocking: boolean) {
  const seen = { given: 0, closed: 0 };
  async function* readDir() {
    try {
      for (;;) {
        const isFile = seen.given % 2 === 0;
        const kind = { isFile, isDirectory: !isFile, isSymlink: false };
        yield { name: `${seen.given++}`, ...kind };
        await Promise.resolve();
      }
    } finally {
      seen.closed++;
    }
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, "Deno");
  const memoryUsage = () => ({ rss: 1 });
  const build = { os: "linux" };
  const Deno = { build, memoryUsage, readDir };
  Object.defineProperty(globalThis, "Deno", {
    value: Deno,
    configurable: true,
  });
  try {
    return { fs: denoFs({ nonBlocking }), seen };
  } finally {
    if (before === undefined) delete (globalThis as { Deno?: unknown }).Deno;
    else Object.defineProperty(globalThis, "Deno", before);
  }
}

describe("a list on Deno", () => {
  for (const nonBlocking of [false, true]) {
    it(`reads only the entries that it returns, nonBlocking: ${nonBlocking}`, async () => {
      const { fs, seen } = endlessDisk(nonBlocking);
      assertEquals(await listed(fs, "/C:/d", 3), [
        { name: "0", kind: "file" },
        { name: "1", kind: "directory" },
        { name: "2", kind: "file" },
      ]);
      assertEquals(seen, { given: 3, closed: 1 });
    });
  }
});

describe("a list of a large directory", () => {
  it("is empty on Bun, which would read all of it; batches do not block", async () => {
    await using place = await onDisk(["ws/a: x"]);
    const folder = `${place.root}/many`;
    mkdirSync(folder);
    // Some file systems need fewer bytes for this many names.
    for (let at = 0; at < 4_000; at++) {
      writeFileSync(`${folder}/${String(at).padStart(200, "x")}`, "");
    }
    const isLarge = statSync(folder).size > MAX_LISTED_BYTES;
    const fs = hostFs();
    // As the core asks: on Windows, a port takes no other form.
    const real = await fs.realPath(folder);
    const entries = await listed(fs, real, 3);
    assertEquals(entries.length, RUNTIME === "Bun" && isLarge ? 0 : 3);
    const batches = batchesIn(fs, real, Infinity)[Symbol.asyncIterator]();
    let isGiven = false;
    let next = batches.next();
    void next.then(() => isGiven = true);
    // Bun reads all names before it returns the first; this takes a turn of the event loop.
    for (let left = 100; left > 0; left--) await undefined;
    if (RUNTIME === "Bun" && isLarge) assertEquals(isGiven, false);
    let all = 0;
    for (;;) {
      const { done, value } = await next;
      if (done) break;
      all += value.length;
      next = batches.next();
    }
    assertEquals(all, 4_000);
  });
});
