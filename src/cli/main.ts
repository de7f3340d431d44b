// Deno and Bun.
import type { FsPort } from "../core/base/port.ts";
import { plainPath } from "../fs/directory.ts";
import { runCommand } from "./command.ts";
import { quote } from "../core/base/words.ts";
import { replacedModules } from "./replaced.ts";
import {
  BrokenPipeError,
  LoadError,
  type Outlet,
  WriteError,
} from "./target.ts";

/**
 * What a runtime must be let read for a workspace: the directory as it is named
 * and, if a link is on the way, also where that leads.
 */
export async function foldersOf(
  workspace: string,
  fs: FsPort,
): Promise<readonly string[]> {
  const real = await realPathOf(workspace, fs);
  if (workspace === "." || real === undefined) return [workspace];
  const here = workspace.startsWith("/") ? "" : await realPathOf(".", fs);
  // Whoever may not look at the current directory is told both, which is right too.
  const isPlain = here !== undefined &&
    plainPath(`${here}/${workspace}`) === real;
  return isPlain ? [workspace] : [workspace, real];
}

async function realPathOf(
  path: string,
  fs: FsPort,
): Promise<string | undefined> {
  try {
    return await fs.realPath(path);
  } catch {
    return undefined;
  }
}

/** Where the command line has come from. */
interface Origin {
  /** The folder that holds `mod.ts`, with a slash behind it. */
  readonly home: string;
  /** What can be run: a file, an address, or a package of the registry. */
  readonly program: string;
  readonly kind: "remote" | "package" | "checkout";
}

/** Tells by the address of a file in `src/cli` where all of it has come from. */
function originOf(address: string): Origin {
  const { protocol, pathname, href } = new URL("../..", address);
  const home = decodeURIComponent(pathname);
  // What the registry hands to npm is compiled, and its imports lead to npm.
  const isCompiled = address.endsWith(".js");
  const entry = isCompiled ? "mod.js" : "mod.ts";
  if (protocol !== "file:") {
    const onJsr = /^\/(@[^/]+\/[^/]+)\/([^/]+)\/$/.exec(pathname);
    const program = onJsr === null
      ? `${href}${entry}`
      : `jsr:${onJsr[1]}@${onJsr[2]}`;
    return { home, program, kind: "remote" };
  }
  const kind = isCompiled ? "package" : "checkout";
  return { home, program: `${home}${entry}`, kind };
}

/**
 * The words that start the command line in Deno, from any directory, with leave
 * to read `folders`. A program on a disk must be let read its own later parts,
 * and in a checkout the standard library is npm's.
 */
export function denoWords(
  address: string,
  folders: readonly string[],
): string[] {
  const { home, program, kind } = originOf(address);
  const parts = kind === "remote" ? [] : [`${home}src/cli`];
  const allowed = [...folders, ...parts].map(nameable).join(",");
  const library = [
    // The working directory may be another's: its deno.json could replace modules.
    "--no-config",
    "--no-lock",
    `--node-modules-dir=${kind === "package" ? "manual" : "none"}`,
    ...kind === "checkout" ? [`--import-map=${home}tests/npm_std.json`] : [],
  ];
  return ["deno", "run", ...library, `--allow-read=${allowed}`, program];
}

/** The words that start the command line in Bun, from any directory. */
export function bunWords(address: string): string[] {
  const { home, program, kind } = originOf(address);
  const library = kind === "checkout"
    ? ["--preload", `${home}tests/support/bun_std.ts`]
    : [];
  // The bunfig.toml of the working directory could run code of its own.
  return ["bun", "run", "--config=/dev/null", ...library, program];
}

/**
 * What Deno can be told to let be read: it takes each comma for the end of a
 * path, so that where one holds a comma it is the folder above that.
 */
function nameable(path: string): string {
  const comma = path.indexOf(",");
  if (comma === -1) return path;
  const slash = path.lastIndexOf("/", comma);
  return slash === -1 ? "." : path.slice(0, slash) || "/";
}

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
  const errors = outletOf(process.stderr);
  const { url, resolve } = import.meta;
  for (const sentence of replacedModules(url, resolve)) {
    await errors.write(`${sentence}\n`);
  }
  process.exitCode = await runCommand({
    args: process.argv.slice(2),
    output: outletOf(process.stdout),
    errors,
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
