import { ByteSliceStream } from "@std/streams/byte-slice-stream";
import { toArrayBuffer } from "@std/streams/to-array-buffer";
import { codeOf } from "../core/base/errno.ts";
import { runCommand } from "./command.ts";
import { BrokenPipeError, HostError, type Outlet } from "./shell.ts";

/** The parts of Node.js that write, and that tell a terminal. */
interface Builtins {
  readonly "node:fs": {
    fstatSync(fd: number): { isCharacterDevice(): boolean };
    write(
      fd: number,
      bytes: Uint8Array,
      done: (error: unknown, written: number) => void,
    ): void;
  };
  readonly "node:stream": {
    readonly Readable: {
      toWeb(stream: unknown): ReadableStream<Uint8Array>;
    };
  };
  readonly "node:tty": { isatty(fd: number): boolean };
}

interface Host {
  readonly process: {
    readonly argv: readonly string[];
    readonly stdin: unknown;
    readonly env: Readonly<Record<string, string | undefined>>;
    exitCode: number | undefined;
    getBuiltinModule<Name extends keyof Builtins>(name: Name): Builtins[Name];
  };
  readonly Deno?: { readonly noColor: boolean };
}

/** How long a scan may take before progress is shown. */
const PATIENCE_MS = 1000;

/**
 * Runs the command line if `program`, the URL of the main module, is the `mod` of
 * this package: in a bundle that kept the call, it is someone else's program.
 */
export async function start(program: string): Promise<void> {
  const home = /^(.*\/)src\/cli\/main(\.[jt]s)$/.exec(import.meta.url);
  if (home && program === `${home[1]}mod${home[2]}`) await main();
}

export async function main(): Promise<void> {
  // Cast, since the package must compile without the types of any runtime.
  const host = globalThis as unknown as Host;
  const { process } = host;
  const errors = outletOf(2, host);
  const { url, resolve } = import.meta;
  for (const sentence of replacedModules(url, resolve)) {
    await errors.write(`${sentence}\n`);
  }
  process.exitCode = await runCommand({
    args: process.argv.slice(2),
    output: outletOf(1, host),
    errors,
    styles: takesStyles(host),
    patienceMs: PATIENCE_MS,
    version: readVersion,
    readInput: (most) => readInput(host, most),
    async pause(ms) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return true;
    },
  });
}

/** Reads the standard input to its end; fails if it has more than so many bytes. */
async function readInput(
  { process }: Host,
  most: number,
): Promise<Uint8Array> {
  const { Readable } = process.getBuiltinModule("node:stream");
  let bytes: Uint8Array;
  try {
    // One byte more shows that there is more.
    const begin = Readable.toWeb(process.stdin)
      .pipeThrough(new ByteSliceStream(0, most));
    bytes = new Uint8Array(await toArrayBuffer(begin));
  } catch (error) {
    throw new HostError(
      `Cannot read the standard input: the system failed (${
        codeOf(error)
      }); give it a file or a pipe`,
    );
  }
  if (bytes.length <= most) return bytes;
  throw new HostError(
    `The standard input holds more than ${most} bytes; write it to a file, and name that`,
  );
}

/** Writes by `node:fs`: a write to a closed pipe fails there, and a stream of the process would emit an event. */
function outletOf(fd: 1 | 2, { process, Deno }: Host): Outlet {
  const fs = process.getBuiltinModule("node:fs");
  return {
    isTerminal: mayBeTerminal(fs, fd) &&
      process.getBuiltinModule("node:tty").isatty(fd),
    async write(output) {
      try {
        await writeAll(fs, fd, output, Deno === undefined);
      } catch (error) {
        const code = codeOf(error);
        if (code === "EPIPE") {
          throw new BrokenPipeError("The reader closed the pipe");
        }
        const problem = `the system failed (${code})`;
        throw new HostError(
          `Cannot write the output: ${problem}; make room for it, or write it elsewhere`,
        );
      }
    },
  };
}

/** Whether `node:tty` must be asked: it is not asked for a file or a pipe. On Windows, Deno cannot describe a pipe, and fails with `EISDIR`. */
function mayBeTerminal(fs: Builtins["node:fs"], fd: number): boolean {
  try {
    return fs.fstatSync(fd).isCharacterDevice();
  } catch {
    return true;
  }
}

/** How long to wait for room in a pipe that another program made non-blocking. */
const ROOM_MS = 5;

/**
 * Writes everything. With `waits`, waits for room in a pipe that is full; Deno
 * does not say how much it wrote before the pipe was full.
 */
async function writeAll(
  fs: Builtins["node:fs"],
  fd: number,
  output: string | Uint8Array,
  waits: boolean,
): Promise<void> {
  const isText = typeof output === "string";
  let rest = isText ? new TextEncoder().encode(output) : output;
  while (rest.length > 0) {
    const { error, written } = await writeSome(fs, fd, rest);
    if (!error) rest = rest.subarray(written);
    else if (!waits || codeOf(error) !== "EAGAIN") throw error;
    else await new Promise((resolve) => setTimeout(resolve, ROOM_MS));
  }
}

function writeSome(
  fs: Builtins["node:fs"],
  fd: number,
  bytes: Uint8Array,
): Promise<{ readonly error: unknown; readonly written: number }> {
  return new Promise((resolve) =>
    fs.write(fd, bytes, (error, written) => resolve({ error, written }))
  );
}

/** Whether the terminal takes styles; Deno would ask for permission to read a variable. */
function takesStyles({ process: { env }, Deno }: Host): boolean {
  if (Deno !== undefined) return !Deno.noColor;
  return !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** Reads the version, from a file that is loaded only for it. */
async function readVersion(): Promise<string> {
  const { default: { name, version } } = await import("../../deno.json", {
    with: { type: "json" },
  });
  return `${name} ${version}`;
}

/** The modules from the registry that the program imports. */
export const MODULES: readonly string[] = [
  "jsr:@std/path@^1.1.3",
  "jsr:@std/streams@^1.0.9",
  "jsr:@std/toml@^1.0.9",
];

/**
 * Makes a warning for each module that a configuration replaces by a local file,
 * if the program comes from the registry. This protects against mistakes only:
 * code that runs earlier can suppress the warning. `address` is the URL of the
 * program.
 */
export function replacedModules(
  address: string,
  resolve: (name: string) => string,
): string[] {
  // The modules of a checkout and of an installed package are files.
  if (address.startsWith("file:")) return [];
  return MODULES.map((name) => [name, resolve(name)] as const)
    .filter(([, place]) => place.startsWith("file:"))
    .map(([name, place]) =>
      `Not safe: ${name} is taken from ${place}, by a configuration of the working directory; start Deno with --no-config --no-lock --node-modules-dir=none`
    );
}
