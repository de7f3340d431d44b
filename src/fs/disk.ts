import type {
  FileEntry,
  FileHandle,
  FileKind,
  FileStat,
  FsPort,
} from "../core/base/port.ts";
import { timeSlice, yieldByTimer } from "../core/base/call.ts";
import { propertyOf, refuseMistake, takeOptions } from "../core/base/check.ts";
import { KernelPool, wasmKernel, withKernels } from "../core/lines/scan.ts";
import { win32Fs } from "./win32.ts";
import type {
  DenoHost,
  DenoInfo,
  DenoKind,
  NodeDirectory,
  NodeEntry,
  NodeExactStats,
  NodeFs,
  NodeKind,
  NodeStats,
  NodeTimers,
  Runtime,
} from "./runtime.ts";

/** The global object. Cast, since the package must compile without the types of any runtime; callers check each part. */
export function thisRuntime(): Runtime {
  return globalThis as unknown as Runtime;
}

/** Options for {@linkcode denoFs}, {@linkcode bunFs} and {@linkcode nodeFs}. */
export interface DiskOptions {
  /**
   * Whether to wait for the disk without blocking the event loop. A local disk
   * answers faster than a thread pool, so this is for slow mounts only.
   */
  readonly nonBlocking?: boolean;
}

/**
 * The disk, through `node:fs`, which is loaded by this call and not by the
 * import. `findFdDirectory` finds the directory with links to open files. The
 * functions of `deno` are three times as fast as its `node:fs`.
 */
export function diskFs(
  options: DiskOptions,
  findFdDirectory: () => string | undefined,
  deno?: DenoHost,
): FsPort {
  const refuse = refuseMistake("Cannot reach a disk");
  const { nonBlocking } = takeOptions(options, { nonBlocking: "flag" }, refuse);
  const { process } = thisRuntime();
  const fs = process?.getBuiltinModule?.("node:fs");
  if (fs === undefined) throw refuse("this runtime", "has no node:fs");
  const timers = process?.getBuiltinModule?.("node:timers");
  if (timers !== undefined) {
    timeSlice.yieldBy(yieldByImmediates(timers, deno !== undefined));
  }
  const make = nonBlocking ? waitingFs : blockingFs;
  const system = systemOf();
  const exact = system !== "other" && deno === undefined ? EXACT : undefined;
  const disk = make(fs, fdLinks(findFdDirectory), deno, exact);
  return withKernels(spelt(disk, system, deno), diskKernels);
}

/** Adds how the system spells paths. */
function spelt(disk: FsPort, system: System, deno?: DenoHost): FsPort {
  if (system === "other") return disk;
  if (system === "windows") {
    return win32Fs(disk, { roundsIds: deno !== undefined });
  }
  // Deno prompts at a terminal before it refuses, and on macOS it tells case: so ask for
  // no other spelling of the root, unless all may be read.
  const foldsNames = deno === undefined ||
    deno.permissions.querySync({ name: "read" }).state === "granted";
  return { ...disk, spelling: { foldsNames, nameUnits: "utf-16" } };
}

type System = "windows" | "apple" | "other";

/** The system, as far as its disks differ. Either sign of Windows counts, since a wrong "no" would leave reads unconfined. */
function systemOf(): System {
  const { Deno: deno, process } = thisRuntime();
  const signs = [process?.platform, deno?.build.os];
  if (signs.includes("win32") || signs.includes("windows")) return "windows";
  return signs.includes("darwin") ? "apple" : "other";
}

/** Stats in `bigint`, since a number cannot hold each identity of NTFS and APFS. */
const EXACT = { bigint: true } as const;

/** The kernels of all disks: buffers, which hold no state between two reads. */
const diskKernels = new KernelPool(wasmKernel);

/**
 * Yields by `setImmediate`, since a timer takes one or two milliseconds. Every
 * eighth yield is by a timer, since immediates alone may starve sockets.
 *
 * Deno polls sockets and standard input only while it waits. So each yield waits
 * twice for the thread pool, which takes some microseconds. On a busy machine,
 * standard input may still wait for ten slices, and a cancelled call must stop
 * within 50 ms. So every fourth yield is by a timer.
 */
function yieldByImmediates({ setImmediate }: NodeTimers, isDeno: boolean) {
  const immediate = () =>
    new Promise<void>((resolve) => void setImmediate(resolve));
  const byte = new Uint8Array(1);
  const poll = () => crypto.subtle.digest("SHA-1", byte).then(immediate);
  // The first immediate may run in the same turn; the second runs in the next.
  const pause = isDeno
    ? () => immediate().then(poll).then(poll)
    : () => immediate().then(immediate);
  const timerEvery = isDeno ? 4 : 8;
  let yields = 0;
  return () => ++yields % timerEvery === 0 ? yieldByTimer() : pause();
}

