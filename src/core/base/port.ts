/** What a path, or an open file, is. */
export type FileKind = "file" | "directory" | "symlink" | "other";

/** A copy of bytes of a file: `Uint8Array<ArrayBuffer>`, or `Uint8Array` before TypeScript 5.7. */
export type FileBytes = ReturnType<Uint8Array["slice"]>;

/** The facts about a file. */
export interface FileStat {
  /** What it is. */
  readonly kind: FileKind;
  /** What it is if its kind is `"other"`, for messages, where the system tells. */
  readonly special?: "FIFO" | "socket" | "device" | undefined;
  /** Its size in bytes. */
  readonly size: number;
  /** When its content last changed, in milliseconds since the epoch; `null` if unknown. */
  readonly mtimeMs: number | null;
  /** When anything about it last changed, in milliseconds since the epoch; `null` if unknown, or if any program may set it. Unless the file is `remote`, only its bytes then show a change. */
  readonly ctimeMs: number | null;
  /** Identifies the file by every path of it, such as `dev:ino`; it may also identify its version. `null` if unknown; then `path()` of the open file must answer. */
  readonly id: string | null;
  /** Whether a mount begins at this directory: no link may climb above it. */
  readonly top?: boolean;
  /** Whether no link can ever take the place of this directory. */
  readonly fixed?: boolean;
  /** Whether it is read over a network. Its last lines are then numbered from the end, since counting needs the whole file. A port that wraps another must pass this on. */
  readonly remote?: boolean;
}

/** An entry of a directory. */
export interface FileEntry {
  /** Its name, without a path. */
  readonly name: string;
  /** What it is; links are not followed. */
  readonly kind: FileKind;
}

/** A value, or a promise of one: a local disk answers synchronously, a remote store later. */
export type Awaitable<T> = T | Promise<T>;

/** Why a port failed, where the code alone would mislead. A port's own messages are not shown, since they may hold a secret. */
export type FailureReason =
  | "bad_answer"
  | "compressed"
  | "no_net"
  | "no_parts"
  | "no_real_path"
  | "no_size"
  | "redirected"
  | "rounded_id";

/** A file opened for reading. */
export interface FileHandle {
  /** Describes the open file itself, even if its path now names another. */
  stat(): Awaitable<FileStat>;
  /**
   * Reads from `position` into `buffer`, up to its length; returns how many bytes. May
   * read fewer than fit, but `0` only at the end of the file. `EISDIR` if it is a
   * directory; `ESTALE` if the file was replaced and its bytes are gone.
   */
  read(buffer: Uint8Array, position: number): Awaitable<number>;
  /**
   * The present real path of the open file; `undefined` where the system cannot tell.
   * In a store with links, this is not always the path that `open()` got. Ask the
   * system in the same way as `lstat()`: both synchronously, or both through the same
   * thread pool. A proof asks both in random order, and neither may always be answered
   * first.
   */
  path(): Awaitable<string | undefined>;
  /**
   * Lists the open directory itself, even if its path now names another. A port may
   * leave this out: then many listings by path prove one of a directory that changed
   * within the last two seconds.
   */
  readonly list?:
    | ((most: number) => ReturnType<NonNullable<FsPort["list"]>>)
    | undefined;
  /** Closes the file; called once. */
  close(): Awaitable<void>;
}

/** How a file system spells paths, and which names are one. */
export interface PathSpelling {
  /**
   * `"windows"`: the paths of the port are `/C:/dir/name` and `/server/share/name`, and
   * fail with `ENOENT` if Windows would read one of their names as anything but
   * itself. Callers may write `dir\name`, `C:\dir\name` and `\\server\share\name`.
   */
  readonly form?: "windows";
  /** Whether `lstat` may describe what some links lead to in place of the links, so that `realPath` is asked for each path on the way, too. A port that wraps another must pass this on. */
  readonly hidesLinks?: boolean;
  /** Whether names may be one that differ only in case or in the composition of letters. */
  readonly foldsNames?: boolean;
  /** `"utf-16"`: a name has at most 255 code units of UTF-16; at most 255 bytes of UTF-8 by default. */
  readonly nameUnits?: "utf-16";
}

/**
 * A file system to read from. Paths are absolute, with `/` between names. A failure
 * has the `code` that Node.js gives it: `ENOENT` for a missing path, `ENOTDIR` below a
 * file, `ELOOP` for links that lead to themselves, `EACCES` and so on. A port holds no
 * policy: the core decides what may be read, and how much. A port over a network ends
 * its request if `signal` aborts.
 */
export interface FsPort {
  /** How it spells paths; as Linux does by default. */
  readonly spelling?: PathSpelling;
  /** Resolves `.`, `..` and every link in `path`, which may be relative to the working directory. The core calls it only for the root of a workspace, unless `lstat` hides links. */
  realPath(path: string): Awaitable<string>;
  /**
   * Describes what `path` names; a link at its end is not followed. The role says why:
   * `path` is a directory on the way to a name below it, or the last name, which is the
   * default. A store without directories may answer `"way"` with a directory, without
   * a request, if its open files know their own paths. The path of a root may end in `/.`.
   */
  lstat(
    path: string,
    role?: "way" | "last",
    signal?: AbortSignal,
  ): Awaitable<FileStat>;
  /** Reads the target of a link as it was written; `EINVAL` if it is not a link. */
  readLink(path: string, signal?: AbortSignal): Awaitable<string>;
  /** Opens a file; a directory too, or fails with `EISDIR`. Must not block, not even for a FIFO. A link at the end of the path is `ELOOP`, unless the system always follows it. */
  open(path: string, signal?: AbortSignal): Awaitable<FileHandle>;
  /**
   * Lists a directory, in any order: all at once, or in batches, so that millions
   * of entries need little memory. Fails if a part cannot be listed; `most` entries
   * are enough, and `most` may be `Infinity`. Each name is proved to lie in the
   * workspace before it is shown. A port that cannot list leaves this out; a port over
   * others fails with `ENOSYS` where one of them cannot list.
   */
  list?(
    path: string,
    most: number,
    signal?: AbortSignal,
  ): Awaitable<readonly FileEntry[] | AsyncIterable<readonly FileEntry[]>>;
}

/** Why a path is described. */
export type PathRole = NonNullable<Parameters<FsPort["lstat"]>[1]>;
