// Runtime-agnostic.
import {
  allEntriesIn,
  type FileEntry,
  type FileHandle,
  type FileStat,
  type FsPort,
  type PathRole,
} from "../../core/base/port.ts";
import { withKernelsOf } from "../../core/lines/scan.ts";
import {
  checkValue,
  propertyOf,
  refuseMistake,
  takeOptions,
} from "../../core/base/check.ts";
import {
  below,
  codeOf,
  directory,
  entriesIn,
  failure,
  openDirectory,
  plainPath,
  restBelow,
} from "../directory.ts";
import { isRecord, nameOf, realPathOf } from "./links.ts";

/**
 * A directory of a port, to be mounted.
 */
export interface Mount {
  /** The port. */
  readonly fs: FsPort;
  /** Its directory that is mounted; by default, the one at the mount point's own path. */
  readonly root?: string;
}

/**
 * The mounts of a {@linkcode mountFs}, by mount point.
 */
export type Mounts = Readonly<Record<string, FsPort | Mount>>;

/** Checks the mounts, and gives them with the longest path first. */
function readMounts(mounts: Mounts): readonly MountPoint[] {
  // A list or a map would pass for an object without mounts.
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

function isMount(mount: FsPort | Mount): mount is Mount {
  return propertyOf(mount, "fs") !== undefined;
}

function cannotMount(path: string, problem: string): TypeError {
  return new TypeError(`${failureAt(path)}: ${problem}`);
}

function failureAt(path: string): string {
  return `Cannot mount ${JSON.stringify(path)}`;
}

/** A directory of a port, and where it is mounted. */
class MountPoint {
  /** The mount point. */
  readonly path: string;
  readonly fs: FsPort;
  readonly #root: string;
  #real: string | undefined;

  constructor(path: string, fs: FsPort, root: string) {
    this.path = path;
    this.fs = fs;
    this.#root = root;
  }

  /** Translates a path of the tree, which is in this mount, to one of the port. */
  async inside(path: string): Promise<string> {
    return below(await this.#realRoot(), restBelow(this.path, path)!);
  }

  /** Translates a path of the port to one of the tree; `undefined` if it is not mounted. */
  async outside(name: string): Promise<string | undefined> {
    const rest = restBelow(await this.#realRoot(), name);
    return rest === undefined ? undefined : below(this.path, rest);
  }

  /** Translates the target of an absolute link of the port to a path of the tree. */
  async translate(target: string): Promise<string> {
    const names = target.split("/");
    // The parent of a link's target is not known from the string.
    if (names.includes("..")) throw failure("EXDEV");
    const plain = plainPath(target);
    const rest = restBelow(await this.#realRoot(), plain) ??
      restBelow(this.#root, plain);
    if (rest === undefined) throw failure("EXDEV");
    // Keep a slash at the end, which requires a directory.
    const end = /\/\.?$/.test(target) && rest !== "" ? "/" : "";
    return below(this.path, rest) + end;
  }

  /** Makes the identity unique among all mounts. */
  name(stat: FileStat): FileStat {
    const { id } = stat;
    return { ...stat, id: id === null ? null : `${this.path} ${id}` };
  }

  /** Resolved once, so that replacing it by a link later has no effect. */
  async #realRoot(): Promise<string> {
    if (this.#real !== undefined) return this.#real;
    const real = await this.fs.realPath(this.#root);
    // Bun decodes invalid UTF-8 as U+FFFD, which would name another directory.
    if (real.includes("\uFFFD")) throw failure("EINVAL");
    return this.#real = real;
  }
}

/**
 * Several ports in one tree, for one workspace over all of them.
 *
 * `"/repo": denoFs()` mounts the disk's own `/repo`. To mount another directory
 * there, name it: `"/repo": { fs: denoFs(), root: "/srv/app" }`. If mount points
 * are nested, the longest one that matches counts. The directories above mount
 * points are implied.
 *
 * No link leaves its mount: an absolute target must lie below the mount's root,
 * and a relative one may not climb above the mount point; otherwise the read
 * fails with `OUTSIDE_WORKSPACE`, even if another mount has that path. The path
 * that a link leads to is then looked up in the tree, so that a nested mount
 * applies, and so do rules that deny paths.
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
 * @param mounts The ports, by mount point.
 * @returns The port.
 */
export function mountFs(mounts: Mounts): FsPort {
  const points = readMounts(mounts);
  const tree = new MountTree(points);
  return withKernelsOf({
    realPath: (path) => tree.realPath(path),
    lstat: (path, role, signal) => tree.lstat(path, role, signal),
    readLink: (path, signal) => tree.readLink(path, signal),
    open: (path, signal) => tree.open(path, signal),
    list: (path, most) => tree.list(path, most),
    entries: (path) => tree.entries(path),
  }, points.map(({ fs }) => fs));
}

class MountTree implements FsPort {
  /** Ordered by the length of their paths, the longest first. */
  readonly #points: readonly MountPoint[];

  constructor(points: readonly MountPoint[]) {
    this.#points = points;
  }

  async realPath(path: string): Promise<string> {
    const real = await realPathOf(this, path);
    const point = this.#pointOf(real);
    // A port may have answered "way" without looking.
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
      if (codeOf(error) !== "ENOENT" || !this.#isAbove(plain)) throw error;
      return directory(plain);
    }
    // Above a mount point, a file or a link hides what is mounted below it.
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
      // A directory above a mount point need not exist in this mount.
      if (points.size === 0 || codeOf(error) !== "ENOENT") throw error;
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

  /** The mount of a plain path. */
  #pointOf(path: string): MountPoint | undefined {
    return this.#points.find(({ path: top }) =>
      restBelow(top, path) !== undefined
    );
  }

  /** Whether a mount point is below a path. */
  #isAbove(path: string): boolean {
    return this.#points.some(({ path: point }) => !!restBelow(path, point));
  }

  #lstatAbove(path: string): FileStat {
    if (path === "/" || this.#isAbove(path)) return directory(path);
    throw failure("ENOENT");
  }

  /** Translates the name of an open file to the tree. */
  async #nameOf(
    name: string | undefined,
    point: MountPoint,
  ): Promise<string | undefined> {
    if (name === undefined) return undefined;
    const path = await point.outside(name);
    // A link was swapped in: the file is outside the mount, or hidden by another mount.
    if (path === undefined || this.#pointOf(path) !== point) {
      throw failure("ESTALE");
    }
    return path;
  }
}

async function lstatPoint(point: MountPoint): Promise<FileStat> {
  const inside = await point.inside(point.path);
  // A port that cannot list knows directories only as "way".
  const stat = await point.fs.lstat(inside, "way");
  if (stat.kind !== "directory") throw failure("ENOTDIR");
  return { ...point.name(stat), top: true };
}
