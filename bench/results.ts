// The results of a run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Result } from "./check.ts";
import { otherBench, RUNTIME, VERSION } from "./host.ts";
import type { Peer } from "./peers.ts";

/** The results of one run, and its environment. */
export interface Results {
  /** The date, such as `2026-01-31`. */
  readonly date: string;
  readonly runtime: string;
  readonly runtimeVersion: string;
  /** The version of the package. */
  readonly version: string;
  /** The versions of the peers, by name. */
  readonly peers: Readonly<Record<string, string>>;
  /** Whether the run used little data. */
  readonly quick: boolean;
  readonly rows: readonly Result[];
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Adds the environment of the run. */
export function sumUp(
  rows: readonly Result[],
  peers: readonly Peer[],
  quick: boolean,
): Results {
  const { version } = JSON.parse(readFileSync(here("../deno.json"), "utf8"));
  return {
    date: new Date().toISOString().slice(0, 10),
    runtime: RUNTIME,
    runtimeVersion: VERSION,
    version,
    peers: Object.fromEntries(
      peers.map(({ name, version }) => [name, version]),
    ),
    quick,
    rows,
  };
}

/** Runs the bench in the other runtime, and returns its results. */
export function runOther(args: readonly string[]): Results {
  const folder = mkdtempSync(join(tmpdir(), "read-file-results-"));
  const path = join(folder, "results.json");
  try {
    const [program, ...rest] = otherBench([...args, `--json=${path}`]);
    const home = here("..");
    spawnSync(program, rest, { cwd: home, stdio: "inherit" });
    return JSON.parse(readFileSync(path, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes results as JSON. */
export function writeResults(results: Results, path: string): void {
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
}
