// Not at the edge: it cannot compile WebAssembly, and its clock stands still.
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type FileHandle, memoryFs, openWorkspace } from "../../../mod.ts";
import { Call } from "../../../src/core/base/call.ts";
import { OpenedFile } from "../../../src/core/guard/open.ts";
import { plainKernel, wasmKernel } from "../../../src/core/lines/scan.ts";
import { Source } from "../../../src/core/lines/source.ts";
import { skipColumns } from "../../../src/core/lines/columns.ts";
import { Random, SEED } from "../../support/random.ts";

const MIB = 1024 * 1024;

/** Draws lines of mostly ASCII, and some longer characters. */
function drawText(random: Random): string {
  const odd = ["\r", "\r\n", "\n", "é", "€", "😀", "\u{FEFF}", "\0"];
  const parts = Array.from(
    { length: random.from(1, 12) },
    () => "x".repeat(random.below(20_000)) + random.pick(odd),
  );
  return parts.join("");
}

/** The position of a column by definition: a column is a code point. */
function placeOf(line: string, columns: number) {
  const units = Array.from(line.match(/^(?:[^\r\n]|\r(?!\n))*/u)![0]);
  const passed = Math.min(columns, units.length);
  const { length } = new TextEncoder().encode(units.slice(0, passed).join(""));
  return { position: length, columns: passed, ended: passed === units.length };
}

describe("a column", () => {
  const kernels = [plainKernel(MIB), wasmKernel() ?? plainKernel(MIB)];
  it(`is found at the position of a slow count (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    for (let round = 0; round < 40; round++) {
      const text = drawText(random);
      const workspace = await openWorkspace("/ws", {
        fs: memoryFs({ "/ws/a": text }),
      });
      for (const columns of [0, 1, random.below(40_000), Infinity]) {
        for (const kernel of kernels) {
          await using file = await workspace.open("a");
          const source = new Source(file, kernel, new Call("a"));
          const found = await skipColumns(source, 0, columns);
          assertEquals(found, placeOf(text, columns), `${round}, ${columns}`);
        }
      }
    }
  });

  it("deep in a long line is found by the kernel, not by a loop over bytes", async () => {
    const quick = wasmKernel();
    assert(quick !== undefined);
    const { isAscii: _, ...slow } = quick;
    const size = 16 * MIB;
    const stat = { kind: "file", size, id: "a" } as const;
    const times = { mtimeMs: 0, ctimeMs: 0 };
    quick.buffer.fill(0x61);
    const handle: FileHandle = {
      stat: () => ({ ...stat, ...times }),
      // The buffer already consists of letters.
      read: (buffer) => buffer.length,
      path: () => "/a",
      close() {},
    };
    const timeWith = async (kernel: typeof slow) => {
      const call = new Call("a");
      const file = new OpenedFile("a", { ...stat, ...times }, handle, call);
      const start = performance.now();
      const { position } = await skipColumns(
        new Source(file, kernel, call),
        0,
        size - 1,
      );
      assertEquals(position, size - 1);
      return performance.now() - start;
    };
    // The shortest time counts: other work on the machine only adds time.
    let [slowest, fastest] = [Infinity, Infinity];
    for (let round = 0; round < 5; round++) {
      slowest = Math.min(slowest, await timeWith(slow));
      fastest = Math.min(fastest, await timeWith(quick));
    }
    assert(slowest > 2 * fastest, `${slowest} ms, and ${fastest}`);
  });
});
