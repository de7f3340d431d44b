import type {
  FileEntry,
  FileHandle,
  FileStat,
  FsPort,
} from "@agent-tools/read-file";

/** A port's error: the code as Node.js spells it, and no path. */
export function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The code of a port's failure; empty without one. */
export function codeOf(error: unknown): string {
  const { code } = Object(error);
  return typeof code === "string" ? code : "";
}

/** Whether `path` is `top` or below it; both are plain. */
export function isAtOrBelow(top: string, path: string): boolean {
  return restBelow(top, path) !== undefined;
}

/** The rest of `path` below `top`: empty, or with a leading slash; `undefined` if it is elsewhere. */
export function restBelow(top: string, path: string): string | undefined {
  if (path === top) return "";
  if (top === "/") return path;
  return path.startsWith(`${top}/`) ? path.slice(top.length) : undefined;
}

/** The name in the directory `top` through which `path` leads; `undefined` if it is not below. */
export function nameIn(top: string, path: string): string | undefined {
  return restBelow(top, path)?.split("/")[1];
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Joins `top` and a rest that is empty or has a leading slash. */
export function below(top: string, rest: string): string {
  return top === "/" ? rest || "/" : top + rest;
}

/** Normalizes a path: absolute, without `.` and `..`, and never above `/`. */
export function plainPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** The stat of a directory of which only the path is known. */
export function directory(path: string): FileStat {
  const id = `directory ${path}`;
  const times = { mtimeMs: null, ctimeMs: null };
  return { kind: "directory", size: 0, ...times, id, fixed: true };
}

/** The handle of a directory: it has a `stat`, and cannot be read. */
export function openDirectory(path: string, stat: FileStat): FileHandle {
  return {
    stat: () => stat,
    read() {
      throw failure("EISDIR");
    },
    path: () => path,
    close() {},
  };
}

/** The handle of a file whose bytes are known. */
export function openBytes(
  path: string,
  stat: FileStat,
  bytes: Uint8Array,
): FileHandle {
  return {
    stat: () => stat,
    read(buffer, position) {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
    path: () => path,
    close() {},
  };
}

/** The entries of a directory, in batches; `most` of them are enough. */
export async function* batchesIn(
  fs: FsPort,
  path: string,
  most: number,
  signal?: AbortSignal,
): AsyncIterable<readonly FileEntry[]> {
  if (fs.list === undefined) {
    throw Object.assign(new Error(), { code: "ENOSYS" });
  }
  const listing = await fs.list(path, most, signal);
  yield* Symbol.asyncIterator in listing ? listing : [listing];
}

/** Lists `first`, then the entries of a directory that have other names. If `first` has entries, the directory may be missing: its listing may fail with one of `codes`. */
export async function* merge(
  first: readonly FileEntry[],
  batches: AsyncIterable<readonly FileEntry[]>,
  codes: readonly string[],
  keyOf: (name: string) => string = (name) => name,
): AsyncIterable<readonly FileEntry[]> {
  yield first;
  const names = new Set(first.map(({ name }) => keyOf(name)));
  try {
    for await (const batch of batches) {
      yield batch.filter(({ name }) => !names.has(keyOf(name)));
    }
  } catch (error) {
    if (first.length === 0 || !codes.includes(codeOf(error))) throw error;
  }
}

/** How many links a path may lead through. */
const MAX_LINKS = 40;

/** Follows the links in `path` one by one; a link may not leave its mount. */
export async function realPathOf(fs: FsPort, path: string): Promise<string> {
  const todo = stepsOf(path, false);
  /** The directories of the path that are mount points. */
  const tops = new Set<string>();
  let here = "/";
  let links = 0;
  while (todo.length > 0) {
    const { name, ofLink } = todo.pop()!;
    if (name === "..") {
      // A relative link may not climb above its mount point.
      if (ofLink && tops.has(here)) throw failure("EXDEV");
      here = parentOf(here);
      continue;
    }
    const next = below(here, `/${name}`);
    const { kind, top = false } = await fs.lstat(next, "way");
    if (kind !== "symlink") {
      if (top) tops.add(next);
      here = next;
      continue;
    }
    if (++links > MAX_LINKS) throw failure("ELOOP");
    const target = await fs.readLink(next);
    if (target.startsWith("/")) here = "/";
    todo.push(...stepsOf(target, true));
  }
  return here;
}

/** The names in a path, the last one first, and whether they come from a link. */
function stepsOf(path: string, ofLink: boolean) {
  return path.split("/").filter((name) => name !== "" && name !== ".")
    .map((name) => ({ name, ofLink })).reverse();
}

/** Adds to a port what the library keeps at the ports below it, by symbols: how fast they are scanned. */
export function withSymbolsOf(port: FsPort, others: readonly FsPort[]): FsPort {
  const found: Record<symbol, unknown> = {};
  for (const other of others) {
    for (const symbol of Object.getOwnPropertySymbols(other)) {
      found[symbol] ??= Reflect.get(other, symbol);
    }
  }
  return Object.assign(port, found);
}
