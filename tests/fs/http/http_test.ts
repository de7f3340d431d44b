import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { httpFs, openWorkspace, ReadFileError } from "../../../mod.ts";
import { lookCache } from "../../../src/fs/http/files.ts";
import { fsPortSuite } from "../../suites/fs_port.ts";
import { assertCode, kindOpened } from "../../support/codes.ts";
import {
  HttpStore,
  LONG_AGO,
  onStore,
  storeOf,
} from "../../support/http_store.ts";

fsPortSuite("httpFs() on a server in memory", onStore, {
  lacks: ["links", "directories", "backslashes"],
});

describe("httpFs()", () => {
  it("refuses a base that is not HTTP, and does not repeat it", () => {
    for (
      const base of ["", "/x", "file:///secret", "secret", "ftp://secret/"]
    ) {
      const { message } = assertThrows(() => httpFs(base), TypeError);
      assert(message.includes("write it as"), message);
      assert(!message.includes("secret"), message);
    }
  });
  it("refuses wrong options", () => {
    const base = "https://files.example";
    for (const value of [0, -1, 1.5, NaN, Infinity]) {
      for (const name of ["timeoutMs", "attempts"]) {
        assertThrows(
          () => httpFs(base, { [name]: value }),
          RangeError,
          `${name} must be a whole number from 1 `,
        );
      }
    }
    for (const options of [null, 5, "secret"]) {
      const { message } = assertThrows(
        // Untyped code may pass any value.
        () => httpFs(base, options as never),
        TypeError,
      );
      assert(message.startsWith("Cannot read over HTTP: options"), message);
      assert(!message.includes("secret"), message);
    }
    for (const fetch of [null, 5, "secret", {}]) {
      const { message } = assertThrows(
        () => httpFs(base, { fetch: fetch as never }),
        TypeError,
      );
      assert(message.startsWith("Cannot read over HTTP: fetch"), message);
    }
    for (const [name, value] of [["timeoutMs", "5"], ["attempts", null]]) {
      assertThrows(
        () => httpFs(base, { [name!]: value } as never),
        TypeError,
        `${name} must be a whole number from 1 `,
      );
    }
    for (const headers of [null, 5, "secret"]) {
      const { message } = assertThrows(
        () => httpFs(base, { headers: headers as never }),
        TypeError,
      );
      assert(message.startsWith("Cannot read over HTTP: the headers"), message);
    }
    for (const base of [undefined, null, 5]) {
      const { message } = assertThrows(
        () => httpFs(base as never),
        TypeError,
      );
      assert(message.startsWith("Cannot read over HTTP: the base"), message);
    }
    const headers = { "x-key": "secret\nsecret" };
    const { message } = assertThrows(
      () => httpFs(base, { headers }),
      TypeError,
    );
    assert(!message.includes("secret"), message);
  });
  it("sends the headers with each request, except the headers that it sets itself", async () => {
    const headers = {
      "X-Key": "k",
      "Accept-Encoding": "gzip",
      "Range": "bytes=1-1",
      "If-None-Match": "*",
    };
    const { store, fs } = storeOf("hello", { headers });
    const workspace = await openWorkspace("/", { fs });
    assertEquals((await workspace.read("a.txt")).text, "hello");
    assertEquals(store.requests.length, 2);
    for (const { headers } of store.requests) {
      assertEquals(headers.get("x-key"), "k");
      assertEquals(headers.get("accept-encoding"), "identity");
    }
    const [look, read] = store.requests.map(({ headers }) => headers);
    assertEquals(look!.get("range"), null);
    assertEquals(read!.get("range"), "bytes=0-4");
    assertEquals(look!.get("if-none-match"), null);
  });
  it("sends the user and password of the base as a header, not in the URL", async () => {
    const store = new HttpStore();
    const base = "https://us%C3%A9r:p%40ss@files.example/base";
    await assertCode(() => store.port(base).lstat("/a"), "ENOENT");
    const [{ url, headers }] = store.requests as [typeof store.requests[0]];
    assertEquals(url, "https://files.example/base/a");
    const pair = atob(headers.get("authorization")!.slice("Basic ".length));
    const bytes = Uint8Array.from(pair, (unit) => unit.charCodeAt(0));
    assertEquals(new TextDecoder().decode(bytes), "us\u00e9r:p@ss");
  });
  it("prefers an authorization header to the user and password of the base", async () => {
    const store = new HttpStore();
    const headers = { Authorization: "Bearer t" };
    const fs = store.port("https://u:p@files.example/base", { headers });
    await assertCode(() => fs.lstat("/a"), "ENOENT");
    assertEquals(store.requests[0]!.headers.get("authorization"), "Bearer t");
  });
});

