// The peak memory of a process for a row, compared with a process that only reads.
import { existsSync } from "node:fs";
import type { Bench, Check, Row } from "../check.ts";
import { childCommand } from "../host.ts";
import { runProcess } from "../processes.ts";
import { median } from "../stats.ts";

const MIB = 1024 * 1024;
const LIMIT_MIB = 24;

/** The tasks of the child; `bare` and `import` are the baselines. */
const TASKS = ["count", "page", "tail", "small", "whole", "block"] as const;

export const MEMORY: Row = {
  name: "memory",
  title: "peak memory, over a bare read loop",
  about:
    "The peak memory of a process that does the work of a row three times, less that of a process that only reads the log with a buffer of 256 KiB.",
  async measure({ data, quick }) {
    if (!existsSync("/proc/self/status")) return "this system has no /proc";
    const peaks = new Map<string, number[]>();
    for (let round = 0; round < (quick ? 2 : 3); round++) {
      for (const task of ["bare", "import", ...TASKS]) {
        const peak = peakOf(task, data);
        peaks.set(task, [...peaks.get(task) ?? [], peak]);
      }
    }
    const over = (task: string) =>
      (median(peaks.get(task)!) - median(peaks.get("bare")!)) / MIB;
    const check = (task: string, limit: number | null): Check => ({
      subject: task === "import" ? "mod.ts, imported only" : `row "${task}"`,
      against: "a bare read loop",
      value: over(task),
      unit: "MiB",
      limit,
    });
    return await [
      check("import", null),
      ...TASKS.map((task) => check(task, LIMIT_MIB)),
    ];
  },
};

function peakOf(
  task: string,
  { root, log, deep, small, whole, code }: Bench["data"],
): number {
  const facts = { root, log: log.path, deep, small, whole, code: code.path };
  const script = task === "bare" ? "bare.ts" : "memory.ts";
  const command = childCommand(script);
  return Number(runProcess([...command, task, JSON.stringify(facts)]));
}
