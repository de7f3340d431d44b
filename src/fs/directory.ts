// Runtime-agnostic.
import type { FileEntry, FileHandle, FileStat, FsPort } from "../core/port.ts";
import { failure } from "./failure.ts";
import { parentOf } from "./plain_path.ts";

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

/** How many names above a missing one are asked about: a path may have thousands. */
const MAX_ABOVE = 8;

/** Whether one of the names above a path, which is plain, is that of a file. */
export async function liesBelowFile(
  path: string,
  isFile: (above: string) => Promise<boolean>,
): Promise<boolean> {
  const above: string[] = [];
  for (
    let name = parentOf(path);
    name !== "/" && above.length < MAX_ABOVE;
    name = parentOf(name)
  ) above.unshift(name);
  return (await Promise.all(above.map(isFile))).includes(true);
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
