// The peak memory of this process.
import { readFileSync } from "node:fs";

/** The peak memory in bytes; Linux only. */
export function peakBytes(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
