// Runtime-agnostic.
import { Call } from "./call.ts";
import { fromPort } from "./errno.ts";
import { ReadFileError } from "./errors.ts";
import { OPEN_RETRIES } from "./limits.ts";
import { OpenedFile } from "./opened_file.ts";
import { type AskedPath, parsePath } from "./path.ts";
import type { FileHandle, FsPort } from "./port.ts";
import { prove } from "./proof.ts";
import { resolve, type Root } from "./resolve.ts";

/** Options for {@linkcode Workspace.open}. */
export interface OpenOptions {
  /** Ends the call early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The right to read the files below one directory, and no others.
 *
 * Whoever holds a workspace cannot name anything outside its root: a path that
 * leads out is refused whether or not something is there. Links are followed
 * as long as they stay inside. {@linkcode openWorkspace} makes one.
 *
 * It does not protect from hard links and mounts inside the root: what they
 * show is inside.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "hello" });
 * const workspace = await openWorkspace("/repo", { fs });
 * await using file = await workspace.open("a.txt");
 * assertEquals(file.stat.size, 5);
 * ```
 */
export class Workspace {
  readonly #fs: FsPort;
  readonly #root: Root;

  /**
   * Constructs a new instance; {@linkcode openWorkspace} finds the real root.
   *
   * @param fs The file system it is on.
   * @param root The directory, as it was found.
   */
  private constructor(fs: FsPort, root: Root) {
    this.#fs = fs;
    this.#root = root;
  }

  /**
   * Makes a directory the boundary of what can be read.
   *
   * @param fs The file system it is on.
   * @param path The directory.
   * @returns The workspace.
   */
  static async at(fs: FsPort, path: string): Promise<Workspace> {
    if (typeof path !== "string" || path === "") {
      throw new TypeError("Cannot open a workspace: its root must be named");
    }
    try {
      const real = await fs.realPath(path);
      if (real.includes("\uFFFD")) {
        throw new TypeError(
          "Cannot open a workspace: the path of its root is not Unicode",
        );
      }
      const stat = await fs.lstat(real);
      const { kind } = stat;
      if (kind === "file") {
        throw new ReadFileError("NOT_A_FILE", path, { kind: "other" }, {
          message: `Cannot open the workspace ${
            JSON.stringify(path)
          }: it is a file; name a directory`,
        });
      }
      if (kind !== "directory") {
        throw new ReadFileError("NOT_A_FILE", path, { kind });
      }
      const given = trimSlashes(path);
      const names = given === real ? [real] : [real, given];
      return new Workspace(fs, { path: real, names, stat });
    } catch (error) {
      throw error instanceof TypeError ? error : fromPort(error, path);
    }
  }

  /**
   * Resolves a path in the string, without touching any file.
   *
   * @param path The path: from the root, or absolute below it.
   * @returns The same path from the root, with neither `.` nor `..` in it.
   */
  normalize(path: string): string {
    return parsePath(path, this.#root.names).names.join("/") || ".";
  }

  /**
   * Opens a regular file in the workspace.
   *
   * @param path The path: from the root, or absolute below it.
   * @param options When to give up.
   * @returns The open file; close it, or declare it with `await using`.
   */
  async open(path: string, options: OpenOptions = {}): Promise<OpenedFile> {
    const asked = parsePath(path, this.#root.names);
    const call = new Call(path, options.signal);
    for (let left = OPEN_RETRIES;; left--) {
      try {
        return await this.#openOnce(asked, call);
      } catch (error) {
        const failure = fromPort(error, path);
        if (left === 0 || !failure.is("CHANGED")) throw failure;
      }
    }
  }

  /** One try: walk, open what was found, and prove that it is what was opened. */
  async #openOnce(asked: AskedPath, call: Call): Promise<OpenedFile> {
    call.check();
    const trail = await resolve(this.#fs, this.#root, asked.names, call);
    const { path, stat: { kind } } = trail.at(-1)!;
    if (kind === "file" && asked.asDirectory) {
      const reason = "not_a_directory";
      throw new ReadFileError("NOT_FOUND", call.path, { reason });
    }
    if (kind !== "file") {
      throw new ReadFileError("NOT_A_FILE", call.path, { kind });
    }
    const handle = await this.#openFound(path, call);
    try {
      const stat = await call.wait(handle.stat());
      // Between the walk and the opening, a FIFO may have taken its place.
      if (stat.kind !== "file") {
        throw new ReadFileError("NOT_A_FILE", call.path, { kind: stat.kind });
      }
      await prove(handle, stat, this.#fs, this.#root, trail, call);
      const name = asked.names.join("/");
      return new OpenedFile(name, stat, handle, call);
    } catch (error) {
      await closeQuietly(handle);
      throw error;
    }
  }

  async #openFound(path: string, call: Call): Promise<FileHandle> {
    try {
      return await call.wait(this.#fs.open(path), closeQuietly);
    } catch (error) {
      const { code } = Object(error) as { code?: unknown };
      // It was there, and no link, a moment ago.
      if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") {
        throw new ReadFileError("CHANGED", call.path, { how: "path" });
      }
      throw error;
    }
  }
}

/** Closes a file whose content no one will see; how that goes matters to no one. */
async function closeQuietly(handle: FileHandle): Promise<void> {
  try {
    await handle.close();
  } catch {
    // The failure on its way out says more.
  }
}

function trimSlashes(path: string): string {
  return path.replace(/\/+$/, "") || "/";
}
