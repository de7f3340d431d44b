/** A redirect within the base is a link; all others are refused. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../../support/said.ts";
import { openWorkspace, type Workspace } from "../../../mod.ts";
import { mountFs } from "../../../layers/mod.ts";
import { assertCode } from "../../support/codes.ts";
import { HttpStore, type ServedFile } from "../../support/http_store.ts";

const BASE = "https://files.example/base";
const FILE: ServedFile = { content: "hello", etag: '"v"' };

/** A server that redirects `/a.txt` to `location`. */
function redirecting(location: string | null, status = 302) {
  const store = new HttpStore();
  store.files.set(`${BASE}/b.txt`, FILE);
  store.files.set(`${BASE}/private/key.pem`, { content: "KEY" });
  store.files.set(`${BASE}/%2e%2e%2fsecret`, FILE);
  store.habits.answer = (request) =>
    !/^[^?]*\/a\.txt(\?|$)/.test(request.url) ? undefined : store.send(
      request,
      new Uint8Array(99_999),
      { status, ...location === null ? {} : { headers: { location } } },
    );
  return { store, fs: store.port(`${BASE}?sig=secret`) };
}

/** The text of a file, or the code of the failure. */
async function outcome(workspace: Workspace, path: string): Promise<string> {
  return await workspace.read(path)
    .then(({ text }) => text, ({ code }) => code);
}

describe("a redirect within the base", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`with ${status} is a link, which the core follows`, async () => {
      const { store, fs } = redirecting(`${BASE}/b.txt`, status);
      assertEquals(
        await outcome(await openWorkspace("/", { fs }), "a.txt"),
        "hello",
      );
      assertEquals(store.log, [`HEAD ${status}`, "HEAD 200", "GET 206 0-4"]);
      assertEquals(store.open, 0);
      assertEquals(store.requests[1]!.url, `${BASE}/b.txt?sig=secret`);
    });
  }
  it("is a link for lstat(), readLink() and open()", async () => {
    const { store, fs } = redirecting("b.txt");
    const { kind, size, mtimeMs } = await fs.lstat("/a.txt");
    assertEquals([kind, size, mtimeMs], ["symlink", 0, null]);
    assertEquals(await fs.readLink("/a.txt"), "/b.txt");
    assertEquals(store.log, ["HEAD 302"]);
    assertEquals(await fs.readLink("/a.txt"), "/b.txt");
    await assertCode(() => fs.open("/a.txt"), "ELOOP");
    await assertCode(() => fs.readLink("/b.txt"), "EINVAL");
    await assertCode(() => fs.readLink("/c.txt"), "EINVAL");
  });
  for (
    const [location, target] of [
      ["b.txt", "/b.txt"],
      ["./b.txt#top", "/b.txt"],
      ["/base/b.txt", "/b.txt"],
      ["x/../b.txt", "/b.txt"],
      ["b.txt?sig=secret", "/b.txt"],
      ["d/caf%C3%A9%20%3f", "/d/caf\u00e9 ?"],
      ["d/", "/d/"],
      ["./", "/"],
    ] as const
  ) {
    it(`is resolved relative to the redirected URL: ${location}`, async () => {
      const { fs } = redirecting(location);
      assertEquals(await fs.readLink("/a.txt"), target);
    });
  }
  for (const denied of ["refuse", "hide"] as const) {
    it(`does not bypass a rule that ${denied}s`, async () => {
      const { store, fs } = redirecting("private/key.pem");
      const deny = ["private/**"];
      const workspace = await openWorkspace("/", { fs, deny, denied });
      const refused = denied === "hide" ? "NOT_FOUND" : "POLICY_DENIED";
      assertEquals(await outcome(workspace, "a.txt"), refused);
      const asked = store.requests.filter(({ url }) => url.includes("private"));
      assertEquals(asked, [], "a denied path was requested");
      const free = await openWorkspace("/", { fs });
      assertEquals(await outcome(free, "a.txt"), "KEY");
    });
  }
  for (const location of ["../private/key.pem", `${BASE}/private/key.pem`]) {
    it(`does not leave the workspace: ${location}`, async () => {
      const { store, fs } = redirecting(location);
      const workspace = await openWorkspace("/pub", { fs });
      assertEquals(await outcome(workspace, "a.txt"), "OUTSIDE_WORKSPACE");
      assertEquals(store.requests.map(({ url }) => url), [
        `${BASE}/pub/a.txt?sig=secret`,
      ]);
    });
    it(`does not leave the mount: ${location}`, async () => {
      const { fs: server } = redirecting(location);
      const fs = mountFs({ "/logs": { fs: server, root: "/pub" } });
      const workspace = await openWorkspace("/", { fs });
      assertEquals(await outcome(workspace, "logs/a.txt"), "OUTSIDE_WORKSPACE");
    });
  }
  it("is followed within a mount", async () => {
    const fs = mountFs({
      "/logs": { fs: redirecting("b.txt").fs, root: "/" },
    });
    const workspace = await openWorkspace("/", { fs });
    assertEquals(await outcome(workspace, "logs/a.txt"), "hello");
  });
  it("of a file that was not redirected before is CHANGED", async () => {
    const { store, fs } = redirecting("private/key.pem");
    store.files.set(`${BASE}/a.txt`, FILE);
    const redirect = store.habits.answer!;
    const deny = ["private/**"];
    const workspace = await openWorkspace("/", { fs, deny });
    // Only the read is redirected, not lstat().
    store.habits.answer = (request, number) =>
      request.method === "GET" ? redirect(request, number) : undefined;
    assertEquals(await outcome(workspace, "a.txt"), "CHANGED");
    assertEquals(store.log.map((line) => line.slice(0, 8)), [
      "HEAD 200",
      "GET 302 ",
    ]);
    assertEquals(store.open, 0);
  });
  it("to itself is SYMLINK_LOOP", async () => {
    for (const location of ["a.txt", "d/../a.txt#again"]) {
      const { store, fs } = redirecting(location);
      await assertCode(() => fs.lstat("/a.txt"), "ELOOP");
      assertEquals(store.requests.length, 1);
    }
    const { fs } = redirecting("d/a.txt");
    const loop = redirecting("/base/a.txt");
    assertEquals((await fs.lstat("/a.txt")).kind, "symlink");
    assertEquals(
      await outcome(await openWorkspace("/", { fs: loop.fs }), "d/a.txt"),
      "SYMLINK_LOOP",
    );
  });
});

