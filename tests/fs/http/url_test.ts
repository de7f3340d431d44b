/** A port requests only URLs below the base. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { assertCode } from "../../support/codes.ts";
import { HttpStore } from "../../support/http_store.ts";

/** The URL of the request for `lstat(path)`. */
async function urlOf(path: string, base?: string): Promise<string> {
  const store = new HttpStore();
  await assertCode(() => store.port(base).lstat(path), "ENOENT");
  return store.requests[0]!.url;
}

describe("the URL of a path", () => {
  const base = "https://files.example/base";
  for (
    const [path, segments] of [
      ["/a.txt", "a.txt"],
      ["/d/a b.txt", "d/a%20b.txt"],
      ["/what?.txt", "what%3F.txt"],
      ["/a#b", "a%23b"],
      ["/100%", "100%25"],
      ["/%2e%2e/secret", "%252e%252e/secret"],
      ["/..%2fsecret", "..%252fsecret"],
      ["/caf\u00e9", "caf%C3%A9"],
      ["/\ud83d\ude00", "%F0%9F%98%80"],
      ["/s3:x@y", "s3%3Ax%40y"],
      ["/\n", "%0A"],
      ["/a/../../../secret", "secret"],
      ["//evil.example/x", "evil.example/x"],
      ["https://evil.example/x", "https%3A/evil.example/x"],
    ] as const
  ) {
    it(`is below the base: ${JSON.stringify(path)}`, async () => {
      assertEquals(await urlOf(path), `${base}/${segments}`);
      // A URL parser leaves it unchanged.
      const { href } = new URL(await urlOf(path));
      assert(href.startsWith(`${base}/`), href);
    });
  }
  it("begins with the base, which may end with a slash", async () => {
    assertEquals(await urlOf("/a", `${base}/`), `${base}/a`);
    assertEquals(await urlOf("/a", `${base}///`), `${base}/a`);
    const root = "https://files.example";
    assertEquals(await urlOf("/a", root), `${root}/a`);
  });
  it("keeps the query of the base, and drops its fragment", async () => {
    const url = await urlOf("/a?b", `${base}?sig=s%2Fs&x#top`);
    assertEquals(url, `${base}/a%3Fb?sig=s%2Fs&x`);
  });
  for (const name of ["back\\slash", "..\\secret", "private\\key.pem", "\\"]) {
    it(`does not exist for a name with a backslash: ${name}`, async () => {
      const store = new HttpStore();
      const fs = store.port();
      await assertCode(() => fs.lstat(`/${name}`), "ENOENT");
      await assertCode(() => fs.lstat(`/d/${name}/a`), "ENOENT");
      await assertCode(() => fs.open(`/${name}`), "ENOENT");
      // Only directories above the name are requested, to find the error code.
      for (const { url } of store.requests) assert(!/%5c|\\/i.test(url), url);
    });
  }
  it("cannot contain a lone surrogate", async () => {
    const store = new HttpStore();
    await assertCode(() => store.port().lstat("/a\ud800"), "EINVAL");
    assertEquals(store.requests, []);
  });
});
