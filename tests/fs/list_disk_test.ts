import { assertEquals } from "@std/assert";
// Before Deno is another: it makes its process of it.
import "node:process";
import { describe, it } from "node:test";
import { denoFs } from "../../mod.ts";

/** Makes the disk of Deno over a `Deno` that has a directory without an end. */
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
  const Deno = { readDir };
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
    it(`looks at no more names than it gives, nonBlocking: ${nonBlocking}`, async () => {
      const { fs, seen } = endlessDisk(nonBlocking);
      assertEquals(await fs.list!("/d", 3), [
        { name: "0", kind: "file" },
        { name: "1", kind: "directory" },
        { name: "2", kind: "file" },
      ]);
      assertEquals(seen, { given: 3, closed: 1 });
    });
  }
});
