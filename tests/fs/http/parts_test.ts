/** How a read handles the answers of its server. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../../support/said.ts";
import { openWorkspace } from "../../../mod.ts";
import { assertCode } from "../../support/codes.ts";
import { bytesOf, opened, read } from "../../support/http_file.ts";
import { storeOf } from "../../support/http_store.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

describe("a range that is larger than requested", () => {
  it("is read as far as requested, and then cancelled", async () => {
    const bytes = bytesOf(MIB);
    const { store, handle } = await opened(bytes);
    store.habits.answer = (request) =>
      store.send(request, bytes.subarray(100), {
        status: 206,
        headers: {
          etag: '"v1"',
          "content-range": `bytes 100-${MIB - 1}/${MIB}`,
        },
      });
    assertEquals(await read(handle, 9, 5_000), bytes.slice(5_000, 5_009));
    assertEquals(store.open, 0);
    assert(store.bytes <= 2 * 64 * KIB, `${store.bytes} bytes were read`);
  });
});

/** Wrong answers to `bytes=0-4` of a file of five bytes, and their codes. */
const BAD: Readonly<Record<string, readonly [Record<string, string>, string]>> =
  {
    "no range": [{}, "EPROTO"],
    "an unknown total": [{ "content-range": "bytes 0-4/*" }, "EPROTO"],
    "another unit": [{ "content-range": "lines 0-4/5" }, "EPROTO"],
    "another beginning": [{ "content-range": "bytes 1-4/5" }, "EPROTO"],
    "an end before it": [{ "content-range": "bytes 4-0/5" }, "EPROTO"],
    "an end past the total": [{ "content-range": "bytes 0-5/5" }, "EPROTO"],
    "more than requested": [{ "content-range": "bytes 0-5/6" }, "ESTALE"],
    "a smaller total": [{ "content-range": "bytes 0-3/4" }, "ESTALE"],
    "compressed bytes": [{
      "content-range": "bytes 0-4/5",
      "content-encoding": "gzip",
    }, "ENOTSUP"],
  };

describe("a range other than the requested one", () => {
  for (const [what, [headers, code]] of Object.entries(BAD)) {
    it(`is refused with ${code}, and cancelled: ${what}`, async () => {
      const { store, handle } = await opened("hello");
      store.habits.answer = (request) =>
        store.send(request, bytesOf(5), {
          status: 206,
          headers: { etag: '"v1"', ...headers },
        });
      await assertCode(() => read(handle, 5, 0), code);
      assertEquals([store.requests.length, store.open], [1, 0]);
    });
  }
  it("is refused if it ends too early", async () => {
    const { store, handle } = await opened("hello");
    store.habits.answer = (request) =>
      store.send(request, bytesOf(3), {
        status: 206,
        headers: { etag: '"v1"', "content-range": "bytes 0-2/5" },
      });
    await assertCode(() => read(handle, 2, 3), "EPROTO");
    assertEquals([store.requests.length, store.open], [1, 0]);
  });
  it("is refused if more bytes arrive than announced", async () => {
    const { store, handle } = await opened("x".repeat(99_999));
    store.habits.answer = (request) =>
      store.send(request, bytesOf(99_999), {
        status: 206,
        headers: { etag: '"v1"', "content-range": "bytes 0-9/99999" },
      });
    await assertCode(() => read(handle, 10, 0), "EPROTO");
    assertEquals(store.open, 0);
    assert(store.bytes < 50_000, `${store.bytes} bytes were read`);
  });
  it("is requested again if fewer bytes arrive", async () => {
    const { store, handle } = await opened("hello");
    store.habits.answer = (request, number) =>
      number > 2 ? undefined : store.send(request, bytesOf(3), {
        status: 206,
        headers: { etag: '"v1"', "content-range": "bytes 0-4/5" },
      });
    const bytes = await read(handle, 5, 0);
    assertEquals(new TextDecoder().decode(bytes), "hello");
    assertEquals(store.requests.length, 3);
  });
  it("is requested again if the connection breaks, and fails in the end with EIO", async () => {
    const { store, handle } = await opened("hello");
    store.habits.answer = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.error(new Error("https://secret"));
          },
        }),
        {
          status: 206,
          headers: { etag: '"v1"', "content-range": "bytes 0-4/5" },
        },
      );
    await assertCode(() => read(handle, 5, 0), "EIO");
    assertEquals(store.requests.length, 3);
  });
  it("is requested again if it has no body", async () => {
    const { store, handle } = await opened("hello");
    store.habits.answer = () =>
      new Response(null, {
        status: 206,
        headers: { etag: '"v1"', "content-range": "bytes 0-4/5" },
      });
    await assertCode(() => read(handle, 5, 0), "EIO");
    assertEquals(store.requests.length, 3);
  });
});

describe("a server without range requests", () => {
  /** A file of this size on such a server. */
  async function whole(length: number) {
    const bytes = bytesOf(length);
    const { store, handle } = await opened(bytes);
    store.habits.ranges = false;
    return { bytes, store, handle };
  }

  it("is read from the beginning, and then cancelled", async () => {
    const { bytes, store, handle } = await whole(8 * MIB);
    assertEquals(await read(handle, 5 * KIB, 0), bytes.slice(0, 5 * KIB));
    assertEquals([store.log, store.open], [["GET 200 0-65535"], 0]);
    assert(store.bytes <= 2 * 64 * KIB, `${store.bytes} bytes were read`);
  });
  it("is read up to a limit above one MiB", async () => {
    const { bytes, store, handle } = await whole(8 * MIB);
    assertEquals(await read(handle, 9, MIB), bytes.slice(MIB, MIB + 9));
    assert(store.bytes <= MIB + 2 * 64 * KIB, `${store.bytes} were taken`);
    const before = store.bytes;
    await assertCode(() => read(handle, 9, 3 * MIB), "ENOTSUP");
    assertEquals([store.bytes, store.open], [before, 0]);
  });
  it("gets another request if the connection breaks", async () => {
    const { store, handle } = await whole(5);
    store.habits.answer = (request, number) =>
      number > 1 ? undefined : store.send(request, bytesOf(3), {
        headers: { etag: '"v1"' },
      });
    assertEquals(await read(handle, 5, 0), bytesOf(5));
  });
  it("gives an error that says that the position is too deep", async () => {
    const content = "line\n".repeat(MIB);
    const { store, fs } = storeOf({ content, etag: '"v"' });
    store.habits.ranges = false;
    const workspace = await openWorkspace("/", { fs });
    const error = await workspace.read("a.txt", { tail: 2, keepEnd: true })
      .catch((error) => error);
    assertEquals(
      said(error),
      'Cannot read "a.txt": the server sends no parts of it, and this part lies far in (ENOTSUP); read another file',
    );
    // The beginning of the file can be read.
    const head = { start: 2, count: 1 } as const;
    assertEquals((await workspace.read("a.txt", head)).text, "line\n");
  });
});
