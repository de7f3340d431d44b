import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../../mod.ts";
import { codecOf } from "../../../src/core/encodings/codecs.ts";
import {
  type NewlineKernel,
  plainKernel,
  wasmKernel,
} from "../../../src/core/lines/scan.ts";
import type { Source } from "../../../src/core/lines/source.ts";
import { utf16Of } from "../../support/encoded.ts";
import { Random, SEED } from "../../support/random.ts";

const SIZE = 20_000;

/** Bytes that are often halves of line feeds. */
function drawBytes(): Uint8Array {
  const random = new Random(SEED);
  return Uint8Array.from({ length: SIZE }, () => random.pick([0, 0x0a, 0x61]));
}

/** The positions of the second bytes of line feeds, for a file that begins at `start`. */
function feedsOf(bytes: Uint8Array, start: number, isBig: boolean): number[] {
  const found: number[] = [];
  for (let at = start % 2; at + 1 < bytes.length; at += 2) {
    const unit = isBig
      ? bytes[at]! * 256 + bytes[at + 1]!
      : bytes[at + 1]! * 256 + bytes[at]!;
    if (unit === 0x0a) found.push(at + 1);
  }
  return found;
}

const KERNELS: Readonly<Record<string, NewlineKernel | undefined>> = {
  "the plain kernel": plainKernel(SIZE),
  "the WebAssembly kernel": wasmKernel(),
};

describe("the line feeds of UTF-16", () => {
  for (const [name, kernel] of Object.entries(KERNELS)) {
    // Skipped where the runtime has no WebAssembly.
    if (kernel === undefined) continue;
    for (const label of ["utf-16le", "utf-16be"]) {
      for (const start of [0, 7]) {
        it(`are found by ${name} in ${label}, from byte ${start} on`, () => {
          const bytes = drawBytes();
          kernel.buffer.set(bytes);
          const source = { start } as Source;
          const { count, nth, nthLast } = codecOf(label)!
            .kernelFor!(kernel, source);
          const feeds = feedsOf(bytes, start, label === "utf-16be");
          for (const [from, to] of [[0, SIZE], [1, 9], [3, 10_001], [9, 9]]) {
            const within = feeds.filter((at) => at > from! && at < to!);
            assertEquals(count(from!, to!), within.length);
            for (const n of [1, 2, within.length, within.length + 1]) {
              const [first, last] = [within[n - 1], within.at(-n)];
              if (n === 0) continue;
              assertEquals(nth(from!, to!, n), first ?? ~within.length);
              assertEquals(nthLast(from!, to!, n), last ?? ~within.length);
            }
          }
        });
      }
    }
  }
});

describe("the line index of UTF-16", () => {
  for (const label of ["utf-16le", "utf-16be"]) {
    it(`is right after a limit inside a line feed of ${label}`, async () => {
      // Each line has 32 bytes; an `mtimeMs` long ago lets the file have an index.
      const texts = Array.from({ length: 20_000 }, (_, at) => `${at + 1}`);
      const text = texts.map((line) => `${line.padEnd(15)}\n`).join("");
      const content = utf16Of(text, label === "utf-16be");
      const fs = memoryFs({ "/ws/a": { content, mtimeMs: 1 } });
      const workspace = await openWorkspace("/ws", { fs });
      const read = (start: number, count: number, maxBytes: number) => {
        const policy = { encoding: label, maxBytes };
        return workspace.read("a", { start, count, ...policy });
      };
      const lines = 9_999;
      const cut = await read(1, 20_000, (lines + 1) * 32 - 1);
      assertEquals([cut.lineCount, cut.next?.start], [lines, lines + 1]);
      const later = await read(15_000, 1, 32);
      assertEquals(later.text.trim(), "15000");
    });
  }
});
