// The tools of the system, which an agent could use instead.
import { spawnSync } from "node:child_process";
import type { Command } from "./host.ts";
import type { Contender } from "./stats.ts";

/** A process that does nothing, to measure the cost of starting one. */
export const EMPTY: Contender = {
  name: "an empty process",
  run: () => runProcess(["true"]),
};

/** Runs a command, and returns its output. */
export function runProcess([program, ...args]: Command): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  if (status !== 0) {
    throw new Error(`${program} failed with ${status}: ${stderr}`);
  }
  return stdout;
}

/** A command as a contender. */
export function contender(name: string, command: Command): Contender {
  return { name, run: () => runProcess(command) };
}
