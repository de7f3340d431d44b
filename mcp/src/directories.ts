// Runtime-agnostic.
import { openWorkspace } from "@agent-tools/read-file";
import type { FsPort, WorkspaceOptions } from "@agent-tools/read-file";
import { pathFrom, type Place, type RootDirectory, Scope } from "./scope.ts";

type Directory = Omit<RootDirectory, "name">;

type OpeningOptions = Pick<WorkspaceOptions, "deny" | "views" | "detect">;

export async function openDirectories(
  fs: FsPort,
  paths: readonly string[],
  options: OpeningOptions,
): Promise<readonly RootDirectory[]> {
  const found: Directory[] = [];
  for (const given of paths) {
    const workspace = await openWorkspace(given, { ...options, fs });
    found.push({ path: await fs.realPath(given), workspace });
  }
  return withNames(found);
}

/** Opens the directories that a client names as its roots. */
export async function openRoots(
  fs: FsPort,
  uris: readonly string[],
  options: OpeningOptions,
) {
  const { found, unserved } = await findEach(
    uris,
    async (path) =>
      await attempt(() => openDirectories(fs, [path], options)) ?? [],
  );
  return { scope: new Scope(withNames(found)), unserved };
}

/**
 * Keeps all directories. Relative paths start at the first root of the client
 * that lies in a directory, or contains one.
 */
export async function scopeFrom(
  fs: FsPort,
  roots: readonly RootDirectory[],
  uris: readonly string[],
) {
  const { found: [base], unserved } = await findEach(
    uris,
    async (path) => placeOf(roots, await realPathOf(fs, path)),
  );
  return { scope: new Scope(roots, base), unserved };
}

/**
 * Keeps the intersection with the client's roots: a root in a directory, or a
 * directory in a root. Real paths are compared.
 */
export async function scopeWithin(
  fs: FsPort,
  roots: readonly RootDirectory[],
  uris: readonly string[],
) {
  const { found, unserved } = await findEach(uris, async (path) => {
    const real = await realPathOf(fs, path);
    const parts: Directory[] = [];
    for (const { path, workspace } of roots) {
      const root = pathFrom(path, real);
      if (pathFrom(real, path) !== undefined) parts.push({ path, workspace });
      else if (root !== undefined) {
        const narrow = await attempt(() => workspace.narrow({ root }));
        if (narrow !== undefined) parts.push({ path: real, workspace: narrow });
      }
    }
    return parts;
  });
  return { scope: new Scope(withNames(found)), unserved };
}

/** Finds what is served for each root; a root that does not exist, or lies elsewhere, is unserved. */
async function findEach<Found>(
  uris: readonly string[],
  find: (path: string) => Promise<readonly Found[]>,
): Promise<{ found: Found[]; unserved: string[] }> {
  const found: Found[] = [];
  const unserved: string[] = [];
  for (const uri of uris) {
    const path = pathOf(uri);
    const parts = path === undefined ? [] : await find(path);
    if (parts.length === 0) unserved.push(uri);
    found.push(...parts);
  }
  return { found, unserved };
}

/** Where a root lies in the directories; or the first directory that it contains. */
function placeOf(roots: readonly RootDirectory[], real: string): Place[] {
  const holding = roots.flatMap((root) => {
    const path = pathFrom(root.path, real);
    return path === undefined ? [] : [{ root, path }];
  });
  // The innermost directory gives the shortest path.
  holding.sort((one, other) => one.path.length - other.path.length);
  const inner = roots
    .filter(({ path }) => pathFrom(real, path) !== undefined)
    .map((root) => ({ root, path: "" }));
  return [...holding, ...inner].slice(0, 1);
}

/** Names each directory by the last part of its path, and numbers equal names. */
function withNames(directories: readonly Directory[]): RootDirectory[] {
  const named = new Map<string, RootDirectory>();
  const taken = new Set<string>();
  for (const { path, workspace } of directories) {
    if (named.has(path)) continue;
    const base = path.slice(path.lastIndexOf("/") + 1) || "root";
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}-${count}`;
    taken.add(name);
    named.set(path, { name, path, workspace });
  }
  return [...named.values()];
}

/** The path of a root; `undefined` if its URI is not one of a local file. */
function pathOf(uri: string): string | undefined {
  try {
    const { protocol, hostname, pathname } = new URL(uri);
    if (protocol !== "file:" || !/^(localhost)?$/.test(hostname)) return;
    return decodeURIComponent(pathname).replace(/(.)\/+$/, "$1");
  } catch {
    return undefined;
  }
}

async function realPathOf(fs: FsPort, path: string): Promise<string> {
  return await attempt(() => fs.realPath(path)) ?? path;
}

/** Returns the result, or `undefined` for any failure. */
export async function attempt<T>(
  act: () => T | PromiseLike<T>,
): Promise<T | undefined> {
  try {
    return await act();
  } catch {
    return undefined;
  }
}
