// Runs a program with all its descendants as a process group, which ends as a whole.
import { spawn } from "node:child_process";
import { Buffer } from "node:buffer";
import process from "node:process";

/** The result of a program. */
export interface Ended {
  /** Its exit code; `null` if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the time limit ended it. */
  readonly isOverdue: boolean;
}

/** The leaders of the running groups. */
const leaders = new Set<number>();

/** Kills all running groups. */
export function endGroups(): void {
  for (const leader of leaders) endGroup(leader);
}

/** Runs a program with a time limit; no descendant survives it. */
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
  // A surviving descendant would keep the output open.
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
    // The whole group has ended.
  }
}
