import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../../mod.ts";
import { Call } from "../../../src/core/base/call.ts";
import {
  KernelPool,
  type NewlineKernel,
} from "../../../src/core/lines/scan.ts";
import { seek, seekBack } from "../../../src/core/lines/seek.ts";
import { Source } from "../../../src/core/lines/source.ts";
import { cutFs, CUTS } from "../../support/cuts.ts";
import { Random, SEED } from "../../support/random.ts";

/** Short and empty lines, as long as many strides of each kernel. */
function drawText(random: Random): string {
  const lines = Array.from({ length: 2_000 }, () => random.below(25));
  return lines.map((length) => `${"x".repeat(length)}\n`).join("");
}

/** The positions just after the line feeds. */
function endsOf(text: string): number[] {
  return [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
}

/** Calls `work` with a source that reads a text a few bytes at a time. */
async function withSource(
  text: string,
  most: number,
  kernel: NewlineKernel,
  work: (source: Source) => Promise<void>,
): Promise<void> {
  const fs = cutFs(memoryFs({ "/ws/a": text }), most);
  const workspace = await openWorkspace("/ws", { fs });
  await using file = await workspace.open("a");
  await work(new Source(file, kernel, new Call("a")));
}

describe("every line feed is found", () => {
  for (const most of CUTS) {
    it(`from the beginning and from the end (reads of ${most}, seed ${SEED})`, async () => {
      const text = drawText(new Random(SEED));
      const ends = endsOf(text);
      const { length } = text;
      const kernel = new KernelPool().take(length);
      await withSource(text, most, kernel, async (source) => {
        for (const [at, end] of ends.entries()) {
          const lines = at + 1;
          const forth = await seek(source, 0, lines, length);
          assertEquals(forth, { position: end, passed: lines, last: end });
          const start = ends.at(-lines)!;
          const back = await seekBack(source, length, lines, 0);
          assertEquals(back, { position: start, passed: lines, last: start });
        }
      });
    });
  }
});

describe("the line feeds up to the end", () => {
  it("are counted, not searched", async () => {
    const text = drawText(new Random(SEED));
    const kernel = new KernelPool().take(text.length);
    const spans: number[] = [];
    const counting: NewlineKernel = {
      ...kernel,
      count(from, to) {
        spans.push(to - from);
        return kernel.count(from, to);
      },
      nth() {
        throw new Error("the position of a line feed was requested");
      },
    };
    await withSource(text, 4_096, counting, async (source) => {
      const { passed } = await seek(source, 0, Infinity, text.length);
      assertEquals(passed, endsOf(text).length);
    });
    assertEquals(spans.reduce((sum, span) => sum + span, 0), text.length);
  });
});