/** `O_NONBLOCK`, since opening a FIFO would wait for a writer. */
function flagsOf({ constants }: NodeFs): number {
  const { O_RDONLY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  return O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
}

function blockingFs(
  fs: NodeFs,
  withFdLink: WithFdLink,
  deno?: DenoHost,
  exact?: typeof EXACT,
): FsPort {
  const flags = flagsOf(fs);
  const lstat = (path: string) =>
    deno ? ofInfo(deno.lstatSync(path)) : ofStats(fs.lstatSync(path, exact));
  const readLink = (path: string) =>
    deno ? deno.readLinkSync(path) : fs.readlinkSync(path);
  const list = listBy(fs, deno, lstat, true);
  return {
    realPath: (path) => fs.realpathSync.native(path),
    lstat,
    readLink,
    open(path): FileHandle {
      const fd = fs.openSync(path, flags);
      let first: FileStat | undefined;
      return {
        stat() {
          if (deno === undefined) return ofStats(fs.fstatSync(fd, exact));
          if (first !== undefined) {
            try {
              // The fastest way. No other file has its identity while it is open.
              const now = lstat(path);
              if (now.id !== null && now.id === first.id) return now;
            } catch {
              // The file was moved or removed.
            }
          }
          // `statSync` follows the link in /proc to the open file itself.
          const opened =
            withFdLink(fd, (link) => ofInfo(deno.statSync(link))) ??
              ofStats(fs.fstatSync(fd, exact));
          first ??= opened;
          return opened;
        },
        read: (buffer, position) =>
          fs.readSync(fd, buffer, 0, buffer.length, position),
        path: () => withFdLink(fd, readLink),
        list: withFdLink(fd, (link) => (most) => list(`${link}/.`, most)),
        close: () => fs.closeSync(fd),
      };
    },
    list,
  };
}

function waitingFs(
  fs: NodeFs,
  withFdLink: WithFdLink,
  deno?: DenoHost,
  exact?: typeof EXACT,
): FsPort {
  const { realpath, readlink, open } = fs.promises;
  const flags = flagsOf(fs);
  const lstat = async (path: string) =>
    ofStats(await fs.promises.lstat(path, exact));
  const list = listBy(fs, deno, lstat, false);
  return {
    realPath: (path) => realpath(path),
    lstat,
    readLink: (path) => readlink(path),
    async open(path) {
      const file = await open(path, flags);
      return {
        stat: async () => ofStats(await file.stat(exact)),
        async read(buffer, position) {
          const { length } = buffer;
          return (await file.read(buffer, 0, length, position)).bytesRead;
        },
        async path() {
          const link = withFdLink(file.fd, (link) => link);
          // By the thread pool, like `lstat`: a proof asks both in random order, and
          // what is answered at once would always come first.
          return link && await readlink(link).catch(() => undefined);
        },
        list: withFdLink(file.fd, (link) => (most) => list(`${link}/.`, most)),
        close: () => file.close(),
      };
    },
    list,
  };
}

function ofStats(stats: NodeStats | NodeExactStats): FileStat {
  if (isExact(stats)) return ofExactStats(stats);
  const { size, mtimeMs, ctimeMs, dev, ino } = stats;
  const kind = kindOf(stats);
  const facts = { kind, size, mtimeMs, ctimeMs, id: idOf(dev, ino) };
  return kind === "other" ? { ...facts, special: specialOf(stats) } : facts;
}

function isExact(stats: NodeStats | NodeExactStats): stats is NodeExactStats {
  return typeof stats.size === "bigint";
}

function ofExactStats(stats: NodeExactStats): FileStat {
  const { size, mtimeNs, ctimeNs, dev, ino } = stats;
  // All bits are set where the disk has no identity that fits, as ReFS may not.
  const hasId = ino !== 0n && BigInt.asUintN(64, ino) !== 2n ** 64n - 1n;
  // On Windows 11, libuv 1.49 and 1.50 give more bits for a path than for a handle.
  const volume = BigInt.asUintN(32, dev);
  return {
    kind: kindOf(stats),
    size: Number(size),
    mtimeMs: Number(mtimeNs) / 1e6,
    ctimeMs: Number(ctimeNs) / 1e6,
    id: hasId ? `${volume}:${ino}` : null,
  };
}

function ofInfo(info: DenoInfo): FileStat {
  const { size, dev, ino } = info;
  const mtimeMs = info.mtime?.getTime() ?? null;
  const ctimeMs = info.ctime?.getTime() ?? null;
  const kind = kindOf(info);
  const facts = { kind, size, mtimeMs, ctimeMs, id: idOf(dev, ino) };
  return kind === "other" ? { ...facts, special: specialOf(info) } : facts;
}

/** What else a file is; `undefined` where the system does not tell. */
function specialOf(of: NodeStats | DenoInfo): FileStat["special"] {
  const isNode = "isSymbolicLink" in of;
  if (isNode ? of.isFIFO?.() : of.isFifo) return "FIFO";
  if (isNode ? of.isSocket?.() : of.isSocket) return "socket";
  const isDevice = isNode
    ? of.isCharacterDevice?.() || of.isBlockDevice?.()
    : of.isCharDevice || of.isBlockDevice;
  return isDevice ? "device" : undefined;
}

function kindOf(of: NodeKind | DenoKind): FileKind {
  const isNode = "isSymbolicLink" in of;
  if (isNode ? of.isFile() : of.isFile) return "file";
  if (isNode ? of.isDirectory() : of.isDirectory) return "directory";
  return (isNode ? of.isSymbolicLink() : of.isSymlink) ? "symlink" : "other";
}

/** `dev:ino`; `null` if a number cannot hold them exactly, since two files could then have the same identity. */
function idOf(dev: number, ino: number | null): string | null {
  const isExact = Number.isSafeInteger(dev) && Number.isSafeInteger(ino);
  return isExact && ino !== 0 ? `${dev}:${ino}` : null;
}

/** The size of a directory of about 10,000 names; listing a smaller one takes Bun a few milliseconds. */
export const MAX_LISTED_BYTES = 512 * 1024;

const BATCH = 1024;

/**
 * Lists directories in batches. On Deno, only `readDir` reads a directory step by
 * step. `node:fs` of Bun reads all of it for the first entry. So Bun lists a large
 * one off the event loop, and gives no entries if the caller needs only some.
 */
function listBy(
  fs: NodeFs,
  deno: DenoHost | undefined,
  lstat: FsPort["lstat"],
  isBlocking: boolean,
): NonNullable<FsPort["list"]> {
  const isReadWhole = deno === undefined && "Bun" in globalThis;
  return async function* (path, most) {
    const isLarge = isReadWhole && (await lstat(path)).size > MAX_LISTED_BYTES;
    if (isLarge && most < Infinity) return;
    const isSync = isBlocking && !isLarge;
    const directory = deno?.readDir(path) ??
      (isSync
        ? eachEntry(fs.opendirSync(path))
        : await fs.promises.opendir(path));
    let batch: FileEntry[] = [];
    for await (const entry of directory) {
      batch.push({ name: entry.name, kind: kindOf(entry) });
      if (batch.length < Math.min(most, BATCH)) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  };
}

function* eachEntry(directory: NodeDirectory): Iterable<NodeEntry> {
  try {
    let entry = directory.readSync();
    while (entry !== null) {
      yield entry;
      entry = directory.readSync();
    }
  } finally {
    directory.closeSync();
  }
}

/** The directory in which Linux has a link to each open file of the current process. */
export const FD_DIRECTORY = "/proc/self/fd";

/** The same directory with the process id instead of `self`, which saves the system a link. */
export function numberedFdDirectory(
  readLink: (path: string) => string,
): string {
  try {
    const self = readLink("/proc/self");
    return /^\d+$/.test(self) ? `/proc/${self}/fd` : FD_DIRECTORY;
  } catch {
    return FD_DIRECTORY;
  }
}

/** Calls `use` with the link to an open file; returns `undefined` where such links cannot be used. */
type WithFdLink = <T>(fd: number, use: (link: string) => T) => T | undefined;

/** Returns a function that finds the links to open files. `findDirectory` is called once, for the first file. */
export function fdLinks(
  findDirectory: () => string | undefined,
): WithFdLink {
  /** The directory of the links; `null` if it may not be read. */
  let directory: string | null | undefined;
  return (fd, use) => {
    if (directory === undefined) directory = findDirectory() ?? null;
    if (directory === null) return undefined;
    try {
      return use(`${directory}/${fd}`);
    } catch (error) {
      // With a bare --allow-read, Deno grants the directory but refuses to read it.
      // Any other failure concerns only this file.
      if (propertyOf(error, "name") === "NotCapable") directory = null;
      return undefined;
    }
  };
}
