// Runtime-agnostic.
import { Call, orElse, whenThere } from "../base/call.ts";
import {
  type Awaitable,
  changeOf,
  type FileHandle,
  type FileStat,
  type FsPort,
  isPromise,
} from "../base/port.ts";
import { fromPort } from "../base/errno.ts";
import { ReadFileError } from "../base/errors.ts";
import { OPEN_RETRIES } from "../base/limits.ts";
import { type AskedPath, join, parsePath } from "./path.ts";
import { changed, prove } from "./proof.ts";
import { resolve, type Root, type Trail } from "./walk.ts";

/**
 * A file that was opened through a workspace, and is known to lie inside it.
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
  /** What the file was when it was opened. */
  readonly stat: FileStat;
  readonly #call: Call;
  readonly #handle: FileHandle;
  #open = true;

  /**
   * Constructs a new instance; {@linkcode Workspace.open} is the way to one.
   *
   * @param path The path from the root.
   * @param stat What the file was when it was opened.
   * @param handle The open file.
   * @param call The call it was opened for.
   */
  constructor(path: string, stat: FileStat, handle: FileHandle, call: Call) {
    this.path = path;
    this.stat = stat;
    this.#handle = handle;
    this.#call = call;
  }

  /**
   * Reads into `buffer`; fewer bytes than it holds may come.
   *
   * @param buffer Where the bytes go.
   * @param position The byte of the file to begin at.
   * @returns How many bytes came; `0` only at the end of the file.
   */
  read(buffer: Uint8Array, position: number): Awaitable<number> {
    this.#refuseClosed();
    this.#call.check();
    return this.#ask(() => this.#handle.read(buffer, position));
  }

  /**
   * Fails with `CHANGED` if what was read may not be one version of the file.
   *
   * A file that only grew is fine: no byte past its size at opening is read.
   *
   * @returns Whether it is as it was; or `"larger"`: appended to, or written over by
   * more; or `"touched"`: renamed, say, or written over and its time set back.
   */
  checkUnchanged(): Awaitable<"same" | "larger" | "touched"> {
    this.#refuseClosed();
    return whenThere(this.#ask(() => this.#handle.stat()), (now) => {
      const change = changeOf(this.stat, now);
      if (change === "shrank" || change === "rewritten") {
        throw this.changed(change);
      }
      return change;
    });
  }

  /**
   * Makes the failure of a file that changed while it was read.
   *
   * @param how What changed.
   * @returns The failure.
   */
  changed(how: "shrank" | "rewritten"): ReadFileError<"CHANGED"> {
    return new ReadFileError("CHANGED", this.#call.path, { how });
  }

  /**
   * Closes the file; a second time does nothing.
   *
   * @returns Nothing.
   */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    try {
      const closing = this.#call.wait(this.#handle.close());
      if (isPromise(closing)) await closing;
    } catch (error) {
      const failure = fromPort(error, this.#call.path);
      // A caller who has given up does not wait for this either.
      if (!failure.is("ABORTED")) throw failure;
    }
  }

  /**
   * Closes the file at the end of an `await using` block.
   *
   * @returns Nothing.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The number of a closed file may by now be that of another, anywhere. */
  #refuseClosed(): void {
    if (!this.#open) throw new TypeError("Cannot read a file that is closed");
  }

  #ask<T>(question: () => Awaitable<T>): Awaitable<T> {
    return orElse(() => this.#call.wait(question()), (error) => {
      throw fromPort(error, this.#call.path);
    });
  }
}

/** Opens a regular file below the root: what changes on the way is tried again. */
export function openBelow(
  fs: FsPort,
  root: Root,
  path: string,
  limits: Call | { readonly signal?: AbortSignal | undefined },
): Awaitable<OpenedFile> {
  const asked = parsePath(path, root.ways);
  const call = limits instanceof Call ? limits : new Call(path, limits.signal);
  const open = (retries: number): Awaitable<OpenedFile> =>
    orElse(() => openOnce(fs, root, asked, call), (error) => {
      const failure = fromPort(error, path);
      if (retries === 0 || !failure.is("CHANGED")) throw failure;
      return open(retries - 1);
    });
  return open(OPEN_RETRIES);
}

/** One try: by the path alone if that is enough, and else by a walk. */
function openOnce(
  fs: FsPort,
  root: Root,
  asked: AskedPath,
  call: Call,
): Awaitable<OpenedFile> {
  call.check();
  const path = join(root.path, asked.names.join("/"));
  if (asked.asDirectory || !root.straight.has(path)) {
    return openByWalk(fs, root, asked, call);
  }
  return orElse(
    () => openStraight(fs, path, asked, call),
    () => {
      call.check();
      root.straight.delete(path);
      return openByWalk(fs, root, asked, call);
    },
  );
}

