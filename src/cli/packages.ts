// Deno and Bun: their specifiers of packages differ.
import type { FsPort } from "../core/base/port.ts";
import type { EncodingDetector } from "../core/encodings/encodings.ts";
import type { Revisions } from "../core/revisions.ts";

/** Colors lines of a file; returns as many. */
export type Highlight = (
  lines: readonly string[],
  path: string,
) => readonly string[];

/** What the command line says about a repository. */
interface GitOptions {
  readonly fs?: FsPort;
  readonly allow: readonly string[];
}

/** The packages that the command line loads if they are there. */
interface Packages {
  detect: { legacyDetector(): EncodingDetector };
  highlight: { highlightLines: Highlight };
  git: { gitRevisions(options: GitOptions): Revisions };
}

/** Loads a package by a computed name, so that it is not a dependency of the library. */
async function loadPackage<Part extends keyof Packages>(
  part: Part,
): Promise<Packages[Part]> {
  const name = `@agent-tools/read-file-${part}`;
  // Deno can load it from JSR even if it is not a dependency.
  const onJsr = `jsr:${name}@^0.2.0`;
  return await import(name).catch(() => import(onJsr));
}

const loadDetector = async () => (await loadPackage("detect")).legacyDetector();

/** A detector that is loaded at its first call. If that fails, it warns, and files are read as UTF-8. */
export function lazyDetector(
  warn: (message: string) => Promise<void>,
  load: () => Promise<EncodingDetector> = loadDetector,
): EncodingDetector {
  let loading: Promise<EncodingDetector> | undefined;
  return async (bytes) => {
    loading ??= load().catch(async () => {
      await warn(
        "Cannot tell the encoding: @agent-tools/read-file-detect could not be loaded; install it beside this package, or name one with --encoding",
      );
      return () => [];
    });
    return await (await loading)(bytes);
  };
}

export async function loadHighlight(): Promise<Highlight> {
  return (await loadPackage("highlight")).highlightLines;
}

export async function loadGit(): Promise<Packages["git"]["gitRevisions"]> {
  return (await loadPackage("git")).gitRevisions;
}
