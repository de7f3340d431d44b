import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { watch } from "../../pdf/src/watch.ts";
import { type EventLoop, inEventLoop } from "../support/event_loop.ts";

const LIMIT_MS = 100;
const LIMITS = { blockMs: LIMIT_MS, until: Infinity };

/** Runs microtasks for some milliseconds at a time, until it is stopped. */
class Work {
  isStopped = false;
  steps = 0;

  async run(loop: EventLoop): Promise<string> {
    while (!this.isStopped) {
      loop.work(20);
      this.steps++;
      await undefined;
    }
    return "stopped";
  }
}

const later = (ms: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, ms));

describe("watch()", () => {
  it("stops work in microtasks, which a timer cannot stop", async () => {
    await inEventLoop(async (loop) => {
      const work = new Work();
      const stop = () => {
        work.isStopped = true;
        return new Error("too long");
      };
      const reading = watch(work.run(loop), LIMITS, stop);
      await assertRejects(() => reading, Error, "too long");
      assertEquals([loop.turns, work.isStopped], [0, true]);
      assert(work.steps > 1 && work.steps <= LIMIT_MS / 20 + 1);
    });
  });
  it("does not stop work that waits for the event loop", async () => {
    const stop = () => new Error("too long");
    const work = async () => {
      for (let round = 0; round < 4; round++) await later(LIMIT_MS / 2);
      return "done";
    };
    const told = await inEventLoop(() => watch(work(), LIMITS, stop));
    assertEquals(told, "done");
  });
  it("stops work that waits forever", async () => {
    await inEventLoop(async () => {
      const until = Date.now() + LIMIT_MS;
      const stop = (limit: string) => new Error(`stopped by ${limit}`);
      const never = new Promise<never>(() => {});
      const limits = { blockMs: Infinity, until };
      await assertRejects(
        () => watch(never, limits, stop),
        Error,
        "stopped by until",
      );
      assert(Date.now() > until);
    });
  });
  it("passes on the failure of the work", async () => {
    const fail = () => Promise.reject(new RangeError("damaged"));
    const stop = () => new Error("too long");
    await assertRejects(() => watch(fail(), LIMITS, stop), RangeError);
    const late = async () => {
      await later(1);
      throw new RangeError("damaged");
    };
    await assertRejects(() => watch(late(), LIMITS, stop), RangeError);
  });
});
