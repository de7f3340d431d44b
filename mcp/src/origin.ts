import type { FsPort } from "@agent-tools/read-file";
import config from "../deno.json" with { type: "json" };
import { attempt } from "./directories.ts";

/** The modules that the library imports. */
export const LIBRARY_MODULES: readonly string[] = [
  "jsr:@std/path@^1.1.3",
  "jsr:@std/streams@^1.0.9",
  "jsr:@std/toml@^1.0.9",
];

/** How a server was started. */
export interface Started {
  readonly address: string;
  /** Returns the URL of a module; may throw. */
  readonly resolve: (name: string) => string;
  readonly options: readonly string[];
  /** The working directory in Bun, which takes `bunfig.toml` from there. */
  readonly bunDirectory: string | undefined;
}

/** The files of the working directory by which Bun loads code, and the options that name others. */
const BUN_FILES = [
  ["jsconfig.json", /^--tsconfig-override/],
  ["tsconfig.json", /^--tsconfig-override/],
  ["bunfig.toml", /^(-c|--config)/],
] as const;

/**
 * Finds modules of this process that were loaded from a directory that it
 * serves. This protects against mistakes only: code that ran before can hide
 * itself.
 */
export async function codeFrom(
  directories: readonly string[],
  fs: FsPort,
  { address, resolve, options, bunDirectory }: Started,
): Promise<string[]> {
  const modules = [...Object.values(config.imports), ...LIBRARY_MODULES];
  const places = new Map([["this server", address]]);
  for (const name of modules) {
    places.set(name, await attempt(() => resolve(name)) ?? "");
  }
  const home = bunDirectory === undefined
    ? undefined
    : await attempt(() => fs.realPath(bunDirectory));
  for (const [file, option] of BUN_FILES) {
    const isOff = options.some((given) => option.test(given));
    if (home === undefined || isOff) continue;
    const path = `${home}/${file}`;
    const isThere = await attempt(() => fs.lstat(path)) !== undefined;
    if (isThere) places.set("the configuration of Bun", `file://${path}`);
  }
  const served = await Promise.all(
    directories.map((path) => attempt(() => fs.realPath(path))),
  );
  const isCased = fs.spelling?.foldsNames !== true;
  return Array.from(places)
    .filter(([, place]) => served.some((path) => isBelow(place, path, isCased)))
    .map(([name, place]) => `${name} is taken from ${place}`);
}

function isBelow(
  place: string,
  path: string | undefined,
  isCased: boolean,
): boolean {
  if (path === undefined || !place.startsWith("file:")) return false;
  const { host, pathname } = new URL(place);
  const file = decodeURIComponent(
    host === "" ? pathname : `/${host}${pathname}`,
  );
  const folder = path.replace(/\/?$/, "/");
  return isCased
    ? file.startsWith(folder)
    : file.toLowerCase().startsWith(folder.toLowerCase());
}
