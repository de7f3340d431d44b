/** Runs one of our programs in a child process. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { RUNTIME } from "./disk.ts";

/** The folder of the package. */
export const HOME: string = join(import.meta.dirname!, "../..");

/** What a child left behind. */
export interface Remains {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a child. */
export interface ChildOptions {
  /** What Deno lets it do; Bun lets it do all. */
  readonly permissions?: readonly string[];
  /** The folder to run it in. */
  readonly folder?: string;
  /** What it finds in its environment beside the usual. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Shell words to say before it starts, such as `ulimit`. */
  readonly before?: string;
}

/**
 * To root no file is unreadable, so what overrides the modes is given up. To
 * become another user would be of no use: that one cannot reach a clone which
 * belongs to root alone. Without the shell, Deno would have to be told where
 * the program is that runs this.
 */
const AS_ORDINARY_USER = `
if [ "$(id -u)" = 0 ]; then
  drop=-dac_override,-dac_read_search
  exec setpriv --bounding-set="$drop" --inh-caps="$drop" "$@"
fi
exec "$@"`;

/** Past this a child hangs. */
const LIMIT_MS = 30_000;

/** Runs a file of ours, as an ordinary user, in the runtime that runs this. */
export function runChild(
  file: string,
  args: readonly string[],
  { permissions = [], folder = HOME, environment, before = "" }: ChildOptions =
    {},
): Remains {
  const runtime = RUNTIME === "Bun"
    ? [`--preload=${join(HOME, "tests/support/bun_std.ts")}`, "run"]
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
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", `${before}${AS_ORDINARY_USER}`, "sh", ...command],
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
