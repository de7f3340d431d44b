/** An object that changed within the current second: another change may keep its time and tag. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace } from "../../../mod.ts";
import { versionDoubt } from "../../../src/fs/http/client.ts";
import { doubtMs } from "../../../src/fs/http/version.ts";
import { assertCode } from "../../support/codes.ts";
import { readThrough } from "../../support/http_file.ts";
import { type HttpHabits, SENT, storeOf } from "../../support/http_store.ts";

const URL_OF_A = "https://files.example/base/a.txt";
const OLD = "old line\n".repeat(40_000);
const NEW = "new line\n".repeat(40_000);

/** Lines several ranges into the file. */
const FAR = { start: 29_000, count: 2 } as const;

/** The headers of both versions of a file that changed within the current second. */
const TELLING = {
  "a strong tag": { etag: '"1-2"', lastModified: SENT },
  "a weak tag": { etag: 'W/"1-2"', lastModified: SENT },
  "its time": { etag: null, lastModified: SENT },
};

/** A clock that starts at noon. */
function clockAtNoon(): () => Date {
  const began = Date.now();
  return () => new Date(Date.parse(SENT) + Date.now() - began);
}

/** Reads an object that is replaced by one with the same headers. */
async function readReplaced(told: typeof TELLING[keyof typeof TELLING]) {
  const { store, fs } = storeOf({ content: OLD, ...told });
  store.habits.now = clockAtNoon();
  // At any time before that second ends.
  store.habits.answer = (_, number) => {
    if (number === 3) store.files.set(URL_OF_A, { content: NEW, ...told });
    return undefined;
  };
  return { store, text: await readThrough(fs, "/a.txt") };
}

describe("an object that changed within the current second", () => {
  it("is never mixed with a version of equal headers", async () => {
    // Each read waits for two seconds, so all run concurrently.
    const reads = Object.entries(TELLING).map(async ([what, told]) => {
      const { store, text } = await readReplaced(told);
      assert(text === NEW, `a mixture of two versions: ${what}`);
      const anew = "GET 206 0-65535";
      assertEquals(store.log[2], anew, `it was not requested again: ${what}`);
      assertEquals(store.open, 0);
    });
    await Promise.all(reads);
  });
  it("is read at once if one answer contains all of it", async () => {
    const { store, fs } = storeOf({ content: "hello", lastModified: SENT });
    const workspace = await openWorkspace("/", { fs });
    assertEquals((await workspace.read("a.txt")).text, "hello");
    assertEquals(store.log, ["HEAD 200", "GET 206 0-4"]);
  });
  it("is read if the server answers from a cache", async () => {
    const { store, fs } = storeOf({ content: OLD, lastModified: SENT });
    const workspace = await openWorkspace("/", { fs });
    const { text } = await workspace.read("a.txt", FAR);
    assertEquals(text, "old line\nold line\n");
    // It waits once, not once for each range.
    const firsts = store.log.filter((line) => line === "GET 206 0-65535");
    assertEquals(firsts.length, 2);
  });
  it("ends its wait at close()", async () => {
    const { store, fs } = storeOf({ content: OLD, lastModified: SENT });
    const handle = await fs.open("/a.txt");
    const reading = assertCode(
      () => handle.read(new Uint8Array(5), 0),
      "ECANCELED",
    );
    while (store.requests.length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await handle.close();
    await reading;
    assertEquals(store.requests.length, 2);
  });
});

/** The doubt about an answer sent at noon, for a file that changed some seconds before. */
function doubtOf(seconds: number, habits: HttpHabits["headers"] = {}): number {
  const changed = new Date(Date.parse(SENT) - 1_000 * seconds);
  const headers = { date: SENT, "last-modified": changed.toUTCString() };
  return doubtMs(new Headers({ ...headers, ...habits }));
}

describe("doubtMs()", () => {
  it("is the time until the file is two seconds old", () => {
    const ages = [-2, -1, 0, 1, 2, 3_600];
    const doubts = ages.map((age) => doubtOf(age));
    assertEquals(doubts, [0, 3_000, 2_000, 1_000, 0, 0]);
  });
  it("is 0 without a modification time", () => {
    assertEquals(doubtOf(0, { "last-modified": "yesterday" }), 0);
    assertEquals(doubtMs(new Headers({ date: SENT })), 0);
  });
  it("uses the local clock if the server sends no date", () => {
    const changed = new Date().toUTCString();
    assert(doubtMs(new Headers({ "last-modified": changed })) > 0);
    assertEquals(doubtMs(new Headers({ "last-modified": SENT })), 0);
  });
  it("stays the same for two answers at once", () => {
    const doubt = versionDoubt(new AbortController().signal);
    const headers = new Headers({ date: SENT, "last-modified": SENT });
    assertEquals([doubt.check(headers), doubt.check(headers)], [true, true]);
  });
});
