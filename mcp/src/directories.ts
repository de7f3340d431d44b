// Runtime-agnostic.
import {
  type FsPort,
  openWorkspace,
  type Workspace,
} from "@agent-tools/read-file";
import { type Place, type RootDirectory, Scope } from "./scope.ts";

/** A directory of the command line. */
interface Granted {
  /** Its real path. */
  readonly path: string;
  readonly workspace: Workspace;
}

/** What may be read by the roots of a client. */
export interface Served {
  /** What may be read. */
  readonly scope: Scope;
  /** The roots that are not there, or lie elsewhere. */
  readonly unserved: readonly string[];
}

/** The directories that the server was started with: the most that it ever reads. */
export class Directories {
  readonly #fs: FsPort;
  readonly #granted: readonly Granted[];

  private constructor(fs: FsPort, granted: readonly Granted[]) {
    this.#fs = fs;
    this.#granted = granted;
  }

  /** Opens directories. */
  static async open(
    fs: FsPort,
    paths: readonly string[],
    deny: readonly string[],
  ): Promise<Directories> {
    const granted: Granted[] = [];
    for (const given of paths) {
      const workspace = await openWorkspace(given, { fs, deny });
      const path = await fs.realPath(given);
      if (granted.some((other) => other.path === path)) continue;
      granted.push({ path, workspace });
    }
    return new Directories(fs, granted);
  }

  /** All of them. */
  get scope(): Scope {
    return new Scope(withNames(this.#granted));
  }

  /** The real paths of all of them. */
  get paths(): readonly string[] {
    return this.#granted.map(({ path }) => path);
  }

  /**
   * Keeps all of the directories. Relative paths begin at the first of a
   * client's roots that lies in one, or holds one.
   */
  async from(uris: readonly string[]): Promise<Served> {
    const roots = withNames(this.#granted);
    const unserved: string[] = [];
    let base: Place | undefined;
    for (const uri of uris) {
      const real = await this.#realPathOf(uri);
      const place = real === undefined ? undefined : placeOf(roots, real);
      if (place === undefined) unserved.push(uri);
      base ??= place;
    }
    return { scope: new Scope(roots, base), unserved };
  }

  /**
   * Keeps what lies in a client's roots as well: a root in a directory, or a
   * directory in a root. Real paths are compared.
   */
  async within(uris: readonly string[]): Promise<Served> {
    const unserved: string[] = [];
    const found = new Map<string, Omit<RootDirectory, "name">>();
    for (const uri of uris) {
      const parts = await this.#partsIn(uri);
      if (parts.length === 0) unserved.push(uri);
      for (const part of parts) found.set(part.path, part);
    }
    return { scope: new Scope(withNames([...found.values()])), unserved };
  }

  async #partsIn(uri: string): Promise<Omit<RootDirectory, "name">[]> {
    const real = await this.#realPathOf(uri);
    if (real === undefined) return [];
    const parts: Omit<RootDirectory, "name">[] = [];
    for (const { path, workspace } of this.#granted) {
      if (isWithin(real, path)) {
        parts.push({ path, workspace });
        continue;
      }
      if (!isWithin(path, real)) continue;
      const root = real.slice(path === "/" ? 1 : path.length + 1);
      const narrow = await attempt(() => workspace.narrow({ root }));
      if (narrow !== undefined) parts.push({ path: real, workspace: narrow });
    }
    return parts;
  }

  async #realPathOf(uri: string): Promise<string | undefined> {
    const asked = pathOf(uri);
    if (asked === undefined) return undefined;
    return await attempt(() => this.#fs.realPath(asked)) ?? asked;
  }
}

/** Opens the directories that a client names as its roots; what is no directory is left out. */
export async function openRoots(
  fs: FsPort,
  uris: readonly string[],
  deny: readonly string[],
): Promise<Served> {
  const found = new Map<string, Omit<RootDirectory, "name">>();
  const unserved: string[] = [];
  for (const uri of uris) {
    const path = pathOf(uri);
    const directories = path === undefined
      ? undefined
      : await attempt(() => Directories.open(fs, [path], deny));
    for (const root of directories?.scope.roots ?? []) {
      found.set(root.path, root);
    }
    if (directories === undefined) unserved.push(uri);
  }
  return { scope: new Scope(withNames([...found.values()])), unserved };
}

/** Where a client's root lies in the directories; one that holds some means the first of those. */
function placeOf(
  roots: readonly RootDirectory[],
  real: string,
): Place | undefined {
  const holding = roots.filter(({ path }) => isWithin(path, real))
    .toSorted((one, other) => other.path.length - one.path.length);
  const [root] = holding;
  if (root !== undefined) {
    const from = root.path === "/" ? 1 : root.path.length + 1;
    return { root, path: real.slice(from) };
  }
  const inner = roots.find(({ path }) => isWithin(real, path));
  return inner === undefined ? undefined : { root: inner, path: "" };
}

/** Names each by the last part of its path; the second of one name is told apart. */
function withNames(
  directories: readonly Omit<RootDirectory, "name">[],
): RootDirectory[] {
  const taken = new Set<string>();
  return directories.map(({ path, workspace }) => {
    const base = path.slice(path.lastIndexOf("/") + 1) || "root";
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}-${count}`;
    taken.add(name);
    return { name, path, workspace };
  });
}

/** The path that a root names, if it names one on this disk. */
function pathOf(uri: string): string | undefined {
  try {
    const { protocol, hostname, pathname } = new URL(uri);
    if (protocol !== "file:" || !/^(localhost)?$/.test(hostname)) return;
    return decodeURIComponent(pathname).replace(/(.)\/+$/, "$1");
  } catch {
    return undefined;
  }
}

/** Whether `path` is `root` or below it. */
function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root === "/" ? "/" : `${root}/`);
}

/** What cannot be looked at is not there, whatever the reason. */
async function attempt<T>(act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch {
    return undefined;
  }
}
