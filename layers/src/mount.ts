import type { FileEntry, FileStat, FsPort } from "@agent-tools/read-file";
import { checkPort, isPlainObject, kindOf, mistake, show } from "./check.ts";
import {
  batchesIn,
  below,
  codeOf,
  directory,
  failure,
  isAtOrBelow,
  merge,
  nameIn,
  openDirectory,
  plainPath,
  realPathOf,
  restBelow,
  withSymbolsOf,
} from "./paths.ts";

/** A directory of a port to mount. */
export interface Mount {
  /** The port. */
  readonly fs: FsPort;
  /** The directory of the port to mount; by default, the directory with the path of the mount point. */
  readonly root?: string;
}

/** The mounts of a {@linkcode mountFs}, by mount point. */
export type Mounts = Readonly<Record<string, FsPort | Mount>>;

/** Checks the mounts; the longest path comes first. */
function readMounts(mounts: Mounts) {
  // An array or a map would be an object without mounts.
  if (!isPlainObject(mounts)) {
    const wanted = 'a plain object, such as { "/repo": memoryFs({}) }';
    const problem = `mounts must be ${wanted}, not ${kindOf(mounts)}`;
    throw mistake("Cannot mount anything", problem);
  }
  return Object.entries(mounts).map(([path, mount]) => {
    const failed = `Cannot mount ${JSON.stringify(path)}`;
    if (!path.startsWith("/") || plainPath(path) !== path) {
      throw mistake(failed, 'the path is not plain; write it as "/repo"');
    }
    const { fs, root = path } = takeMount(mount, failed);
    checkPort(fs, "it", failed);
    if (typeof root !== "string" || root === "") {
      const problem = "must be the path of a directory, or left out, not";
      throw mistake(failed, `its root ${problem} ${show(root)}`);
    }
    return mountPoint(path, fs, root);
  }).sort((one, other) => other.path.length - one.path.length);
}

/** A port, or a directory of one. */
function takeMount(mount: FsPort | Mount, failed: string): Mount {
  if (Object(mount).fs === undefined) return { fs: mount as FsPort };
  if (!isPlainObject(mount)) {
    throw mistake(failed, `it must be a plain object, not ${kindOf(mount)}`);
  }
  const unknown = Object.keys(mount)
    .find((name) => name !== "fs" && name !== "root");
  if (unknown === undefined) return mount as Mount;
  const names = "the names are fs, root";
  throw mistake(failed, `${show(unknown)} is unknown; ${names}`);
}

/** A directory of a port, and the path where it is mounted. */
function mountPoint(path: string, fs: FsPort, root: string) {
  let real: string | undefined;
  /** The identity of the mounted directory, as it was first seen, if it has one. */
  let firstId: string | null = null;

  /** Resolves the root once, so that replacing it by a link later has no effect. */
  async function realRoot(): Promise<string> {
    if (real !== undefined) return real;
    const found = await fs.realPath(root);
    // Bun decodes invalid UTF-8 as U+FFFD, which would name another directory.
    if (found.includes("\uFFFD")) throw failure("EINVAL");
    return real = found;
  }

  /** Makes the identity of a file unique among all mounts. */
  function withOwnId(stat: FileStat): FileStat {
    const { id } = stat;
    return { ...stat, id: id === null ? null : `${path} ${id}` };
  }

  return {
    path,
    fs,
    withOwnId,
    /** Translates a path of the tree, which is in this mount, to one of the port. */
    async inside(treePath: string): Promise<string> {
      return below(await realRoot(), restBelow(path, treePath)!);
    },
    /** Translates the path of an open file of the port to one of the tree. */
    async outside(portPath: string): Promise<string> {
      const rest = restBelow(await realRoot(), portPath);
      // A link was swapped in: the file is outside the mount.
      if (rest === undefined) throw failure("ESTALE");
      return below(path, rest);
    },
    hidesLinks: fs.spelling?.hidesLinks === true,
    /** Translates a real path of the port to one of the tree; a link that lstat() hides may lead out. */
    async shown(portPath: string): Promise<string> {
      const rest = restBelow(await realRoot(), portPath);
      if (rest === undefined) throw failure("EXDEV");
      return below(path, rest);
    },
    /** Translates the target of an absolute link of the port to a path of the tree. */
    async translate(target: string): Promise<string> {
      // Where ".." leads is not known from the text alone.
      if (target.split("/").includes("..")) throw failure("EXDEV");
      const plain = plainPath(target);
      const rest = restBelow(await realRoot(), plain) ?? restBelow(root, plain);
      if (rest === undefined) throw failure("EXDEV");
      // Keep a slash at the end, since it requires a directory.
      const end = /\/\.?$/.test(target) && rest !== "" ? "/" : "";
      return below(path, rest) + end;
    },
    /** Describes the mounted directory; fails if another one has taken its place. */
    async describe(signal?: AbortSignal): Promise<FileStat> {
      // A port that cannot list recognizes directories only in the role "way".
      const stat = await fs.lstat(await realRoot(), "way", signal);
      if (stat.kind !== "directory") throw failure("ENOTDIR");
      if (stat.fixed !== true) firstId ??= stat.id;
      const isReplaced = firstId !== null && stat.id !== firstId;
      if (isReplaced) throw failure("ESTALE");
      return { ...withOwnId(stat), top: true };
    },
  };
}

