import {
  openWorkspace,
  ReadFileError,
  ReadRoots,
  SECRET_FILES,
} from "@agent-tools/read-file";
import type {
  FsPort,
  ReadPlace,
  ReadRoot,
  WorkspaceOptions,
} from "@agent-tools/read-file";
import type { CommandLine } from "./command_line.ts";
import { type Json, METHOD_NOT_FOUND } from "./messages.ts";
import type { Client } from "./clients.ts";
import type { ToolRequest } from "./protocol.ts";
import { sentenceOf, visibleJson } from "./words.ts";

export interface DirectoriesOptions extends CommandLine {
  /** What may be read if there are neither directories nor roots. */
  readonly fallback?: string | undefined;
}

type Directory = Omit<ReadRoot, "name">;

type Opening =
  & Pick<WorkspaceOptions, "deny" | "views" | "detect" | "revisions">
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
  let opened: readonly ReadRoot[] = [];
  try {
    const paths = hasDirectories || fallback === undefined
      ? directories
      : [fallback];
    opened = withNames(await openEach(paths, options));
  } catch (error) {
    if (hasDirectories) throw error;
    log(`${sentenceOf(error as Error)}; only the client's roots are served`);
  }
  const isOfWindows = opening.fs.spelling?.form === "windows";
  const realPathOf = async (path: string) =>
    (!isOfWindows || mayAsk(path, opened)) &&
      await attempt(() => shownPath(opening.fs, path)) ||
    callersPath(opening.fs, path);
  return {
    /** The directories of the command line; none if the client's roots are served. */
    directories: hasDirectories ? opened : [],
    /** The directory that is served if there are neither directories nor roots. */
    fallback: hasDirectories ? undefined : opened[0],
    followRoots,
    allowSecrets,
    /** Whether what may be read depends on the client's roots. */
    mustKnow: followRoots || !hasDirectories,
    /** Finds what these roots of a client allow to read. */
    async rootsFor(uris: readonly string[]) {
      // Without roots, all that was opened is served.
      if (uris.length === 0) {
        return { roots: new ReadRoots(opened), unserved: [] };
      }
      // The directories are served, whatever the roots are; the first root that lies
      // in or around them only sets where relative paths start.
      if (hasDirectories && !followRoots) {
        const findPlace = async (path: string) =>
          await placesOfRoot(opened, await realPathOf(path));
        const { found, unserved } = await findEach(
          uris,
          isOfWindows,
          findPlace,
        );
        const [base] = found;
        return { roots: new ReadRoots(opened, base), unserved };
      }
      // The roots decide what is served: the directories as far as they lie in a root,
      // or without directories the roots themselves.
      const findServed = async (path: string) =>
        hasDirectories
          ? await partsWithin(opened, await realPathOf(path))
          : await attempt(() => openEach([path], options)) ?? [];
      const { found, unserved } = await findEach(uris, isOfWindows, findServed);
      return { roots: new ReadRoots(withNames(found)), unserved };
    },
  };
}

async function openEach(paths: readonly string[], options: Opening) {
  const found: Directory[] = [];
  for (const given of paths) {
    const workspace = await openWorkspace(given, options);
    found.push({ path: await shownPath(options.fs, given), workspace });
  }
  return found;
}

/** The real path of a directory as callers write it. */
async function shownPath(fs: FsPort, path: string): Promise<string> {
  return callersPath(fs, await fs.realPath(path));
}

/** A path as callers write it: on Windows, that of a port is `/C:/dir` or `/server/share`, and that of a URL `/C:/dir` or `//server/share`. */
function callersPath({ spelling }: FsPort, path: string): string {
  if (spelling?.form !== "windows") return path;
  const [, drive, rest] = /^\/([a-z]):(.*)$/is.exec(path) ?? [];
  // "C:" alone would be the current directory of the drive.
  if (drive !== undefined) return `${drive.toUpperCase()}:${rest || "/"}`;
  return path.startsWith("//") ? path : `/${path}`;
}

/** Whether a root of the client may be looked at, to compare it: a server that is not served must not be contacted. */
function mayAsk(path: string, opened: readonly Directory[]): boolean {
  const share = (path: string) =>
    path.toLowerCase().split("/").slice(0, 4).join("/");
  return !path.startsWith("//") ||
    opened.some((directory) => share(directory.path) === share(path));
}

