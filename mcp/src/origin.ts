// Runtime-agnostic.
import type { FsPort } from "@agent-tools/read-file";
import config from "../deno.json" with { type: "json" };

/** What the library imports from elsewhere, when it is published. */
export const LIBRARY_MODULES: readonly string[] = [
  "jsr:@std/path@^1.1.3",
  "jsr:@std/streams@^1.0.9",
  "jsr:@std/toml@^1.0.2",
];

/** How a server was started. */
export interface Started {
  /** Where its own code is. */
  readonly address: string;
  /** Where a module is taken from; it may throw. */
  readonly resolve: (name: string) => string;
  /** The options of the runtime, if it tells them. */
  readonly options: readonly string[];
  /** The working directory in Bun, which looks there for `bunfig.toml`. */
  readonly bunDirectory: string | undefined;
}

/**
 * Finds code of this process that was taken from a directory that it serves. It
 * is a help against mistakes: code that has run before can keep it from being
 * told.
 */
export async function codeFrom(
  directories: readonly string[],
  fs: FsPort,
  { address, resolve, options, bunDirectory }: Started,
): Promise<string[]> {
  const modules = [...Object.values(config.imports), ...LIBRARY_MODULES];
  const places = new Map([["this server", address]]);
  for (const name of modules) places.set(name, resolved(name, resolve));
  if (
    bunDirectory !== undefined &&
    !options.some((option) => /^(-c|--config)/.test(option))
  ) {
    const path = `${bunDirectory}/bunfig.toml`;
    const isThere = await attempt(() => fs.lstat(path)) !== undefined;
    if (isThere) places.set("the configuration of Bun", `file://${path}`);
  }
  const served = await Promise.all(
    directories.map((path) => attempt(() => fs.realPath(path))),
  );
  return Array.from(places)
    .filter(([, place]) => served.some((path) => isBelow(place, path)))
    .map(([name, place]) => `${name} is taken from ${place}`);
}

function isBelow(place: string, path: string | undefined): boolean {
  if (path === undefined || !place.startsWith("file:")) return false;
  const file = decodeURIComponent(new URL(place).pathname);
  return file.startsWith(path.replace(/\/?$/, "/"));
}

function resolved(name: string, resolve: Started["resolve"]): string {
  try {
    return resolve(name);
  } catch {
    return "";
  }
}

async function attempt<T>(
  get: () => T | PromiseLike<T>,
): Promise<T | undefined> {
  try {
    return await get();
  } catch {
    return undefined;
  }
}
