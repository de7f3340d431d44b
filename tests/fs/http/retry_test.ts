/** Retries of a port. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace } from "../../../mod.ts";
import { retryDelay } from "../../../src/fs/http/client.ts";
import { assertCode } from "../../support/codes.ts";
import { storeOf } from "../../support/http_store.ts";
import { inEventLoop } from "../../support/event_loop.ts";

/** The statuses after which a request is retried. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

/** An answer with a short `Retry-After`. */
function busy(status: number, after = "0"): Response {
  return new Response("busy", { status, headers: { "retry-after": after } });
}

describe("a request", () => {
  for (const status of PASSING) {
    it(`is retried after ${status}`, async () => {
      const { store, fs } = storeOf("hello");
      store.habits.answer = (_, number) =>
        number <= 2 ? busy(status) : undefined;
      assertEquals((await fs.lstat("/a.txt")).size, 5);
      assertEquals(store.log, [`HEAD ${status}`, `HEAD ${status}`, "HEAD 200"]);
    });
    it(`fails with EIO after ${status} three times`, async () => {
      const { store, fs } = storeOf("hello");
      store.habits.answer = () => busy(status);
      await assertCode(() => fs.lstat("/a.txt"), "EIO");
      assertEquals(store.requests.length, 3);
    });
  }
  it("is sent `attempts` times", async () => {
    for (const attempts of [1, 2, 5]) {
      const { store, fs } = storeOf("hello", { attempts });
      store.habits.answer = () => busy(503);
      await assertCode(() => fs.lstat("/a.txt"), "EIO");
      assertEquals(store.requests.length, attempts);
    }
  });
  it("is retried for the same range", async () => {
    const { store, fs } = storeOf("hello");
    store.habits.answer = ({ method }, number) =>
      method === "GET" && number <= 3 ? busy(429) : undefined;
    const workspace = await openWorkspace("/", { fs });
    assertEquals((await workspace.read("a.txt")).text, "hello");
    assertEquals(store.log, [
      "HEAD 200",
      "GET 429 0-4",
      "GET 429 0-4",
      "GET 206 0-4",
    ]);
  });
  it("is retried if the connection fails, and fails in the end with EIO", async () => {
    const { store, fs } = storeOf("hello");
    store.habits.answer = (_, number) => {
      if (number <= 2) throw new TypeError("connection to secret refused");
      return undefined;
    };
    assertEquals((await fs.lstat("/a.txt")).size, 5);
    store.habits.answer = () => Promise.reject(new TypeError("secret"));
    await assertCode(() => fs.lstat("/a.txt"), "EIO");
  });
  for (
    const after of [
      "6",
      "3600",
      "999999999999999999999",
      "Fri, 31 Dec 2999 23:59:59 GMT",
    ]
  ) {
    it(`is not retried with Retry-After: ${after}`, async () => {
      const { store, fs } = storeOf("hello");
      store.habits.answer = () => busy(503, after);
      await assertCode(() => fs.lstat("/a.txt"), "EIO");
      assertEquals(store.requests.length, 1);
    });
  }
  for (const after of ["Mon, 01 Jan 2024 00:00:00 GMT", "soon", "-1"]) {
    it(`is retried with Retry-After: ${after}`, async () => {
      const { store, fs } = storeOf("hello");
      store.habits.answer = (_, number) =>
        number === 1 ? busy(503, after) : undefined;
      assertEquals((await fs.lstat("/a.txt")).size, 5);
      assertEquals(store.requests.length, 2);
    });
  }
  it("is delayed for at most five seconds, after any number of attempts", () => {
    const broken = Object.assign(new Error("EIO"), { code: "EIO" });
    for (const attempt of [1, 5, 7, 10, 26, 2000]) {
      const delay = retryDelay(broken, attempt);
      assert(delay !== null && delay >= 50 && delay <= 5000, `${delay} ms`);
    }
  });
  it("waits for the time in Retry-After", async () => {
    const between = (answer: () => Response) =>
      inEventLoop(async (loop) => {
        const { store, fs } = storeOf("hello", { attempts: 2 });
        const times: number[] = [];
        store.habits.answer = () => {
          times.push(loop.now);
          return answer();
        };
        await assertCode(() => fs.lstat("/a.txt"), "EIO");
        return Math.round(times[1]! - times[0]!);
      });
    assertEquals(await between(() => busy(503, "1")), 1000);
    const other = await between(() => new Response("busy", { status: 503 }));
    // Without `Retry-After`, the second attempt comes much sooner.
    assert(other >= 50 && other < 500, `${other} ms`);
  });
  it("cancels the body of each unused answer", async () => {
    const { store, fs } = storeOf("hello");
    store.habits.answer = (request) =>
      store.send({ ...request, method: "GET" }, new Uint8Array(99_999), {
        status: 503,
        headers: { "retry-after": "0" },
      });
    await assertCode(() => fs.lstat("/a.txt"), "EIO");
    assertEquals([store.bytes, store.open], [0, 0]);
  });
  it("is not retried after close()", async () => {
    const { store, fs } = storeOf("hello");
    const handle = await fs.open("/a.txt");
    let turnedAway = () => {};
    const first = new Promise<void>((resolve) => turnedAway = resolve);
    store.habits.answer = () => {
      turnedAway();
      return busy(503, "5");
    };
    const reading = assertCode(
      () => handle.read(new Uint8Array(5), 0),
      "ECANCELED",
    );
    await first;
    const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
    await turn();
    await handle.close();
    let isOver = false;
    reading.then(() => isOver = true, () => isOver = true);
    for (let turns = 0; turns < 100 && !isOver; turns++) await turn();
    assert(isOver, "it still waits after close()");
    await reading;
    assertEquals(store.log, ["HEAD 200", "GET 503 0-4"]);
  });
});
