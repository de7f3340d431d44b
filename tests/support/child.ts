/** Runs a program of this repository in a child process. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { RUNTIME } from "./disk.ts";

/** The folder of the package. */
export const HOME: string = join(import.meta.dirname!, "../..");

/** The result of a child. */
export interface Remains {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a child. */
export interface ChildOptions {
  /** The permissions in Deno; Bun has none. */
  readonly permissions?: readonly string[];
  /** The folder to run it in. */
  readonly folder?: string;
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A shell command to run before it starts, such as `ulimit`. */
  readonly before?: string;
}

/**
 * Removes the capabilities that let root ignore file modes. Switching to another
 * user would fail if only root can read the clone. The shell spares Deno the
 * permission for the path of the program.
 */
const AS_ORDINARY_USER = `
if [ "$(id -u)" = 0 ]; then
  drop=-dac_override,-dac_read_search
  exec setpriv --bounding-set="$drop" --inh-caps="$drop" "$@"
fi
exec "$@"`;

/** A child that runs longer than this counts as hung: some take 10 s on a machine that does nothing else. */
const LIMIT_MS = 300_000;

/** Runs a file of this repository in the current runtime, without the privileges of root. */
export function runChild(
  file: string,
  args: readonly string[],
  { permissions = [], folder = HOME, environment, before = "" }: ChildOptions =
    {},
): Remains {
  const hooks = new URL("../wine/node_hooks.mjs", import.meta.url).href;
  const runtime = RUNTIME === "Bun"
    ? [`--preload=${join(HOME, "tests/support/bun_std.ts")}`, "run"]
    : RUNTIME === "Node.js"
    ? ["--no-warnings", `--import=${hooks}`]
    : [
      "run",
      "--quiet",
      "--no-check",
      "--no-prompt",
      `--config=${join(HOME, "deno.json")}`,
      `--import-map=${join(HOME, "tests/npm_std.json")}`,
      ...permissions,
    ];
  const command = [process.execPath, ...runtime, join(HOME, file), ...args];
  const [program = "", ...words] = process.platform === "win32"
    ? command
    : ["sh", "-c", `${before}${AS_ORDINARY_USER}`, "sh", ...command];
  const { status, stdout, stderr } = spawnSync(
    program,
    words,
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, ...environment },
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
    },
  );
  return { code: status, stdout: String(stdout), stderr: String(stderr) };
}
