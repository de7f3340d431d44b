/** Runs servers that end with the tests, even if the tests are killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/**
 * Starts a command, waits for the end of standard input, and cleans up. The input
 * also ends if the tests are killed.
 */
const GUARD = `
folder=$1; shift
"$@" &
server=$!
read -r _
kill "$server"
wait "$server" 2>/dev/null
rm -rf "$folder"`;

/** A new folder that is removed with its server. */
export function serverFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "read-file-http-")));
}

/** Starts a server; its folder is removed with it. */
export function startGuarded(
  folder: string,
  command: readonly string[],
): ChildProcess {
  const child = spawn("sh", ["-c", GUARD, "sh", folder, ...command], {
    stdio: ["pipe", "pipe", "inherit"],
    // Debian installs servers in the search path of root only.
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  child.unref();
  return child;
}

/** A free port on the loopback. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = address === null || typeof address === "string"
        ? 0
        : address.port;
      server.close(() => resolve(port));
    });
  });
}

/** Waits until a server answers; gives up after some hundred attempts. */
export async function untilAnswering(url: string): Promise<boolean> {
  for (let looks = 0; looks < 400; looks++) {
    try {
      const answer = await fetch(url, { method: "HEAD" });
      await answer.body?.cancel();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return false;
}
