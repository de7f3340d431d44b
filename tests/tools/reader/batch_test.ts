// Not at the edge: the clock does not advance there, so calls never yield.
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { ReadFileError } from "../../../mod.ts";
import { SLICE_MS } from "../../../src/core/base/limits.ts";
import { type Part, writeBatch } from "../../../src/tools/reader/batch.ts";
import type { ReaderCall } from "../../../src/tools/reader/tool_plan.ts";
import { withClock } from "../../support/clock.ts";

const BOUNDS = { chars: 20_000, bytes: 40_000, lines: 1000 };

/** As many parts as a call may have; `onShow` is called when one is shown. */
function partsWith(onShow: (at: number) => void): readonly Part[] {
  return Array.from({ length: 50 }, (_, at) => ({
    next: {},
    show() {
      onShow(at);
      return Promise.resolve({ text: `part ${at}`, facts: { at } });
    },
  }));
}

const write = (parts: readonly Part[], signal?: AbortSignal) => {
  const call = { bounds: BOUNDS, notes: [], signal } as unknown as ReaderCall;
  return writeBatch(parts, call, () => "");
};

// Shown all at once, 50 searches blocked the event loop for 130 ms.
describe("an answer of many parts", () => {
  it("lets other work run between them", async () => {
    let turns = 0;
    const seen: number[] = [];
    const parts = partsWith(() => seen.push(turns));
    let next: NodeJS.Immediate;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    count();
    const { text } = await withClock(SLICE_MS, () => write(parts));
    clearImmediate(next!);
    assertEquals(text.split("\n\n").length, parts.length);
    assert(new Set(seen).size > parts.length / 4, seen.join(" "));
  });

  it("ends if it is aborted between them", async () => {
    const controller = new AbortController();
    let shown = 0;
    const parts = partsWith((at) => {
      shown++;
      if (at === 3) controller.abort();
    });
    const error = await assertRejects(
      () => withClock(SLICE_MS, () => write(parts, controller.signal)),
      ReadFileError,
    );
    assertEquals([error.code, shown], ["ABORTED", 4]);
  });
});
