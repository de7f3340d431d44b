import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { Call, isPromise, TimeSlice } from "../../../src/core/base/call.ts";
import { SLICE_MS } from "../../../src/core/base/limits.ts";
import { type EventLoop, inEventLoop } from "../../support/event_loop.ts";

/** Runs concurrent calls with steps of 1 ms; returns the largest number of steps in one turn of the event loop. */
async function mostStepsInATurn(
  clock: TimeSlice,
  loop: EventLoop,
  { calls, steps }: { readonly calls: number; readonly steps: number },
): Promise<number> {
  const done = new Map<number, number>();
  const since = loop.now;
  await Promise.all(Array.from({ length: calls }, async () => {
    for (let step = 0; step < steps; step++) {
      const yielding = clock.yieldIfDue(since);
      if (yielding !== undefined) await yielding;
      loop.work(1);
      done.set(loop.turns, (done.get(loop.turns) ?? 0) + 1);
    }
  }));
  return Math.max(...done.values());
}

const yieldByTimer = () =>
  new Promise<void>((resolve) => setTimeout(resolve, 0));

describe("many calls at once", () => {
  it("share time slices", async () => {
    const calls = { calls: 12, steps: 30 };
    const most = await inEventLoop((loop) =>
      mostStepsInATurn(new TimeSlice(), loop, calls)
    );
    // With a slice for each call, there would be 96 steps.
    assert(most <= 2 * 12, `${most} steps in one turn`);
  });

  it("block the event loop no longer than a few calls, if they yield one by one", async () => {
    for (const calls of [{ calls: 4, steps: 32 }, { calls: 128, steps: 3 }]) {
      const clock = new TimeSlice();
      clock.yieldBy(yieldByTimer);
      const most = await inEventLoop((loop) =>
        mostStepsInATurn(clock, loop, calls)
      );
      assert(most <= SLICE_MS + 1, `${most} steps in one turn`);
    }
  });

  it("continue in order, if they yield one by one", async () => {
    const order: number[] = [];
    await inEventLoop(async (loop) => {
      const clock = new TimeSlice();
      clock.yieldBy(yieldByTimer);
      const since = loop.now;
      await Promise.all(Array.from({ length: 6 }, async (_, call) => {
        for (let step = 0; step < 3; step++) {
          loop.work(20);
          await clock.yieldIfDue(since);
          order.push(call);
        }
      }));
    });
    const round = [0, 1, 2, 3, 4, 5];
    assertEquals(order, [...round, ...round, ...round]);
  });

  it("do not wait for another call's timer, which may never fire", async () => {
    await inEventLoop(async (loop) => {
      const clock = new TimeSlice();
      const since = loop.now;
      loop.work(20);
      const { setTimeout } = globalThis;
      let lost = 0;
      globalThis.setTimeout = Object.assign(() => ++lost, setTimeout);
      try {
        assert(isPromise(clock.yieldIfDue(since)), "no yield was due");
      } finally {
        globalThis.setTimeout = setTimeout;
      }
      assertEquals(lost, 1);
      const yielding = clock.yieldIfDue(since);
      assert(isPromise(yielding), "no yield was due");
      let isOver = false;
      void yielding.then(() => isOver = true);
      for (let turn = 0; turn < 2; turn++) await yieldByTimer();
      assert(isOver, "it still waits after two turns");
    });
  });

  it("begin at once after an idle gap", async () => {
    await inEventLoop((loop) => {
      const clock = new TimeSlice();
      assertEquals(clock.yieldIfDue(loop.now), undefined);
      loop.work(20);
      assertEquals(clock.yieldIfDue(loop.now), undefined);
      return Promise.resolve();
    });
  });
});

/** How often a call yields while `work` makes 400 steps of half a millisecond. */
async function yieldsOf(callOf: () => Call): Promise<number> {
  return await inEventLoop(async (loop) => {
    // After an idle gap a slice begins.
    loop.work(2 * SLICE_MS);
    let yields = 0;
    for (let unit = 0; unit < 400; unit++) {
      const call = callOf();
      loop.work(0.5);
      const yielding = call.yieldIfDue();
      if (isPromise(yielding)) yields++;
      await yielding;
    }
    return yields;
  });
}

describe("back-to-back calls", () => {
  it("yield like one call, after each slice of work", async () => {
    assertEquals(await yieldsOf(() => new Call("a.txt")), 200 / SLICE_MS);
  });
  it("yield after each slice of one call", async () => {
    let call: Call | undefined;
    const yields = await yieldsOf(() => call ??= new Call("a.txt"));
    assertEquals(yields, 200 / SLICE_MS);
  });
});
