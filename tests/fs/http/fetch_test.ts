/** A replacement of `fetch` must answer the request itself. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { httpFs } from "../../../mod.ts";
import { assertCode } from "../../support/codes.ts";
import { HttpStore } from "../../support/http_store.ts";

const BASE = "https://files.example/base";
const FILE = { content: "hello", etag: '"v"' };

describe("a replacement of fetch", () => {
  /** A port whose responses have another URL. */
  function answering(facts: { readonly url?: string; redirected?: boolean }) {
    const store = new HttpStore();
    store.files.set(`${BASE}/a.txt`, FILE);
    const fs = store.port(BASE, {
      async fetch(url, init) {
        const answer = await store.fetch(url, init);
        for (const [name, value] of Object.entries(facts)) {
          Object.defineProperty(answer, name, { value });
        }
        return answer;
      },
    });
    return { store, fs };
  }
  for (
    const facts of [
      { redirected: true },
      { redirected: true, url: `${BASE}/a.txt` },
      { url: "https://evil.example/base/a.txt" },
      { url: `${BASE}/private/key.pem` },
      { url: "nonsense" },
    ]
  ) {
    it(`must not follow redirects: ${JSON.stringify(facts)}`, async () => {
      const { store, fs } = answering(facts);
      await assertCode(() => fs.lstat("/a.txt"), "EACCES");
      assertEquals([store.requests.length, store.open], [1, 0]);
    });
  }
  for (const facts of [{}, { url: "" }, { url: `${BASE}/a.txt?signed` }]) {
    it(`may sign the URL: ${JSON.stringify(facts)}`, async () => {
      const { fs } = answering(facts);
      assertEquals((await fs.lstat("/a.txt")).size, 5);
    });
  }
  it("may return a response instead of a promise", async () => {
    const answer = () =>
      new Response("hello", { headers: { "content-length": "5" } });
    const fs = httpFs(BASE, { fetch: answer as unknown as typeof fetch });
    assertEquals((await fs.lstat("/a.txt")).size, 5);
  });
});
