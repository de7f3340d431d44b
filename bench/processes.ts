// The system's own tools, which an agent would use instead.
import { spawnSync } from "node:child_process";
import type { Command } from "./host.ts";
import type { Contender } from "./stats.ts";

/** A process that does nothing, to measure what starting one costs. */
export const EMPTY: Contender = {
  name: "an empty process",
  run: () => runProcess(["true"]),
};

/** Runs a command to its end, and returns its output. */
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

/** A command that is timed. */
export function contender(name: string, command: Command): Contender {
  return { name, run: () => runProcess(command) };
}
