/** Where a port lets its server send it: nowhere but below the base. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace, readFile } from "../mod.ts";
import { assertCode } from "./support/codes.ts";
import { HttpStore, type ServedFile } from "./support/http_store.ts";

const BASE = "https://files.example/base";
const FILE: ServedFile = { content: "hello", etag: '"v"' };

/** A server that redirects `/a.txt` to `location`. */
function redirecting(location: string | null, status = 302) {
  const store = new HttpStore();
  store.files.set(`${BASE}/b.txt`, FILE);
  store.files.set(`${BASE}/%2e%2e%2fsecret`, FILE);
  store.habits.answer = (request) =>
    !request.url.startsWith(`${BASE}/a.txt`) ? undefined : store.send(
      request,
      new Uint8Array(99_999),
      { status, ...location === null ? {} : { headers: { location } } },
    );
  return { store, fs: store.port(`${BASE}?sig=secret`) };
}

describe("a redirect", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`of ${status} is followed within the base, for looks and reads`, async () => {
      const { store, fs } = redirecting(`${BASE}/b.txt`, status);
      const workspace = await openWorkspace("/", { fs });
      assertEquals((await readFile(workspace, "a.txt")).text, "hello");
      assertEquals(store.log, [
        `HEAD ${status}`,
        "HEAD 200",
        `GET ${status} 0-4`,
        "GET 206 0-4",
      ]);
      assertEquals(store.open, 0);
      assertEquals(store.requests[3]!.headers.get("if-match"), '"v"');
    });
  }
  for (const location of ["b.txt", "./b.txt", "/base/b.txt", "x/../b.txt"]) {
    it(`is followed from where it was met: ${location}`, async () => {
      const { store, fs } = redirecting(location);
      assertEquals((await fs.lstat("/a.txt")).size, 5);
      assertEquals(store.requests[1]!.url, `${BASE}/b.txt`);
    });
  }
  it("is followed with the query that it names", async () => {
    const { store, fs } = redirecting("b.txt?sig=other");
    assertEquals((await fs.lstat("/a.txt")).size, 5);
    assertEquals(store.requests[1]!.url, `${BASE}/b.txt?sig=other`);
  });
  for (
    const location of [
      "https://evil.example/base/b.txt",
      "http://files.example/base/b.txt",
      "https://files.example:8443/base/b.txt",
      "https://u:p@files.example/base/b.txt",
      "//evil.example/base/b.txt",
      "https://files.example/other/b.txt",
      "https://files.example/base-old/b.txt",
      "https://files.example/base",
      "../b.txt",
      "%2e%2e/b.txt",
      "%2e%2e%2fsecret",
      "..%2Fsecret",
      "..%5Csecret",
      "%5c%2e%2e%5csecret",
      "x%2fb.txt",
      "%zz",
      "data:text/plain,hello",
      "file:///etc/passwd",
      "https://",
      "",
      null,
    ]
  ) {
    it(`is refused, and not followed: ${location}`, async () => {
      const { store, fs } = redirecting(location);
      await assertCode(() => fs.lstat("/a.txt"), "EACCES");
      await assertCode(() => fs.open("/a.txt"), "EACCES");
      assertEquals(store.requests.length, 2);
      assertEquals(store.open, 0);
    });
  }
  it("in a circle is ELOOP", async () => {
    const { store, fs } = redirecting("a.txt?again");
    await assertCode(() => fs.lstat("/a.txt"), "ELOOP");
    assertEquals(store.requests.length, 6);
  });
  it("that nobody may look into, as in browsers, is refused", async () => {
    const { store, fs } = redirecting("b.txt");
    store.habits.answer = () =>
      Object.defineProperty(new Response(null), "type", {
        value: "opaqueredirect",
      });
    await assertCode(() => fs.lstat("/a.txt"), "EACCES");
  });
  it("is asked to be shown, and never left to the runtime", async () => {
    const manners: (string | undefined)[] = [];
    const store = new HttpStore();
    const fs = store.port(BASE, {
      fetch: (url, init) => {
        manners.push(init.redirect);
        return store.fetch(url, init);
      },
    });
    await assertCode(() => fs.lstat("/a.txt"), "ENOENT");
    assertEquals(manners, ["manual"]);
  });
});

describe("a redirect that adds a slash", () => {
  for (
    const location of [
      `${BASE}/a.txt/`,
      "a.txt/",
      // As a server behind another one writes it.
      "http://127.0.0.1:8080/base/a.txt/",
      `${BASE}/a.txt/?sig=secret`,
    ]
  ) {
    it(`tells a directory, and is not followed: ${location}`, async () => {
      const { store, fs } = redirecting(location, 301);
      assertEquals((await fs.lstat("/a.txt")).kind, "directory");
      await assertCode(() => fs.open("/a.txt"), "EISDIR");
      assertEquals(store.log, ["HEAD 301", "HEAD 301"]);
    });
  }
});
