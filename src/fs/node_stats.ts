// Runtime-agnostic.
import type { FileKind, FileStat } from "../core/port.ts";

/** What `node:fs` tells of the kind of a file. */
export interface NodeKind {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** What `node:fs` tells of a file. */
export interface NodeStats extends NodeKind {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
  readonly size: number | bigint;
  readonly mtimeMs: number | bigint;
  readonly ctimeMs: number | bigint;
}

/** The facts that the core asks about. */
export function toFileStat(stats: NodeStats): FileStat {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeMs),
    ctimeMs: Number(stats.ctimeMs),
    id: identity(stats.dev, stats.ino),
  };
}

/** What the system says that it is. */
export function kindOf(stats: NodeKind): FileKind {
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