/** Finds what is served for each root; a root that does not exist, or lies elsewhere, is unserved. */
async function findEach<Found>(
  uris: readonly string[],
  isOfWindows: boolean,
  find: (path: string) => Promise<readonly Found[]>,
) {
  const found: Found[] = [];
  const unserved: string[] = [];
  for (const uri of uris) {
    const path = pathOf(uri, isOfWindows);
    const parts = path === undefined ? [] : await find(path);
    if (parts.length === 0) unserved.push(uri);
    found.push(...parts);
  }
  return { found, unserved };
}

/** Where relative paths start for a root of the client. If a served directory contains the root: at the root, seen from the innermost such directory. Otherwise at the first served directory inside the root. */
async function placesOfRoot(
  directories: readonly ReadRoot[],
  real: string,
): Promise<ReadPlace[]> {
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
  directories: readonly ReadRoot[],
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
function withNames(directories: readonly Directory[]): ReadRoot[] {
  const named = new Map<string, ReadRoot>();
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

/** The path of a root; `undefined` if its URI is not that of a local file, or on Windows of one on a server. */
function pathOf(uri: string, isOfWindows: boolean): string | undefined {
  try {
    const { protocol, hostname, pathname } = new URL(uri);
    if (protocol !== "file:") return undefined;
    const path = decodeURIComponent(pathname).replace(/(.)\/+$/, "$1");
    if (/^(localhost)?$/.test(hostname)) return path;
    return isOfWindows ? `//${hostname}${path}` : undefined;
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

/** Whether a call looks at the roots of its client. The stateless revision deprecates roots, so there they are asked for only if they decide what may be read. */
export function usesRoots(
  { mustKnow }: ServedDirectories,
  { hasRoots }: Client,
  isStateless: boolean,
): boolean {
  return hasRoots && (mustKnow || !isStateless);
}

/** Asks a client for its roots when they are needed, and finds what they allow to read. */
export function clientRoots(
  served: ServedDirectories,
  log: (message: string) => void,
) {
  const { mustKnow, rootsFor } = served;
  const logged = new Set<string>();
  let listed: Promise<readonly string[]> | undefined;
  let last: { readonly key: string; readonly roots: ReadRoots } | undefined;

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

  async function rootsFrom(uris: readonly string[]): Promise<ReadRoots> {
    const key = JSON.stringify(uris);
    if (last?.key === key) return last.roots;
    const { roots, unserved } = await rootsFor(uris);
    for (const uri of unserved) {
      if (logged.has(uri) || logged.size === MOST_LOGGED) continue;
      logged.add(uri);
      log(`the client's root ${visibleJson(uri)} is not served`);
    }
    // A root that does not exist now may exist at the next call.
    if (unserved.length === 0) last = { key, roots };
    if (roots.roots.length === 0) throw deniedByRoots(NONE_SERVED);
    return roots;
  }

  return {
    /** In the stateless revision, the result of a call asks for the roots until the client says them. */
    questionFor({ client, inputs }: ToolRequest): Json | undefined {
      const mustAsk = inputs !== undefined &&
        usesRoots(served, client, true) &&
        Object(inputs.given).roots === undefined;
      return mustAsk ? QUESTION : undefined;
    },
    /** Makes the next call ask for the roots again. */
    forget(): void {
      listed = undefined;
    },
    /** Returns what a call may read. */
    async rootsOf(request: ToolRequest): Promise<ReadRoots> {
      const { client, inputs } = request;
      const isStateless = inputs !== undefined;
      if (!usesRoots(served, client, isStateless)) return await rootsFrom([]);
      if (!isStateless) {
        return await rootsFrom(await (listed ??= list(request)));
      }
      const uris = urisOf(Object(inputs.given).roots);
      if (uris === undefined) throw rootsUnknown();
      return await rootsFrom(uris);
    },
  };
}

const NONE_SERVED =
  "none of the client's roots can be read by the server; open another folder, or start the server with a directory that may be read";

function rootsUnknown(): Error {
  return deniedByRoots(
    "the client has roots but does not say which; call again, or turn its roots off",
  );
}

/** The failure of a call that the client's roots do not allow. */
function deniedByRoots(problem: string): Error {
  return new ReadFileError("POLICY_DENIED", "", { rule: "roots" }, {
    words: { POLICY_DENIED: () => [`Cannot read: ${problem}`] },
  });
}

/** The path relative to `folder`: `""` for the folder itself, `undefined` outside of it. */
function relativeTo(folder: string, path: string): string | undefined {
  if (path === folder) return "";
  const start = folder.replace(/\/*$/, "/");
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** The URIs of the roots in an answer; `undefined` if it has no list of roots. */
function urisOf(answer: unknown): readonly string[] | undefined {
  const { roots } = Object(answer);
  return Array.isArray(roots)
    ? roots.map((root) => String(Object(root).uri))
    : undefined;
}
