// The runtime that runs the bench, and commands that start runtimes.
import { isAbsolute } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { IMPORT_MAP } from "./import_map.ts";

/** The name of the runtime. */
export const RUNTIME: "Deno" | "Bun" = "Bun" in globalThis ? "Bun" : "Deno";

/** Its version. */
export const VERSION: string =
  process.versions[RUNTIME === "Bun" ? "bun" : "deno"] ?? "unknown";

/** The limit for the runtime that runs the bench. */
export function limitFor<T>(limits: { readonly Deno: T; readonly Bun: T }): T {
  return limits[RUNTIME];
}

/** A command and its arguments. */
export type Command = readonly [string, ...string[]];

/** The path of Deno, which also bundles and formats for a bench in Bun. */
export const DENO: string = RUNTIME === "Deno" ? process.execPath : "deno";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The command that runs the bench in the other runtime. */
export function otherBench(args: readonly string[]): Command {
  const main = here("./main.ts");
  if (RUNTIME === "Bun") {
    const map = `--import-map=${here("../tests/npm_std.json")}`;
    return [DENO, "run", "--quiet", "--no-prompt", "-A", map, main, ...args];
  }
  return [here("../node_modules/.bin/bun"), main, ...args];
}

/** The command that runs a script, by its path in `children` or its absolute path; only Deno needs permissions. */
export function childCommand(
  script: string,
  permissions: readonly string[] = ["-A"],
): Command {
  const path = isAbsolute(script) ? script : here(`./children/${script}`);
  if (RUNTIME === "Bun") {
    const preload = here("../tests/support/bun_std.ts");
    return [process.execPath, "--preload", preload, path];
  }
  const map = `--import-map=${IMPORT_MAP}`;
  const flags = ["--quiet", "--no-prompt", "--no-check", "--no-config"];
  return [process.execPath, "run", ...flags, map, ...permissions, path];
}
