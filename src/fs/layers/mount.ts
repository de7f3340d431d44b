// Runtime-agnostic.
import {
  allEntriesIn,
  type FileEntry,
  type FileHandle,
  type FileStat,
  type FsPort,
  type PathRole,
} from "../../core/base/port.ts";
import {
  checkValue,
  refuseMistake,
  takeOptions,
} from "../../core/base/check.ts";
import {
  below,
  directory,
  entriesIn,
  failure,
  openDirectory,
  plainPath,
  restBelow,
} from "../directory.ts";
import { isRecord, nameOf, realPathOf } from "./links.ts";

/**
 * A directory of a place, to be mounted.
 */
export interface Mount {
  /** The place. */
  readonly fs: FsPort;
  /** The directory of it that is seen; the one with the mount point's own path by default. */
  readonly root?: string;
}

/**
 * What a {@linkcode mountFs} is made of, by the absolute paths it is seen at.
 */
export type Mounts = Readonly<Record<string, FsPort | Mount>>;

/** Reads what is to be mounted; the longest path first. */
function readMounts(mounts: Mounts): readonly MountPoint[] {
  // A list or a map would pass for no mounts at all.
  if (!isRecord(mounts)) {
    const example = '{ "/repo": memoryFs({}) }';
    throw new TypeError(
      `Cannot mount anything: the mounts are ${
        nameOf(mounts)
      }; pass an object of them, such as ${example}`,
    );
  }
  return Object.entries(mounts).map(([path, mount]) => {
    if (!path.startsWith("/") || plainPath(path) !== path) {
      throw cannotMount(path, 'the path is not plain; write it as "/repo"');
    }
    const refuse = refuseMistake(failureAt(path));
    const { fs, root = path } = isMount(mount)
      ? takeOptions(mount, { fs: "any", root: "any" }, refuse)
      : { fs: mount };
    checkValue("it", fs, "port", refuse);
    if (typeof root !== "string" || root === "") {
      throw cannotMount(
        path,
        `its root is ${
          root === "" ? "empty" : nameOf(root)
        }; name a directory of it, or leave the root out`,
      );
    }
    return new MountPoint(path, fs, root);
  }).sort((one, other) => other.path.length - one.path.length);
}

/** From JavaScript, it may be anything. */
function isMount(mount: FsPort | Mount): mount is Mount {
  return Object(mount) === mount && "fs" in mount;
}

function cannotMount(path: string, problem: string): TypeError {
  return new TypeError(`${failureAt(path)}: ${problem}`);
}

function failureAt(path: string): string {
  return `Cannot mount ${JSON.stringify(path)}`;
}

/** A directory of one place, and the path at which the tree has it. */
class MountPoint {
  /** Where it is seen. */
  readonly path: string;
  readonly fs: FsPort;
  readonly #root: string;
  #real: string | undefined;

  constructor(path: string, fs: FsPort, root: string) {
    this.path = path;
    this.fs = fs;
    this.#root = root;
  }

