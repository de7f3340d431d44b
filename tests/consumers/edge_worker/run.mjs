// Runs a worker in workerd, without compatibility flags. Prints its answers and its
// attempts to compile code.
import { Miniflare } from "miniflare";
import { readFile } from "node:fs/promises";

const [bundle] = process.argv.slice(2);

/** Modules run in the order of their imports. */
const MAIN = `
  import { attempts } from "./watch.mjs";
  import worker from "./worker.mjs";
  export default {
    async fetch(request) {
      const response = await worker.fetch(request);
      return Response.json({ answer: await response.json(), attempts });
    },
  };
`;

const load = async (path, url) => ({
  type: "ESModule",
  path,
  contents: await readFile(url, "utf8"),
});

const workerd = new Miniflare({
  modules: [
    { type: "ESModule", path: "main.mjs", contents: MAIN },
    await load("watch.mjs", new URL("watch.mjs", import.meta.url)),
    await load("worker.mjs", bundle),
  ],
  compatibilityDate: "2026-04-01",
});

try {
  const response = await workerd.dispatchFetch("http://localhost/");
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
} finally {
  await workerd.dispose();
}
