// Runs a program and all that it starts: a process group, which ends as one.
import { spawn } from "node:child_process";
import { Buffer } from "node:buffer";
import process from "node:process";

/** How a program ended, and what it printed. */
export interface Ended {
  /** Its exit code, or `null` if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it was ended at its limit. */
  readonly isOverdue: boolean;
}

/** The leaders of the groups that run. */
const leaders = new Set<number>();

/** Ends all groups that run. */
export function endGroups(): void {
  for (const leader of leaders) endGroup(leader);
}

/** Runs a program for so long at most; none of its descendants is left. */
export async function runGroup(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<Ended> {
  const child = spawn(program, args, {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const leader = child.pid!;
  leaders.add(leader);
  let isOverdue = false;
  const limit = setTimeout(() => {
    isOverdue = true;
    endGroup(leader);
  }, limitMs);
  // A descendant that is left would hold the output open.
  child.once("exit", () => endGroup(leader));
  const closed = new Promise<number | null>((resolve) =>
    child.once("close", resolve)
  );
  const printed = [child.stdout, child.stderr].map(async (stream) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  });
  const [stdout = "", stderr = ""] = await Promise.all(printed);
  const code = await closed;
  clearTimeout(limit);
  leaders.delete(leader);
  return { code, stdout, stderr, isOverdue };
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}
