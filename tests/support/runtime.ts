/** The command that runs a script in the runtime under test. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { RUNTIME } from "./disk.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The command that runs `script`; Deno gets only these `permissions`. */
export function runtimeCommand(
  permissions: readonly string[],
  script: string,
): string[] {
  if (RUNTIME === "Bun") {
    return [process.execPath, "--preload", here("./bun_std.ts"), script];
  }
  const map = `--import-map=${here("../npm_std.json")}`;
  const flags = [
    ...["--quiet", "--no-prompt", "--no-check", "--no-config"],
    // Resolve npm packages from node_modules, without the network.
    "--node-modules-dir=manual",
  ];
  return ["deno", "run", ...flags, map, ...permissions, script];
}
