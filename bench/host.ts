// The runtime that the bench runs in, and how to start it again.
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The name of the runtime. */
export const RUNTIME: "Deno" | "Bun" = "Bun" in globalThis ? "Bun" : "Deno";

/** Its version. */
export const VERSION: string =
  process.versions[RUNTIME === "Bun" ? "bun" : "deno"] ?? "unknown";

/** A command and its arguments. */
export type Command = readonly [string, ...string[]];

/** Deno itself, which also bundles and formats, whatever the bench runs in. */
export const DENO: string = RUNTIME === "Deno" ? process.execPath : "deno";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The command that runs one of the scripts in `children`; only Deno asks for permissions. */
export function childCommand(
  script: string,
  permissions: readonly string[] = ["-A"],
): Command {
  const path = here(`./children/${script}`);
  if (RUNTIME === "Bun") {
    const preload = here("../tests/support/bun_std.ts");
    return [process.execPath, "--preload", preload, path];
  }
  const map = `--import-map=${here("./import_map.json")}`;
  const flags = ["--quiet", "--no-prompt", "--no-check", "--no-config"];
  return [process.execPath, "run", ...flags, map, ...permissions, path];
}
