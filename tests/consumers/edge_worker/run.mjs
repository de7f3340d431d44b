// Runs a worker in workerd, without compatibility flags, and prints what it answers.
import { Miniflare } from "miniflare";
import { readFile } from "node:fs/promises";

const [bundle] = process.argv.slice(2);

const workerd = new Miniflare({
  modules: [{
    type: "ESModule",
    path: "worker.mjs",
    contents: await readFile(bundle, "utf8"),
  }],
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
