// Not at the edge: timers there go with a request.
// Not at the edge: there, time stands still while a worker works.
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { Call } from "../../../src/core/base/call.ts";
import { isPromise } from "../../../src/core/base/port.ts";

describe("many calls at once", () => {
  it("have the turns of the event loop together, and not one each", async () => {
    let units = 0;
    let most = 0;
    let isDone = false;
    const tick = () => {
      most = Math.max(most, units);
      units = 0;
      if (!isDone) setTimeout(tick, 0);
    };
    const work = async (call: Call) => {
      for (let round = 0; round < 30; round++) {
        const end = performance.now() + 1;
        while (performance.now() < end);
        units++;
        await call.breathe();
      }
    };
    setTimeout(tick, 0);
    const calls = Array.from({ length: 12 }, () => new Call("a.txt"));
    await Promise.all(calls.map(work));
    isDone = true;
    // Each with a turn of its own, they would do eight units twelve times.
    assert(most > 0 && most <= 48, `${most} units in one turn`);
  });

  it("wait for no timer of another, which may never come", async () => {
    const { setTimeout } = globalThis;
    const [one, other] = [new Call("a.txt"), new Call("b.txt")];
    const past = performance.now() + 20;
    while (performance.now() < past);
    let lost = 0;
    globalThis.setTimeout = Object.assign(() => ++lost, setTimeout);
    try {
      assert(isPromise(one.breathe()), "no breath was due");
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    assertEquals(lost, 1);
    const breath = other.breathe();
    assert(isPromise(breath), "no breath was due");
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(late.resolve, 10_000, "still waiting");
    assertEquals(await Promise.race([breath, late.promise]), undefined);
    clearTimeout(timer);
  });

  it("let a call that is new begin at once, however long ago the last turn was", () => {
    assertEquals(isPromise(new Call("a.txt").breathe()), false);
    const past = performance.now() + 20;
    while (performance.now() < past);
    assertEquals(isPromise(new Call("b.txt").breathe()), false);
  });

  it("are left by calls one after the other as by one", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    for (let unit = 0; unit < 200; unit++) {
      const call = new Call("a.txt");
      const end = performance.now() + 0.5;
      while (performance.now() < end);
      await call.breathe();
    }
    clearInterval(timer);
    assert(ticks >= 5, `${ticks} ticks of a timer`);
  });

  it("are of about 8 ms of work", async () => {
    const call = new Call("a.txt");
    let turns = 0;
    const start = performance.now();
    for (let unit = 0; unit < 400; unit++) {
      const end = performance.now() + 0.5;
      while (performance.now() < end);
      const breath = call.breathe();
      if (isPromise(breath)) turns++;
      await breath;
    }
    const most = (performance.now() - start) / 8;
    assert(turns >= 10 && turns <= most, `${turns} turns, ${most} at most`);
  });
});
