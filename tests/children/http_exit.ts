// Reads over HTTP with the longest timeout, and must then exit.
import { httpFs, openWorkspace } from "../../mod.ts";
import { sleep } from "../../src/fs/http/client.ts";

const FOR_EVER_MS = 2 ** 31 - 1;
const headers = {
  etag: '"1"',
  "content-length": "5",
  "content-range": "bytes 0-4/5",
};
const fs = httpFs("https://files.example", {
  timeoutMs: FOR_EVER_MS,
  fetch: (_url, { method }) =>
    Promise.resolve(
      method === "HEAD"
        ? new Response(null, { headers })
        : new Response("hello", { status: 206, headers }),
    ),
});
const workspace = await openWorkspace("/", { fs });
const { text } = await workspace.read("a.txt");
const controller = new AbortController();
const sleeping = sleep(FOR_EVER_MS, controller.signal).catch(() => "woken");
controller.abort();
console.log(text, await sleeping);
