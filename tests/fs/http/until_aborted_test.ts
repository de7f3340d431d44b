import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { untilAborted } from "../../../src/core/base/call.ts";
import { sleep } from "../../../src/fs/http/client.ts";

const NEVER = new Promise<string>(() => {});

describe("untilAborted()", () => {
  it("gives the result of a promise, or its failure", async () => {
    const { signal } = new AbortController();
    assertEquals(await untilAborted(Promise.resolve("a"), signal), "a");
    const failing = Promise.reject(new Error("no"));
    await assertRejects(() => untilAborted(failing, signal), Error, "no");
  });
  it("fails with the signal's reason, before or during the wait", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = untilAborted(NEVER, signal);
    controller.abort(new Error("enough"));
    await assertRejects(() => waiting, Error, "enough");
    await assertRejects(() => untilAborted(NEVER, signal), Error, "enough");
  });
  it("passes a late result to `discard` once, but no failure", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const discarded: string[] = [];
    const discard = (late: string) => void discarded.push(late);
    let come = (_: string) => {};
    const late = new Promise<string>((resolve) => come = resolve);
    const waiting = untilAborted(late, signal, discard);
    const failing = untilAborted(Promise.reject(new Error("late")), signal);
    controller.abort(new Error("enough"));
    await assertRejects(() => waiting, Error, "enough");
    await assertRejects(() => failing, Error);
    come("a");
    await late;
    await Promise.resolve();
    assertEquals(discarded, ["a"]);
  });
  it("discards no result that came in time", async () => {
    const controller = new AbortController();
    const discarded: string[] = [];
    const discard = (late: string) => void discarded.push(late);
    const { signal } = controller;
    await untilAborted(Promise.resolve("a"), signal, discard);
    controller.abort();
    await Promise.resolve();
    assertEquals(discarded, []);
  });
});

describe("sleep()", () => {
  it("ends after its time, or with the signal", async () => {
    await sleep(0);
    const controller = new AbortController();
    const sleeping = sleep(2 ** 31 - 1, controller.signal);
    controller.abort(new Error("enough"));
    await assertRejects(() => sleeping, Error, "enough");
  });
});
