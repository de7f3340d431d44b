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
  /** Whether it was ended because it printed nothing for too long. */
  readonly isStalled: boolean;
}

/** How long a program may print nothing. */
export interface Patience {
  /** How often to look whether it printed something. */
  readonly everyMs: number;
  /** After how many looks in a row without output it is ended. */
  readonly looks: number;
}

/** The leaders of the running groups. */
const leaders = new Set<number>();

/** Kills all running groups. */
export function endGroups(): void {
  for (const leader of leaders) endGroup(leader);
}

/**
 * Runs a program as long as it prints; no descendant survives it.
 * Looks are counted instead of time: a machine that stands still, or does not let
 * this process look, ends nothing.
 */
export async function runGroup(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { everyMs, looks }: Patience,
): Promise<Ended> {
  const child = spawn(program, args, {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const leader = child.pid!;
  leaders.add(leader);
  let isStalled = false;
  let silent = 0;
  const looking = setInterval(() => {
    if (silent++ < looks) return;
    isStalled = true;
    endGroup(leader);
  }, everyMs);
  // A surviving descendant would keep the output open.
  child.once("exit", () => endGroup(leader));
  const closed = new Promise<number | null>((resolve) =>
    child.once("close", resolve)
  );
  const printed = [child.stdout, child.stderr].map(async (stream) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) {
      silent = 0;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  });
  const [stdout = "", stderr = ""] = await Promise.all(printed);
  const code = await closed;
  clearInterval(looking);
  leaders.delete(leader);
  return { code, stdout, stderr, isStalled };
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // The whole group has ended.
  }
}