/**
 * Opens a path that led to a file without a link when it was last walked. If the
 * system calls the open file by that very path, it leads there without a link now,
 * and the rules have allowed it; whatever else it is, is left to a walk.
 */
function openStraight(
  fs: FsPort,
  path: string,
  asked: AskedPath,
  call: Call,
): Awaitable<OpenedFile> {
  return whenThere(
    openFound(fs, path, call),
    (handle) =>
      closedOnFailure(
        handle,
        call,
        () =>
          whenThere(call.wait(handle.stat()), (stat) =>
            whenThere(call.wait(handle.path()), (name) => {
              // No name is no proof: a moved file looks as it did.
              if (stat.kind !== "file" || name !== path) {
                throw changed(call);
              }
              return new OpenedFile(asked.names.join("/"), stat, handle, call);
            })),
      ),
  );
}

/** Walks, opens what was found, and proves that it is what was opened. */
function openByWalk(
  fs: FsPort,
  root: Root,
  asked: AskedPath,
  call: Call,
): Awaitable<OpenedFile> {
  return whenThere(resolve(fs, root, asked.names, call), (trail) => {
    const { path, stat: { kind } } = trail.at(-1)!;
    if (kind !== "directory" && asked.asDirectory) {
      const reason = "not_a_directory";
      throw new ReadFileError("NOT_FOUND", call.path, { reason });
    }
    if (kind !== "file") {
      throw new ReadFileError("NOT_A_FILE", call.path, { kind });
    }
    return whenThere(openFound(fs, path, call), (handle) =>
      closedOnFailure(
        handle,
        call,
        () => checkOpened(handle, fs, root, asked, trail, call),
      ));
  });
}

/** Does the work on an open file; if that fails, closes the file. */
function closedOnFailure<T>(
  handle: FileHandle,
  call: Call,
  work: () => Awaitable<T>,
): Awaitable<T> {
  return orElse(work, async (error) => {
    await closeQuietly(handle, call);
    throw error;
  });
}

/** What was opened must be a file, and the one that was found, or another below the root. */
function checkOpened(
  handle: FileHandle,
  fs: FsPort,
  root: Root,
  asked: AskedPath,
  trail: Trail,
  call: Call,
): Awaitable<OpenedFile> {
  return whenThere(call.wait(handle.stat()), (stat) => {
    // Between the walk and the opening, a FIFO may have taken its place.
    if (stat.kind !== "file") {
      throw new ReadFileError("NOT_A_FILE", call.path, { kind: stat.kind });
    }
    return whenThere(prove(handle, stat, fs, root, trail, call), (proof) => {
      const names = asked.names.join("/");
      const { path } = trail.at(-1)!;
      if (proof === "named" && path === join(root.path, names)) {
        root.straight.add(path);
      }
      return new OpenedFile(names, stat, handle, call);
    });
  });
}

function openFound(
  fs: FsPort,
  path: string,
  call: Call,
): Awaitable<FileHandle> {
  const discard = (late: FileHandle) => void closeQuietly(late, call);
  return orElse(
    () => call.wait(fs.open(path, call.signal), discard),
    (error) => {
      const { code } = Object(error) as { code?: unknown };
      // It was there, and no link, a moment ago.
      if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") {
        throw changed(call);
      }
      throw error;
    },
  );
}

/**
 * Closes a file whose content no one will see; how that goes matters to no one.
 * What keeps a read from ending may keep a close as well: a caller who has given
 * up does not wait for it.
 */
async function closeQuietly(handle: FileHandle, call: Call): Promise<void> {
  try {
    await call.wait(handle.close());
  } catch {
    // The failure on its way out says more.
  }
}

/**
 * Whether a file, or a directory, is below the root at all: it is opened, and
 * proved to be. Whatever keeps that from being done, it is not.
 */
export async function isThere(
  fs: FsPort,
  root: Root,
  names: readonly string[],
  kind: "file" | "directory",
  call: Call,
): Promise<boolean> {
  try {
    const trail = await resolve(fs, root, names, call);
    const { path, stat } = trail.at(-1)!;
    if (stat.kind !== kind) return false;
    const handle = await openFound(fs, path, call);
    try {
      const opened = await call.wait(handle.stat());
      await prove(handle, opened, fs, root, trail, call);
      return opened.kind === kind;
    } finally {
      await closeQuietly(handle, call);
    }
  } catch {
    call.check();
    return false;
  }
}
