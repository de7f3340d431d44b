// Runs the bundled worker in workerd, and writes the results of its tests.
import { Miniflare } from "miniflare";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

const [bundle, report] = process.argv.slice(2);

// Without compatibility flags, so without modules of Node.js.
const workerd = new Miniflare({
  modules: [{
    type: "ESModule",
    path: "worker.mjs",
    contents: await readFile(bundle, "utf8"),
  }],
  // The worker has no disk, so its data is passed in.
  bindings: { CONFORMANCE: await readAll("tests/conformance") },
  r2Buckets: ["BUCKET"],
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

/** All files in a folder as Base64, by relative path. */
async function readAll(folder) {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  const files = entries.filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [
      relative(folder, file),
      await readFile(file, "base64"),
    ])),
  );
}
