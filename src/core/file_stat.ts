// Runtime-agnostic.

/**
 * What a path, or an open file, turns out to be.
 *
 * @example Usage
 * ```ts
 * import { type FileKind, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const signs: Record<FileKind, string> = {
 *   file: "",
 *   directory: "/",
 *   symlink: "@",
 *   other: "?",
 * };
 * const fs = memoryFs({ "/repo/a.txt": "one", "/repo/link": { link: "a.txt" } });
 * const { kind } = await fs.lstat("/repo/link");
 * assertEquals(`link${signs[kind]}`, "link@");
 * ```
 */
export type FileKind = "file" | "directory" | "symlink" | "other";

/**
 * The few facts the core asks about a file.
 *
 * @example Usage
 * ```ts
 * import { type FileStat, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assert } from "@std/assert";
 *
 * const isSame = (one: FileStat, other: FileStat) => one.id !== null && one.id === other.id;
 * const fs = memoryFs({ "/repo/a.txt": "one", "/repo/link": { link: "a.txt" } });
 * const workspace = await openWorkspace("/repo", { fs });
 * await using file = await workspace.open("a.txt");
 * await using linked = await workspace.open("link");
 * assert(isSame(file.stat, linked.stat));
 * ```
 */
export interface FileStat {
  /** What it is. */
  readonly kind: FileKind;
  /** Its size in bytes. */
  readonly size: number;
  /** When its content last changed, in milliseconds since the epoch; `null` if unknown. */
  readonly mtimeMs: number | null;
  /** When anything about it last changed, in milliseconds since the epoch; `null` if unknown. */
  readonly ctimeMs: number | null;
  /** Names the file itself, exactly, whatever its path; `null` if it has no such name. */
  readonly id: string | null;
  /** Whether another place begins at this directory, so that no link may climb above it. */
  readonly top?: boolean;
  /**
   * Whether its bytes come from afar: to read all of them costs more than the
   * line numbers are worth that its last lines would get by it. A port over
   * others passes it on, as it does whatever else it does not change.
   */
  readonly remote?: boolean;
}

/**
 * What a directory holds one of.
 *
 * @example Usage
 * ```ts
 * import { type FileEntry, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const show = ({ name, kind }: FileEntry) => kind === "directory" ? `${name}/` : name;
 * const fs = memoryFs({ "/repo/a.txt": "one", "/repo/src/b.ts": "export {};" });
 * const entries = await fs.list?.("/repo", 10) ?? [];
 * assertEquals(entries.map(show).sort(), ["a.txt", "src/"]);
 * ```
 */
export interface FileEntry {
  /** Its name alone. */
  readonly name: string;
  /** What it is; of a link, that it is one. */
  readonly kind: FileKind;
}
