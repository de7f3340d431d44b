// Runtime-agnostic.
import { CLOCK_GRAIN_MS, MAX_SCANNED_NAMES } from "./limits.ts";

/**
 * What a path, or an open file, turns out to be.
 */
export type FileKind = "file" | "directory" | "symlink" | "other";

/**
 * The few facts the core asks about a file.
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
  /** Whether no link can ever take the place of this directory. */
  readonly fixed?: boolean;
  /**
   * Whether its bytes come from afar: to read all of them costs more than the
   * line numbers are worth that its last lines would get by it. A port over
   * others passes it on, as it does whatever else it does not change.
   */
  readonly remote?: boolean;
}

/**
 * What a directory holds one of.
 */
export interface FileEntry {
  /** Its name alone. */
  readonly name: string;
  /** What it is; of a link, that it is one. */
  readonly kind: FileKind;
}

/**
 * A value, or a promise of one: a local disk answers at once, a remote store later.
 */
export type Awaitable<T> = T | Promise<T>;

/**
 * What a path is looked at for.
 *
 * - `"way"`: a name below it is looked at next.
 * - `"last"`: for what it is itself.
 */
export type PathRole = "way" | "last";

/**
 * Why a port failed, where its code alone would mislead. The core has a sentence
 * for each: a port's own words are shown to no one, for they may tell a secret.
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
   * Lists a directory. Its answer is never believed: each name is proved to lie
   * in the workspace before it is told. A port that cannot list leaves this out.
   *
   * @param path The absolute path of the directory.
   * @param most How many entries are enough, in whichever order they come.
   * @returns The entries.
   */
  list?(path: string, most: number): Awaitable<readonly FileEntry[]>;
  /**
   * Lists a whole directory in batches, so that one of millions of entries needs
   * little memory; fails where a part cannot be listed. Without it, `list` is
   * asked for all entries at once.
   *
   * @param path The absolute path of the directory.
   * @returns The entries, some at a time.
   */
  entries?(path: string): AsyncIterable<readonly FileEntry[]>;
}

/** Tells a promise from a value, so that a value costs no turn of the event loop. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then ===
    "function";
}

/** All entries of a directory, in batches; fails where not all of them can be had. */
export async function* allEntriesIn(
  fs: FsPort,
  path: string,
): AsyncIterable<readonly FileEntry[]> {
  if (fs.entries !== undefined) return yield* fs.entries(path);
  const fail = (code: string) => Object.assign(new Error(code), { code });
  if (fs.list === undefined) throw fail("ENOSYS");
  const entries = await fs.list(path, MAX_SCANNED_NAMES + 1);
  if (entries.length > MAX_SCANNED_NAMES) throw fail("EFBIG");
  yield entries;
}

/** How a file differs from what it was, as far as its size and its times tell. */
type Change = "same" | "shrank" | "larger" | "rewritten" | "touched";

/** Compares what a file was with what it is. */
export function changeOf(before: FileStat, now: FileStat): Change {
  if (now.size < before.size) return "shrank";
  if (now.size > before.size) return "larger";
  // Even what is no number is the same as itself.
  if (!Object.is(now.mtimeMs, before.mtimeMs)) return "rewritten";
  return Object.is(now.ctimeMs, before.ctimeMs) ? "same" : "touched";
}

/**
 * Whether every later change of a file must be seen from its times: not if it has
 * none, nor if it has changed within the clock's grain before `now`, so that
 * another change would leave it the same ones. `now` is from before `stat`.
 */
export function isAtRest(
  { mtimeMs, ctimeMs }: FileStat,
  now: number,
): boolean {
  // What is no date, such as an infinite one, proves nothing either.
  if (mtimeMs === null || !Number.isSafeInteger(Math.trunc(mtimeMs))) {
    return false;
  }
  // A time to come was set by someone, and a change would set another. When it
  // was set tells whether that would be seen.
  const changedMs = mtimeMs > now
    ? ctimeMs ?? mtimeMs
    : Math.max(mtimeMs, ctimeMs ?? mtimeMs);
  return now - changedMs > CLOCK_GRAIN_MS;
}
