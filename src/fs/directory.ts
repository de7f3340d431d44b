// Runtime-agnostic.
import type { FileEntry, FileHandle, FileStat, FsPort } from "../core/port.ts";
import { failure } from "./failure.ts";

/** A directory that only its path tells of. */
export function directory(path: string): FileStat {
  const id = `directory ${path}`;
  return { kind: "directory", size: 0, mtimeMs: null, ctimeMs: null, id };
}

/** What opens at a directory: it is described, and cannot be read. */
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

/** What a port has in a directory, which may not be there, or not to be listed. */
export async function entriesIn(
  fs: FsPort,
  path: string,
  most: number,
): Promise<readonly FileEntry[]> {
  try {
    return await fs.list?.(path, most) ?? [];
  } catch {
    return [];
  }
}