describe("any other redirect", () => {
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
      "x//b.txt",
      "x%00",
      "%zz",
      // These are not the URL of any path.
      "b.txt?sig=other",
      "a.txt?again",
      // The same path with a slash, on another server.
      "https://evil.example/base/a.txt/",
      "http://files.example/base/a.txt/",
      "http://127.0.0.1:8080/base/a.txt/",
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
  it("is refused with a message that mentions redirects", async () => {
    const { fs } = redirecting("https://evil.example/b.txt");
    const workspace = await openWorkspace("/", { fs });
    const error = await workspace.read("a.txt").catch((error) => error);
    assertEquals(
      said(error),
      'Cannot read "a.txt": the server redirects to a place outside of what may be asked for; read another file',
    );
  });
  it("that is opaque, as in browsers, is refused", async () => {
    const { store, fs } = redirecting("b.txt");
    store.habits.answer = () =>
      Object.defineProperty(new Response(null), "type", {
        value: "opaqueredirect",
      });
    await assertCode(() => fs.lstat("/a.txt"), "EACCES");
  });
  it("is requested as manual, and never followed by the runtime", async () => {
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
    const location of [`${BASE}/a.txt/`, "a.txt/", `${BASE}/a.txt/?sig=secret`]
  ) {
    it(`marks a directory and is not followed: ${location}`, async () => {
      const { store, fs } = redirecting(location, 301);
      assertEquals((await fs.lstat("/a.txt")).kind, "directory");
      await assertCode(() => fs.open("/a.txt"), "EISDIR");
      assertEquals(store.log, ["HEAD 301", "HEAD 301"]);
    });
  }
});
