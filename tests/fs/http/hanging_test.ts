/** Requests that are aborted or never answered. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../../support/said.ts";
import { type FsPort, memoryFs, openWorkspace } from "../../../mod.ts";
import { mountFs, overlayFs } from "../../../layers/mod.ts";
import { assertCode } from "../../support/codes.ts";
import { storeOf, StuckBody } from "../../support/http_store.ts";
import { inEventLoop } from "../../support/event_loop.ts";

/** A port that sends a request to describe any path. */
function withoutRoles(fs: FsPort): FsPort {
  return { ...fs, lstat: (path, _, signal) => fs.lstat(path, "last", signal) };
}

/** Waits for a condition, at most two seconds. */
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    assert(tries < 2_000, "the condition does not come true");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe("an aborted lstat()", () => {
  for (const denied of [false, true]) {
    it(`ends its request${denied ? ", also if paths are hidden" : ""}`, async () => {
      const { store, fs } = storeOf("hello");
      const options = denied
        ? { deny: ["a.txt"], denied: "hide" } as const
        : {};
      const workspace = await openWorkspace("/", { fs, ...options });
      let ask = () => {};
      const asked = new Promise<void>((resolve) => ask = resolve);
      store.habits.answer = () => (ask(), new Promise(() => {}));
      const controller = new AbortController();
      const { signal } = controller;
      const reading = workspace.read("a.txt", {}, { signal })
        .catch(({ code }) => code);
      await asked;
      assertEquals(store.aborted, 0);
      controller.abort();
      assertEquals(await reading, "ABORTED");
      assertEquals([store.requests.length, store.aborted], [1, 1]);
    });
  }
  for (
    const [layer, over] of Object.entries({
      "a mount": (fs: FsPort) => mountFs({ "/at": { fs, root: "/" } }),
      "edits": (fs: FsPort) =>
        overlayFs(mountFs({ "/at": { fs, root: "/" } }), { "/at/b": "" }),
    })
  ) {
    it(`ends its request through ${layer}`, async () => {
      const { store, fs } = storeOf("hello");
      const layered = over(fs);
      const controller = new AbortController();
      const { signal } = controller;
      const asks = [
        () => layered.lstat("/at/a.txt", "last", signal),
        () => layered.open("/at/a.txt", signal),
        () => layered.readLink("/at/a.txt", signal),
      ];
      store.habits.answer = (_, number) => {
        if (number === asks.length) controller.abort(new Error("left"));
        return new Promise(() => {});
      };
      const errors = await Promise.all(
        asks.map(async (ask) => {
          try {
            return await ask();
          } catch (error) {
            return error instanceof Error ? error.message : error;
          }
        }),
      );
      assertEquals(errors, ["left", "left", "left"]);
      assertEquals(store.aborted, 3);
    });
  }
  for (
    const [name, layered] of Object.entries({
      "a directory above a mount": (fs: FsPort) =>
        mountFs({ "/": fs, "/dir/at": memoryFs({}) }),
      "a directory of a new file": (fs: FsPort) =>
        overlayFs(fs, { "/dir/new": "typed" }),
      "the directories of edits": (fs: FsPort) =>
        overlayFs(withoutRoles(fs), { "/other/new": "typed" }),
      "the root of a mount": (fs: FsPort) =>
        mountFs({ "/dir": { fs: withoutRoles(fs), root: "/in" } }),
    })
  ) {
    it(`ends the requests about ${name}`, async () => {
      const { store, fs } = storeOf("hello");
      store.habits.answer = () => new Promise(() => {});
      const port = layered(fs);
      const controller = new AbortController();
      const { signal } = controller;
      const asks = [
        () => port.lstat("/dir", "last", signal),
        () => port.open("/dir", signal),
      ];
      for (const ask of asks) void Promise.resolve(ask()).catch(() => {});
      await until(() => store.requests.length === asks.length);
      controller.abort();
      await until(() => store.aborted === asks.length);
    });
  }
  it("is not retried after a Retry-After", async () => {
    const { store, fs } = storeOf("hello");
    const controller = new AbortController();
    store.habits.answer = () => {
      controller.abort(new Error("left"));
      return new Response("busy", {
        status: 503,
        headers: { "retry-after": "5" },
      });
    };
    const error = await Promise.resolve(
      fs.lstat("/a.txt", "last", controller.signal),
    ).catch((error) => error);
    assertEquals(error.message, "left");
    assertEquals(store.requests.length, 1);
  });
  it("sends no request if aborted before it starts", async () => {
    const { store, fs } = storeOf("hello");
    const signal = AbortSignal.abort(new Error("left"));
    const asks = [
      () => fs.lstat("/a.txt", "last", signal),
      () => fs.open("/a.txt", signal),
      () => fs.readLink("/a.txt", signal),
    ];
    for (const ask of asks) {
      const error = await Promise.resolve(ask()).catch((error) => error);
      assertEquals(error.message, "left");
    }
    assertEquals(store.requests, []);
  });
});

