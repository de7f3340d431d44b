// Runs the bundled worker in workerd and writes down how its tests went.
import { Miniflare } from "miniflare";
import { readFile, writeFile } from "node:fs/promises";

const [bundle, report] = process.argv.slice(2);

// No compatibility flags: nothing of Node.js is there to lean on.
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
  if (!response.ok) throw new Error(await response.text());
  const outcomes = await response.json();
  const failures = outcomes.filter(({ error }) => error !== null);
  for (const { name, error } of failures) console.error(`${name}\n${error}\n`);
  console.log(`${outcomes.length} tests ran, ${failures.length} failed`);
  await writeFile(report, JSON.stringify(outcomes));
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await workerd.dispose();
}
