/** Runs one race between a victim that reads and an attacker that swaps. */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { RUNTIME } from "../support/disk.ts";
import { type Mode, setStage, type Stage } from "./stage.ts";
import { AT_WORK, type Tally } from "./tally.ts";

/** The runtime of the victim, and its permissions. */
export type Setting = "deno --allow-read=ws" | "deno -A" | "bun";

/** All settings. */
export const SETTINGS: readonly Setting[] = [
  "deno --allow-read=ws",
  "deno -A",
  "bun",
];

/** How the attacker swaps: as fast as it can, or alternately fast and rarely. */
export type Pace = "fast" | "turns";

/** Both paces. */
export const PACES: readonly Pace[] = ["fast", "turns"];

/** The readers to race, and the limits. */
export interface Plan {
  readonly mode: Mode;
  readonly pace: Pace;
  readonly setting: Setting;
  readonly readers: readonly string[];
  /** The number of reads of each reader during the attack, each file that a search opens being one; before it, a fifth of them. The control continues until it leaks. */
  readonly count: number;
  /** The time limit in seconds of each reader, before and during the attack. */
  readonly seconds: number;
}

/** The result of a race. */
export interface Outcome {
  /** One tally for each reader, before the attack. */
  readonly calm: readonly Tally[];
  /** One tally for each reader, under attack. */
  readonly attacked: readonly Tally[];
  /** Swaps per second. */
  readonly swaps: number;
}

/** A victim that is silent this long, beyond the time limit of a reader, counts as hung. */
const GRACE_SECONDS = 90;

/** The attacker stops on request; this limit stops an attacker whose parent was killed. */
const MOST_ATTACK_SECONDS = 24 * 60 * 60;

/** Runs one race; always removes its processes and files. */
export async function race(plan: Plan): Promise<Outcome> {
  const stage = setStage(plan.mode);
  const limit = plan.seconds + GRACE_SECONDS;
  const victim = new Party(victimCommand(plan, stage), limit);
  try {
    const calm = JSON.parse(await victim.line()) as Tally[];
    stage.begin();
    const swapper = new Party(
      [
        ...[bun(), here("./swapper.ts"), ...stage.swap],
        ...[plan.pace, String(MOST_ATTACK_SECONDS)],
      ],
      limit,
    );
    try {
      await swapper.line();
      victim.tell("go\n");
      const attacked = JSON.parse(await victim.line()) as Tally[];
      swapper.tell("");
      return { calm, attacked, swaps: Number(await swapper.line()) };
    } finally {
      await swapper.end();
    }
  } finally {
    await victim.end();
    stage.clear();
  }
}

/** A child process that gets commands, and answers with lines. */
class Party {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;
  readonly #seconds: number;
  #errors = "";

  /** Starts the child; it may be silent for at most `seconds`. */
  constructor([command, ...args]: readonly string[], seconds: number) {
    const child = spawn(command!, args, { stdio: "pipe" });
    this.#child = child;
    this.#seconds = seconds;
    this.#lines = createInterface({ input: child.stdout })
      [Symbol.asyncIterator]();
    child.stderr.setEncoding("utf8").on("data", (text) => this.#errors += text);
    // Ignored: the child may have exited already.
    child.stdin.on("error", () => {});
    this.#ended = new Promise((resolve) => child.on("close", resolve));
  }

  /** Its next line, except lines that only say that it is working. */
  async line(): Promise<string> {
    let value: string | undefined = AT_WORK;
    while (value === AT_WORK) {
      const timer = setTimeout(() => this.#child.kill(9), this.#seconds * 1000);
      value = (await this.#lines.next()).value;
      clearTimeout(timer);
    }
    if (value !== undefined) return value;
    const { spawnargs } = this.#child;
    throw new Error(
      `The child hung or failed: ${spawnargs.join(" ")}\n${this.#errors}`,
    );
  }

  /** Sends a command; without one, closes the input. */
  tell(words: string): void {
    if (words === "") this.#child.stdin!.end();
    else this.#child.stdin!.write(words);
  }

  /** Kills the child if it still runs. */
  async end(): Promise<void> {
    this.#child.kill(9);
    await this.#ended;
  }
}

function victimCommand(plan: Plan, { root }: Stage): string[] {
  const { mode, setting, count, seconds, readers } = plan;
  const bounds = [String(count), String(seconds)];
  const args = [mode, root, ...bounds, readers.join(",")];
  const script = here("./victim.ts");
  if (setting === "bun") {
    return [bun(), "--preload", here("../support/bun_std.ts"), script, ...args];
  }
  const map = `--import-map=${here("../npm_std.json")}`;
  const flags = [
    ...["--quiet", "--no-prompt", "--no-check", "--no-config", map],
    // Resolve npm packages from node_modules, without the network.
    "--node-modules-dir=manual",
  ];
  const allowed = setting === "deno -A" ? "-A" : `--allow-read=${root}`;
  return ["deno", "run", ...flags, allowed, script, ...args];
}

function bun(): string {
  return RUNTIME === "Bun" ? process.execPath : "bun";
}

function here(path: string): string {
  return new URL(path, import.meta.url).pathname;
}
