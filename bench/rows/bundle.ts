// The size of the package for the edge, minified.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "../check.ts";
import { DENO } from "../host.ts";
import { runProcess } from "../processes.ts";

/** The workers that the edge tests also bundle, and their limits. */
const WORKERS = [
  ["a worker with open_file", "one_tool", 60],
  ["a worker with all four tools", "agent", null],
] as const;

export const BUNDLE: Row = {
  name: "bundle",
  title: "edge bundle, minified",
  about: "The size of a worker that reads from R2, made by `deno bundle`.",
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), "read-file-bundle-"));
    try {
      return await WORKERS.map(([subject, worker, limit]) => ({
        subject,
        against: "minified bytes",
        value: bundle(worker, folder) / 1024,
        unit: "KiB",
        limit,
        isInTable: true,
      }));
    } catch (error) {
      return `deno bundle failed: ${
        error instanceof Error ? error.message : error
      }`;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function bundle(worker: string, folder: string): number {
  const output = join(folder, `${worker}.js`);
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  runProcess([
    DENO,
    "bundle",
    "--quiet",
    "--minify",
    "--platform=browser",
    `--import-map=${here("../../tests/edge/import_map.json")}`,
    `--output=${output}`,
    here(`../../tests/consumers/edge_worker/${worker}.ts`),
  ]);
  return statSync(output).size;
}
