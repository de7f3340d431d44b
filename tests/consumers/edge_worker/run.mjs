// Runs a worker in workerd, without compatibility flags. Prints its answers and its
// attempts to compile code. Miniflare finds the modules itself, as for users who give
// it a `scriptPath`: it refuses an import whose name is computed.
import { Miniflare } from "miniflare";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

const folder = await mkdtemp(join(tmpdir(), "worker-"));
const scriptPath = join(folder, "main.mjs");
await writeFile(scriptPath, MAIN);
await copyFile(
  new URL("watch.mjs", import.meta.url),
  join(folder, "watch.mjs"),
);
await copyFile(bundle, join(folder, "worker.mjs"));

const workerd = new Miniflare({
  scriptPath,
  modulesRoot: folder,
  modules: true,
  compatibilityDate: "2026-04-01",
});

try {
  const response = await workerd.dispatchFetch("http://localhost/");
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
} finally {
  await workerd.dispose();
  await rm(folder, { recursive: true });
}
