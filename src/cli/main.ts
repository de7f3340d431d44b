// Deno and Bun: both offer this part of `process`.
import { runCommand } from "./command.ts";
import { quote } from "../core/quote.ts";
import {
  BrokenPipeError,
  LoadError,
  type Outlet,
  WriteError,
} from "./shell.ts";
import { bunWords, denoWords } from "./start.ts";

interface Stream {
  readonly isTTY?: boolean;
  write(
    output: string | Uint8Array,
    done: (error?: unknown) => void,
  ): boolean;
  on(event: "error", listener: () => void): void;
}

interface Host {
  readonly process: {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdout: Stream;
    readonly stderr: Stream;
    exitCode: number | undefined;
  };
  readonly Deno?: {
    readonly noColor: boolean;
    readonly permissions: {
      querySync(
        name: { readonly name: "env"; readonly variable: string },
      ): { readonly state: string };
    };
  };
}

/** How long a scan may take without a word. */
const PATIENCE_MS = 1000;

/** Runs the command line of this process. */
export async function main(): Promise<void> {
  // The types of the runtime are not the package's to name, so it says what it needs.
  const host = globalThis as unknown as Host;
  const { process } = host;
  process.exitCode = await runCommand({
    args: process.argv.slice(2),
    output: outletOf(process.stdout),
    errors: outletOf(process.stderr),
    styles: takesStyles(host),
    patienceMs: PATIENCE_MS,
    program: (folders) => wordsFor(host, folders),
    version: readVersion,
  });
}

function outletOf(stream: Stream): Outlet {
  // Whoever wrote hears of the failure; unheard, the event would end the process.
  stream.on("error", () => {});
  return {
    isTerminal: stream.isTTY === true,
    write: (output) =>
      new Promise<void>((resolve, reject) => {
        stream.write(output, (error) => error ? reject(error) : resolve());
      }).catch((error) => {
        // To a file, Deno writes at once, and throws what others hand over.
        throw failureOf(error);
      }),
  };
}

function failureOf(error: unknown): Error {
  const { code = "unknown" } = Object(error) as { readonly code?: unknown };
  if (code === "EPIPE") {
    return new BrokenPipeError("Cannot write: no one reads on");
  }
  return new WriteError(
    `Cannot write the output: the system failed (${code}); make room for it, or write it elsewhere`,
  );
}

/** Deno would ask the user for leave to look at a variable, so ask whether it would. */
function takesStyles({ process, Deno }: Host): boolean {
  if (Deno?.noColor) return false;
  const value = (variable: string) =>
    Deno === undefined ||
      Deno.permissions.querySync({ name: "env", variable }).state === "granted"
      ? process.env[variable]
      : undefined;
  return !value("NO_COLOR") && value("TERM") !== "dumb";
}

/** How this program can be started, wherever it is from: not every runtime tells. */
function wordsFor({ Deno }: Host, folders: readonly string[]): string[] {
  const address = import.meta.url;
  if (Deno === undefined) return bunWords(address);
  return denoWords(address, folders);
}

/** Only who asks for the version waits for the file that holds it. */
async function readVersion(): Promise<string> {
  try {
    const { default: { name, version } } = await import("../../deno.json", {
      with: { type: "json" },
    });
    return `${name} ${version}`;
  } catch (error) {
    const { message } = Object(error) as Error;
    if (!message.includes("read access")) throw error;
    const { pathname } = new URL("../../deno.json", import.meta.url);
    const path = decodeURIComponent(pathname);
    throw new LoadError(
      `Cannot tell the version: Deno may not read ${
        quote(path)
      }; add it to --allow-read`,
    );
  }
}
