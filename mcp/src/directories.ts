// Runtime-agnostic.
import { openWorkspace, SECRET_FILES } from "@agent-tools/read-file";
import type { FsPort, WorkspaceOptions } from "@agent-tools/read-file";
import type { CommandLine } from "./command_line.ts";
import { type Json, METHOD_NOT_FOUND } from "./messages.ts";
import type { ToolRequest } from "./protocol.ts";
import { deniedByRoots, type Place, relativeTo, Scope } from "./scope.ts";
import type { RootDirectory } from "./scope.ts";
import { sentenceOf, visibleJson } from "./visible.ts";

export interface DirectoriesOptions extends CommandLine {
  /** What may be read if there are neither directories nor roots. */
  readonly fallback?: string | undefined;
}

type Directory = Omit<RootDirectory, "name">;

type Opening =
  & Pick<WorkspaceOptions, "deny" | "views" | "detect">
  & { readonly fs: FsPort };

export type ServedDirectories = Awaited<ReturnType<typeof openDirectories>>;

/** Opens the directories, and determines what the roots of a client allow to read. */
export async function openDirectories(
  given: DirectoriesOptions,
  opening: Omit<Opening, "deny">,
  log: (message: string) => void,
) {
  const { directories = [], fallback, deny = [] } = given;
  const { followRoots = false, allowSecrets = false } = given;
  const options = {
    ...opening,
    deny: [...(allowSecrets ? [] : SECRET_FILES), ...deny],
  };
  const hasDirectories = directories.length > 0;
  let opened: readonly RootDirectory[] = [];
  try {
    const paths = hasDirectories || fallback === undefined
      ? directories
      : [fallback];
    opened = withNames(await openEach(paths, options));
  } catch (error) {
    if (hasDirectories) throw error;
    log(`${sentenceOf(error as Error)}; only the client's roots are served`);
  }
  const realPathOf = async (path: string) =>
    await attempt(() => opening.fs.realPath(path)) ?? path;
  return {
    /** The directories of the command line; none if the client's roots are served. */
    directories: hasDirectories ? opened : [],
    /** The directory that is served if there are neither directories nor roots. */
    fallback: hasDirectories ? undefined : opened[0]?.path,
    followRoots,
    allowSecrets,
    /** Whether what may be read depends on the client's roots. */
    mustKnow: followRoots || !hasDirectories,
    /** Finds what these roots of a client allow to read. */
    async scopeOf(uris: readonly string[]) {
      // Without roots, all that was opened is served.
      if (uris.length === 0) return { scope: new Scope(opened), unserved: [] };
      // The directories are served, whatever the roots are; the first root that lies
      // in or around them only sets where relative paths start.
      if (hasDirectories && !followRoots) {
        const findPlace = async (path: string) =>
          await placeOf(opened, await realPathOf(path));
        const { found, unserved } = await findEach(uris, findPlace);
        const [base] = found;
        return { scope: new Scope(opened, base), unserved };
      }
      // The roots decide what is served: the directories as far as they lie in a root,
      // or without directories the roots themselves.
      const findServed = async (path: string) =>
        hasDirectories
          ? await partsWithin(opened, await realPathOf(path))
          : await attempt(() => openEach([path], options)) ?? [];
      const { found, unserved } = await findEach(uris, findServed);
      return { scope: new Scope(withNames(found)), unserved };
    },
  };
}

async function openEach(paths: readonly string[], options: Opening) {
  const found: Directory[] = [];
  for (const given of paths) {
    const workspace = await openWorkspace(given, options);
    found.push({ path: await options.fs.realPath(given), workspace });
  }
  return found;
}

