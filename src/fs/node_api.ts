// Deno and Bun.
import type {
  FileEntry,
  FileHandle,
  FileKind,
  FileStat,
  FsPort,
} from "../core/base/port.ts";
import { leaveByTimer, type LeaveTurn, turnClock } from "../core/base/call.ts";
import { type KernelOffer, KernelPool, KERNELS } from "../core/lines/scan.ts";
import { refuseUnknown } from "../core/base/check.ts";
import { wasmKernel } from "../core/lines/scan_wasm.ts";
import { OpenFileNames } from "./open_file_names.ts";

/** What `node:fs` tells of the kind of a file. */
interface NodeKind {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** What `node:fs` tells of a file. */
interface NodeStats extends NodeKind {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
  readonly size: number | bigint;
  readonly mtimeMs: number | bigint;
  readonly ctimeMs: number | bigint;
}

/** The facts that the core asks about. */
function toFileStat(stats: NodeStats): FileStat {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeMs),
    ctimeMs: Number(stats.ctimeMs),
    id: identity(stats.dev, stats.ino),
  };
}

/** What the system says that it is. */
function kindOf(stats: NodeKind): FileKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}

/** `dev:ino`, or `null` where a number cannot hold it exactly: two files may look alike. */
export function identity(
  dev: number | bigint,
  ino: number | bigint | null,
): string | null {
  if (ino === null || !isExact(dev) || !isExact(ino)) return null;
  return Number(ino) === 0 ? null : `${dev}:${ino}`;
}

function isExact(part: number | bigint): boolean {
  return typeof part === "bigint" || Number.isSafeInteger(part);
}

/**
 * Options for {@linkcode denoFs} and {@linkcode bunFs}.
 */
export interface DiskOptions {
  /**
   * Whether to wait for the disk without blocking the event loop. A local disk
   * answers sooner than a thread can be asked, so this is for slow mounts only.
   */
  readonly nonBlocking?: boolean;
}

/** What the runtimes do differently. */
interface DiskTraits {
  /** The directory in which the system names open files, if it may be looked at. */
  openFileNames(): string | undefined;
  /** Quicker ways to ask than those of `node:fs`, where there are any. */
  readonly quick?: QuickLooks;
}

/** The runtime's own ways to look at a path, where they cost less. */
interface QuickLooks {
  lstat(path: string): FileStat;
  /** Follows links: of the system's own name for an open file, to that file. */
  stat(path: string): FileStat;
  readLink(path: string): string;
  /** Gives the first entries of a directory, and does not read all of it. */
  list(path: string, most: number): Promise<readonly FileEntry[]>;
}

interface NodeEntry extends NodeKind {
  readonly name: string;
}

interface NodeFs {
  readonly constants: Readonly<Record<string, number | undefined>>;
  readonly promises: {
    realpath(path: string): Promise<string>;
    lstat(path: string): Promise<NodeStats>;
    readlink(path: string): Promise<string>;
    open(path: string, flags: number): Promise<NodeFile>;
    opendir(path: string): Promise<AsyncIterable<NodeEntry>>;
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
  opendirSync(path: string): {
    readSync(): NodeEntry | null;
    closeSync(): void;
  };
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

interface NodeTimers {
  setImmediate(resolve: () => void): unknown;
}

interface NodeHost {
  readonly process?: {
    getBuiltinModule?(name: "node:fs"): NodeFs | undefined;
    getBuiltinModule?(name: "node:timers"): NodeTimers | undefined;
  };
}

/** How often a turn is left by a timer: on Deno, sockets get no turn from immediates alone. */
const TIMER_EVERY = 8;

/** Leaves turns by immediates, which do not wait; a timer waits for one or two milliseconds. */
function leaveByImmediates(timers: NodeTimers): LeaveTurn {
  const immediate = () =>
    new Promise<void>((resolve) => void timers.setImmediate(resolve));
  let turns = 0;
  // The first immediate may come in the same turn; the second comes in the next.
  return () =>
    ++turns % TIMER_EVERY === 0 ? leaveByTimer() : immediate().then(immediate);
}

/** The disk, through `node:fs`, asked for only now so that loading never fails. */
export function nodeApiFs(traits: DiskTraits, options: DiskOptions): FsPort {
  refuseUnknown("Cannot reach a disk", options, ["nonBlocking"]);
  const { process } = globalThis as NodeHost;
  const fs = process?.getBuiltinModule?.("node:fs");
  if (fs === undefined) {
    throw new TypeError("Cannot reach a disk: this runtime has no node:fs");
  }
  const timers = process?.getBuiltinModule?.("node:timers");
  if (timers !== undefined) turnClock.leaveBy(leaveByImmediates(timers));
  const { O_RDONLY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  const names = new OpenFileNames(() => traits.openFileNames());
  const port = options.nonBlocking
    ? waitingFs(fs, flags, names, traits.quick)
    : blockingFs(fs, flags, names, traits.quick);
  const offer: KernelOffer = { [KERNELS]: diskKernels };
  return { ...port, ...offer };
}

/** The kernels that all disks share: buffers that hold no state. */
const diskKernels = /* @__PURE__ */ new KernelPool(wasmKernel);

function blockingFs(
  fs: NodeFs,
  flags: number,
  names: OpenFileNames,
  quick: QuickLooks | undefined,
): FsPort {
  const readLink = quick?.readLink ?? ((path) => fs.readlinkSync(path));
  return {
    realPath: (path) => fs.realpathSync.native(path),
    lstat: quick?.lstat ?? ((path) => toFileStat(fs.lstatSync(path))),
    readLink,
    open(path): FileHandle {
      const fd = fs.openSync(path, flags);
      const stat = () => toFileStat(fs.fstatSync(fd));
      return {
        stat: quick === undefined
          ? stat
          : quickStat(path, () => names.ask(fd, quick.stat) ?? stat(), quick),
        read: (buffer, position) =>
          fs.readSync(fd, buffer, 0, buffer.length, position),
        path: () => names.ask(fd, readLink),
        close: () => fs.closeSync(fd),
      };
    },
    list: quick?.list ?? ((path, most) => {
      const directory = fs.opendirSync(path);
      const entries: FileEntry[] = [];
      try {
        while (entries.length < most) {
          const entry = directory.readSync();
          if (entry === null) break;
          entries.push(toEntry(entry));
        }
      } finally {
        directory.closeSync();
      }
      return entries;
    }),
  };
}

/** A `stat` of the file opened at `path` that looks at the path, as long as it leads there. */
function quickStat(
  path: string,
  stat: () => FileStat,
  { lstat }: QuickLooks,
): () => FileStat {
  let first: FileStat | undefined;
  return () => {
    if (first === undefined) return first = stat();
    try {
      // The identity cannot have passed to another file while this one is open.
      const now = lstat(path);
      if (now.id !== null && now.id === first.id) return now;
    } catch {
      // It has been moved away, or removed.
    }
    return stat();
  };
}

function waitingFs(
  fs: NodeFs,
  flags: number,
  names: OpenFileNames,
  quick: QuickLooks | undefined,
): FsPort {
  const { realpath, lstat, readlink, open, opendir } = fs.promises;
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
        path: () => names.askLater(file.fd, readlink),
        close: () => file.close(),
      };
    },
    list: quick?.list ?? (async (path, most) => {
      const entries: FileEntry[] = [];
      for await (const entry of await opendir(path)) {
        if (entries.push(toEntry(entry)) === most) break;
      }
      return entries;
    }),
  };
}

function toEntry(entry: NodeEntry): FileEntry {
  return { name: entry.name, kind: kindOf(entry) };
}
