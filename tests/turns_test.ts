// Not at the edge: there, time stands still while a worker works.
import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { Call } from "../src/core/call.ts";

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
});