describe("a server that hangs", () => {
  const options = { timeoutMs: 1 };
  it("is ETIMEDOUT, without a retry, and its request is aborted", async () => {
    const { store, fs } = storeOf("hello", options);
    store.habits.answer = () => new Promise(() => {});
    await assertCode(() => fs.lstat("/a.txt"), "ETIMEDOUT");
    assertEquals([store.requests.length, store.aborted], [1, 1]);
  });
  it("is ETIMEDOUT if it hangs within a body, and cancels the body", async () => {
    const { store, fs } = storeOf({ content: "hello", etag: '"v"' }, options);
    const handle = await fs.open("/a.txt");
    const body = new StuckBody();
    const headers = { etag: '"v"', "content-range": "bytes 0-4/5" };
    store.habits.answer = () =>
      new Response(body.stream, { status: 206, headers });
    const read = () => handle.read(new Uint8Array(5), 0);
    await assertCode(read, "ETIMEDOUT");
    assert(await body.isGivenUp());
  });
  for (
    const { what, chunk, outcome } of [
      { what: "is not assumed while bytes arrive slowly", chunk: 64 * 1024 },
      {
        what: "is ETIMEDOUT if it sends single bytes without end",
        chunk: 1,
        outcome: "ETIMEDOUT",
      },
    ]
  ) {
    it(what, async () => {
      await inEventLoop(async (loop) => {
        const timeoutMs = 1_000;
        const content = "x".repeat(16 * chunk);
        const served = { content, etag: '"v"' };
        const { store, fs } = storeOf(served, { timeoutMs });
        const handle = await fs.open("/a.txt");
        const { length } = content;
        const range = `bytes 0-${length - 1}/${length}`;
        const headers = { etag: '"v"', "content-range": range };
        let left = 16;
        store.habits.answer = () => {
          const body = new ReadableStream<Uint8Array>({
            async pull(controller) {
              await new Promise((resolve) => setTimeout(resolve, 150));
              if (left-- === 0) controller.close();
              else controller.enqueue(new Uint8Array(chunk));
            },
          });
          return new Response(body, { status: 206, headers });
        };
        const began = loop.now;
        const read = async () => await handle.read(new Uint8Array(length), 0);
        if (outcome !== undefined) return await assertCode(read, outcome);
        assertEquals(await read(), length);
        assert(loop.now - began > timeoutMs, "they did not arrive slowly");
      });
    });
  }
  it("is ETIMEDOUT if only empty chunks arrive", async () => {
    const { store, fs } = storeOf({ content: "hello", etag: '"v"' }, {
      timeoutMs: 50,
    });
    const handle = await fs.open("/a.txt");
    const headers = { etag: '"v"', "content-range": "bytes 0-4/5" };
    store.habits.answer = () => {
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          controller.enqueue(new Uint8Array(0));
        },
      });
      return new Response(body, { status: 206, headers });
    };
    const read = () => handle.read(new Uint8Array(5), 0);
    await assertCode(read, "ETIMEDOUT");
  });
  it("has its late answer cancelled", async () => {
    const { store, fs } = storeOf("hello", options);
    let answer = (_: Response) => {};
    store.habits.answer = () => new Promise((resolve) => answer = resolve);
    await assertCode(() => fs.lstat("/a.txt"), "ETIMEDOUT");
    const body = new StuckBody();
    answer(new Response(body.stream));
    assert(await body.isGivenUp());
  });
  it("gives an error that says to try again", async () => {
    const { store, fs } = storeOf("hello", options);
    store.habits.answer = () => new Promise(() => {});
    const workspace = await openWorkspace("/", { fs });
    const error = await workspace.read("a.txt").catch((error) => error);
    assertEquals(
      said(error),
      'Cannot read "a.txt": the system failed (ETIMEDOUT); try again',
    );
  });
});
