// Not at the edge: the clock does not advance while a worker runs.
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { Call, isPromise, TimeSlice } from "../../../src/core/base/call.ts";

/** Blocks the event loop for a time. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Runs concurrent calls with steps of 1 ms; returns the largest number of steps between two ticks of a timer. */
async function mostStepsInATurn(
  clock: TimeSlice,
  { calls, steps }: { readonly calls: number; readonly steps: number },
): Promise<number> {
  let done = 0;
  let most = 0;
  const look = () => {
    most = Math.max(most, done);
    done = 0;
  };
  const timer = setInterval(look, 0);
  const since = performance.now();
  await Promise.all(Array.from({ length: calls }, async () => {
    for (let step = 0; step < steps; step++) {
      const yielding = clock.yieldIfDue(since);
      if (yielding !== undefined) await yielding;
      block(1);
      done++;
    }
  }));
  look();
  clearInterval(timer);
  return most;
}

const yieldByTimer = () =>
  new Promise<void>((resolve) => setTimeout(resolve, 0));

describe("many calls at once", () => {
  it("share time slices", async () => {
    const calls = { calls: 12, steps: 30 };
    const most = await mostStepsInATurn(new TimeSlice(), calls);
    // With a slice for each call, there would be 96 steps.
    assert(most <= 48, `${most} steps in one turn`);
  });

  it("block the event loop no longer than a few calls, if they yield one by one", async () => {
    const clock = new TimeSlice();
    clock.yieldBy(yieldByTimer);
    const few = await mostStepsInATurn(clock, { calls: 4, steps: 32 });
    const many = await mostStepsInATurn(clock, { calls: 128, steps: 3 });
    assert(many <= 2 * few, `${many} steps in one turn, and ${few} of few`);
  });

  it("continue in order, if they yield one by one", async () => {
    const clock = new TimeSlice();
    clock.yieldBy(yieldByTimer);
    const order: number[] = [];
    const since = performance.now();
    await Promise.all(Array.from({ length: 6 }, async (_, call) => {
      for (let step = 0; step < 3; step++) {
        block(20);
        await clock.yieldIfDue(since);
        order.push(call);
      }
    }));
    const round = [0, 1, 2, 3, 4, 5];
    assertEquals(order, [...round, ...round, ...round]);
  });

  it("do not wait for another call's timer, which may never fire", async () => {
    const clock = new TimeSlice();
    const since = performance.now();
    block(20);
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
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(late.resolve, 10_000, "still waiting");
    assertEquals(await Promise.race([yielding, late.promise]), undefined);
    clearTimeout(timer);
  });

  it("begin at once after an idle gap", () => {
    const clock = new TimeSlice();
    assertEquals(clock.yieldIfDue(performance.now()), undefined);
    block(20);
    assertEquals(clock.yieldIfDue(performance.now()), undefined);
  });
});

describe("back-to-back calls", () => {
  it("yield like one call", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    for (let unit = 0; unit < 200; unit++) {
      const call = new Call("a.txt");
      block(0.5);
      await call.yieldIfDue();
    }
    clearInterval(timer);
    assert(ticks >= 5, `${ticks} ticks of a timer`);
  });

  it("yield after about 8 ms of work", async () => {
    const call = new Call("a.txt");
    let turns = 0;
    const start = performance.now();
    for (let unit = 0; unit < 400; unit++) {
      block(0.5);
      const yielding = call.yieldIfDue();
      if (isPromise(yielding)) turns++;
      await yielding;
    }
    // Timers are coarse: some turns may come a little early.
    const most = 1.2 * (performance.now() - start) / 8;
    assert(turns >= 10 && turns <= most, `${turns} turns, ${most} at most`);
  });
});