describe("realPath(), and lstat() of the root and of directories in the path", () => {
  it("cost no requests", async () => {
    const store = new HttpStore();
    const fs = store.port();
    assertEquals(await fs.realPath("/d/../a/./b/"), "/a/b");
    assertEquals(await fs.realPath("a"), "/a");
    assertEquals((await fs.lstat("/")).kind, "directory");
    assertEquals((await fs.lstat("/nope", "way")).kind, "directory");
    await assertCode(() => fs.readLink("/"), "EINVAL");
    assertEquals(await kindOpened(fs, "/"), "EISDIR");
    assertEquals(store.requests, []);
  });
});

describe("a file of a server", () => {
  it("costs two requests, also in a folder", async () => {
    const store = new HttpStore();
    const url = "https://files.example/base/d/e/a.txt";
    store.files.set(url, { content: "hello" });
    const workspace = await openWorkspace("/", { fs: store.port() });
    assertEquals((await workspace.read("d/e/a.txt")).text, "hello");
    assertEquals(store.log, ["HEAD 200", "GET 206 0-4"]);
    assertEquals(store.requests.map(({ url }) => url), [url, url]);
  });
  it("has an id made of its strong tag and URL, without secrets", async () => {
    const store = new HttpStore();
    const url = "https://files.example/base/a.txt";
    store.files.set(url, { content: "hello", etag: '"v1"' });
    const base = "https://u:secret@files.example/base?sig=secret";
    const stat = await store.port(base).lstat("/a.txt");
    assertEquals(stat, {
      kind: "file",
      size: 5,
      mtimeMs: Date.parse(LONG_AGO),
      ctimeMs: null,
      id: `"v1" ${url}`,
      remote: true,
    });
  });
  for (const etag of [null, 'W/"v1"', "v1"]) {
    it(`has no id if its tag is ${etag}, but can be read`, async () => {
      const { fs } = storeOf({ content: "hello", etag, lastModified: null });
      const { id, mtimeMs } = await fs.lstat("/a.txt");
      assertEquals([id, mtimeMs], [null, null]);
      const workspace = await openWorkspace("/", { fs });
      assertEquals((await workspace.read("a.txt")).text, "hello");
    });
  }
  it("is requested by open() if lstat() was not called just before", async () => {
    const { store, fs } = storeOf("hello");
    await fs.lstat("/a.txt");
    assertEquals(await kindOpened(fs, "/a.txt"), "file");
    assertEquals(store.log, ["HEAD 200"]);
    assertEquals(await kindOpened(fs, "/a.txt"), "file");
    assertEquals(store.log, ["HEAD 200", "HEAD 200"]);
  });
  it("is a directory if the server redirects it to the same URL with a slash", async () => {
    const store = new HttpStore();
    store.files.set("https://files.example/base/d/a", { content: "x" });
    const fs = store.port();
    assertEquals((await fs.lstat("/d", "last")).kind, "directory");
    assertEquals(await kindOpened(fs, "/d"), "EISDIR");
    assertEquals(store.log, ["HEAD 301", "HEAD 301"]);
    const workspace = await openWorkspace("/", { fs });
    const error = await assertRejects(
      () => workspace.read("d"),
      ReadFileError,
    );
    assertEquals(error.code, "NOT_A_FILE");
  });
});

describe("a missing file", () => {
  it("is ENOTDIR below a file, found with a request for each directory above", async () => {
    const store = new HttpStore();
    const base = "https://files.example/base";
    store.files.set(`${base}/d/a`, { content: "x" });
    const fs = store.port();
    await assertCode(() => fs.lstat("/d/a/b/c"), "ENOTDIR");
    const urls = store.requests.map(({ url }) => url.slice(base.length));
    assertEquals(urls, ["/d/a/b/c", "/d", "/d/a", "/d/a/b"]);
    await assertCode(() => fs.lstat("/d/b/c"), "ENOENT");
    await assertCode(() => fs.open("/d/a/b"), "ENOTDIR");
  });
  it("costs one request in the root", async () => {
    const store = new HttpStore();
    await assertCode(() => store.port().lstat("/a"), "ENOENT");
    assertEquals(store.requests.length, 1);
  });
  it("costs a limited number of requests in a long path", async () => {
    const store = new HttpStore();
    await assertCode(() => store.port().lstat("/a".repeat(500)), "ENOENT");
    assertEquals(store.requests.length, 9);
  });
});

describe("lookCache()", () => {
  const version = { size: 1, etag: null, lastModified: null, isSettled: true };
  it("keeps an entry for a second, and returns it once", () => {
    let now = 0;
    const looks = lookCache(() => now);
    looks.keep("/a", version);
    now = 1_000;
    assertEquals(looks.take("/a"), version);
    assertEquals(looks.take("/a"), undefined);
    looks.keep("/a", version);
    now = 2_001;
    assertEquals(looks.take("/a"), undefined);
  });
  it("drops the oldest entry", () => {
    const looks = lookCache(() => 0);
    for (let number = 0; number < 100; number++) {
      looks.keep(`/${number}`, version);
    }
    assertEquals(looks.take("/35"), undefined);
    assertEquals(looks.take("/36"), version);
  });
});