  /** What the place calls a path of the tree, which must lie in this mount. */
  async inside(path: string): Promise<string> {
    return below(await this.#realRoot(), restBelow(this.path, path)!);
  }

  /** The path in the tree of what the place calls `name`; `undefined` if it is not seen. */
  async outside(name: string): Promise<string | undefined> {
    const rest = restBelow(await this.#realRoot(), name);
    return rest === undefined ? undefined : below(this.path, rest);
  }

  /** Says in the tree's words where an absolute link of the place leads. */
  async translate(target: string): Promise<string> {
    const names = target.split("/");
    // Where ".." leads after a link, the string alone cannot tell.
    if (names.includes("..")) throw failure("EXDEV");
    const plain = plainPath(target);
    const rest = restBelow(await this.#realRoot(), plain) ??
      restBelow(this.#root, plain);
    if (rest === undefined) throw failure("EXDEV");
    // What must be a directory must still be one.
    const end = /\/\.?$/.test(target) && rest !== "" ? "/" : "";
    return below(this.path, rest) + end;
  }

  /** The same facts; no other mount has the same identities. */
  name(stat: FileStat): FileStat {
    const { id } = stat;
    return { ...stat, id: id === null ? null : `${this.path} ${id}` };
  }

  /** Found once: whoever swaps it later for a link moves nothing. */
  async #realRoot(): Promise<string> {
    if (this.#real !== undefined) return this.#real;
    const real = await this.fs.realPath(this.#root);
    // Bun shows bytes that are no UTF-8 as U+FFFD, which names another directory.
    if (real.includes("\uFFFD")) throw failure("EINVAL");
    return this.#real = real;
  }
}

/**
 * Several places in one tree, for one workspace over all of them.
 *
 * A port alone is seen below its mount point at the paths it has itself:
 * `"/repo": denoFs()` is the disk's `/repo`, and nothing else of it. To see
 * another directory there, name it: `"/repo": { fs: denoFs(), root: "/srv/app" }`.
 * Where one mount point lies below another, the longer one decides. The
 * directories above mount points are there by themselves.
 *
 * No link leads out from below its mount point. A link is read as its own
 * place reads it: an absolute one is followed where it leads below the mount's
 * root, and is `OUTSIDE_WORKSPACE` where it does not, even if another mount has
 * that path; so is one that climbs above the mount point. What it names there is
 * what the tree has by that path: where another mount lies below, of that one.
 * Rules that deny paths are asked about that path, and a mount at `/` has all
 * others below it.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, mountFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = mountFs({
 *   "/repo": memoryFs({ "/repo/a.txt": "code" }),
 *   "/logs": { fs: memoryFs({ "/2024/app.log": "log" }), root: "/2024" },
 * });
 * const workspace = await openWorkspace("/", { fs });
 * assertEquals((await readFile(workspace, "repo/a.txt")).text, "code");
 * assertEquals((await readFile(workspace, "logs/app.log")).text, "log");
 * ```
 *
 * @param mounts The places, by the absolute paths they are seen at.
 * @returns The port.
 */
export function mountFs(mounts: Mounts): FsPort {
  const tree = new MountTree(readMounts(mounts));
  return {
    realPath: (path) => tree.realPath(path),
    lstat: (path, role, signal) => tree.lstat(path, role, signal),
    readLink: (path, signal) => tree.readLink(path, signal),
    open: (path, signal) => tree.open(path, signal),
    list: (path, most) => tree.list(path, most),
    entries: (path) => tree.entries(path),
  };
}

class MountTree implements FsPort {
  /** The longest path first. */
  readonly #points: readonly MountPoint[];

  constructor(points: readonly MountPoint[]) {
    this.#points = points;
  }

  async realPath(path: string): Promise<string> {
    const real = await realPathOf(this, path);
    const point = this.#pointOf(real);
    // Not every place can tell on the way what is there.
    if (point !== undefined && !this.#isAbove(real)) {
      await point.fs.realPath(await point.inside(real));
    }
    return real;
  }

  async lstat(
    path: string,
    role?: PathRole,
    signal?: AbortSignal,
  ): Promise<FileStat> {
    const plain = plainPath(path);
    const point = this.#pointOf(plain);
    if (point === undefined) return this.#lstatAbove(plain);
    if (plain === point.path) return await lstatPoint(point);
    try {
      const stat = await point.fs.lstat(
        await point.inside(plain),
        role,
        signal,
      );
      if (stat.kind === "directory" || !this.#isAbove(plain)) {
        return point.name(stat);
      }
    } catch (error) {
      const { code } = Object(error) as { readonly code?: unknown };
      if (code !== "ENOENT" || !this.#isAbove(plain)) throw error;
      return directory(plain);
    }
    // What is below might be looked for through a link.
    throw failure("ENOTDIR");
  }

  async readLink(path: string, signal?: AbortSignal): Promise<string> {
    const plain = plainPath(path);
    const point = this.#pointOf(plain);
    if (point === undefined) this.#lstatAbove(plain);
    if (point === undefined || plain === point.path) throw failure("EINVAL");
    const target = await point.fs.readLink(await point.inside(plain), signal);
    return target.startsWith("/") ? await point.translate(target) : target;
  }

  async open(path: string, signal?: AbortSignal): Promise<FileHandle> {
    const plain = plainPath(path);
    const point = this.#pointOf(plain);
    if (point === undefined || plain === point.path || this.#isAbove(plain)) {
      return openDirectory(plain, await this.lstat(plain));
    }
    const handle = await point.fs.open(await point.inside(plain), signal);
    return {
      stat: async () => point.name(await handle.stat()),
      read: (buffer, position) => handle.read(buffer, position),
      path: async () => await this.#nameOf(await handle.path(), point),
      close: () => handle.close(),
    };
  }

  async list(path: string, most: number): Promise<readonly FileEntry[]> {
    const plain = plainPath(path);
    const entries = this.#pointsIn(plain);
    const point = this.#pointOf(plain);
    const inside = point === undefined
      ? []
      : await entriesIn(point.fs, await point.inside(plain), most);
    for (const entry of inside) {
      if (!entries.has(entry.name)) entries.set(entry.name, entry);
    }
    return [...entries.values()].slice(0, most);
  }

  async *entries(path: string): AsyncIterable<readonly FileEntry[]> {
    const plain = plainPath(path);
    const points = this.#pointsIn(plain);
    yield [...points.values()];
    const point = this.#pointOf(plain);
    if (point === undefined) return;
    try {
      const inside = await point.inside(plain);
      for await (const batch of allEntriesIn(point.fs, inside)) {
        yield batch.filter(({ name }) => !points.has(name));
      }
    } catch (error) {
      // A directory that only leads to mounts is not in this one.
      const { code } = Object(error) as { readonly code?: unknown };
      if (points.size === 0 || code !== "ENOENT") throw error;
    }
  }

  /** The names in a directory that lead to mounts. */
  #pointsIn(plain: string): Map<string, FileEntry> {
    const entries = new Map<string, FileEntry>();
    for (const { path } of this.#points) {
      const [, name] = restBelow(plain, path)?.split("/") ?? [];
      if (name) entries.set(name, { name, kind: "directory" });
    }
    return entries;
  }

  /** The mount that a plain path is in. */
  #pointOf(path: string): MountPoint | undefined {
    return this.#points.find(({ path: top }) =>
      restBelow(top, path) !== undefined
    );
  }

  /** Whether a mount point lies below. */
  #isAbove(path: string): boolean {
    return this.#points.some(({ path: point }) => !!restBelow(path, point));
  }

  #lstatAbove(path: string): FileStat {
    if (path === "/" || this.#isAbove(path)) return directory(path);
    throw failure("ENOENT");
  }

  /** Where an open file is in the tree, by the name that its place has for it. */
  async #nameOf(
    name: string | undefined,
    point: MountPoint,
  ): Promise<string | undefined> {
    if (name === undefined) return undefined;
    const path = await point.outside(name);
    // A link was swapped in on the way: it led out of the mount, or behind another.
    if (path === undefined || this.#pointOf(path) !== point) {
      throw failure("ESTALE");
    }
    return path;
  }
}

async function lstatPoint(point: MountPoint): Promise<FileStat> {
  const inside = await point.inside(point.path);
  // More names follow, or nothing of it will be read.
  const stat = await point.fs.lstat(inside, "way");
  if (stat.kind !== "directory") throw failure("ENOTDIR");
  return { ...point.name(stat), top: true };
}
