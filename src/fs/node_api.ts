// Deno and Bun: both offer this part of `node:fs`.
import {
  type Awaitable,
  type FileHandle,
  type FileKind,
  type FileStat,
  type FsPort,
  isPromise,
} from "../core/port.ts";

/** Options for {@linkcode denoFs} and {@linkcode bunFs}. */
export interface DiskOptions {
  /**
   * Whether to wait for the disk without blocking the event loop. A local disk
   * answers sooner than a thread can be asked, so this is for slow mounts only.
   */
  readonly nonBlocking?: boolean;
}

/** What the runtimes do differently. */
export interface DiskTraits {
  /** The directory in which the system names open files, if it may be looked at. */
  openFileNames(): string | undefined;
  /** A quicker `lstat` than the one of `node:fs`. */
  lstat?(path: string): FileStat;
}

/** What `node:fs` tells of a file. */
export interface NodeStats {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
  readonly size: number | bigint;
  readonly mtimeMs: number | bigint;
  readonly ctimeMs: number | bigint;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

interface NodeFs {
  readonly constants: Readonly<Record<string, number | undefined>>;
  readonly promises: {
    realpath(path: string): Promise<string>;
    lstat(path: string): Promise<NodeStats>;
    readlink(path: string): Promise<string>;
    open(path: string, flags: number): Promise<NodeFile>;
  };
  realpathSync: { native(path: string): string };
  lstatSync(path: string, options?: { bigint: true }): NodeStats;
  fstatSync(fd: number, options?: { bigint: true }): NodeStats;
  readlinkSync(path: string): string;
  openSync(path: string, flags: number): number;
  readSync(
    fd: number,
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): number;
  closeSync(fd: number): void;
}

interface NodeFile {
  readonly fd: number;
  stat(): Promise<NodeStats>;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

interface NodeHost {
  readonly process?: {
    getBuiltinModule?(name: "node:fs"): NodeFs | undefined;
  };
}

/** The disk, through `node:fs`, asked for only now so that loading never fails. */
export function nodeApiFs(traits: DiskTraits, options: DiskOptions): FsPort {
  const fs = (globalThis as NodeHost).process?.getBuiltinModule?.("node:fs");
  if (fs === undefined) {
    throw new TypeError("Cannot reach a disk: this runtime has no node:fs");
  }
  const { O_RDONLY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  return options.nonBlocking
    ? waitingFs(fs, flags, namer(traits, fs.promises.readlink))
    : blockingFs(fs, flags, traits, namer(traits, fs.readlinkSync));
}

/** Asks the system for its own name of an open file. */
type Namer = (fd: number) => Awaitable<string | undefined>;

function blockingFs(
  fs: NodeFs,
  flags: number,
  traits: DiskTraits,
  nameOf: Namer,
): FsPort {
  const lstat = traits.lstat ?? ((path) => toFileStat(fs.lstatSync(path)));
  return {
    realPath: (path) => fs.realpathSync.native(path),
    lstat,
    readLink: (path) => fs.readlinkSync(path),
    open(path): FileHandle {
      const fd = fs.openSync(path, flags);
      return {
        stat: () => toFileStat(fs.fstatSync(fd)),
        read: (buffer, position) =>
          fs.readSync(fd, buffer, 0, buffer.length, position),
        path: () => nameOf(fd),
        close: () => fs.closeSync(fd),
      };
    },
  };
}

function waitingFs(fs: NodeFs, flags: number, nameOf: Namer): FsPort {
  const { realpath, lstat, readlink, open } = fs.promises;
  return {
    realPath: (path) => realpath(path),
    lstat: async (path) => toFileStat(await lstat(path)),
    readLink: (path) => readlink(path),
    async open(path): Promise<FileHandle> {
      const file = await open(path, flags);
      return {
        stat: async () => toFileStat(await file.stat()),
        async read(buffer, position) {
          const { length } = buffer;
          return (await file.read(buffer, 0, length, position)).bytesRead;
        },
        path: () => nameOf(file.fd),
        close: () => file.close(),
      };
    },
  };
}

function namer(
  { openFileNames }: DiskTraits,
  readLink: (path: string) => Awaitable<string>,
): Namer {
  // Asked once, at the first file: then what may be looked at is settled.
  let directory: string | undefined;
  let asked = false;
  const giveUp = () => directory = undefined;
  return (fd) => {
    if (!asked) directory = openFileNames();
    asked = true;
    if (directory === undefined) return undefined;
    try {
      const name = readLink(`${directory}/${fd}`);
      return isPromise(name) ? name.catch(giveUp) : name;
    } catch {
      // Deno grants the directory under a bare --allow-read, and then refuses.
      return giveUp();
    }
  };
}

function toFileStat(stats: NodeStats): FileStat {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeMs),
    ctimeMs: Number(stats.ctimeMs),
    id: identity(stats.dev, stats.ino),
  };
}

function kindOf(stats: NodeStats): FileKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}

/** `dev:ino`, or `null` where a number cannot hold it exactly: two files may look alike. */
export function identity(
  dev: number | bigint,
  ino: number | bigint | null,
): string | null {
  const exact = [dev, ino].every((part) =>
    typeof part === "bigint" || Number.isSafeInteger(part)
  );
  return exact && ino !== null && Number(ino) !== 0 ? `${dev}:${ino}` : null;
}
