// Deno, Bun and Node.js: all offer `node:process`.
import process from "node:process";
import { hostFs } from "@agent-tools/read-file";
import { ReadFileError } from "@agent-tools/read-file";
import type { EncodingDetector, Revisions, View } from "@agent-tools/read-file";
import { readCommandLine, USAGE, UsageError } from "./command_line.ts";
import type { CommandLine } from "./command_line.ts";
import { codeFrom } from "./origin.ts";
import { openServer, VERSION } from "./server.ts";
import { serveStdio } from "./stdio.ts";
import { sentenceOf } from "./words.ts";

/**
 * Runs the server of this process: it serves until standard input ends.
 * Standard output is used for the protocol only.
 *
 * @example Usage
 * ```ts
 * import { main } from "@agent-tools/read-file-mcp";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await main(["--no-such-option"]), 2);
 * ```
 *
 * @param args The arguments of the program, as in `--help`.
 * @param load Loads the package that `--pdf` needs.
 * @param loadDetector Loads the package that detects legacy encodings.
 * @param loadGit Loads the package that `--git` needs.
 * @returns The exit code: 0, 1 if a directory cannot be opened, 2 for bad usage.
 */
export async function main(
  args: readonly string[],
  load: () => Promise<{ pdfView(): View }> = loadPdf,
  loadDetector: () => Promise<{ legacyDetector(): EncodingDetector }> =
    loadDetect,
  loadGit: () => Promise<{
    gitRevisions(options: { readonly allow: readonly string[] }): Revisions;
  }> = loadRevisions,
): Promise<0 | 1 | 2> {
  const log = (message: string) => {
    const { stderr } = process;
    // If the client closes stderr, an error without a listener would end the server.
    if (stderr.listenerCount("error") === 0) stderr.on("error", () => {});
    try {
      stderr.write(`read-file-mcp: ${message}\n`);
    } catch {
      // Deno throws if a disk is full.
    }
  };
  const print = (text: string) =>
    process.stdout.on("error", ({ message }) => log(message)).write(text);
  try {
    const options = readCommandLine(args);
    if (options === "help") print(USAGE);
    else if (options === "version") print(`${VERSION}\n`);
    else {
      const cwd = process.cwd();
      const loads = [load, loadDetector, loadGit] as const;
      const connect = await openFor(options, cwd, log, ...loads);
      const { directories } = options;
      const served = directories.length > 0 ? directories : [cwd];
      const started = {
        address: import.meta.url,
        resolve: import.meta.resolve,
        options: process.execArgv,
        bunDirectory: "bun" in process.versions ? cwd : undefined,
      };
      for (const found of await codeFrom(served, hostFs(), started)) {
        log(
          `not safe: ${found}, in a directory that is served; "Where it is started" in the README shows safe starts`,
        );
      }
      serveStdio(connect, log);
    }
    return 0;
  } catch (error) {
    log(sentenceOf(error as Error));
    // The library throws a `TypeError` for a --deny that cannot match anything.
    const isUsage = error instanceof UsageError || error instanceof TypeError;
    if (!isUsage) return 1;
    process.stderr.write(`\n${USAGE}`);
    return 2;
  }
}

/** Opens the directories of a command line, and returns a function that serves a client. */
export async function openFor(
  options: CommandLine,
  cwd: string,
  log: (message: string) => void,
  load = loadPdf,
  loadDetector = loadDetect,
  loadGit = loadRevisions,
): ReturnType<typeof openServer> {
  return await openServer({
    ...options,
    fs: hostFs(),
    fallback: cwd,
    log,
    views: options.pdf ? [(await load()).pdfView()] : [],
    detect: lazyDetector(loadDetector, log),
    revisions: options.git
      ? gitOf(await loadGit(), options.gitAllow)
      : undefined,
  });
}

/** The revisions of the repositories that the directories lie in. */
function gitOf(
  { gitRevisions }: GitPackage,
  allow: readonly string[] = [],
): Revisions {
  const revisions = gitRevisions({ allow });
  return {
    async open(...args) {
      try {
        return await revisions.open(...args);
      } catch (error) {
        const isOutside = error instanceof ReadFileError &&
          error.is("OUTSIDE_WORKSPACE");
        if (!isOutside) throw error;
        const hint = "ask the user to name that folder with --git-allow";
        throw error.with({ hint });
      }
    },
  };
}

type GitPackage = {
  gitRevisions(options: { readonly allow: readonly string[] }): Revisions;
};
type PdfPackage = { pdfView(): View };
type DetectPackage = { legacyDetector(): EncodingDetector };

const loadPdf = () => loadPackage<PdfPackage>("@agent-tools/read-file-pdf");
const loadDetect = () =>
  loadPackage<DetectPackage>("@agent-tools/read-file-detect");
const loadRevisions = () =>
  loadPackage<GitPackage>("@agent-tools/read-file-git");

/** Loads a package when it is used. The name is not a literal, since Deno would download the package at each start. */
async function loadPackage<Package>(name: string): Promise<Package> {
  // Deno can load it from JSR even if it is not a dependency.
  const onJsr = `jsr:${name}@^0.2.0`;
  try {
    return await import(name).catch(() => import(onJsr));
  } catch (cause) {
    const problem = `${name} could not be loaded; install it beside the server`;
    throw new Error(problem, { cause });
  }
}

/** A detector that is loaded at its first call; if it cannot be loaded, files are read as UTF-8. */
export function lazyDetector(
  load: () => Promise<DetectPackage>,
  log: (message: string) => void,
): EncodingDetector {
  let loading: Promise<EncodingDetector> | undefined;
  const loaded = async () => {
    try {
      return (await load()).legacyDetector();
    } catch (error) {
      log(`legacy encodings are not detected: ${(error as Error).message}`);
      return () => [];
    }
  };
  return async (bytes) => await (await (loading ??= loaded()))(bytes);
}
