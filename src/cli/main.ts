// Deno and Bun: both offer this part of `process`.
import { runCommand } from "./command.ts";

interface Stream {
  readonly isTTY?: boolean;
  write(output: string | Uint8Array): boolean;
  on(event: "error", listener: (error: { code?: string }) => void): void;
}

interface NodeHost {
  readonly process: {
    readonly argv: readonly string[];
    readonly stdout: Stream;
    readonly stderr: Stream;
    exitCode: number | undefined;
  };
}

/** Runs the command line of this process. */
export async function main(): Promise<void> {
  // The types of the runtime are not the package's to name, so it says what it needs.
  const { process } = globalThis as unknown as NodeHost;
  // Whoever reads our output may have seen enough, as `head` has.
  process.stdout.on("error", ({ code }) => {
    if (code !== "EPIPE") process.exitCode = 1;
  });
  process.exitCode = await runCommand({
    args: process.argv.slice(2),
    isTerminal: process.stdout.isTTY === true,
    print: (output) => process.stdout.write(output),
    complain: (message) => process.stderr.write(message),
  });
}
