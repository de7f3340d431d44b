/** Runs `mod.ts` as a program, as a consumer would. */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { runtimeCommand } from "../support/runtime.ts";

const here = (path: string) => new URL(path, import.meta.url).pathname;

/** The program. */
export const MOD: string = here("../../mod.ts");

/** What the command line loads dynamically: Deno needs permission for that. */
const PARTS = ["src/cli", "highlight", "deno.json"]
  .map((path) => here(`../../${path}`)).join();

/** The command that runs `mod.ts`; Deno may read only `folder`. */
export function programIn(folder: string): string[] {
  return runtimeCommand([`--allow-read=${folder},${PARTS}`], MOD);
}

/** The result of a program. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** Runs the program in `folder`. */
export function runIn(folder: string, args: readonly string[]): Ended {
  const [command, ...rest] = programIn(folder);
  const { stdout, stderr, status } = spawnSync(command!, [...rest, ...args], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { stdout, stderr, status };
}

/** Runs a line of the shell in `folder`, in which `$READ` is the program. */
export function shellIn(
  folder: string,
  line: string,
  environment: Readonly<Record<string, string>> = {},
): Ended {
  const { stdout, stderr, status } = spawnSync("sh", ["-c", line], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      // Independent of the terminal of the tests.
      NO_COLOR: "",
      TERM: "xterm",
      READ: programIn(folder).join(" "),
      ...environment,
    },
  });
  return { stdout, stderr, status };
}
