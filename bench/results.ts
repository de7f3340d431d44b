// What a run found out, and where the last one of each runtime is kept.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Result } from "./check.ts";
import { RUNTIME, VERSION } from "./host.ts";
import type { Peer } from "./peers.ts";

/** The results of one run, and of what. */
export interface Results {
  /** The day, as `2026-01-31`. */
  readonly date: string;
  readonly runtime: string;
  readonly runtimeVersion: string;
  /** The version of the package. */
  readonly version: string;
  /** The versions of the peers, by name. */
  readonly peers: Readonly<Record<string, string>>;
  /** Whether it was a run on little data. */
  readonly quick: boolean;
  readonly rows: readonly Result[];
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Puts the rows together with what they were measured on. */
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

/** Keeps the results of a run, and gives the last ones of every runtime. */
export function keepResults(results: Results): readonly Results[] {
  const path = (runtime: string) =>
    here(`./results/${runtime.toLowerCase()}.json`);
  mkdirSync(here("./results"), { recursive: true });
  writeResults(results, path(results.runtime));
  return ["Deno", "Bun"].map(path).filter(existsSync).map((kept) =>
    JSON.parse(readFileSync(kept, "utf8"))
  );
}

/** Writes results as JSON. */
export function writeResults(results: Results, path: string): void {
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
}