/**
 * Mounts several ports in one tree, for one workspace over all of them.
 *
 * `"/repo": denoFs()` mounts the disk's own `/repo`; to mount another directory
 * there, name it: `"/repo": { fs: denoFs(), root: "/srv/app" }`. Of nested
 * mount points, the longest match counts. Directories above mount points are
 * implied.
 *
 * A link may not leave its mount: an absolute target must lie below the mount's
 * root, and a relative one may not climb above the mount point. Otherwise the
 * read fails with `OUTSIDE_WORKSPACE`. The target is then looked up in the
 * tree, so that nested mounts and rules that deny paths apply.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { mountFs } from "@agent-tools/read-file-layers";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = mountFs({
 *   "/repo": memoryFs({ "/repo/a.txt": "code" }),
 *   "/logs": { fs: memoryFs({ "/2024/app.log": "log" }), root: "/2024" },
 * });
 * const workspace = await openWorkspace("/", { fs });
 * assertEquals((await workspace.read("repo/a.txt")).text, "code");
 * assertEquals((await workspace.read("logs/app.log")).text, "log");
 * ```
 */
export function mountFs(mounts: Mounts): FsPort {
  const points = readMounts(mounts);

  /** The mount of a plain path. */
  const pointOf = (path: string) =>
    points.find(({ path: top }) => isAtOrBelow(top, path));

  /** Whether a mount point is below a path. */
  const isAbove = (path: string) =>
    points.some((point) => nameIn(path, point.path) !== undefined);

  /** The entries of a directory that lead to mounts. */
  function entriesAbove(path: string): readonly FileEntry[] {
    const names = points.map((point) => nameIn(path, point.path));
    return [...new Set(names)]
      .filter((name) => name !== undefined)
      .map((name) => ({ name, kind: "directory" }));
  }

  /** Describes a directory above the mounts; fails for any other path. */
  function lstatAbove(path: string): FileStat {
    if (path === "/" || isAbove(path)) return directory(path);
    throw failure("ENOENT");
  }

  const port: FsPort = {
    spelling: { hidesLinks: points.some((point) => point.hidesLinks) },
    async realPath(path) {
      const real = await realPathOf(port, path);
      const point = pointOf(real);
      // In the role "way", a port may answer without checking that the directory exists.
      if (point === undefined || isAbove(real)) return real;
      const found = await point.fs.realPath(await point.inside(real));
      return point.hidesLinks ? await point.shown(found) : real;
    },
    async lstat(path, role, signal) {
      const plain = plainPath(path);
      const point = pointOf(plain);
      if (point === undefined) return lstatAbove(plain);
      if (plain === point.path) return await point.describe(signal);
      try {
        const inside = await point.inside(plain);
        const stat = await point.fs.lstat(inside, role, signal);
        if (stat.kind === "directory" || !isAbove(plain)) {
          return point.withOwnId(stat);
        }
      } catch (error) {
        if (codeOf(error) !== "ENOENT" || !isAbove(plain)) throw error;
        return directory(plain);
      }
      // Above a mount point, a file or a link makes the mount unreachable.
      throw failure("ENOTDIR");
    },
    async readLink(path, signal) {
      const plain = plainPath(path);
      const point = pointOf(plain);
      if (point === undefined) lstatAbove(plain);
      if (point === undefined || plain === point.path) throw failure("EINVAL");
      const target = await point.fs.readLink(await point.inside(plain), signal);
      return target.startsWith("/") ? await point.translate(target) : target;
    },
    async open(path, signal) {
      const plain = plainPath(path);
      const point = pointOf(plain);
      if (point === undefined || plain === point.path || isAbove(plain)) {
        const stat = await port.lstat(plain, "last", signal);
        return openDirectory(plain, stat);
      }
      const handle = await point.fs.open(await point.inside(plain), signal);
      return {
        stat: async () => point.withOwnId(await handle.stat()),
        read: (buffer, position) => handle.read(buffer, position),
        async path() {
          const inside = await handle.path();
          if (inside === undefined) return undefined;
          const outside = await point.outside(inside);
          // A link was swapped in: the file is below another mount point.
          if (pointOf(outside) !== point) throw failure("ESTALE");
          return outside;
        },
        close: () => handle.close(),
      };
    },
    async *list(path, most, signal) {
      const plain = plainPath(path);
      const above = entriesAbove(plain);
      const point = pointOf(plain);
      if (point === undefined) {
        lstatAbove(plain);
        yield above;
        return;
      }
      const inside = await point.inside(plain);
      const batches = batchesIn(point.fs, inside, most, signal);
      yield* merge(above, batches, ["ENOENT"]);
    },
  };
  return withSymbolsOf(port, points.map(({ fs }) => fs));
}
