// Runtime-agnostic.
import { resolve } from "@std/path/posix/resolve";
import { codeOf } from "../core/base/errno.ts";
import { MAX_LINKS } from "../core/base/limits.ts";
import type {
  FailureReason,
  FileEntry,
  FileHandle,
  FileStat,
  FsPort,
} from "../core/base/port.ts";

/** A port's error: the code as Node.js spells it, no path, and a reason the core can explain. */
export function failure(
  code: string,
  { reason, cause }: { reason?: FailureReason; cause?: unknown } = {},
): Error {
  return Object.assign(new Error(code, { cause }), { code, reason });
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

/** Normalizes a path on a port without links: absolute, and never above `/`. */
export function plainPath(path: string): string {
  return resolve("/", path);
}

/** The stat of a directory of which only the path is known. */
export function directory(path: string): FileStat {
  const id = `directory ${path}`;
  const times = { mtimeMs: null, ctimeMs: null };
  return { kind: "directory", size: 0, ...times, id, fixed: true };
}

type Read = FileHandle["read"];

/** The handle of a file that has a known stat, and that need not be closed. */
export function handleOf(path: string, stat: FileStat, read: Read): FileHandle {
  return { stat: () => stat, read, path: () => path, close() {} };
}

/** The handle of a directory: it has a `stat`, and cannot be read. */
export function openDirectory(path: string, stat: FileStat): FileHandle {
  return handleOf(path, stat, () => {
    throw failure("EISDIR");
  });
}

export function openBytes(path: string, stat: FileStat, bytes: Uint8Array) {
  const held = { start: 0, bytes };
  return handleOf(path, stat, (buffer, at) => copy(held, buffer, at));
}

/** How many directories above a path are looked at: each costs a request. */
const MAX_ABOVE = 8;

/** Whether one of the directories above a plain path is a file. */
export async function liesBelowFile(
  path: string,
  isFile: (above: string) => Promise<boolean>,
): Promise<boolean> {
  const above: string[] = [];
  let name = parentOf(path);
  while (name !== "/" && above.length < MAX_ABOVE) {
    above.unshift(name);
    name = parentOf(name);
  }
  const answers = await Promise.all(above.map(isFile));
  return answers.includes(true);
}

/** Lists `first`, then the entries of a directory that have other names. If `first` has entries, the directory may be missing: its listing may fail with one of `codes`. */
export async function* merge(
  first: readonly FileEntry[],
  batches: AsyncIterable<readonly FileEntry[]>,
  codes: readonly string[],
): AsyncIterable<readonly FileEntry[]> {
  yield first;
  const names = new Set(first.map(({ name }) => name));
  try {
    for await (const batch of batches) {
      yield batch.filter(({ name }) => !names.has(name));
    }
  } catch (error) {
    if (first.length === 0 || !codes.includes(codeOf(error))) throw error;
  }
}

/** The size of the first range: as much as the core reads first. */
export const FIRST_RANGE_BYTES = 64 * 1024;
/** The size of the largest range. */
export const MAX_RANGE_BYTES = 4 * 1024 * 1024;

type Held = { readonly start: number; readonly bytes: Uint8Array };

/**
 * Reads a remote object of `size` bytes, which begins with `first`, a range at a
 * time; `fetch` gives at least one byte. The ranges of a sequential read,
 * forwards or backwards, double in size; a seek starts again with a small one.
 */
export function readAhead(
  size: number,
  fetch: (position: number, length: number) => Promise<Uint8Array>,
  first = new Uint8Array(0),
): Read {
  let held: Held = { start: 0, bytes: first };
  let ahead = FIRST_RANGE_BYTES;

  async function readOn(buffer: Uint8Array, position: number): Promise<number> {
    const { start, end } = nextRange(position, buffer.length);
    const bytes = await fetch(start, end - start);
    // Two reads may be pending at once, so each copies from its own range.
    const fetched = { start, bytes: bytes.subarray(0, end - start) };
    const count = copy(fetched, buffer, position);
    // Zero would mean the end of the object.
    if (count === 0) throw failure("EIO");
    held = fetched;
    return count;
  }

  /** The range to fetch for `wanted` bytes: larger than the last one in a sequential read. */
  function nextRange(position: number, wanted: number) {
    const { start, bytes } = held;
    const isEmpty = bytes.length === 0;
    const larger = Math.min(2 * ahead, MAX_RANGE_BYTES);
    const isForwards = !isEmpty && position === start + bytes.length;
    const isBackwards = !isEmpty && position < start &&
      position + Math.max(larger, wanted) >= start;
    ahead = isForwards || isBackwards ? larger : FIRST_RANGE_BYTES;
    if (isBackwards) {
      // It ends where the held bytes begin, and has the wanted position in it.
      const first = Math.min(position, Math.max(0, start - ahead));
      return { start: first, end: start };
    }
    const length = Math.max(ahead, wanted);
    return { start: position, end: Math.min(size, position + length) };
  }

  return (buffer, position) => {
    if (buffer.length === 0 || position >= size) return 0;
    return copy(held, buffer, position) || readOn(buffer, position);
  };
}

/** Copies the bytes from `position` on; returns their number. */
function copy({ start, bytes }: Held, buffer: Uint8Array, position: number) {
  if (position < start || position >= start + bytes.length) return 0;
  const from = position - start;
  const part = bytes.subarray(from, from + buffer.length);
  buffer.set(part);
  return part.length;
}

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
