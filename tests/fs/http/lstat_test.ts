/** The requests of lstat(), and how it handles the answers. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace } from "../../../mod.ts";
import { assertCode } from "../../support/codes.ts";
import { LONG_AGO, SENT, storeOf } from "../../support/http_store.ts";

/** The error codes by status. */
const CODES: Readonly<Record<number, string>> = {
  204: "EPROTO",
  300: "EPROTO",
  304: "EPROTO",
  400: "EPROTO",
  401: "EACCES",
  403: "EACCES",
  404: "ENOENT",
  405: "ENOTSUP",
  407: "EACCES",
  410: "ENOENT",
  414: "ENAMETOOLONG",
  416: "ESTALE",
  418: "EPROTO",
  451: "EACCES",
  501: "ENOTSUP",
  505: "EPROTO",
};

describe("lstat()", () => {
  for (const [status, code] of Object.entries(CODES)) {
    it(`fails with ${code} for ${status}, without a retry`, async () => {
      const { store, fs } = storeOf("hello");
      store.habits.answer = () =>
        new Response(null, { status: Number(status) });
      await assertCode(() => fs.lstat("/a.txt"), code);
      // Some servers refuse only HEAD.
      const isRefusal = ["403", "405", "501"].includes(status);
      const asked = store.requests.map(({ method }) => method);
      assertEquals(asked, isRefusal ? ["HEAD", "GET"] : ["HEAD"]);
      await assertCode(() => fs.open("/a.txt"), code);
    });
  }
  for (const status of [403, 405, 501]) {
    it(`requests the first byte if HEAD is ${status}, also in later calls`, async () => {
      const { store, fs } = storeOf({ content: "hello", etag: '"v"' });
      store.habits.answer = ({ method }) =>
        method === "HEAD" ? new Response(null, { status }) : undefined;
      const { size, id, mtimeMs } = await fs.lstat("/a.txt");
      assertEquals(
        [size, id, mtimeMs],
        [5, '"v" https://files.example/base/a.txt', Date.parse(LONG_AGO)],
      );
      await fs.lstat("/a.txt");
      assertEquals(store.log, [
        `HEAD ${status}`,
        "GET 206 0-0",
        "GET 206 0-0",
      ]);
      assertEquals([store.bytes, store.open], [0, 0]);
      const workspace = await openWorkspace("/", { fs });
      assertEquals((await workspace.read("a.txt")).text, "hello");
    });
  }
  it("sends HEAD again if GET was also refused", async () => {
    const { store, fs } = storeOf("hello");
    store.habits.answer = (_, number) =>
      number <= 2 ? new Response(null, { status: 403 }) : undefined;
    await assertCode(() => fs.lstat("/a.txt"), "EACCES");
    assertEquals((await fs.lstat("/a.txt")).size, 5);
    assertEquals(store.log, ["HEAD 403", "GET 403 0-0", "HEAD 200"]);
  });
  for (const length of [null, "", "-5", "5.0", "1e3", "9007199254740993"]) {
    it(`requests the first byte if HEAD gives the size ${length}`, async () => {
      const { store, fs } = storeOf("hello");
      const headers = length === null ? {} : { "content-length": length };
      store.habits.answer = ({ method }) =>
        method === "HEAD" ? new Response(null, { headers }) : undefined;
      assertEquals((await fs.lstat("/a.txt")).size, 5);
      await fs.lstat("/a.txt");
      const asked = store.requests.map(({ method }) => method).join(" ");
      assertEquals(asked, "HEAD GET HEAD GET");
    });
  }
  it("takes the size of an empty file from an unsatisfied range", async () => {
    const { store, fs } = storeOf("");
    store.habits.answer = ({ method }) =>
      method === "HEAD" ? new Response(null, { status: 405 }) : undefined;
    const stat = await fs.lstat("/a.txt");
    assertEquals([stat.kind, stat.size], ["file", 0]);
    assertEquals(store.log, ["HEAD 405", "GET 416 0-0"]);
    assertEquals(store.open, 0);
    const workspace = await openWorkspace("/", { fs });
    assertEquals((await workspace.read("a.txt")).text, "");
  });
  it("takes the size from an answer with the whole object, without reading its bytes", async () => {
    const { store, fs } = storeOf("x".repeat(1_000_000));
    store.habits.ranges = false;
    store.habits.answer = ({ method }) =>
      method === "HEAD" ? new Response(null, { status: 405 }) : undefined;
    assertEquals((await fs.lstat("/a.txt")).size, 1_000_000);
    assertEquals([store.bytes, store.open], [0, 0]);
  });
  for (
    const [what, init] of Object.entries({
      "a whole object without a size": { status: 200, headers: {} },
      "a part with an unknown total": {
        status: 206,
        headers: { "content-range": "bytes 0-0/*" },
      },
      "a part without a range": { status: 206, headers: {} },
    })
  ) {
    it(`fails with ENOTSUP if the size is unknown: ${what}`, async () => {
      const { store, fs } = storeOf("hello");
      const bytes = new TextEncoder().encode("h");
      store.habits.answer = (request) =>
        request.method === "HEAD"
          ? new Response(null)
          : store.send(request, bytes, init);
      await assertCode(() => fs.lstat("/a.txt"), "ENOTSUP");
      assertEquals(store.open, 0);
    });
  }
  for (const encoding of ["gzip", "br", "zstd", "identity, gzip", "unheard"]) {
    it(`fails with ENOTSUP for the encoding ${encoding}`, async () => {
      const { store, fs } = storeOf("hello");
      store.habits.headers = { "content-encoding": encoding };
      await assertCode(() => fs.lstat("/a.txt"), "ENOTSUP");
    });
  }
  it("accepts the encoding identity", async () => {
    const { store, fs } = storeOf("hello");
    store.habits.headers = { "content-encoding": "Identity" };
    assertEquals((await fs.lstat("/a.txt")).size, 5);
  });
  for (const lastModified of ["yesterday", ""]) {
    it(`has no time for the Last-Modified "${lastModified}"`, async () => {
      const { fs } = storeOf({ content: "hello", lastModified });
      assertEquals((await fs.lstat("/a.txt")).mtimeMs, null);
    });
  }
  it("cancels the body of a refusal", async () => {
    const { store, fs } = storeOf("hello");
    store.habits.answer = (request) =>
      store.send({ ...request, method: "GET" }, new Uint8Array(99_999), {
        status: 404,
        headers: { date: SENT },
      });
    await assertCode(() => fs.lstat("/a.txt"), "ENOENT");
    assertEquals([store.bytes, store.open], [0, 0]);
  });
});