/** Finds what is served for each root; a root that does not exist, or lies elsewhere, is unserved. */
async function findEach<Found>(
  uris: readonly string[],
  find: (path: string) => Promise<readonly Found[]>,
) {
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

/** Where relative paths start for a root of the client. If a served directory contains the root: at the root, seen from the innermost such directory. Otherwise at the first served directory inside the root. */
async function placeOf(
  directories: readonly RootDirectory[],
  real: string,
): Promise<Place[]> {
  const [root] = [
    ...directories.filter(({ path }) => relativeTo(path, real) !== undefined)
      .toSorted((one, other) => other.path.length - one.path.length),
    ...directories.filter(({ path }) => relativeTo(real, path) !== undefined),
  ];
  if (root === undefined) return [];
  const path = relativeTo(root.path, real) ?? "";
  const isDirectory = path === "" ||
    await attempt(() => root.workspace.narrow({ root: real })) !== undefined;
  return isDirectory ? [{ root, path }] : [];
}

/** The intersection of the directories with a root of the client. Real paths are compared. */
async function partsWithin(
  directories: readonly RootDirectory[],
  real: string,
) {
  const parts: Directory[] = [];
  for (const { path, workspace } of directories) {
    const isInRoot = relativeTo(real, path) !== undefined;
    const root = relativeTo(path, real);
    if (isInRoot) parts.push({ path, workspace });
    else if (root !== undefined) {
      const narrow = await attempt(() => workspace.narrow({ root }));
      if (narrow !== undefined) parts.push({ path: real, workspace: narrow });
    }
  }
  return parts;
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

/** The path of a root; `undefined` if its URI is not that of a local file. */
function pathOf(uri: string): string | undefined {
  try {
    const { protocol, hostname, pathname } = new URL(uri);
    if (protocol !== "file:" || !/^(localhost)?$/.test(hostname)) return;
    return decodeURIComponent(pathname).replace(/(.)\/+$/, "$1");
  } catch {
    return undefined;
  }
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

/** How long a client may take to list its roots. */
const ROOTS_TIMEOUT_MS = 10_000;

/** The most unserved roots to log; a client may send any number of new ones. */
const MOST_LOGGED = 100;

const QUESTION: Json = {
  resultType: "input_required",
  inputRequests: { roots: { method: "roots/list" } },
};

/** In the stateless revision, a server asks the client for its roots in the result of each call. */
export function questionFor({ client, inputs }: ToolRequest): Json | undefined {
  const mustAsk = client.hasRoots && inputs !== undefined &&
    inputs.given === undefined;
  return mustAsk ? QUESTION : undefined;
}

/** Asks a client for its roots when they are needed, and finds what they allow to read. */
export function clientRoots(
  { mustKnow, scopeOf }: ServedDirectories,
  log: (message: string) => void,
) {
  const logged = new Set<string>();
  let listed: Promise<readonly string[]> | undefined;
  let last: { readonly key: string; readonly scope: Scope } | undefined;

  async function list({ ask }: ToolRequest): Promise<readonly string[]> {
    const outcome = await ask("roots/list", ROOTS_TIMEOUT_MS);
    const { result, error } = outcome as { result?: Json; error?: Json };
    const uris = urisOf(result);
    if (uris !== undefined) return uris;
    const why = error?.message ?? "the answer has no list of roots";
    log(`the client does not say its roots: ${visibleJson(why)}`);
    if (!mustKnow) return [];
    // The next call asks again.
    listed = undefined;
    if (error?.code === METHOD_NOT_FOUND) return [];
    throw rootsUnknown();
  }

  async function scopeFrom(uris: readonly string[]): Promise<Scope> {
    const key = JSON.stringify(uris);
    if (last?.key === key) return last.scope;
    const { scope, unserved } = await scopeOf(uris);
    for (const uri of unserved) {
      if (logged.has(uri) || logged.size === MOST_LOGGED) continue;
      logged.add(uri);
      log(`the client's root ${visibleJson(uri)} is not served`);
    }
    // A root that does not exist now may exist at the next call.
    if (unserved.length === 0) last = { key, scope };
    return scope;
  }

  return {
    /** Makes the next call ask for the roots again. */
    forget(): void {
      listed = undefined;
    },
    /** Returns what a call may read. */
    async scopeFor(request: ToolRequest): Promise<Scope> {
      const { client, inputs } = request;
      if (!client.hasRoots) return await scopeFrom([]);
      if (inputs === undefined) {
        return await scopeFrom(await (listed ??= list(request)));
      }
      const uris = urisOf(Object(inputs.given).roots);
      if (uris === undefined && mustKnow) throw rootsUnknown();
      return await scopeFrom(uris ?? []);
    },
  };
}

function rootsUnknown(): Error {
  return deniedByRoots(
    "the client has roots but does not say which; call again, or turn its roots off",
  );
}

/** The URIs of the roots in an answer; `undefined` if it has no list of roots. */
function urisOf(answer: unknown): readonly string[] | undefined {
  const { roots } = Object(answer);
  return Array.isArray(roots)
    ? roots.map((root) => String(Object(root).uri))
    : undefined;
}
