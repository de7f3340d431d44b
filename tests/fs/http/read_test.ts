/** The requests of a read, and how they end. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace } from "../../../mod.ts";
import { assertCode } from "../../support/codes.ts";
import { bytesOf, opened, read } from "../../support/http_file.ts";
import { HttpStore, type Served, StuckBody } from "../../support/http_store.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

describe("read()", () => {
  it("requests the opened version by its strong tag", async () => {
    const { store, handle } = await opened("hello");
    await read(handle, 5, 0);
    const [{ headers }] = store.requests as [Served];
    assertEquals(headers.get("if-match"), '"v1"');
    assertEquals(headers.get("if-range"), null);
  });
  it("requests 64 KiB first, and larger ranges in a sequential read", async () => {
    const bytes = bytesOf(4 * MIB);
    const { store, handle } = await opened(bytes);
    let seen = 0;
    while (seen < bytes.length) {
      const some = await read(handle, 10 * KIB, seen);
      assertEquals(some, bytes.slice(seen, seen + some.length));
      seen += some.length;
    }
    const sizes = store.requests.map(({ bytes }) => bytes / KIB);
    assertEquals(sizes.slice(0, 5), [64, 128, 256, 512, 1024]);
    assertEquals(store.bytes, bytes.length);
    assertEquals(store.open, 0);
  });
  it("requests a small range after a seek", async () => {
    const { store, handle } = await opened(bytesOf(4 * MIB));
    for (const position of [0, 64 * KIB, 3 * MIB, MIB]) {
      await read(handle, 10, position);
    }
    const sizes = store.requests.map(({ bytes }) => bytes / KIB);
    assertEquals(sizes, [64, 128, 64, 64]);
  });
  it("sends no request at the end and past it", async () => {
    const { store, handle } = await opened("hello");
    assertEquals((await read(handle, 5, 5)).length, 0);
    assertEquals((await read(handle, 5, 5e9)).length, 0);
    assertEquals(store.requests, []);
  });
  it("accepts fewer bytes than requested, and continues after them", async () => {
    const { store, handle } = await opened("hello");
    store.habits.answer = (request) => {
      const first = Number(/\d+/.exec(request.headers.get("range")!)![0]);
      return store.send(request, bytesOf(5).slice(first, first + 2), {
        status: 206,
        headers: {
          etag: '"v1"',
          "content-range": `bytes ${first}-${Math.min(first + 1, 4)}/5`,
        },
      });
    };
    const whole = new Uint8Array(5);
    for (let at = 0; at < 5;) at += await handle.read(whole.subarray(at), at);
    assertEquals(whole, bytesOf(5));
    assertEquals(store.log, ["GET 206 0-4", "GET 206 2-4", "GET 206 4-4"]);
  });
});

describe("close()", () => {
  it("ends a pending read and its request", async () => {
    const { store, handle } = await opened("hello");
    store.habits.answer = () => new Promise(() => {});
    const reading = assertCode(() => read(handle, 5, 0), "ECANCELED");
    await handle.close();
    await reading;
    assertEquals(store.requests.length, 1);
    await assertCode(() => read(handle, 5, 0), "ECANCELED");
    assertEquals(store.requests.length, 1);
  });
  it("cancels a late answer", async () => {
    const { store, handle } = await opened("hello");
    let answer = (_: Response) => {};
    store.habits.answer = () => new Promise((resolve) => answer = resolve);
    const reading = assertCode(() => read(handle, 5, 0), "ECANCELED");
    await handle.close();
    await reading;
    const body = new StuckBody();
    answer(new Response(body.stream));
    assert(await body.isGivenUp());
  });
  it("cancels an endless body", async () => {
    const { store, handle } = await opened("hello");
    const body = new StuckBody();
    const headers = { etag: '"v1"', "content-range": "bytes 0-4/5" };
    store.habits.answer = () =>
      new Response(body.stream, { status: 206, headers });
    const reading = assertCode(() => read(handle, 5, 0), "ECANCELED");
    await body.begun;
    await handle.close();
    await reading;
    assert(await body.isGivenUp());
  });
});

describe("an abort", () => {
  it("ends the request of a read, and closes everything", async () => {
    const store = new HttpStore();
    const url = "https://files.example/base/a.txt";
    store.files.set(url, { content: "hello" });
    const workspace = await openWorkspace("/", { fs: store.port() });
    const controller = new AbortController();
    store.habits.answer = ({ method }) => {
      if (method === "HEAD") return undefined;
      controller.abort();
      return new Promise(() => {});
    };
    const { signal } = controller;
    const error = await workspace.read("a.txt", {}, { signal })
      .catch((error) => error);
    assertEquals(error.code, "ABORTED");
    assertEquals([store.aborted, store.open], [2, 0]);
  });
});
