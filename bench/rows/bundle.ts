// How large the package is for the edge, minified.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "../check.ts";
import { DENO } from "../host.ts";
import { runProcess } from "../processes.ts";

export const BUNDLE: Row = {
  name: "bundle",
  title: "edge bundle, minified",
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), "read-file-bundle-"));
    const output = join(folder, "mod.js");
    const here = (path: string) =>
      fileURLToPath(new URL(path, import.meta.url));
    try {
      runProcess([
        DENO,
        "bundle",
        "--quiet",
        "--minify",
        "--platform=browser",
        `--import-map=${here("../import_map.json")}`,
        `--output=${output}`,
        here("../../mod.ts"),
      ]);
      return await [{
        subject: "mod.ts",
        against: "minified bytes",
        value: statSync(output).size / 1024,
        unit: "KiB",
        limit: 60,
      }];
    } catch (error) {
      return `deno bundle failed: ${
        error instanceof Error ? error.message : error
      }`;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
