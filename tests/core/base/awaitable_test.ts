import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { orElse, untilGiven, whenThere } from "../../../src/core/base/call.ts";
import type { Awaitable } from "../../../src/core/base/port.ts";

const BAD = new Error("bad");
const throwBad = (): never => {
  throw BAD;
};

describe("whenThere()", () => {
  it("goes on at once with a value that is there", () => {
    assertEquals(whenThere(1, (value) => value + 1), 2);
    assertThrows(() => whenThere(1, throwBad), Error, "bad");
  });
  it("waits for one that is not", async () => {
    const later = whenThere(Promise.resolve(1), (value) => value + 1);
    assert(later instanceof Promise);
    assertEquals(await later, 2);
    assertEquals(await whenThere(1, (value) => Promise.resolve(value)), 1);
    const failing = async () => await whenThere(Promise.resolve(1), throwBad);
    await assertRejects(failing, Error, "bad");
  });
  it("goes on with nothing that has failed", async () => {
    let calls = 0;
    const failing = async () =>
      await whenThere(Promise.reject(BAD), () => calls++);
    await assertRejects(failing, Error, "bad");
    assertEquals(calls, 0);
  });
});

describe("orElse()", () => {
  it("gives the answer as it comes", async () => {
    assertEquals(orElse(() => 1, throwBad), 1);
    assertEquals(await orElse(() => Promise.resolve(1), throwBad), 1);
  });
  it("leaves the last word to the other, whenever it fails", async () => {
    const told: unknown[] = [];
    const tell = (error: unknown) => {
      told.push(error);
      return 2;
    };
    assertEquals(orElse<number>(throwBad, tell), 2);
    assertEquals(await orElse<number>(() => Promise.reject(BAD), tell), 2);
    assertEquals(told, [BAD, BAD]);
    assertThrows(() => orElse(throwBad, throwBad), Error, "bad");
  });
});

describe("untilGiven()", () => {
  /** Counts down, and gives what is left at the end; each answer may come later. */
  const count = (from: number, isLate: (left: number) => boolean) => {
    let left = from;
    return untilGiven((): Awaitable<string | undefined> => {
      const answer = left-- === 0 ? "done" : undefined;
      return isLate(left) ? Promise.resolve(answer) : answer;
    });
  };
  it("repeats a step until it gives something, at once or later", async () => {
    assertEquals(count(0, () => false), "done");
    assertEquals(count(9, () => false), "done");
    assertEquals(await count(0, () => true), "done");
    assertEquals(await count(9, () => true), "done");
    assertEquals(await count(9, (left) => left % 2 === 0), "done");
    assertEquals(await count(9, (left) => left === 3), "done");
  });
  it("takes no room for steps, however many there are", async () => {
    assertEquals(count(1_000_000, () => false), "done");
    assertEquals(await count(100_000, () => true), "done");
  });
  it("fails with the step that fails", async () => {
    assertThrows(() => untilGiven(throwBad), Error, "bad");
    const failing = async () =>
      await untilGiven(() => Promise.reject<undefined>(BAD));
    await assertRejects(failing, Error, "bad");
  });
});
