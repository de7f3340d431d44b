// Runtime-agnostic.
import type { FileEntry, FileStat } from "./file_stat.ts";

export type { FileEntry, FileKind, FileStat } from "./file_stat.ts";

/**
 * A value, or a promise of one: a local disk answers at once, a remote store later.
 *
 * @example Usage
 * ```ts
 * import type { Awaitable } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const cache = new Map([["a", "at once"]]);
 * const load = (key: string): Awaitable<string> => cache.get(key) ?? Promise.resolve("later");
 * assertEquals([load("a"), await load("b")], ["at once", "later"]);
 * ```
 */
export type Awaitable<T> = T | Promise<T>;

/**
 * What a path is looked at for.
 *
 * - `"way"`: a name below it is looked at next.
 * - `"last"`: for what it is itself.
 *
 * @example Usage
 * ```ts
 * import { type FsPort, memoryFs, openWorkspace, type PathRole } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const files = memoryFs({ "/repo/src/a.ts": "export {};" });
 * const roles = new Map<string, PathRole | undefined>();
 * const lstat: FsPort["lstat"] = (path, role) => {
 *   roles.set(path, role);
 *   return files.lstat(path, role);
 * };
 * await (await openWorkspace("/repo", { fs: { ...files, lstat } })).read("src/a.ts");
 * assertEquals([roles.get("/repo/src"), roles.get("/repo/src/a.ts")], ["way", "last"]);
 * ```
 */
export type PathRole = "way" | "last";

/**
 * Why a port failed, where its code alone would mislead. The core has a sentence
 * for each: a port's own words are shown to no one, for they may tell a secret.
 *
 * @example Usage
 * ```ts
 * import { type FailureReason, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertRejects } from "@std/assert";
 *
 * class StoreError extends Error {
 *   readonly code = "EIO";
 *   readonly reason: FailureReason = "compressed";
 * }
 *
 * const fs = { ...memoryFs({ "/a.txt": "one" }), open: () => Promise.reject(new StoreError()) };
 * const workspace = await openWorkspace("/", { fs });
 * await assertRejects(() => workspace.open("a.txt"), Error, "the server sends it compressed");
 * ```
 */
export type FailureReason =
  | "bad_answer"
  | "compressed"
  | "no_net"
  | "no_parts"
  | "no_size"
  | "redirected";

/**
 * A file opened for reading.
 *
 * @example Usage
 * ```ts
 * import { type FileHandle, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const file: FileHandle = await memoryFs({ "/a.txt": "hello" }).open("/a.txt");
 * const buffer = new Uint8Array(3);
 * const length = await file.read(buffer, 3);
 * await file.close();
 * assertEquals(new TextDecoder().decode(buffer.subarray(0, length)), "lo");
 * ```
 */
export interface FileHandle {
  /**
   * Describes the open file, not whatever its path names by now.
   *
   * @returns The facts, as they are now.
   */
  stat(): Awaitable<FileStat>;
  /**
   * Reads into `buffer`; fewer bytes than it holds may come.
   *
   * @param buffer Where the bytes go, from its beginning.
   * @param position The byte of the file to begin at.
   * @returns How many bytes came; `0` only at the end of the file.
   */
  read(buffer: Uint8Array, position: number): Awaitable<number>;
  /**
   * Asks the system for its own present name of the open file.
   *
   * @returns The absolute path, or `undefined` where the system cannot tell.
   */
  path(): Awaitable<string | undefined>;
  /**
   * Closes the file; called once.
   *
   * @returns Nothing.
   */
  close(): Awaitable<void>;
}

/**
 * All that the core may ask of a file system: to look, never to write.
 *
 * A failure carries the reason as Node.js spells it in `code`: `"ENOENT"`,
 * `"EACCES"` and so on. A port holds no policy: which paths may be read, and
 * how much of them, is decided in the core.
 *
 * @example Usage
 * ```ts
 * import { type FsPort, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const files = memoryFs({ "/repo/a.txt": "one\n", "/repo/link": { link: "a.txt" } });
 * const opened: string[] = [];
 * const audited: FsPort = {
 *   ...files,
 *   open: (path, signal) => (opened.push(path), files.open(path, signal)),
 * };
 * await (await openWorkspace("/repo", { fs: audited })).read("link");
 * assertEquals(opened, ["/repo/a.txt"]);
 * ```
 */
export interface FsPort {
  /**
   * Follows every symbolic link in `path`; asked once, for a workspace's root.
   *
   * @param path The path, absolute or from the working directory.
   * @returns Where it leads, absolute.
   */
  realPath(path: string): Awaitable<string>;
  /**
   * Describes what `path` names, without following a link in its last part.
   *
   * A store that has neither directories nor links may answer at once, without
   * a request, that whatever is on the way is a directory: the name below it is
   * looked at all the same. Its open files must know their own paths. A disk
   * pays no heed to the role.
   *
   * @param path The absolute path.
   * @param role What it is looked at for; `"last"` by default.
   * @param signal Says that nobody waits for the answer any more. A port that asks
   * over a network ends its request then; others need not look at it.
   * @returns The facts.
   */
  lstat(
    path: string,
    role?: PathRole,
    signal?: AbortSignal,
  ): Awaitable<FileStat>;
  /**
   * Reads where a link points, as it was written; `EINVAL` if it is no link.
   *
   * @param path The absolute path of the link.
   * @param signal Says that nobody waits for the answer any more.
   * @returns The target.
   */
  readLink(path: string, signal?: AbortSignal): Awaitable<string>;
  /**
   * Opens a file for reading. Never blocks, whatever is there, and does not
   * follow a link in the last part of the path where the system can help it.
   *
   * @param path The absolute path.
   * @param signal Says that nobody waits for the file any more.
   * @returns The open file.
   */
  open(path: string, signal?: AbortSignal): Awaitable<FileHandle>;
  /**
   * Lists a directory; asked only to help someone who named a wrong file, and
   * never believed: what comes of it is opened before it is told. A port that
   * cannot list leaves this out.
   *
   * @param path The absolute path of the directory.
   * @param most How many entries are enough, in whichever order they come.
   * @returns The entries.
   */
  list?(path: string, most: number): Awaitable<readonly FileEntry[]>;
}

/** Tells a promise from a value, so that a value costs no turn of the event loop. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then ===
    "function";
}
