import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { contentOf, judge, type Kind, SIZE, type Verdict } from "./content.ts";

/** The first bytes of one version, and the rest of another. */
function joined(first: number, rest: number, at: number): Uint8Array {
  const bytes = contentOf(rest).slice();
  bytes.set(contentOf(first).subarray(0, at));
  return bytes;
}

describe("judge()", () => {
  const moment = { least: 7, most: 9 };
  const cases: readonly (readonly [Kind, Uint8Array, Verdict])[] = [
    ["rename", contentOf(7), "held"],
    ["rename", contentOf(9), "held"],
    ["rename", contentOf(6), "old"],
    ["rename", contentOf(10), "mixed"],
    ["rename", joined(8, 7, 4096), "mixed"],
    // The writer had come so far.
    ["one write", joined(8, 7, 4096), "held"],
    ["one write", joined(8, 7, SIZE - 1), "held"],
    // It begins at the beginning, and writes one version after the other.
    ["one write", joined(7, 8, 4096), "mixed"],
    ["one write", joined(9, 7, 4096), "mixed"],
    ["parts", joined(7, 6, 4096), "old"],
    ["truncate", new Uint8Array(0), "held"],
    ["truncate", contentOf(8).slice(0, 5000), "held"],
    ["parts", new Uint8Array(SIZE), "mixed"],
  ];
  for (const [at, [kind, bytes, verdict]] of cases.entries()) {
    it(`tells what a file held: ${at} ${kind} ${verdict}`, () => {
      assertEquals(judge(kind, bytes, 0, moment), verdict);
    });
  }
  it("knows where the bytes begin", () => {
    const bytes = contentOf(8).slice(1000, 5000);
    assertEquals(judge("rename", bytes, 1000, moment), "held");
    assertEquals(judge("rename", bytes, 1001, moment), "mixed");
  });
});
