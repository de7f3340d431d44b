// Runtime-agnostic.
import type {
  FailureReason,
  FileEntry,
  FileHandle,
  FileStat,
  FsPort,
} from "../core/base/port.ts";

/** A failure as a port gives it: the reason as Node.js spells it, and no path. */
export function failure(code: string, options?: ErrorOptions): Error {
  return Object.assign(new Error(code, options), { code });
}

/** A failure that says why, by a word that the core has a sentence for. */
export function failureOf(code: string, reason: FailureReason): Error {
  return Object.assign(failure(code), { reason });
}

/** What is left of `path` below `top`: empty, or with a slash first; `undefined` if it lies elsewhere. */
export function restBelow(top: string, path: string): string | undefined {
  if (path === top) return "";
  if (top === "/") return path;
  return path.startsWith(`${top}/`) ? path.slice(top.length) : undefined;
}

/** The directory that `path` is in. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** `rest`, empty or with a slash first, below `top`. */
export function below(top: string, rest: string): string {
  return top === "/" ? rest || "/" : top + rest;
}

/**
 * The one spelling of a path where no links are: absolute, with neither `.` nor
 * `..`, and no slash that says nothing. It never climbs above `/`.
 */
export function plainPath(path: string): string {
  if (/^(\/(?!\.{0,2}(\/|$))[^/]+)+$/.test(path)) return path;
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** A directory that only its path tells of. */
export function directory(path: string): FileStat {
  const id = `directory ${path}`;
  return {
    ...{ kind: "directory", size: 0, mtimeMs: null, ctimeMs: null, id },
    fixed: true,
  };
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
