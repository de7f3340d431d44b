// Deno only.
import type {
  FileEntry,
  FileKind,
  FileStat,
  FsPort,
} from "../core/base/port.ts";
import { type DiskOptions, identity, nodeApiFs } from "./node_api.ts";
import { numberedNames, OWN_NAMES } from "./open_file_names.ts";

/**
 * The disk, as Deno reaches it.
 *
 * Requires `--allow-read` for the workspace, by its real path:
 * `--allow-read="$(realpath ws)"`. That permission alone does not keep a link
 * from leading out; the workspace does.
 *
 * @example Usage
 * ```ts no-assert
 * import { denoFs, openWorkspace } from "@agent-tools/read-file";
 *
 * const open = () => openWorkspace(".", { fs: denoFs() });
 * ```
 *
 * @param options How to wait for the disk.
 * @returns The port.
 */
export function denoFs(options: DiskOptions = {}): FsPort {
  // The types of Deno are not the package's to name, so it says what it needs.
  const { Deno } = globalThis as unknown as Host;
  if (Deno === undefined) {
    return nodeApiFs({ openFileNames: () => undefined }, options);
  }
  return nodeApiFs({
    openFileNames: () => openFileNames(Deno),
    quick: {
      lstat: (path) => toFileStat(Deno.lstatSync(path)),
      stat: (path) => toFileStat(Deno.statSync(path)),
      readLink: (path) => Deno.readLinkSync(path),
      list: (path, most) => firstEntries(Deno.readDir(path), most),
      entries: (path) => entriesOf(Deno.readDir(path)),
    },
  }, options);
}

interface DenoKind {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymlink: boolean;
}

interface DenoEntry extends DenoKind {
  readonly name: string;
}

interface DenoInfo extends DenoKind {
  readonly size: number;
  readonly mtime: Date | null;
  readonly ctime: Date | null;
  readonly dev: number;
  readonly ino: number | null;
}

interface Host {
  readonly Deno?: DenoHost;
}

interface DenoHost {
  readonly build: { readonly os: string };
  readonly permissions: {
    querySync(
      name: { readonly name: "read"; readonly path: string },
    ): { readonly state: string };
  };
  lstatSync(path: string): DenoInfo;
  statSync(path: string): DenoInfo;
  readLinkSync(path: string): string;
  readDir(path: string): AsyncIterable<DenoEntry>;
}

// Deno asks the user at the terminal before it refuses, so ask whether it would.
function openFileNames(deno: DenoHost): string | undefined {
  if (deno.build.os !== "linux") return undefined;
  const mayRead = (path: string) =>
    deno.permissions.querySync({ name: "read", path }).state === "granted";
  if (!mayRead(OWN_NAMES)) return undefined;
  return mayRead("/proc")
    ? numberedNames((path) => deno.readLinkSync(path))
    : OWN_NAMES;
}

// A third of the time that the same takes through `node:fs` on Deno.
function toFileStat(info: DenoInfo): FileStat {
  const { size, mtime, ctime } = info;
  return {
    kind: kindOf(info),
    size,
    mtimeMs: mtime?.getTime() ?? null,
    ctimeMs: ctime?.getTime() ?? null,
    id: identity(info.dev, info.ino),
  };
}

async function* entriesOf(
  directory: AsyncIterable<DenoEntry>,
): AsyncIterable<FileEntry> {
  for await (const entry of directory) {
    yield { name: entry.name, kind: kindOf(entry) };
  }
}

/** All other ways to list on Deno read a directory to its end before they give an entry. */
async function firstEntries(
  directory: AsyncIterable<DenoEntry>,
  most: number,
): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for await (const entry of directory) {
    const count = entries.push({ name: entry.name, kind: kindOf(entry) });
    if (count >= most) break;
  }
  return entries;
}

function kindOf({ isFile, isDirectory, isSymlink }: DenoKind): FileKind {
  if (isFile) return "file";
  if (isDirectory) return "directory";
  return isSymlink ? "symlink" : "other";
}
