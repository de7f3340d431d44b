import { type Call, isPromise } from "../base/call.ts";
import { codeOf, fromPort } from "../base/errno.ts";
import { checkValue, type Kind, type Refuse } from "../base/check.ts";
import { ReadFileError, refuseArgument } from "../base/errors.ts";
import { OPEN_RETRIES } from "../base/limits.ts";
import { changedError, changeOf, confirm, isAtRest, prove } from "./proof.ts";
import type { Attempt, Trail } from "./proof.ts";
import type {
  Awaitable,
  FileHandle,
  FileKind,
  FileStat,
  FsPort,
} from "../base/port.ts";
import { join, type Names, type ParsedPath, parsePath } from "./path.ts";
import type { Root } from "./root.ts";
import { ScannedBytes } from "./scanned.ts";
import { resolve } from "./walk.ts";

/**
 * An open file that is proved to lie inside its workspace.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, type OpenedFile, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "hello" });
 * const workspace = await openWorkspace("/repo", { fs });
 * await using file: OpenedFile = await workspace.open("./a.txt");
 * assertEquals(file.path, "a.txt");
 * assertEquals(await file.read(new Uint8Array(3), 2), 3);
 * ```
 */
export class OpenedFile implements AsyncDisposable {
  /** The path that was asked for, from the root, with neither `.` nor `..`. */
  readonly path: string;
  /** The stat of the file when it was opened. */
  readonly stat: FileStat;
  readonly #call: Call;
  readonly #handle: FileHandle;
  // Calls `refuseArgument` only for a wrong argument: opening a file need not.
  readonly #refuse: Refuse = (...mistake) =>
    refuseArgument(this.#call.path)(...mistake);
  /** What was read, of a file from which the call may not read all. */
  readonly #scanned: ScannedBytes | undefined;
  #open = true;

  /** Constructs a new instance; use {@linkcode Workspace.open} instead. */
  constructor(path: string, stat: FileStat, handle: FileHandle, call: Call) {
    this.path = path;
    this.stat = stat;
    this.#handle = handle;
    this.#call = call;
    this.#scanned = stat.size > call.maxScanBytes
      ? new ScannedBytes()
      : undefined;
  }

  /** Reads into `buffer`, possibly fewer bytes than fit; returns `0` only at the end of the file. */
  read(buffer: Uint8Array, position: number): Awaitable<number> {
    this.#refuseClosed();
    this.#call.check();
    checkValue("buffer", buffer, BUFFER, this.#refuse);
    checkValue("position", position, POSITION, this.#refuse);
    try {
      const reading = this.#call.wait(this.#handle.read(buffer, position));
      if (!isPromise(reading)) return this.#counted(reading, position);
      // A port may give an object that has only `then`.
      return Promise.resolve(reading)
        .then((count) => this.#counted(count, position))
        .catch((error) => this.#fail(error));
    } catch (error) {
      return this.#fail(error);
    }
  }

  /**
   * Fails with `CHANGED` if the bytes that were read may mix two versions of
   * the file. Bytes past its size at opening are not read, so it may grow.
   *
   * @returns `"same"`; or `"larger"`: appended to, or overwritten by more
   * bytes; or `"touched"`: renamed, for example, or overwritten with its mtime
   * set back.
   */
  async checkUnchanged(): Promise<"same" | "larger" | "touched"> {
    this.#refuseClosed();
    let now: FileStat;
    try {
      const looking = this.#call.wait(this.#handle.stat());
      now = isPromise(looking) ? await looking : looking;
    } catch (error) {
      return this.#fail(error);
    }
    const how = changeOf(this.stat, now);
    if (how === "shrank" || how === "rewritten") throw this.changed(how);
    return how;
  }

  /** Makes the failure of a file that changed while it was read. */
  changed(how: "shrank" | "rewritten"): ReadFileError {
    return new ReadFileError("CHANGED", this.#call.path, { how });
  }

  /** Closes the file; a second call does nothing. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    try {
      await this.#call.wait(this.#handle.close());
    } catch (error) {
      const failure = fromPort(error, this.#call.path);
      // An aborted call does not wait for the close.
      if (!failure.is("ABORTED")) throw failure;
    }
  }

  /** Closes the file at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #counted(count: number, position: number): number {
    if (this.#scanned === undefined) return count;
    const { path, maxScanBytes: limit } = this.#call;
    const scanned = this.#scanned.add(position, position + count);
    if (scanned <= limit) return count;
    throw new ReadFileError("SCAN_LIMIT", path, { limit });
  }

  #fail(error: unknown): never {
    throw fromPort(error, this.#call.path);
  }

  /** The descriptor of a closed file may have been reused for another file. */
  #refuseClosed(): void {
    if (!this.#open) throw new TypeError("Cannot read a file that is closed");
  }
}

const BUFFER: Kind = {
  wanted: "a Uint8Array",
  fits: (value) => value instanceof Uint8Array,
};
const POSITION = { least: 0 } as const;

/** A file that was opened, and the path that it was found at. */
interface Opened {
  readonly file: OpenedFile;
  readonly found: string;
  /** Whether its path has neither a link nor a mount: then that of its directory has none. */
  readonly isLinkFree: boolean;
}

/**
 * Opens a regular file below the root: walks down to it, opens it, and proves that
 * it lies below the root. Retries if the path changed. Returns the file and its
 * path without links.
 *
 * The walk is skipped if an earlier walk of the same path met no link and no mount.
 * This is safe only if the open file's own path equals the asked path: then the path
 * still has no link, and the earlier walk checked the rules for it. If the two paths
 * differ, the next attempt walks. A path through a mount is always walked, since only
 * a walk compares mounted directories. A search says that a path is link-free: it has
 * listed the directory, which checked the rules, and opened a file there after a walk.
 */
export async function openBelow(
  fs: FsPort,
  root: Root,
  path: string,
  call: Call,
  isLinkFree = false,
): Promise<Opened> {
  const parsed = parsePath(path, root.aliases);
  const names = parsed.names.join("/");
  /** The path by its text alone: any of its names may be a link. */
  const lexical = join(root.path, names);
  let skipsWalk = !parsed.asDirectory &&
    (isLinkFree || root.linkFree.get(lexical) === true);
  for (let retries = OPEN_RETRIES;;) {
    call.check();
    const attempt = { fs, root, call, startedMs: Date.now() };
    try {
      const trail = skipsWalk ? undefined : await findFile(attempt, parsed);
      const found = trail === undefined ? lexical : trail.at(-1)!.path;
      const { handle, stat, ownPath } = await openProved(attempt, found, trail);
      // A mount begins at a directory with `top`.
      const isUnmounted = trail?.every(({ stat }) => stat.top !== true);
      const isPlain = isUnmounted === true && ownPath === lexical;
      if (isPlain) root.linkFree.set(lexical, true);
      const file = new OpenedFile(names, stat, handle, call);
      return { file, found, isLinkFree: skipsWalk || isPlain };
    } catch (error) {
      const failure = fromPort(error, path);
      if (skipsWalk) {
        root.linkFree.delete(lexical);
        skipsWalk = false;
      } else if (retries-- === 0 || !failure.is("CHANGED")) throw failure;
    }
  }
}

/**
 * Walks to a regular file below the root, as {@linkcode openBelow} does, and opens
 * nothing; fails with the same errors. For a question that a read follows, which
 * proves the path again.
 */
export async function findBelow(
  fs: FsPort,
  root: Root,
  path: string,
  call: Call,
): Promise<void> {
  const parsed = parsePath(path, root.aliases);
  for (let retries = OPEN_RETRIES;;) {
    call.check();
    const attempt = { fs, root, call, startedMs: Date.now() };
    try {
      const trail = await findFile(attempt, parsed);
      return await confirm(attempt, trail, []);
    } catch (error) {
      const failure = fromPort(error, path);
      if (retries-- === 0 || !failure.is("CHANGED")) throw failure;
    }
  }
}

/** Walks to a file; fails if the path leads to anything else and that is confirmed. */
async function findFile(attempt: Attempt, parsed: ParsedPath): Promise<Trail> {
  const trail = await resolve(attempt, parsed.names);
  const { kind, special } = trail.at(-1)!.stat;
  if (kind === "file" && !parsed.asDirectory) return trail;
  await confirm(attempt, trail, []);
  if (kind !== "directory" && parsed.asDirectory) {
    const reason = "not_a_directory";
    throw new ReadFileError("NOT_FOUND", attempt.call.path, { reason });
  }
  throw new ReadFileError("NOT_A_FILE", attempt.call.path, {
    kind,
    ...(special && { special }),
  });
}

/** Opens the found path, and proves that what is open is below the root and of that kind. */
async function openProved(
  attempt: Attempt,
  found: string,
  trail?: Trail,
  kind: FileKind = "file",
) {
  const { call } = attempt;
  const handle = await openFound(attempt, found, trail);
  try {
    const looking = call.wait(handle.stat());
    const stat = isPromise(looking) ? await looking : looking;
    const ownPath = await prove(attempt, handle, stat, found, trail);
    // A FIFO may have taken its place after the walk.
    if (stat.kind !== kind) {
      const { kind, special } = stat;
      const details = { kind, ...(special && { special }) };
      throw new ReadFileError("NOT_A_FILE", call.path, details);
    }
    return { handle, stat: await statSince(attempt, handle, stat), ownPath };
  } catch (error) {
    await closeQuietly(handle, call);
    throw error;
  }
}

/**
 * The stat of an open file once its path is proved. A writer may have made a part of
 * the file elsewhere when `before` was sampled, and then moved it to the path: its
 * size was that of the part. Of a file at rest, the first stat is enough.
 */
async function statSince(
  { call, startedMs }: Attempt,
  handle: FileHandle,
  before: FileStat,
): Promise<FileStat> {
  const isKept = before.mtimeMs === null || before.remote === true ||
    isAtRest(before, startedMs);
  if (isKept) return before;
  const stat = await call.wait(handle.stat());
  if (stat.size < before.size) throw changedError(call);
  return stat;
}

/** Opens the found path; a failure is confirmed before it is thrown. */
async function openFound(attempt: Attempt, found: string, trail?: Trail) {
  const { fs, call } = attempt;
  const discard = (late: FileHandle) => void closeQuietly(late, call);
  try {
    const opening = call.wait(fs.open(found, call.signal), discard);
    return isPromise(opening) ? await opening : opening;
  } catch (error) {
    if (error instanceof ReadFileError) throw error;
    const answer = codeOf(error);
    // Retry. Without a walk: the next attempt walks. After a walk: the file was there and
    // was no link, so the tree has changed.
    if (trail === undefined || /^(ENOENT|ENOTDIR|ELOOP)$/.test(answer)) {
      throw changedError(call);
    }
    // These failures are about the process or the system, not about the tree.
    if (/^(E[MN]FILE|ENOMEM|EAGAIN|EINTR)$/.test(answer)) throw error;
    const ask = async () => await (await fs.open(found, call.signal)).close();
    await confirm(attempt, trail, [{ ask, answer }]);
    throw error;
  }
}

/** Closes a file that is not read, and ignores a failure. An aborted call does not wait. */
export async function closeQuietly(
  handle: FileHandle,
  call: Call,
): Promise<void> {
  try {
    await call.wait(handle.close());
  } catch {
    // Keep the original error.
  }
}

/** Whether a file or directory can be opened. Throws if the path changed or leads out. */
export async function canOpen(
  attempt: Attempt,
  names: Names,
  kind: "file" | "directory",
): Promise<boolean> {
  const { call } = attempt;
  try {
    const trail = await resolve(attempt, names);
    const { path, stat } = trail.at(-1)!;
    if (stat.kind !== kind) {
      await confirm(attempt, trail, []);
      return false;
    }
    const { handle } = await openProved(attempt, path, trail, kind);
    await closeQuietly(handle, call);
    return true;
  } catch (error) {
    call.check();
    const failure = fromPort(error, call.path);
    if (failure.is("CHANGED") || failure.is("OUTSIDE_WORKSPACE")) throw failure;
    return false;
  }
}
