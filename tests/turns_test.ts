// Not at the edge: there, time stands still while a worker works.
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { Call } from "../src/core/call.ts";
import { isPromise } from "../src/core/port.ts";

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
    let lost = 0;
    globalThis.setTimeout = Object.assign(() => ++lost, setTimeout);
    try {
      one.breathe();
      const past = performance.now() + 20;
      while (performance.now() < past);
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
});
